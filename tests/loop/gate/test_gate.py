"""The gate: who gets in, who is refused, and that no connection hurts another."""

import errno
import hashlib
import math

import attrs
import pytest
import trio
import trio.testing

from agentbrowser.config import Config
from agentbrowser.policy.credentials import Credential, TokenFile, TokenLimits
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.gate import accept as gate_module
from agentbrowser.server.gate import auth
from agentbrowser.server.gate.accept import Gate, listen
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.byte_stream import abort
from agentbrowser.server.gate.socket import Socket
from tests.loop.gate.test_http import get
from tests.loop.handshakes import BAD_HANDSHAKES, BadHandshake
from tests.loop.raw_websocket import TEXT, Knocker, Wire, echo, frame, open_gate, upgrade


async def assert_echoes(wire: Wire, text: str = "still here") -> None:
    await wire.say(text)
    assert await wire.hear() == (TEXT, text.encode())


@pytest.mark.parametrize("bad", BAD_HANDSHAKES, ids=lambda bad: bad.name)
async def test_a_bad_handshake_is_refused_and_hurts_nobody(bad: BadHandshake) -> None:
    async with open_gate() as knocker, knocker.websocket() as bystander:
        wire = await knocker.connect()
        async with wire.stream:
            await wire.send(bad.on_wire(knocker.port))
            if bad.hangs_up:
                await wire.stream.send_eof()
            head = await wire.head()
            assert head.startswith(f"HTTP/1.1 {bad.status} ".encode())
            assert b"connection: close" in head.lower()
            await wire.rest()
        await assert_echoes(bystander)
        assert knocker.gate.connections == 1


@pytest.mark.parametrize("moment", ["silent", "half a head", "whole head", "after a frame"])
async def test_a_client_that_resets_hurts_nobody(moment: str) -> None:
    async with open_gate() as knocker, knocker.websocket() as bystander:
        good = upgrade(knocker.port)
        sent = {"silent": b"", "half a head": good[:50], "whole head": good, "after a frame": good + frame(TEXT, b"x")}
        stream = await trio.open_tcp_stream("127.0.0.1", knocker.port)
        await stream.send_all(sent[moment])
        await abort(stream)
        await assert_echoes(bystander)


async def test_a_frame_in_the_segment_of_the_upgrade_is_answered() -> None:
    async with open_gate() as knocker:
        wire = await knocker.connect()
        async with wire.stream:
            await wire.send(upgrade(knocker.port) + frame(TEXT, b"early"))
            await wire.head()
            assert await wire.hear() == (TEXT, b"early")


@pytest.mark.parametrize(
    ("host", "allowed", "status"),
    [
        ("127.0.0.1:{port}", (), 404),
        ("localhost:{port}", (), 404),
        ("LocalHost:{port}", (), 404),
        ("[::1]:{port}", (), 404),
        ("localhost.:{port}", (), 403),
        ("localhost.evil.com:{port}", (), 403),
        ("127.0.0.1.nip.io:{port}", (), 403),
        ("127.0.0.1", (), 403),
        ("127.0.0.1:1", (), 403),
        ("127.0.0.1:{port}0", (), 403),
        ("127.1:{port}", (), 403),
        ("user@127.0.0.1:{port}", (), 403),
        ("", (), 403),
        ("agent.example", ("agent.example",), 404),
        ("agent.example:{port}", ("Agent.example",), 404),
        ("agent.example:{port}", ("agent.example:1",), 403),
        ("x.agent.example", ("agent.example",), 403),
    ],
)
async def test_only_allowed_hosts_are_answered(host: str, allowed: tuple[str, ...], status: int) -> None:
    async with open_gate(allowed_hosts=allowed) as knocker:
        host = host.replace("{port}", str(knocker.port))
        for path, found in (("/nothing", 404), ("/health", 200), ("/ready", 200), ("/", 426)):
            request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"
            assert await knocker.status(request.encode()) == (found if status == 404 else status)
        socket = upgrade(knocker.port).replace(f"127.0.0.1:{knocker.port}".encode(), host.encode())
        async with (wire := await knocker.connect()).stream:
            await wire.send(socket)
            assert (await wire.head()).startswith(b"HTTP/1.1 101 " if status == 404 else b"HTTP/1.1 403 ")


@pytest.mark.parametrize(("host", "own", "status"), [("127.0.0.2", "127.0.0.2", 426), ("0.0.0.0", "0.0.0.0", 403)])
async def test_the_address_that_the_operator_named_is_a_host(host: str, own: str, status: int) -> None:
    async with open_gate(host=host, token="t" * 16) as knocker:
        wire = Wire(await trio.open_tcp_stream("127.0.0.2", knocker.port))
        async with wire.stream:
            await wire.send(f"GET / HTTP/1.1\r\nHost: {own}:{knocker.port}\r\n\r\n".encode())
            assert (await wire.head()).startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.parametrize(
    ("origins", "allowed"),
    [
        (("http://evil.test",), False),
        (("null",), False),
        (("",), False),
        (("http://127.0.0.1:{port}",), False),
        (("http://localhost:{port}",), False),
        (("https://app.example.evil.test",), False),
        (("https://app.example:443",), False),
        (("HTTPS://APP.EXAMPLE",), False),
        (("https://app.example",), True),
        (("https://app.example", "http://evil.test"), False),
        (("https://app.example", "https://app.example"), False),
        ((), True),
    ],
)
async def test_only_allowed_origins_are_answered(origins: tuple[str, ...], allowed: bool) -> None:
    async with open_gate(allowed_origins=("https://app.example",)) as knocker:
        lines = [f"Origin: {origin}".replace("{port}", str(knocker.port)) for origin in origins]
        socket = upgrade(knocker.port, *lines, "Connection: close")
        plain = socket.replace(b"GET / ", b"GET /health ").replace(b"Upgrade: websocket\r\n", b"")
        assert await knocker.status(plain) == (200 if allowed else 403)
        wire = await knocker.connect()
        async with wire.stream:
            await wire.send(socket)
            assert (await wire.head()).startswith(b"HTTP/1.1 101 " if allowed else b"HTTP/1.1 403 ")


@pytest.mark.parametrize("path", ["/", "/health", "/metrics?token=guess"])
@pytest.mark.parametrize(
    ("site", "origin", "allowed"),
    [
        ("cross-site", None, False),
        ("same-site", None, False),
        ("", None, False),
        ("none", None, True),
        ("same-origin", None, True),
        ("cross-site", "https://app.example", True),
        ("same-origin", "https://evil.test", False),
    ],
)
async def test_a_request_that_a_web_page_has_caused(path: str, site: str, origin: str | None, allowed: bool) -> None:
    """An image of a page has no Origin: the browser's own mark tells it from other clients."""
    async with open_gate(allowed_origins=("https://app.example",)) as knocker:
        lines = [f"Sec-Fetch-Site: {site}", *([f"Origin: {origin}"] if origin else [])]
        request = get(knocker.port, path).replace(
            b"\r\n\r\n", "".join(f"\r\n{line}" for line in lines).encode() + b"\r\n\r\n"
        )
        assert (await knocker.status(request) != 403) is allowed


async def test_further_wrong_tokens_wait_for_their_answer_and_a_right_one_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(auth, "GUESS_DELAY_S", math.inf)
    monkeypatch.setattr(gate_module, "MAX_DELAYED", 1)
    async with open_gate(token="the-only-right-token") as knocker:
        wrong = upgrade(knocker.port, "X-AGENT-Token: guess")
        assert [await knocker.status(wrong) for _ in range(10)] == [401] * 10
        statuses: list[int] = []
        async with trio.open_nursery() as nursery:

            async def guess() -> None:
                statuses.append(await knocker.status(wrong))
                nursery.cancel_scope.cancel()

            nursery.start_soon(guess)
            nursery.start_soon(guess)
        assert statuses == [429]  # of the one for which there is no room to wait
        async with knocker.websocket("X-AGENT-Token: the-only-right-token") as wire:
            await assert_echoes(wire)


async def test_a_token_has_so_many_connections() -> None:
    few = Credential(
        name="few", sha256=hashlib.sha256(b"the-token-with-few").hexdigest(), limits=TokenLimits(max_connections=2)
    )
    async with open_gate(token="the-only-right-token", tokens=TokenFile((few,))) as knocker:
        mine = "X-AGENT-Token: the-token-with-few"
        async with knocker.websocket(mine) as first:
            async with knocker.websocket(mine):
                assert await knocker.status(upgrade(knocker.port, mine)) == 429
                async with knocker.websocket("X-AGENT-Token: the-only-right-token") as other:
                    await assert_echoes(other)
                await assert_echoes(first)
            while knocker.gate.connections > 1:  # noqa: ASYNC110 - the gate gives no event
                await trio.sleep(0.01)
            async with knocker.websocket(mine) as again:
                await assert_echoes(again)


@pytest.mark.parametrize("target", ["/", "/health", "/any/path?x=1"])
async def test_a_websocket_is_served_on_any_path(target: str) -> None:
    async with open_gate() as knocker, knocker.websocket(target=target) as wire:
        await assert_echoes(wire)


async def test_a_refusal_repeats_nothing_and_is_not_kept() -> None:
    async with open_gate(token="the-only-right-token") as knocker:
        answer = await knocker.ask(upgrade(knocker.port, "X-AGENT-Token: canary-1", target="/?token=canary-2"))
        head, _, body = answer.partition(b"\r\n\r\n")
        assert b"canary" not in answer
        assert b"Cache-Control: no-store" in head
        assert b"X-Content-Type-Options: nosniff" in head
        assert body == b"A valid token is needed.\n"


async def test_the_grant_reaches_the_socket() -> None:
    grants = []

    async def note(socket: Socket, grant: Grant) -> None:
        grants.append(grant)

    async with open_gate(note, token="the-only-right-token", scope=Scope.FULL) as knocker:
        async with knocker.websocket("X-AGENT-Token: the-only-right-token") as wire:
            assert await wire.hear_close() == 1000
        assert await knocker.status(upgrade(knocker.port)) == 401
    assert grants == [Grant(Scope.FULL, "token")]


async def test_a_connection_beyond_the_limit_is_refused_until_another_leaves() -> None:
    async with open_gate(max_connections=2) as knocker:
        async with knocker.websocket() as first, knocker.websocket():
            assert knocker.gate.status.full
            assert await knocker.status(upgrade(knocker.port)) == 503
            await assert_echoes(first)
        while knocker.gate.status.full:  # noqa: ASYNC110 - the gate gives no event, and is open for a time only
            await trio.sleep(0.01)
        async with knocker.websocket() as wire:
            await assert_echoes(wire)


async def test_no_socket_while_draining() -> None:
    async with open_gate() as knocker, knocker.websocket() as wire:
        knocker.gate.status.state = "draining"
        assert await knocker.status(upgrade(knocker.port)) == 503
        await assert_echoes(wire)


async def test_stopping_closes_the_port_and_keeps_the_sockets() -> None:
    gate = Gate(Config(port=0), echo, await listen(Config(port=0)))
    port = gate.ports[0]
    with trio.fail_after(40):
        async with trio.open_nursery() as nursery:
            await nursery.start(gate.run)
            wire = Wire(await trio.open_tcp_stream("127.0.0.1", port))
            await wire.send(upgrade(port))
            await wire.head()
            gate.stop_accepting()
            await trio.testing.wait_all_tasks_blocked()
            with pytest.raises(OSError, match="connect"):
                await trio.open_tcp_stream("127.0.0.1", port)
            await assert_echoes(wire)
            await wire.stream.aclose()
    assert gate.connections == 0


async def test_plain_http_is_answered_before_websockets_are_served() -> None:
    with trio.fail_after(40):
        async with gate_module.open_gate(Config(port=0)) as gate:
            knocker = Knocker(gate, gate.ports[0])
            assert await knocker.status(get(gate.ports[0], "/health")) == 200
            assert await knocker.status(get(gate.ports[0], "/ready")) == 503
            wire = await knocker.connect()
            await wire.send(upgrade(knocker.port))
            with trio.move_on_after(0.2) as early:
                await wire.head()
            assert early.cancelled_caught
            gate.serve_sockets(echo)
            await wire.head()
            await assert_echoes(wire)
            await wire.stream.aclose()


async def test_the_port_is_ours_alone() -> None:
    async with open_gate() as knocker:
        with pytest.raises(OSError, match=rf"Address already in use: 'port {knocker.port} of 127\.0\.0\.1'"):
            await listen(Config(port=knocker.port))


async def test_a_handler_that_raises_hurts_nobody() -> None:
    async def fail(socket: Socket, grant: Grant) -> None:
        if await socket.receive() == "fail":
            raise ZeroDivisionError
        await echo(socket, grant)

    async with open_gate(fail) as knocker, knocker.websocket() as bystander:
        await bystander.say("live")
        async with knocker.websocket() as wire:
            await wire.say("fail")
            assert await wire.hear_close() == 1011
        await assert_echoes(bystander)


@attrs.define
class Exhausted(trio.abc.Listener[trio.SocketStream]):
    """A listener that fails before it accepts."""

    listener: trio.SocketListener
    failures: list[int]

    async def accept(self) -> trio.SocketStream:
        if self.failures:
            raise OSError(self.failures.pop(), "accept failed")
        return await self.listener.accept()

    async def aclose(self) -> None:
        await self.listener.aclose()


async def test_running_out_of_descriptors_is_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate_module, "ACCEPT_PAUSE_S", 0.001)
    listener = (await listen(Config(port=0)))[0]
    exhausted = Exhausted(listener, [errno.EMFILE, errno.ENFILE, errno.ENOBUFS])
    gate = Gate(Config(port=0), echo, [exhausted])
    with trio.fail_after(40):
        async with trio.open_nursery() as nursery:
            await nursery.start(gate.run)
            port = listener.socket.getsockname()[1]
            wire = Wire(await trio.open_tcp_stream("127.0.0.1", port))
            async with wire.stream:
                await wire.send(upgrade(port))
                await wire.head()
                await assert_echoes(wire)
            nursery.cancel_scope.cancel()
    assert exhausted.failures == []


async def test_slow_heads_are_cut_off() -> None:
    async with open_gate(head_timeout_s=0.5) as knocker, knocker.websocket() as bystander:
        statuses: list[int] = []

        async def dawdle() -> None:
            statuses.append(await knocker.status(upgrade(knocker.port)[:40]))

        async with trio.open_nursery() as nursery:
            for _ in range(50):
                nursery.start_soon(dawdle)
            await assert_echoes(bystander)
        assert statuses == [408] * 50


async def test_three_hundred_at_once() -> None:
    async with open_gate() as knocker:
        echoed: list[bytes] = []
        together = trio.Event()

        async def talk(text: str) -> None:
            async with knocker.websocket() as wire:
                await wire.say(text)
                echoed.append((await wire.hear())[1])
                if len(echoed) == 300:
                    together.set()
                await together.wait()

        async with trio.open_nursery() as nursery:
            for number in range(300):
                nursery.start_soon(talk, str(number))
            await together.wait()
            assert knocker.gate.connections == 300
        assert sorted(echoed) == sorted(str(number).encode() for number in range(300))


def test_a_gate_without_a_port_says_so_and_after_its_end_takes_no_client_of_its_own_program() -> None:
    gate = Gate(Config(port=0), listeners=())
    with pytest.raises(RuntimeError, match="listens on no port"):
        _ = gate.port
    with gate.counted(None):
        assert gate.connections == 0
    gate.status.state = "draining"
    with pytest.raises(RuntimeError, match="has ended"), gate.counted(None):
        pass
