"""MCP server at /mcp, behind the gate: the official client, the limits of a token, and the walls between tokens."""

import contextlib
import hashlib
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import trio
from mcp import Client

from agentbrowser.config import Config
from agentbrowser.mcp.mount import open_mount
from agentbrowser.policy.approvals import ApprovalRule, ApprovalRules, RequestFilter
from agentbrowser.policy.credentials import Credential, ScopeName, TokenFile
from agentbrowser.server.app import Server, open_behind
from agentbrowser.server.gate.accept import open_gate
from tests.browser.mcp.task import answer, do_task
from tests.browser.site import Site

INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
OURS, THEIRS = "the-token-that-is-ours", "the-token-that-is-theirs"


def token(secret: str, name: str, scope: ScopeName) -> Credential:
    return Credential(name=name, sha256=hashlib.sha256(secret.encode()).hexdigest(), scope_word=scope)


@contextlib.asynccontextmanager
async def served(**settings: Any) -> AsyncIterator[Server]:
    tokens = TokenFile((token(OURS, "ours", "privileged"), token(THEIRS, "theirs", "readonly")))
    config = Config(port=0, tokens=tokens, private_network="allow", drain_timeout_s=1, **settings)
    with trio.fail_after(240):
        async with open_gate(config) as gate, open_mount(gate) as mount, open_behind(gate) as server:
            assert mount is not None
            mount.serve(server)
            yield server


def url_of(server: Server, secret: str = OURS, query: str = "") -> str:
    return f"http://127.0.0.1:{server.port}/mcp?token={secret}{query}"


async def post(server: Server, method: str, params: Any, secret: str = OURS, **headers: str) -> tuple[int, bytes]:
    """Return the status and the bytes of the answer to a request of the era with sessions."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    given = {
        "Host": f"127.0.0.1:{server.port}",
        "Authorization": f"Bearer {secret}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Content-Length": str(len(body)),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = ["POST /mcp HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
    async with await trio.open_tcp_stream("127.0.0.1", server.port) as stream:
        await stream.send_all("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        answer = b"".join([bytes(part) async for part in stream])
    return int(answer.split(b" ", 2)[1]), answer


@pytest.mark.slow
async def test_the_official_client_does_a_task(site: Site) -> None:
    async with served() as server:
        for mode in ("legacy", "2026-07-28"):
            await do_task(url_of(server), mode, site)
        assert {grant.name for grant in server.connections.values()} == {"ours"}  # of the stateless clients


@pytest.mark.slow
async def test_tokens_tabs_and_approvals(site: Site) -> None:
    rule = ApprovalRule(name="buy", match=RequestFilter(actions=("action/click",)), ask_requester=True)
    async with served(approvals=ApprovalRules(rules=(rule,))) as server:
        await check_that_a_session_has_one_token(server)
        await check_that_tabs_never_mix(server, site)
        for mode in ("legacy", "2026-07-28"):
            await check_that_the_user_approves(server, mode, site)


async def check_that_a_session_has_one_token(server: Server) -> None:
    status, answer = await post(server, "initialize", INITIALIZE)
    assert status == 200
    assert b"connection: close" in answer.lower()
    session = re.findall(rb"(?i)mcp-session-id: (\w+)", answer)[0].decode()
    for secret, expected in ((OURS, 200), (THEIRS, 404), (f"{OURS}-not", 401)):
        status, _ = await post(server, "tools/list", {}, secret, Mcp_Session_Id=session)
        assert status == expected
    async with Client(url_of(server, THEIRS)) as client:
        assert "ScopeDenied" in str(await client.call_tool("browser_navigate", {"url": "about:blank"}))


async def check_that_tabs_never_mix(server: Server, site: Site) -> None:
    urls = [site.html(f"/{name}", f"<h1>{name}</h1>", title=name) for name in ("first", "second")]
    async with Client(url_of(server)) as client:
        looks: list[str] = ["", ""]

        async def visit(index: int) -> None:
            result = await client.call_tool("browser_navigate", {"url": urls[index], "tab": "new"})
            tab = re.findall(r"tab (\S+)", getattr(result.content[0], "text", ""))[0]
            looks[index] = str(await client.call_tool("browser_look", {"tab": tab, "show": "text"}))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(visit, 0)
            nursery.start_soon(visit, 1)
        assert ["first" in look for look in looks] == [True, False]
        assert ["second" in look for look in looks] == [False, True]


async def check_that_the_user_approves(server: Server, mode: str, site: Site) -> None:
    """The second choice is to approve for the session; a client that cannot ask is denied.

    Other sessions of the token, which is privileged, are connected: they are not asked."""
    url = site.html("/shop", "<button onclick='document.title = `bought`'>Buy</button>")
    steps = {"steps": [{"do": "click", "on": "Buy"}, {"do": "click", "on": "Buy"}]}
    for can_ask in (False, True):
        async with Client(url_of(server), mode=mode, elicitation_callback=answer if can_ask else None) as client:
            await client.call_tool("browser_navigate", {"url": url})
            result = await client.call_tool("browser_act", steps)
            assert ("ApprovalDenied" in str(result)) is not can_ask, result
