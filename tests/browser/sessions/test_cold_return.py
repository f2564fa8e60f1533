"""Sessions whose browser or server has died: the same pages, opened anew."""

import os
import signal
import stat
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio

from agentbrowser.browser import snapshots
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from tests.browser.sessions.test_sessions import Visit, visit
from tests.browser.site import Site, open_site
from tests.pure.logbook import logged

pytestmark = pytest.mark.slow

LIMIT_S = 120
LATE = """<script>
localStorage.early = sessionStorage.early = "early";
fetch("/late").then(() => { localStorage.a = "late-item" });
fetch("/later").then(() => { sessionStorage.a = "later-item" });
fetch("/latest").then(() => { document.cookie = "a=latest-item; max-age=9999" });
fetch("/last");
</script>"""
KEEPING = "<p>here</p><script>localStorage.seen = (+localStorage.seen || 0) + 1</script>"


@pytest.fixture
def kept(tmp_path: Path) -> Config:
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, state_dir=str(tmp_path / "state"))


async def pages_of(client: Visit) -> list[tuple[str, str, str]]:
    listed = await client.ask("page/list")
    return [(page["id"], page["url"], page["contextId"]) for page in listed["pages"]]


async def settle(client: Visit, site: Site) -> tuple[list[tuple[str, str, str]], str]:
    """Open pages in two contexts, with a cookie and local storage; return them, and a ref of one."""
    first = site.html("/first", KEEPING, Set_Cookie="user=ada; Max-Age=9999")
    other = site.html("/other", "<button>Save</button>")
    await client.ask("page/navigate", url=first)
    await client.ask("context/create", contextId="mine", options={"locale": "de-DE"})
    await client.ask("page/create", url=other, contextId="mine")
    closed = (await client.ask("page/create", url=other))["id"]
    await client.ask("page/close", pageId=closed)
    await client.ask("page/activate", pageId=(await pages_of(client))[1][0])
    seen = await client.ask("agent/observe")
    return await pages_of(client), seen["interactiveElements"][0]["ref"]


async def check_settled(client: Visit, site: Site, pages: Any, ref: str) -> None:
    assert await pages_of(client) == pages
    assert (await client.ask("page/list"))["activePage"] == pages[1][0]
    language = await client.ask("script/evaluate", expression="navigator.language")
    assert language["value"] == "de-DE"
    stored = await client.ask("script/evaluate", pageId=pages[0][0], expression="localStorage.seen + document.cookie")
    assert stored["value"] == "2user=ada"
    unknown = await client.answer(await client.send("action/click", selector={"type": "ref", "value": ref}))
    assert unknown["error"]["code"] == -32012
    assert "Observe" in unknown["error"]["data"]["recoveryHint"]


async def test_a_session_outlives_the_server(kept: Config, site: Site) -> None:
    with trio.fail_after(LIMIT_S):
        async with open_server(kept) as server, visit(server) as first:
            pages, ref = await settle(first, site)
        async with open_server(kept) as server, visit(server, first.told) as second:
            assert (second.told["restored"], second.told["sessionSecret"]) == ("cold", first.told["sessionSecret"])
            await check_settled(second, site, pages, ref)


def look_into(directory: str) -> tuple[list[int], bytes]:
    """Return the modes that a directory and its files have, and all that is in them."""
    files = sorted(Path(directory).iterdir())
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (Path(directory), *files)]
    return list(dict.fromkeys(modes)), b"".join(file.read_bytes() for file in files)


async def test_what_is_kept_is_for_its_owner_alone(kept: Config, site: Site) -> None:
    with trio.fail_after(LIMIT_S):
        async with open_server(kept) as server, visit(server) as first:
            await first.ask("page/navigate", url=site.html("/", "<p>here</p>"))
        modes, text = look_into(str(kept.state_dir))
        assert modes == [0o700, 0o600]
        assert first.told["sessionSecret"].encode() not in text
        async with open_server(kept) as server:
            async with visit(server, {"sessionSecret": "A" * 22}, refused=True) as wrong:
                assert wrong.told["data"]["details"]["reason"] == "session"
            async with visit(server) as stranger:
                assert "restored" not in stranger.told


async def test_the_rules_of_now_hold_for_what_was_kept(kept: Config, site: Site) -> None:
    site.html("/", KEEPING, Set_Cookie="user=ada; Max-Age=9999")
    with trio.fail_after(LIMIT_S):
        async with open_server(kept) as server, visit(server) as first:
            await first.ask("page/navigate", url=site.url("/"))
            ((id_, *_),) = await pages_of(first)
        narrowed = attrs.evolve(kept, allowed_domains=("localhost",), private_network="allow")
        site.seen.clear()
        async with open_server(narrowed) as server, visit(server, first.told) as second:
            assert second.told["restored"] == "cold"
            assert await pages_of(second) == [(id_, "about:blank", "default")]
            assert (await second.ask("storage/getState"))["cookies"] == []
        assert site.paths() == []


async def test_no_page_gets_the_id_of_an_earlier_one_after_a_restart(kept: Config) -> None:
    with trio.fail_after(LIMIT_S):
        async with open_server(kept) as server, visit(server) as first:
            here, closed = [(await first.ask("page/create"))["id"] for _ in range(2)]
            await first.ask("page/close", pageId=closed)
        async with open_server(kept) as server, visit(server, first.told) as second:
            assert [page[0] for page in await pages_of(second)] == [here]
            assert (await second.ask("page/create"))["id"] not in (here, closed)
            stale = await second.answer(await second.send("page/activate", pageId=closed))
            assert (stale["error"]["code"], stale["error"]["data"]["details"]["pageId"]) == (-32011, closed)


async def test_a_session_that_was_shut_down_is_kept_only_on_request(kept: Config, site: Site) -> None:
    url = site.html("/", "<p>here</p>")
    with trio.fail_after(LIMIT_S):
        async with open_server(kept) as server:
            async with visit(server) as first:
                await first.ask("page/navigate", url=url)
                pages = await pages_of(first)
                await first.ask("shutdown", saveState=True)
            async with visit(server, first.told) as second:
                assert second.told["restored"] == "cold"
                assert await pages_of(second) == pages
                await second.ask("shutdown")
            async with visit(server, first.told, refused=True) as third:
                assert third.told["code"] == -32602


async def test_a_browser_that_dies_leaves_its_pages_to_the_next(server: Server, site: Site) -> None:
    url = site.html("/", KEEPING)
    async with visit(server) as client:
        await client.ask("page/navigate", url=url)
        await client.ask("events/subscribe", events=["page"])
        ((id_, *_),) = pages = await pages_of(client)
        assert server.engine.pid is not None
        os.kill(server.engine.pid, signal.SIGKILL)
        created = {"type": "created", "pageId": id_}
        while not created.items() <= (await client.note()).get("params", {}).items():
            pass
        again = await client.ask("script/evaluate", pageId=id_, expression="location.pathname")
        assert again["value"] == "/"
        assert await pages_of(client) == pages
        assert (await client.ask("page/list"))["activePage"] == id_


async def test_of_a_lost_browser_s_pages_those_that_find_room_are_loaded_and_the_others_are_gone(
    kept: Config, site: Site
) -> None:
    url = site.html("/", KEEPING)
    with trio.fail_after(LIMIT_S):
        async with open_server(attrs.evolve(kept, max_queued=0)) as server, visit(server) as client:
            await client.ask("page/navigate", url=url)
            await client.ask("page/create", url=url)
            fits, gone = pages = await pages_of(client)
            await client.ask("events/subscribe", events=["page"])
            server.engines.capacity.max_pages = 1
            assert server.engine.pid is not None
            os.kill(server.engine.pid, signal.SIGKILL)
            failed = {"type": "error", "pageId": gone[0], "url": url}
            while not failed.items() <= (await client.note()).get("params", {}).items():
                pass
            refused = await client.answer(await client.send("agent/observe", pageId=gone[0]))
            assert refused["error"]["code"] == -32011
            assert "could not be opened again" in refused["error"]["message"]
            loaded = await client.ask("script/evaluate", expression="location.pathname")
            assert loaded["value"] == "/"
            assert await pages_of(client) == [fits]
        async with open_server(kept) as server, visit(server, client.told) as again:
            assert sorted(await pages_of(again)) == sorted(pages)


@pytest.mark.parametrize(("method", "resource"), [("page/create", "pages"), ("context/create", "contexts")])
async def test_a_session_that_is_larger_than_the_server_says_so_and_stays(
    kept: Config, method: str, resource: str
) -> None:
    with trio.fail_after(LIMIT_S):
        async with open_server(kept) as server, visit(server) as first:
            await first.ask("page/create")
            await first.ask(method)
            pages = await pages_of(first)
        few_pages, few_contexts = (attrs.evolve(kept, max_total_pages=1), attrs.evolve(kept, max_total_contexts=1))
        small = few_pages if resource == "pages" else few_contexts
        with logged(small) as log:
            async with open_server(small) as server, visit(server, first.told, refused=True) as second:
                assert (second.told["code"], second.told["data"]["retryable"]) == (-32000, True)
                assert (
                    second.told["message"] == f"The session has 2 {resource}, and this server has room for 1 at most."
                )
                assert f"--max-total-{resource}" in second.told["data"]["recoveryHint"]
                assert {"resource": resource, "limit": 1, "current": 2}.items() <= second.told["data"][
                    "details"
                ].items()
                assert server.engine.launches == 0
        assert "session_too_large" in log.getvalue()
        async with open_server(kept) as server, visit(server, first.told) as third:
            assert await pages_of(third) == pages


async def test_a_page_that_does_not_come_keeps_nobody_waiting(
    kept: Config, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "_LOAD_TIMEOUT_S", 2.0)
    slow, url = site.html("/slow", "<p>slow</p>"), site.html("/", "<p>here</p>")
    with trio.fail_after(LIMIT_S):
        async with open_server(kept) as server, visit(server) as first:
            await first.ask("page/navigate", url=slow)
            await first.ask("page/create", url=url)
            ids = [page[0] for page in await pages_of(first)]
        site.hold("/slow")
        hearing = {"events": ["page"]}
        async with open_server(kept) as server, visit(server, first.told, capabilities=hearing) as second:
            assert second.told["restored"] == "cold"
            assert [page[0] for page in await pages_of(second)] == ids
            assert (await pages_of(second))[1][1] == url
            told = [note["params"] for note in second.notes if note["params"].get("type") == "error"]
            assert [(event["pageId"], event["url"]) for event in told] == [(ids[0], slow)]
            usable = await second.ask("script/evaluate", pageId=ids[0], expression="1 + 1")
            assert usable["value"] == 2


async def test_what_the_client_has_closed_stays_closed(kept: Config, site: Site) -> None:
    url = site.html("/", KEEPING)
    with trio.fail_after(LIMIT_S):
        async with open_server(kept) as server, visit(server) as first:
            await first.ask("page/navigate", url=url)
            await first.ask("browser/close")
        async with open_server(kept) as server, visit(server, first.told) as second:
            assert second.told["restored"] == "cold"
            assert await pages_of(second) == []


async def test_the_pages_of_a_parked_session_come_back_too(server: Server, site: Site) -> None:
    url = site.html("/", KEEPING)
    async with visit(server) as first:
        await first.ask("page/navigate", url=url)
        ((id_, *_),) = await pages_of(first)
    async with visit(server) as other:
        await other.ask("page/create")
        lost = trio.Event()
        unlisten = server.engine.on_lost(lambda _: server.portal.call_in_trio(lost.set))
        assert server.engine.pid is not None
        os.kill(server.engine.pid, signal.SIGKILL)
        await lost.wait()
        unlisten()
    async with visit(server, first.told) as second:
        assert second.told["restored"] == "cold"
        while not await pages_of(second):
            await trio.lowlevel.checkpoint()
        evaluated = await second.ask("script/evaluate", pageId=id_, expression="localStorage.seen")
        assert int(evaluated["value"]) >= 1


async def test_a_page_that_could_not_be_loaded_keeps_its_saved_url(kept: Config, site: Site) -> None:
    with trio.fail_after(LIMIT_S):
        with open_site() as gone:
            url = gone.html("/", "<p>here</p>")
            async with open_server(kept) as server, visit(server) as first:
                await first.ask("page/navigate", url=url)
        async with open_server(kept) as server, visit(server, first.told) as second:
            ((id_, shown, _),) = await pages_of(second)
            assert shown != url
        hearing = {"events": ["page"]}
        async with open_server(kept) as server, visit(server, first.told, capabilities=hearing) as third:
            failed = [note["params"]["url"] for note in third.notes if note["params"].get("type") == "error"]
            assert failed == [url]
            await third.ask("page/navigate", url=site.html("/", "<p>elsewhere</p>"))
        async with open_server(kept) as server, visit(server, first.told) as fourth:
            assert [page[:2] for page in await pages_of(fourth)] == [(id_, site.url("/"))]


async def test_storage_of_all_origins_returns_without_a_visit(kept: Config, site: Site) -> None:
    counting = "if (location.hostname == '127.0.0.1') localStorage.seen = (+localStorage.seen || 0) + 1"
    seen = site.html("/", f"<script>{counting}</script>")
    others = [site.url("/", host) for host in ("localhost", "a.localhost")]
    local = [
        {"origin": url.removesuffix("/"), "localStorage": [{"name": f"at {number}", "value": "ü😀\u2028</script>"}]}
        for number, url in enumerate((seen, *others))
    ]
    with trio.fail_after(LIMIT_S):
        async with open_server(kept) as server, visit(server) as first:
            await first.ask("storage/setState", state={"cookies": [], "origins": local})
            await first.ask("page/navigate", url=seen)
            await first.ask("page/create", url=others[0])
            ids = [page[0] for page in await pages_of(first)]
        site.seen.clear()
        hearing = {"events": ["page"]}
        for visits in (2, 3):
            async with open_server(kept) as server, visit(server, first.told, capabilities=hearing) as again:
                assert [page[:2] for page in await pages_of(again)] == list(zip(ids, (seen, others[0]), strict=True))
                stored = {
                    one["origin"]: one["localStorage"] for one in (await again.ask("storage/getState"))["origins"]
                }
                assert sorted(map(str, stored.pop(local[0]["origin"]))) == sorted(
                    map(str, [*local[0]["localStorage"], {"name": "seen", "value": str(visits)}])
                )
                assert stored == {one["origin"]: one["localStorage"] for one in local[1:]}
                moved = await again.ask("page/goBack", pageId=ids[0])
                assert (moved["url"], moved["navigated"]) == (seen, False)
                events = [note["params"] for note in again.notes if note["params"].get("type") == "navigated"]
                assert [event["url"] for event in events if event["pageId"] == ids[0]] == [seen]
        assert site.paths() == ["/"] * 4


@pytest.mark.parametrize("path", ["/", "/slow"])
async def test_a_page_with_storage_that_does_not_come_is_blank_and_keeps_both(
    kept: Config, site: Site, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(snapshots, "_LOAD_TIMEOUT_S", 2.0)
    url = site.html(path, KEEPING)
    with trio.fail_after(LIMIT_S):
        async with open_server(kept) as server, visit(server) as first:
            await first.ask("page/navigate", url=url)
        site.hold(path)
        async with open_server(kept) as server, visit(server, first.told) as second:
            ((id_, shown, _),) = await pages_of(second)
            assert shown == "about:blank"
            (origin,) = (await second.ask("storage/getState"))["origins"]
            assert origin["localStorage"] == [{"name": "seen", "value": "1"}]
        site.held[path].set()
        async with open_server(kept) as server, visit(server, first.told) as third:
            assert [page[:2] for page in await pages_of(third)] == [(id_, url)]
            seen = await third.ask("script/evaluate", expression="localStorage.seen")
            assert seen["value"] == "2"


async def test_storage_that_a_click_has_changed_is_kept_until_its_context_is_closed(
    kept: Config, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "_ACTION_PAUSE_S", 0.1)
    with trio.fail_after(LIMIT_S):
        async with open_server(kept) as server, visit(server) as client:
            await client.ask(
                "page/navigate", url=site.html("/", "<button onclick='localStorage.cart = 3'>Add</button>")
            )
            (connection,) = server.connections
            await client.ask("action/click", selector={"type": "css", "value": "button"})
            lease = connection.session.lease
            assert lease is not None
            while "cart" not in str(lease.snapshot):  # noqa: ASYNC110 - read in the browser thread, without a navigation
                await trio.sleep(0.02)
            await client.ask("browser/close")
            page_id = (await client.ask("page/create"))["id"]
            while page_id not in str(lease.snapshot):  # noqa: ASYNC110
                await trio.sleep(0.01)
            assert "cart" not in str(lease.snapshot)


async def test_cookies_and_storage_that_a_page_changes_by_itself_are_kept(
    kept: Config, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_READ_PAUSE_S", "_CHANGE_PAUSE_S", "_CHANGE_INTERVAL_S"):
        monkeypatch.setattr(snapshots, name, 0.1)
    monkeypatch.setattr(snapshots, "_ACTION_PAUSE_S", 2 * LIMIT_S)  # no read because of the navigation
    for path in ("/late", "/later", "/latest", "/last"):
        site.hold(path)
    site.serve("/last", b"", Set_Cookie="last=last-cookie; Max-Age=9999")
    quiet = attrs.evolve(kept, recorder=False)  # no events of responses, which have the cookies read
    with trio.fail_after(LIMIT_S):
        async with open_server(quiet) as server, visit(server) as client:
            await client.ask("page/navigate", url=site.html("/", LATE))
            (connection,) = server.connections
            lease = connection.session.lease
            assert lease is not None

            async def until_saved(text: str) -> None:
                while text not in str(lease.snapshot):  # noqa: ASYNC110 - read in the browser thread
                    await trio.sleep(0.02)

            await until_saved("early")
            for path in ("/late", "/later", "/latest"):
                site.held[path].set()
                await until_saved(f"{path[1:]}-item")
            await client.ask("events/subscribe", events=["network"])
            site.held["/last"].set()
            await until_saved("last-cookie")
