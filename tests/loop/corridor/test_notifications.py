"""What a connection tells unasked: what is subscribed to, in the client's dialects, and what was dropped."""

import trio.testing

from agentbrowser.protocol.types.event import ConsoleEvent, Dropped, NetworkEvent, PageEvent
from tests.loop.memory_client import Client, dialogue

LINE = ConsoleEvent(page_id="page-1", type="log", text="x", level="info", timestamp=1)
LOAD = PageEvent(page_id="page-1", type="load", timestamp=1)
CAUGHT = NetworkEvent(
    type="intercepted", request_id="request-1", page_id="page-1", url="http://a/", method="GET", resource_type="fetch"
)


async def get(client: Client, method: str, **params: object) -> object:
    await client.ask(1, method, **params)
    return (await client.hear())["result"]


async def test_only_what_is_subscribed_to_is_told(autojump_clock: trio.testing.MockClock) -> None:
    async with dialogue() as client:
        client.session.receive_events([LOAD, LINE, LOAD], {})
        assert (await client.hear())["method"] == "notifications/console"
        assert await get(client, "events/subscribe", events=["page"]) == {"subscribed": ["console", "dialog", "page"]}
        assert client.tabs.listens_to.kinds == {"console", "dialog", "page"}
        assert await get(client, "events/unsubscribe", events=["console"]) == {"subscribed": ["dialog", "page"]}
        client.session.receive_events([LINE, LOAD], {})
        assert await client.hear() == {
            "jsonrpc": "2.0",
            "method": "notifications/page",
            "params": {"type": "load", "pageId": "page-1", "timestamp": 1},
        }


async def test_what_is_asked_at_the_start_takes_the_place_of_the_default(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with dialogue() as client:
        await get(client, "initialize", capabilities={"events": ["page"]})
        client.session.receive_events([LINE, LOAD], {})
        assert (await client.hear())["method"] == "notifications/page"


async def test_an_intercepted_request_is_told_to_whom_it_waits_for(autojump_clock: trio.testing.MockClock) -> None:
    async with dialogue() as client:
        client.session.receive_events([CAUGHT], {})
        assert (await client.hear())["params"]["requestId"] == "request-1"


async def test_bap_clients_get_each_event_once_in_their_dialect(autojump_clock: trio.testing.MockClock) -> None:
    async with dialogue() as client:
        await get(client, "initialize", clientInfo={"name": "bap-client-python", "version": "0.2"})
        client.session.receive_events([LINE, LINE], {})
        names = [(await client.hear())["method"] for _ in range(2)]
        assert names == ["event/console"] * 2
        family = {"streaming": False, "compression": False}
        for version, capabilities, kind in (
            ("0.2.0", family, "event"),
            ("0.7.0", family, "events"),
            ("0.7.0", {}, "notifications"),
        ):
            await get(client, "shutdown")
            named = {"name": "my agent", "os": "any"} if capabilities else {"name": "another"}
            await get(client, "initialize", clientInfo=named, protocolVersion=version, capabilities=capabilities)
            client.session.receive_events([LINE], {})
            assert (await client.hear())["method"] == f"{kind}/console"


async def test_what_was_dropped_on_the_way_is_told(autojump_clock: trio.testing.MockClock) -> None:
    async with dialogue() as client:
        client.session.receive_events([Dropped(event_kind="console", count=7)], {"network": 3})
        told = [await client.hear(), await client.hear()]
    assert {message["method"] for message in told} == {"notifications/dropped"}
    assert [message["params"] for message in told] == [
        {"kind": "network", "count": 3},
        {"kind": "console", "count": 7},
    ]


async def test_a_batch_as_large_as_a_page_s_loading_reaches_the_client_whole(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with dialogue() as client:
        client.session.receive_events([LINE] * 500, {})
        assert [(await client.hear())["method"] for _ in range(500)] == ["notifications/console"] * 500
