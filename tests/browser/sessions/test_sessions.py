"""Sessions in a real browser: what a client has again when it is back."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import attrs
import pytest
import trio

from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.client.connection.websocket import open_websocket
from agentbrowser.protocol.errors import PageNotFound
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.memory_transport import memory_pair
from tests.browser.server.test_contract import Plain
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site
from tests.loop.scripted_server import Guest

COUNTER = """
<button onclick="this.textContent = 1 + +this.textContent" hidden>0</button>
<script>fetch("/go").finally(() => document.querySelector("button").hidden = false)</script>
"""


@attrs.define
class Visit(Guest):
    """One connection of a client that has a session."""

    told: dict[str, Any] = attrs.field(factory=dict)

    async def ask(self, method: str, **params: Any) -> Any:
        """Send a request and return its result."""
        answer = await self.answer(await self.send(method, **params))
        assert "result" in answer, answer
        return answer["result"]


@contextlib.asynccontextmanager
async def visit(
    server: Server, told: dict[str, Any] | None = None, *, refused: bool = False, **params: Any
) -> AsyncIterator[Visit]:
    """Connect and initialize, with the secret that another visit was told; then lose the connection."""
    client = Visit(*memory_pair())
    proof = {"sessionSecret": told["sessionSecret"]} if told else {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.serve, client.peer, Grant(Scope.PRIVILEGED, "memory"))
        answer = await client.answer(await client.send("initialize", sessionId="s", **proof, **params))
        client.told = answer["error" if refused else "result"]
        yield client
        await client.transport.close()


async def text(client: Visit, selector: str = "button") -> str:
    found = await client.ask("observe/element", selector={"type": "css", "value": selector}, properties=["text"])
    return str(found["text"])


@pytest.mark.slow
async def test_a_client_finds_its_browser_as_it_left_it(server: Server, site: Site) -> None:
    site.html("/inner", "<input aria-label=Inner>")
    url = site.html("/", "<button>Save</button><input aria-label=Name><iframe src=/inner></iframe>", title="Form")
    other = site.html("/other", "<p>other</p>", title="Other")
    async with visit(server) as first:
        await first.ask("page/navigate", url=url)
        await first.ask("context/create", contextId="mine")
        await first.ask("page/create", url=other, contextId="mine")
        one, two = [page["id"] for page in (await first.ask("page/list"))["pages"]]
        await first.ask("page/activate", pageId=one)
        seen = await first.ask("agent/observe")
        await first.ask("action/fill", selector={"type": "label", "value": "Name"}, value="Ada")
        await first.ask("network/intercept", patterns=[{"urlPattern": "**/blocked"}], handler="abort")
        await first.ask("frame/switch", selector={"type": "css", "value": "iframe"})
        await first.ask("trace/start")
    async with visit(server, first.told) as second:
        assert second.told["restored"] == "warm"
        pages = await second.ask("page/list")
        assert [(page["id"], page["title"]) for page in pages["pages"]] == [(one, "Form"), (two, "Other")]
        assert pages["activePage"] == one
        assert [one["id"] for one in (await second.ask("context/list"))["contexts"]] == ["default", "mine"]
        inner = await second.ask("agent/observe")
        assert [one["name"] for one in inner["interactiveElements"]] == ["Inner"]
        await second.ask("frame/main")
        ref = next(one["ref"] for one in seen["interactiveElements"] if one["name"] == "Save")
        assert (await second.ask("action/click", selector={"type": "ref", "value": ref}))["navigated"] is False
        value = await second.ask("observe/element", selector={"type": "label", "value": "Name"}, properties=["value"])
        assert value["value"] == "Ada"
        fetched = "fetch('/blocked').then(() => 'let through', () => 'aborted')"
        evaluated = await second.ask("script/evaluate", expression=fetched, awaitPromise=True)
        assert evaluated["value"] == "aborted"
        assert (await second.ask("trace/stop"))["data"]


@pytest.mark.parametrize(("key", "clicks"), [({"idempotencyKey": "once"}, "1"), ({}, "0")], ids=["keyed", "unkeyed"])
async def test_a_click_is_neither_done_twice_nor_after_its_loss(
    server: Server, site: Site, key: dict[str, str], clicks: str
) -> None:
    site.html("/go", "")
    site.hold("/go")
    clicking = {"selector": {"type": "css", "value": "button"}, **key}
    async with visit(server) as first:
        await first.ask("page/navigate", url=site.html("/", COUNTER))
        await first.send("action/click", **clicking)
        await first.ask("page/list")  # the click was read before it, and waits for its button
    async with visit(server, first.told) as second:
        site.held["/go"].set()
        if key:
            assert (await second.ask("action/click", **clicking))["navigated"] is False
        shown = {"type": "css", "value": "button:not([hidden])"}
        await second.ask("action/hover", selector=shown)
        assert await text(second) == clicks


async def test_events_of_the_time_away_are_heard(server: Server, site: Site) -> None:
    site.html("/go", "")
    site.hold("/go")
    url = site.html("/", "<script>fetch('/go').finally(() => console.log('away'))</script>")
    async with visit(server) as first:
        await first.ask("page/navigate", url=url)
    site.held["/go"].set()
    async with visit(server, first.told) as second:
        event = (await second.note())["params"]
    assert (event["text"], event["seq"]) == ("away", 1)


async def test_a_new_socket_takes_over_from_an_old_one(server: Server, site: Site) -> None:
    async with open_websocket(server.url, None) as one, open_websocket(server.url, None) as other:
        first = Plain(lambda text: one.send(text.encode()), one.receive)
        second = Plain(lambda text: other.send(text.encode()), other.receive)
        told = await first.get("initialize", sessionId="s")
        await first.get("page/navigate", url=site.html("/", "<p>here</p>", title="Here"))
        assert (await second.get("initialize", sessionId="s", sessionSecret=told["sessionSecret"]))[
            "restored"
        ] == "warm"
        with pytest.raises(ConnectionLost) as lost:
            await first.receive()
        assert lost.value.details["code"] == 4001
        listed = (await second.get("page/list"))["pages"]
        assert [page["title"] for page in listed] == ["Here"]


async def test_no_page_is_left_when_a_session_is_over(server: Server, site: Site) -> None:
    async with visit(server) as first:
        await first.ask("page/navigate", url=site.html("/", "<p>here</p>"))
        (listed,) = (await first.ask("page/list"))["pages"]
    assert server.sessions.parked == 1
    async with visit(server, first.told) as second:
        (connection,) = server.connections
        assert await second.ask("shutdown") == {}
        assert not connection.session.has(listed["id"])
    assert server.sessions.parked == 0


async def test_a_stale_page_id_is_no_page_of_a_later_session(shared_server: SharedServer) -> None:
    async with shared_server.connect() as first:
        stale = (await first.request("page/create"))["id"]
    async with shared_server.connect() as second:
        await second.request("page/create")
        with pytest.raises(PageNotFound):
            await second.request("page/activate", {"pageId": stale})
