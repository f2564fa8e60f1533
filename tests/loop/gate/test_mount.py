"""Applications at a path of the server's port: statuses, origins, bodies, and the end of the connection."""

import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
import trio

from agentbrowser.protocol.registry import Scope
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.head import Head, Refusal
from agentbrowser.server.gate.mount import MAX_BODY_BYTES, REQUESTS_PER_CONNECTION, MountedRequests
from tests.loop.raw_websocket import Knocker, open_gate

TOKEN = "the-only-right-token"
BEARER = f"Authorization: Bearer {TOKEN}"
JSON = "Content-Type: application/json"


def echo(grant: Grant) -> Any:
    """Return an application that sends back the name of the grant and the body."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        body = f"{grant.name} ".encode()
        while (message := await receive())["type"] == "http.request":
            body += message["body"]
            if not message["more_body"]:
                break
        headers = [(b"content-length", b"%d" % len(body)), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return app


@asynccontextmanager
async def mounted(**settings: Any) -> AsyncIterator[Knocker]:
    async with open_gate(token=TOKEN, **settings) as knocker:
        knocker.gate.mounts[b"/mcp"] = echo
        yield knocker


def request(knocker: Knocker, *lines: str, body: bytes = b"", method: str = "POST", target: str = "/mcp") -> bytes:
    length = [f"Content-Length: {len(body)}"] if body else []
    head = [f"{method} {target} HTTP/1.1", f"Host: localhost:{knocker.port}", *length, *lines]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


async def test_each_refusal_has_its_status() -> None:
    async with mounted(allowed_origins=("https://a.example",)) as knocker:
        here = f"Origin: http://localhost:{knocker.port}"
        cases: list[tuple[int, str, dict[str, Any], tuple[str, ...]]] = [
            (401, "without a token", {}, (JSON,)),
            (403, "from a page", {}, (BEARER, JSON, "Origin: http://localhost:1")),
            (403, "our origin elsewhere", {"method": "GET", "target": "/health"}, (here,)),
            (404, "another path", {"method": "GET", "target": "/mcp/"}, (BEARER,)),
            (400, "a body elsewhere", {"target": "/health"}, (BEARER, JSON)),
            (405, "another method", {"method": "PUT"}, (BEARER,)),
            (413, "too large", {}, (BEARER, JSON, f"Content-Length: {MAX_BODY_BYTES + 1}")),
            (413, "absurdly large", {}, (BEARER, JSON, f"Content-Length: {'9' * 19}")),
            (415, "no JSON", {}, (BEARER, "Content-Type: text/plain")),
            (400, "a body of a GET", {"method": "GET", "body": b"x"}, (BEARER,)),
            (400, "two sessions", {}, (BEARER, JSON, "Mcp-Session-Id: a", "Mcp-Session-Id: b")),
            (400, "two lengths", {}, (BEARER, JSON, "Content-Length: 1", "Transfer-Encoding: chunked")),
            (200, "our origin", {"body": b"{}"}, (BEARER, f"{JSON}; charset=utf-8", here)),
            (200, "an allowed origin", {"body": b"{}"}, (BEARER, JSON, "Origin: https://a.example")),
        ]
        for status, why, parts, lines in cases:
            assert await knocker.status(request(knocker, *lines, **parts)) == status, why


async def test_a_body_arrives_whole_and_ends_the_connection() -> None:
    async with mounted() as knocker:
        good = request(knocker, BEARER, JSON, body=b'{"a": 1}')
        answer = await knocker.ask(good + request(knocker, "Content-Type: x", body=b"second"))
        assert answer.endswith(b'\r\n\r\ntoken {"a": 1}')
        assert answer.count(b"HTTP/1.1") == 1
        wire = await knocker.connect()
        async with wire.stream:
            await wire.send(good[:-4])
            await wire.send(good[-4:])
            assert (await wire.rest()).endswith(b'{"a": 1}')
        chunked = request(knocker, BEARER, JSON, "Transfer-Encoding: chunked") + b"2\r\n{}\r\n0\r\n\r\n"
        assert (await knocker.ask(chunked)).endswith(b"token {}")


async def test_a_draining_server_answers_no_further_request() -> None:
    async with mounted() as knocker:
        knocker.gate.status.state = "draining"
        assert await knocker.status(request(knocker, BEARER, JSON, body=b"{}")) == 503


def head_of(method: bytes) -> Head:
    return Head(method, b"/mcp", (), b"", b"", "127.0.0.1")


async def test_requests_under_way_are_limited_and_awaited(autojump_clock: trio.abc.Clock) -> None:
    few, all_of_them = Grant(Scope.STANDARD, "few", max_connections=1), MountedRequests(REQUESTS_PER_CONNECTION + 3)
    began_s = trio.current_time()
    with contextlib.ExitStack() as stack:
        for _ in range(REQUESTS_PER_CONNECTION):
            stack.enter_context(all_of_them.counted(head_of(b"GET"), few))
        with pytest.raises(Refusal) as refused:
            stack.enter_context(all_of_them.counted(head_of(b"GET"), few))
        assert refused.value.status == 429
        await all_of_them.wait_answered(10)
        assert trio.current_time() == began_s  # a stream has no end to wait for
        for name in ("second", "third"):
            stack.enter_context(all_of_them.counted(head_of(b"GET"), Grant(Scope.STANDARD, name)))
        with all_of_them.counted(head_of(b"POST"), Grant(Scope.STANDARD, "other")):
            with (
                pytest.raises(Refusal) as refused,
                all_of_them.counted(head_of(b"GET"), Grant(Scope.STANDARD, "another")),
            ):
                pass
            assert refused.value.status == 503
            await all_of_them.wait_answered(10)
            assert trio.current_time() == began_s + 10
    with all_of_them.counted(head_of(b"GET"), few):
        pass


def test_a_token_sends_sixteen_large_bodies_at_once() -> None:
    requests, grant = MountedRequests(100), Grant(Scope.STANDARD, "some")
    large = attrs.evolve(head_of(b"POST"), headers=((b"content-length", b"70000"),))
    chunked = attrs.evolve(head_of(b"POST"), headers=((b"transfer-encoding", b"chunked"),))
    with contextlib.ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(requests.counted(large, grant))
            stack.enter_context(requests.counted(chunked, grant))
        with pytest.raises(Refusal) as refused:
            stack.enter_context(requests.counted(large, grant))
        assert refused.value.status == 429
        stack.enter_context(requests.counted(head_of(b"POST"), grant))
        stack.enter_context(requests.counted(large, Grant(Scope.STANDARD, "another")))
    with requests.counted(large, grant):
        pass


def test_a_token_leaves_requests_to_the_others() -> None:
    some = MountedRequests(30)
    with contextlib.ExitStack() as stack:
        for name, limit, accepted in (("without a limit", None, 23), ("with a large limit", 5, 6)):
            grant = Grant(Scope.STANDARD, name, max_connections=limit)
            for _ in range(accepted):
                stack.enter_context(some.counted(head_of(b"POST"), grant))
            with pytest.raises(Refusal) as refused:
                stack.enter_context(some.counted(head_of(b"POST"), grant))
            assert refused.value.status == 429
        with some.counted(head_of(b"POST"), Grant(Scope.STANDARD, "another")):
            pass
