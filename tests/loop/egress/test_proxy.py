"""The wall, without a browser: what may pass, what may not, and that no connection hurts another."""

import os
import selectors
import socket
import threading
from collections import Counter
from ipaddress import ip_address
from typing import Any

import pytest
import structlog
import trio
import trio.testing

from agentbrowser.policy.urls import UrlRules
from agentbrowser.server.egress import proxy as egress_module
from agentbrowser.server.egress.proxy import EgressProxy
from agentbrowser.server.egress.socks import Destination
from agentbrowser.server.gate.byte_stream import abort
from tests.loop.egress_door import (
    DENIED,
    FAILED,
    GRANTED,
    GREETING,
    NO_ADDRESS,
    NO_COMMAND,
    REFUSED,
    UNREACHABLE,
    Doorway,
    Guest,
    Zone,
    echo,
    last_words,
    open_doorway,
    open_spy,
    request,
    reset,
    silence,
    swallow,
)

METADATA = "169.254.169.254"
PUBLIC = "93.184.216.34"


async def assert_passes(doorway: Doorway, host: str, port: int) -> None:
    async with doorway.guest() as guest:
        assert await guest.ask(host, port) == GRANTED
        await guest.send(b"ping")
        assert await guest.hear(4) == b"ping"


@pytest.mark.parametrize(
    "greeting", [b"\x05\x01\x00", b"\x05\x02\x00\x02", b"\x05\x03\x02\x01\x00", b"\x05\xff" + bytes(255)]
)
async def test_a_greeting_that_offers_no_authentication_is_welcome(greeting: bytes) -> None:
    async with open_spy() as spy, open_doorway(private_open=True) as doorway, doorway.guest() as guest:
        await guest.send(greeting)
        assert await guest.hear(2) == b"\x05\x00"
        await guest.send(request("127.0.0.1", spy.port))
        assert (await guest.hear(10))[1] == GRANTED


@pytest.mark.parametrize("step", [1, 2, 3, 7])
async def test_a_conversation_may_come_in_pieces(step: int) -> None:
    async with open_spy() as spy, open_doorway(private_open=True) as doorway, doorway.guest() as guest:
        whole = GREETING + request("localhost", spy.port)
        for start in range(0, len(whole), step):
            await guest.send(whole[start : start + step])
            await trio.sleep(0.001)
        assert (await guest.hear(12))[2:4] == b"\x05\x00"


async def test_a_conversation_may_come_in_one_piece_with_what_follows() -> None:
    async with open_spy() as spy, open_doorway(private_open=True) as doorway, doorway.guest() as guest:
        await guest.send(GREETING + request("127.0.0.1", spy.port) + b"early")
        assert (await guest.hear(17))[12:] == b"early"
        assert spy.heard == b"early"


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"\x05\x00", b"\x05\xff"),
        (b"\x05\x01\x02", b"\x05\xff"),
        (b"\x05\x02\x01\x02", b"\x05\xff"),
        (b"\x04\x01\x00\x50\x7f\x00\x00\x01\x00", b""),
        (b"GET / HTTP/1.1\r\n\r\n", b""),
        (b"CONNECT 127.0.0.1:80 HTTP/1.1\r\n\r\n", b""),
        (b"\x16\x03\x01\x02\x00", b""),
        (bytes(300), b""),
        (b"\xff" * 300, b""),
    ],
)
async def test_a_stranger_is_sent_away(said: bytes, answer: bytes) -> None:
    async with open_doorway() as doorway:
        async with doorway.guest() as guest:
            await guest.send(said)
            assert await guest.rest() == answer
        await doorway.empty()


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (request("127.0.0.1", 80, command=2), NO_COMMAND),
        (request("127.0.0.1", 80, command=3), NO_COMMAND),
        (request("127.0.0.1", 80, command=0), NO_COMMAND),
        (request("127.0.0.1", 80, command=0xF0), NO_COMMAND),
        (request("127.0.0.1", 80, kind=2), NO_ADDRESS),
        (request("127.0.0.1", 80, kind=0xFF), NO_ADDRESS),
        (b"\x04" + request("127.0.0.1", 80)[1:], FAILED),
        (b"\x05\x01\x01" + request("127.0.0.1", 80)[3:], FAILED),
    ],
)
async def test_nothing_but_a_connection_can_be_asked_for(asked: bytes, code: int) -> None:
    async with open_doorway(private_open=True) as doorway, doorway.guest() as guest:
        await guest.greet()
        await guest.send(asked)
        assert (await guest.rest())[1] == code


@pytest.mark.parametrize("said", [b"", b"\x05", b"\x05\x02\x00", GREETING, GREETING + b"\x05\x01\x00\x03\x10abc"])
async def test_who_is_too_slow_is_sent_away(said: bytes) -> None:
    async with open_doorway(greeting_s=0.3) as doorway:
        async with doorway.guest() as guest:
            if said:
                await guest.send(said)
            assert await guest.rest() in (b"", b"\x05\x00")
        await doorway.empty()


@pytest.mark.parametrize("said", [b"", b"\x05", GREETING, GREETING + b"\x05\x01"])
@pytest.mark.parametrize("how", ["ends", "resets"])
async def test_who_leaves_in_the_middle_hurts_nobody(said: bytes, how: str) -> None:
    async with open_spy() as spy, open_doorway(private_open=True) as doorway, doorway.guest() as other:
        assert await other.ask("127.0.0.1", spy.port) == GRANTED
        async with doorway.guest() as guest:
            if said:
                await guest.send(said)
            if how == "resets":
                await abort(guest.stream)
        await doorway.until(lambda: doorway.door.connections == 1)
        await other.send(b"still here")
        assert await other.hear(10) == b"still here"


LOOPBACK_SPELLINGS = [
    "127.0.0.1",
    "::ffff:127.0.0.1",
    "localhost",
    "LocalHost",
    "localhost.",
    "app.localhost",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "[::ffff:7f00:1]",
]


@pytest.mark.parametrize("host", LOOPBACK_SPELLINGS)
async def test_loopback_is_reached_once_it_is_open(host: str) -> None:
    async with open_spy() as spy, open_doorway(private_open=True) as doorway:
        await assert_passes(doorway, host, spy.port)
        assert doorway.zone.asked == []


@pytest.mark.parametrize("host", [*LOOPBACK_SPELLINGS, "0.0.0.0", "::", "::1", "127.9.9.9", "0", "[::]"])
async def test_loopback_is_closed_before_that(host: str) -> None:
    async with open_spy() as spy, open_doorway() as doorway:
        assert await doorway.ask(host, spy.port) == DENIED
        assert doorway.reasons == ["private"]
        assert spy.came == 0


@pytest.mark.parametrize("host", ["10.0.0.1", "192.168.1.1", "172.16.0.9", "100.64.0.1", "fd12::1", "64:ff9b:1::1"])
@pytest.mark.parametrize("private", ["ask-first", "deny"])
async def test_private_addresses_are_closed(host: str, private: str) -> None:
    async with open_doorway(private=private) as doorway:
        assert await doorway.ask(host, 80) == DENIED
        assert doorway.reasons == ["private"]


async def test_private_space_opens_and_closes_with_the_session() -> None:
    async with open_spy() as spy, open_doorway() as doorway:
        assert await doorway.ask("127.0.0.1", spy.port) == DENIED
        doorway.private.append(True)
        await assert_passes(doorway, "127.0.0.1", spy.port)
        doorway.private.append(False)
        assert await doorway.ask("127.0.0.1", spy.port) == DENIED
        assert spy.came == 1


async def test_private_space_can_be_open_always() -> None:
    async with open_spy() as spy, open_doorway(private="allow") as doorway:
        await assert_passes(doorway, "127.0.0.1", spy.port)


async def test_private_space_can_be_closed_for_ever() -> None:
    async with open_spy() as spy, open_doorway(private="deny", private_open=True) as doorway:
        assert await doorway.ask("127.0.0.1", spy.port) == DENIED


METADATA_SPELLINGS = [
    METADATA,
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "fe80::1",
    "fd00:ec2::254",
    "100.100.100.200",
    "168.63.129.16",
    "169.254.0.1",
    "2852039166",
    "0xa9fea9fe",
    "metadata",
    "metadata.google.internal",
    "METADATA.google.internal.",
    "metadata.goog",
    "instance-data.ec2.internal",
]


@pytest.mark.parametrize("host", METADATA_SPELLINGS)
async def test_metadata_is_never_reached(host: str) -> None:
    async with open_doorway(private="allow", private_open=True) as doorway:
        assert await doorway.ask(host, 80) == DENIED
        assert doorway.reasons == ["metadata"]
        assert doorway.zone.asked == []


@pytest.mark.parametrize("address", [METADATA, "::ffff:a9fe:a9fe", "fd00:ec2::254", f"{PUBLIC} {METADATA}"])
@pytest.mark.parametrize("allowed", [(), ("ok.example",), ("*.ok.example", METADATA)])
async def test_a_name_that_resolves_to_metadata_is_refused(address: str, allowed: tuple[str, ...]) -> None:
    async with open_doorway(*allowed, zone=Zone({"ok.example": [address]}), private="allow") as doorway:
        assert await doorway.ask("ok.example", 80) == DENIED
        assert doorway.reasons == ["metadata"]


@pytest.mark.parametrize("answer", ["127.0.0.1", f"{PUBLIC} 127.0.0.1", f"127.0.0.1 {PUBLIC}", "::1", "10.1.2.3 ::1"])
async def test_one_private_address_spoils_a_name(answer: str) -> None:
    async with open_spy() as spy, open_doorway(zone=Zone({"mixed.example": [answer]})) as doorway:
        assert await doorway.ask("mixed.example", spy.port) == DENIED
        assert doorway.reasons == ["private"]
        assert spy.came == 0


async def test_an_answer_is_pinned() -> None:
    zone = Zone({"flips.example": ["127.0.0.1", METADATA]})
    async with open_spy() as spy, open_doorway(zone=zone, private_open=True) as doorway:
        for _ in range(5):
            await assert_passes(doorway, "flips.example", spy.port)
        assert zone.asked == ["flips.example"]


async def test_an_answer_that_is_asked_for_again_is_judged_again() -> None:
    zone = Zone({"flips.example": ["127.0.0.1", METADATA]})
    async with open_spy() as spy, open_doorway(zone=zone, private_open=True, pinned_s=0) as doorway:
        await assert_passes(doorway, "flips.example", spy.port)
        assert await doorway.ask("flips.example", spy.port) == DENIED
        assert doorway.reasons == ["metadata"]


async def test_a_pinned_answer_is_judged_each_time() -> None:
    zone = Zone({"in.example": ["127.0.0.1"]})
    async with open_spy() as spy, open_doorway(zone=zone, private_open=True) as doorway:
        await assert_passes(doorway, "in.example", spy.port)
        doorway.private.append(False)
        assert await doorway.ask("in.example", spy.port) == DENIED
        assert zone.asked == ["in.example"]


async def test_many_at_once_ask_for_a_name_once() -> None:
    zone = Zone({"busy.example": ["127.0.0.1"]})
    async with open_spy() as spy, open_doorway(zone=zone, private_open=True) as doorway, trio.open_nursery() as nursery:
        for _ in range(20):
            nursery.start_soon(assert_passes, doorway, "busy.example", spy.port)
    assert zone.asked == ["busy.example"]


@pytest.mark.parametrize("host", ["nowhere.example", "a" * 63 + ".example"])
async def test_a_name_without_an_address_is_not_reached(host: str) -> None:
    async with open_doorway() as doorway:
        assert await doorway.ask(host, 80) == UNREACHABLE
        assert list(doorway.door.denial_log.latest.values())[-1].reason == "ERR_NAME_NOT_RESOLVED"
        assert doorway.reasons == []


async def test_a_name_server_that_is_silent_is_not_waited_for() -> None:
    async with open_doorway(zone=Zone(silent=True), resolve_s=0.3) as doorway:
        assert await doorway.ask("slow.example", 80) == UNREACHABLE
        doorway.zone.silent = False
        doorway.zone.answers["slow.example"] = [METADATA]
        assert await doorway.ask("slow.example", 80) == DENIED  # so the failure was not pinned


async def test_a_port_that_nobody_listens_on_is_refused() -> None:
    async with open_spy() as spy:
        port = spy.port
    async with open_doorway(private_open=True) as doorway:
        assert await doorway.ask("127.0.0.1", port) == REFUSED
        assert list(doorway.door.denial_log.latest.values())[-1].reason == "ERR_CONNECTION_REFUSED"


async def test_the_next_address_is_tried() -> None:
    zone = Zone({"two.example": ["127.0.0.9 127.0.0.1"]})
    async with open_spy() as spy, open_doorway(zone=zone, private_open=True) as doorway:
        await assert_passes(doorway, "two.example", spy.port)


@pytest.mark.parametrize(
    "host",
    [
        "a..b",
        "a b",
        "a/b",
        "user@host",
        "ho%73t",
        "[::1",
        "::1]",
        "a:80",
        "\x00",
        "a\x00.example",
        "a\nb",
        "1.2.3.4.5",
        "0x7f.0.0.0.1",
        "*",
        "*.example.com",
        ".",
        "",
        "a\\b",
    ],
)
async def test_a_host_that_is_none_is_refused(host: str) -> None:
    async with open_doorway(private="allow") as doorway:
        assert await doorway.ask(host, 80) == DENIED
        assert doorway.reasons == ["syntax"]
        assert doorway.zone.asked == []


@pytest.mark.parametrize("raw", [b"\xff\xfe", "аllowed.com".encode(), b"a\x80.example"])
async def test_a_host_of_odd_bytes_is_refused(raw: bytes) -> None:
    async with open_doorway("allowed.com") as doorway, doorway.guest() as guest:
        await guest.greet()
        await guest.send(request(raw, 80))
        assert (await guest.rest())[1] == DENIED
        assert doorway.reasons == ["syntax"]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "localhost", "0.0.0.0", "::ffff:127.0.0.1", "me.example"])
async def test_our_own_port_is_never_reached(host: str) -> None:
    zone = Zone({"me.example": ["127.0.0.1"]})
    async with open_spy() as spy, open_doorway(zone=zone, private="allow", own=(spy.port,)) as doorway:
        assert await doorway.ask(host, spy.port) == DENIED
        assert doorway.reasons == ["self"]
        assert spy.came == 0


async def test_our_own_port_is_never_reached_by_an_address_that_is_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress_module, "_is_own_address", lambda address: str(address) == PUBLIC)
    async with open_doorway(own=(9222,)) as doorway:
        assert await doorway.ask(PUBLIC, 9222) == DENIED
        assert doorway.reasons == ["self"]


def test_an_address_of_this_machine_is_known_as_ours() -> None:
    assert egress_module._is_own_address(ip_address("127.0.0.1"))
    assert not egress_module._is_own_address(ip_address(PUBLIC))


async def test_no_door_leads_to_a_door() -> None:
    async with (
        open_doorway(private="allow") as doorway,
        doorway.egress.open_session_proxy("other", lambda: True) as other,
    ):
        for port in (doorway.door.port, other.port):
            assert await doorway.ask("127.0.0.1", port) == DENIED
        assert doorway.reasons == ["self", "self"]
    assert doorway.egress.rules.own_ports == frozenset()


@pytest.mark.parametrize(
    ("entry", "host", "passes"),
    [
        ("localhost", "localhost", True),
        ("localhost", "LOCALHOST.", True),
        ("localhost", "127.0.0.1", False),
        ("127.0.0.1", "localhost", False),
        ("127.0.0.1", "::ffff:127.0.0.1", True),
        ("127.0.0.1", "2130706433", True),
        ("in.example", "in.example", True),
        ("in.example", "a.in.example", False),
        ("in.example", "evil-in.example", False),
        ("in.example", "in.example.evil.example", False),
        ("*.in.example", "a.in.example", False),
    ],
)
async def test_the_allowlist_holds_for_connections(entry: str, host: str, passes: bool) -> None:
    names = ("in.example", "a.in.example", "evil-in.example", "in.example.evil.example")
    zone = Zone({name: ["127.0.0.1"] for name in names})
    async with open_spy() as spy, open_doorway(entry, zone=zone, private_open=True) as doorway:
        assert await doorway.ask(host, spy.port) == (GRANTED if passes else DENIED)
        # An entry with a wildcard does not lead into private space: whoever has the domain could point it there.
        assert doorway.reasons == ([] if passes else ["private"] if "*" in entry else ["allowlist"])
        assert spy.came == passes


async def test_an_entry_with_a_port_is_for_that_port() -> None:
    async with open_spy() as one, open_spy() as two, open_doorway(f"localhost:{one.port}") as doorway:
        assert await doorway.ask("localhost", one.port) == GRANTED
        assert await doorway.ask("localhost", two.port) == DENIED
        assert two.came == 0


async def test_each_door_has_its_own_policy() -> None:
    async with (
        open_spy() as spy,
        open_doorway(private_open=True) as doorway,
        doorway.egress.open_session_proxy("other", lambda: False) as other,
    ):
        closed = Doorway(other, doorway.egress, doorway.zone, [])
        assert await closed.ask("127.0.0.1", spy.port) == DENIED
        await assert_passes(doorway, "127.0.0.1", spy.port)
    assert [denial.session for denial in doorway.egress.denial_log.denials] == ["other"]


async def test_a_denial_is_remembered_counted_and_logged_once() -> None:
    with structlog.testing.capture_logs() as logs:
        async with open_doorway() as doorway:
            for _ in range(3):
                await doorway.ask("127.0.0.1", 81)
            await doorway.ask(METADATA, 80)
    assert doorway.egress.denial_log.denied == Counter(private=3, metadata=1)
    assert [(one.session, one.host, one.port) for one in doorway.egress.denial_log.denials][2:] == [
        ("test", "127.0.0.1", 81),
        ("test", METADATA, 80),
    ]
    told = [line for line in logs if line["event"] == "egress_denied"]
    assert [(line["host"], line["port"], line["reason"]) for line in told] == [
        ("127.0.0.1", 81, "private"),
        (METADATA, 80, "metadata"),
    ]


async def test_denials_without_end_take_no_memory_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    with structlog.testing.capture_logs() as logs:
        async with open_doorway() as doorway:
            for port in range(1, 1300):
                doorway.door.denial_log.deny(Destination("x" * 300, port), "private")
    assert len(doorway.door.denial_log.denials) == len(doorway.egress.denial_log.denials) == 1000
    assert len(logs) == 100
    assert len(doorway.door.denial_log.denials[0].host) == 253


async def test_the_far_side_may_end_first() -> None:
    async def hello(stream: trio.SocketStream, _: object) -> None:
        await stream.send_all(b"hello")
        await stream.send_eof()
        await swallow(stream, spy)

    async with open_spy(hello) as spy, open_doorway(private_open=True) as doorway, doorway.guest() as guest:
        assert await guest.ask("127.0.0.1", spy.port) == GRANTED
        assert await guest.rest() == b"hello"
        await guest.send(b"and good bye")
        await guest.stream.send_eof()
        await doorway.empty()
        assert spy.heard == b"and good bye"


async def test_the_near_side_may_end_first() -> None:
    async with open_spy(last_words) as spy, open_doorway(private_open=True) as doorway, doorway.guest() as guest:
        assert await guest.ask("127.0.0.1", spy.port) == GRANTED
        await guest.send(b"question")
        await guest.stream.send_eof()
        assert await guest.rest() == b"got question"
        await doorway.empty()


async def test_a_connection_that_breaks_off_does_not_look_whole() -> None:
    async with open_spy(reset) as spy, open_doorway(private_open=True) as doorway, doorway.guest() as guest:
        assert await guest.ask("127.0.0.1", spy.port) == GRANTED
        assert await guest.hear(11) == b"half an ans"
        await guest.send(b"x")
        with pytest.raises(trio.BrokenResourceError):
            await guest.rest()
        await doorway.empty()


async def test_who_has_ended_is_not_kept_by_a_silent_far_side() -> None:
    async with (
        open_spy(silence) as spy,
        open_doorway(private_open=True, linger_s=0.3) as doorway,
        doorway.guest() as guest,
    ):
        assert await guest.ask("127.0.0.1", spy.port) == GRANTED
        await guest.stream.send_eof()
        assert await guest.rest() == b""
        await doorway.empty()


async def test_nobody_stays_who_says_nothing() -> None:
    async with (
        open_spy(silence) as spy,
        open_doorway(private_open=True, idle_s=0.3) as doorway,
        doorway.guest() as guest,
    ):
        assert await guest.ask("127.0.0.1", spy.port) == GRANTED
        assert await guest.rest() == b""
        await doorway.empty()


@pytest.mark.parametrize("limits", [{"connection_bytes": 1000}, {"session_bytes": 1000}])
async def test_a_budget_ends_a_connection(limits: dict[str, Any]) -> None:
    async with (
        open_spy() as spy,
        open_doorway(private_open=True, **limits) as doorway,
        doorway.guest() as guest,
    ):
        assert await guest.ask("127.0.0.1", spy.port) == GRANTED
        await guest.send(bytes(500))
        assert len(await guest.hear(500)) == 500  # there and back again: the budget is used up
        await guest.send(b"x")
        with pytest.raises(trio.BrokenResourceError):
            await guest.rest()
        assert doorway.reasons == ["budget"]
        assert len(spy.heard) == 500


async def test_the_budget_of_a_session_is_that_of_all_its_connections() -> None:
    async with open_spy(swallow) as spy, open_doorway(private_open=True, session_bytes=1000) as doorway:
        for _ in range(2):
            async with doorway.guest() as guest:
                assert await guest.ask("127.0.0.1", spy.port) == GRANTED
                await guest.send(bytes(400))
                await guest.stream.send_eof()
                assert await guest.rest() == b""
        async with doorway.guest() as guest:
            assert await guest.ask("127.0.0.1", spy.port) == GRANTED
            await guest.send(bytes(400))
            with pytest.raises(trio.BrokenResourceError):
                await guest.rest()
        assert len(spy.heard) == 800


async def test_much_passes_unharmed() -> None:
    sent = os.urandom(3_000_000)
    async with open_spy() as spy, open_doorway(private_open=True) as doorway, doorway.guest() as guest:
        assert await guest.ask("127.0.0.1", spy.port) == GRANTED

        async def say() -> None:
            await guest.send(sent)
            await guest.stream.send_eof()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(say)
            assert await guest.rest() == sent


async def test_who_does_not_read_holds_up_the_far_side() -> None:
    taken = 0

    async def pour(stream: trio.SocketStream, _: object) -> None:
        nonlocal taken
        while True:
            await stream.send_all(bytes(65536))
            taken += 65536

    async with open_spy(pour) as spy, open_doorway(private_open=True) as doorway, doorway.guest() as guest:
        assert await guest.ask("127.0.0.1", spy.port) == GRANTED
        before = -1
        while before != taken:
            before = taken
            await trio.sleep(0.1)
        assert taken < 64 * 1024 * 1024  # what the kernel keeps, and no more


async def test_who_does_not_read_holds_up_nobody_else() -> None:
    async def pour(stream: trio.SocketStream, _: object) -> None:
        await stream.send_all(await stream.receive_some(1) * 30_000_000)

    async with open_spy(pour) as spy, open_spy() as other, open_doorway(private_open=True) as doorway:
        async with doorway.guest() as stuck:
            assert await stuck.ask("127.0.0.1", spy.port) == GRANTED
            await stuck.send(b"x")
            await stuck.hear(1)
            for _ in range(20):
                await assert_passes(doorway, "127.0.0.1", other.port)
            assert await stuck.hear(29_999_999) == b"x" * 29_999_999  # and it may go on whenever it likes
        await doorway.empty()


async def test_where_one_can_t_wait_for_all_sockets_at_once_each_waits_for_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selectors, "DefaultSelector", selectors.SelectSelector)  # as on Windows
    sent = os.urandom(300_000)
    async with open_spy() as spy, open_doorway(private_open=True, connection_bytes=600_000) as doorway:
        async with doorway.guest() as guest:
            assert await guest.ask("127.0.0.1", spy.port) == GRANTED
            await guest.send(sent)
            assert await guest.hear(len(sent)) == sent
            await guest.send(b"x")
            with pytest.raises(trio.BrokenResourceError):
                await guest.rest()
        assert doorway.reasons == ["budget"]
        await doorway.empty()


async def test_many_pass_at_once() -> None:
    async with open_spy() as spy, open_doorway(private_open=True) as doorway:
        async with trio.open_nursery() as nursery:
            for _ in range(200):
                nursery.start_soon(assert_passes, doorway, "127.0.0.1", spy.port)
        await doorway.empty()
        assert spy.came == 200


async def test_beyond_a_number_one_has_to_wait() -> None:
    async with (
        open_spy() as spy,
        open_doorway(private_open=True, connections=2) as doorway,
        doorway.guest() as one,
        doorway.guest() as two,
        doorway.guest() as three,
    ):
        assert [await guest.ask("127.0.0.1", spy.port) for guest in (one, two)] == [GRANTED, GRANTED]
        await three.send(GREETING)
        await trio.sleep(0.05)
        assert doorway.door.connections == 2
        await one.stream.aclose()
        assert await three.hear(2) == b"\x05\x00"


async def test_a_failure_of_ours_hurts_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_spy() as spy, open_doorway(private_open=True) as doorway, doorway.guest() as other:
        assert await other.ask("127.0.0.1", spy.port) == GRANTED
        with monkeypatch.context() as broken, structlog.testing.capture_logs() as logs:
            broken.setattr(egress_module, "check_host", lambda *_, **__: 1 / 0)
            async with doorway.guest() as guest:
                await guest.greet()
                await guest.send(request("127.0.0.1", spy.port))
                assert await guest.rest() == b""
        assert [line["event"] for line in logs] == ["connection_failed"]
        await other.send(b"still here")
        assert await other.hear(10) == b"still here"
        await assert_passes(doorway, "127.0.0.1", spy.port)


async def test_an_accept_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress_module, "_ACCEPT_PAUSE_S", 0.01)
    failures = [OSError(24, "Too many open files")] * 3
    accept = trio.SocketListener.accept

    async def failing(self: trio.SocketListener) -> trio.SocketStream:
        stream = await accept(self)
        if failures and self.socket.getsockname()[1] == doorway.door.port:
            await stream.aclose()
            raise failures.pop()
        return stream

    async with open_spy() as spy, open_doorway(private_open=True) as doorway:
        monkeypatch.setattr(trio.SocketListener, "accept", failing)
        for _ in range(4):  # the first is accepted by the untouched method, which waits already
            await (await trio.open_tcp_stream("127.0.0.1", doorway.door.port)).aclose()
        await doorway.until(lambda: failures == [])
        await assert_passes(doorway, "127.0.0.1", spy.port)


@pytest.mark.parametrize("moment", ["greeting", "resolving", "relaying"])
async def test_closing_leaves_no_task_and_no_descriptor(moment: str) -> None:
    async with open_spy(silence) as spy:
        await trio.testing.wait_all_tasks_blocked()
        before, tasks = _descriptors(), _tasks()
        async with open_doorway(private_open=True) as doorway:
            guests = [Guest(await trio.open_tcp_stream("127.0.0.1", doorway.door.port)) for _ in range(10)]
            for guest in guests:
                if moment == "relaying":
                    assert await guest.ask("127.0.0.1", spy.port) == GRANTED
                elif moment == "resolving":
                    doorway.zone.silent = True
                    await guest.greet()
                    await guest.send(request("slow.example", spy.port))
                else:
                    await guest.greet()
            assert doorway.door.connections == 10
        assert doorway.door.connections == 0
        for guest in guests:
            assert await guest.rest() == b""
            await guest.stream.aclose()
        await doorway.until(lambda: _descriptors() <= before + spy.came)
        await doorway.until(lambda: _tasks() <= tasks + spy.came)


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def _tasks() -> int:
    return trio.lowlevel.current_statistics().tasks_living


async def test_a_cancelled_connect_leaves_no_descriptor(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[trio.socket.SocketType] = []
    async with open_doorway(private_open=True, connect_s=0.05) as doorway:
        made = trio.socket.socket

        def stuck(*args: int) -> trio.socket.SocketType:
            one = made(*args)
            opened.append(one)

            async def connect(_: object) -> None:
                await trio.sleep_forever()

            monkeypatch.setattr(type(one), "connect", lambda self, where: connect(where))
            return one

        async with doorway.guest() as guest:
            await guest.greet()
            monkeypatch.setattr(trio.socket, "socket", stuck)
            await guest.send(request("127.0.0.1", 80))
            assert (await guest.hear(10))[1] == UNREACHABLE
            assert list(doorway.door.denial_log.latest.values())[-1].reason == "ERR_CONNECTION_TIMED_OUT"
    assert opened
    assert [one.fileno() for one in opened] == [-1] * len(opened)


async def test_the_system_is_asked_by_default() -> None:
    resolve = EgressProxy(UrlRules()).resolver()
    with trio.fail_after(60):
        assert "127.0.0.1" in map(str, await resolve("localhost"))
        with pytest.raises(OSError):
            await resolve("no.invalid")


async def test_slow_names_of_one_site_delay_no_other_name(monkeypatch: pytest.MonkeyPatch) -> None:
    over, began = threading.Event(), list[str]()

    def find(name: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        began.append(name)
        if name.endswith("slow.example"):
            over.wait()
        return [(0, 0, 0, "", ("10.0.0.1", 0))]

    monkeypatch.setattr(socket, "getaddrinfo", find)
    resolve = EgressProxy(UrlRules()).resolver()
    with trio.fail_after(60):
        try:
            async with trio.open_nursery() as nursery:
                for index in range(9):
                    nursery.start_soon(resolve, f"{index}.slow.example")
                while len(began) < 3:  # noqa: ASYNC110 - they begin in threads
                    await trio.sleep(0.01)
                nursery.cancel_scope.cancel()  # as their time ends; the threads go on
            with trio.move_on_after(0.2):
                await resolve("late.slow.example")
            assert [str(found) for found in await resolve("shop.example.org")] == ["10.0.0.1"]
            assert len(began) == 4
        finally:
            over.set()
        await resolve("again.slow.example")


async def test_echo_is_what_the_spy_does() -> None:
    async with open_spy(echo) as spy, await trio.open_tcp_stream("127.0.0.1", spy.port) as stream:
        await stream.send_all(b"x")
        assert await stream.receive_some(1) == b"x"
