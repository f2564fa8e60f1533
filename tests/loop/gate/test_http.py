"""Plain HTTP: /health, /ready, and the paths that are none."""

import json
from typing import Literal

import pytest

import agentbrowser
from agentbrowser.server.gate import http
from tests.loop.raw_websocket import TEXT, open_gate, upgrade


def get(port: int, target: str, method: str = "GET") -> bytes:
    return f"{method} {target} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode()


@pytest.mark.parametrize(
    ("state", "full", "health", "ready"),
    [
        ("starting", False, (200, "ok"), (503, "starting")),
        ("ready", False, (200, "ok"), (200, None)),
        ("ready", True, (200, "ok"), (503, "full")),
        ("draining", False, (503, "draining"), (503, "draining")),
        ("browser", True, (503, "degraded"), (503, "browser")),
    ],
)
async def test_health_and_readiness(
    state: Literal["starting", "ready", "draining", "browser"],
    full: bool,
    health: tuple[int, str],
    ready: tuple[int, str | None],
) -> None:
    async with open_gate(token="the-only-right-token") as knocker:
        knocker.gate.status.state = state
        knocker.gate.status.full = full
        head, _, body = (await knocker.ask(get(knocker.port, "/health"))).partition(b"\r\n\r\n")
        assert int(head.split(b" ")[1]) == health[0]
        assert json.loads(body) == {"status": health[1], "version": agentbrowser.__version__}
        head, _, body = (await knocker.ask(get(knocker.port, "/ready?verbose"))).partition(b"\r\n\r\n")
        assert int(head.split(b" ")[1]) == ready[0]
        assert json.loads(body).get("reason") == ready[1]


@pytest.mark.parametrize(
    ("state", "full", "sessions", "status"),
    [
        ("starting", False, False, 503),
        ("ready", False, False, 200),
        ("ready", True, False, 404),
        ("ready", True, True, 404),
        ("draining", False, True, 404),
        ("draining", False, False, 404),
        ("browser", False, True, 404),
        ("browser", False, False, 503),
    ],
)
async def test_a_proxy_never_ends_the_connections_of_live_sessions(
    state: Literal["starting", "ready", "draining", "browser"], full: bool, sessions: bool, status: int
) -> None:
    async with open_gate(token="the-only-right-token") as knocker:
        knocker.gate.status.state, knocker.gate.status.full = state, full
        knocker.gate.status.has_sessions = lambda: sessions
        answer = await knocker.ask(get(knocker.port, "/balance"))
        assert int(answer.split(b" ")[1]) == status
        assert b'"status"' in answer


async def test_an_answer_is_neither_kept_nor_guessed_at() -> None:
    async with open_gate() as knocker:
        head = (await knocker.ask(get(knocker.port, "/health"))).partition(b"\r\n\r\n")[0].lower()
        assert b"cache-control: no-store" in head
        assert b"x-content-type-options: nosniff" in head
        assert b"connection: close" in head
        assert b"server:" not in head
        assert b"access-control" not in head


async def test_head_gets_no_body() -> None:
    async with open_gate() as knocker:
        answer = await knocker.ask(get(knocker.port, "/health", "HEAD"))
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert answer.endswith(b"\r\n\r\n")


async def test_a_second_request_on_the_connection_is_not_answered() -> None:
    async with open_gate() as knocker:
        answer = await knocker.ask(get(knocker.port, "/health") * 2)
        assert answer.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize(("target", "status"), [("/", 426), ("/?token=x", 426), ("/health/", 404), ("/%68ealth", 404)])
async def test_a_path_without_a_route_gets_its_status_and_one_line(target: str, status: int) -> None:
    async with open_gate() as knocker:
        answer = await knocker.ask(get(knocker.port, target))
        assert int(answer.split(b" ")[1]) == status
        assert answer.partition(b"\r\n\r\n")[2].count(b"\n") == 1


async def test_a_route_that_raises_hurts_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(status: http.ServerStatus) -> http.Answer:
        raise ZeroDivisionError

    monkeypatch.setitem(http.ROUTES, b"/health", fail)
    async with open_gate() as knocker, knocker.websocket() as bystander:
        assert await knocker.status(get(knocker.port, "/health")) == 500
        await bystander.say("still here")
        assert await bystander.hear() == (TEXT, b"still here")


async def test_a_client_that_leaves_before_its_answer_hurts_nobody() -> None:
    async with open_gate() as knocker, knocker.websocket() as bystander:
        for _ in range(20):
            wire = await knocker.connect()
            await wire.send(get(knocker.port, "/health"))
            await wire.stream.aclose()
        await bystander.say("still here")
        assert await bystander.hear() == (TEXT, b"still here")
        assert await knocker.status(upgrade(knocker.port, "Origin: null")) == 403
