"""Downloads: events, private storage, quotas, reading, and removal with the client."""

import base64
import os
import stat
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio
from playwright._impl.artifact import Artifact

from agentbrowser.browser.downloads import downloads
from agentbrowser.browser.downloads.disk_guard import DiskGuard
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import download, page
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.event import DownloadEvent
from agentbrowser.server.app import open_server
from tests.browser.conftest import LIMIT_S
from tests.browser.endless_server import serve_endless_file
from tests.browser.event_collector import EventCollector, collect_events
from tests.browser.shared_server import ServerInFolder, SharedServer, server_in_folder
from tests.browser.site import Site

CONTENT = bytes(range(256)) * 400
CONFIG = Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1)


@pytest.fixture(scope="module")
def in_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerInFolder]:
    with server_in_folder(CONFIG, tmp_path_factory.mktemp("downloads")) as in_folder:
        yield in_folder


@pytest.fixture(autouse=True)
def temporary(in_folder: ServerInFolder) -> Iterator[Path]:
    """Yield the directory for temporary files; check that no download is left behind."""
    yield in_folder.folder
    in_folder.until_empty("agentbrowser-downloads-*")
    in_folder.until_empty("agentbrowser-*/downloads/*")


@pytest.fixture
async def server(in_folder: ServerInFolder, temporary: Path) -> AsyncIterator[SharedServer]:
    with trio.fail_after(LIMIT_S):
        yield in_folder.server


def offer(site: Site, path: str = "/file", name: str = "report.pdf", content: bytes = CONTENT) -> str:
    header = f'attachment; filename="{name}"'
    return site.serve(path, content, Content_Type="application/octet-stream", Content_Disposition=header)


async def fetch(browser: Browser, site: Site, *urls: str, page_id: str | None = None) -> None:
    """Open a page of download links, and click on each."""
    links = "".join(f"<a id=a{index} href='{url}'>{index}</a> " for index, url in enumerate(urls))
    await browser.request("page/navigate", {"url": site.html("/links", links), "pageId": page_id})
    for index in range(len(urls)):
        selector = {"type": "css", "value": f"#a{index}"}
        await browser.request("action/click", {"selector": selector, "pageId": page_id})


async def over(collector: EventCollector, count: int = 1) -> list[DownloadEvent]:
    return await collector.until(lambda event: event.state != "started", count)


async def whole(browser: Browser, download_id: str, length: int) -> bytes:
    content = b""
    while True:
        part = await browser.call(download.read, download_id=download_id, offset=len(content), length=length)
        content += base64.b64decode(part.data)
        if part.eof:
            assert part.size == len(content)
            return content


def files(temporary: Path, pattern: str = "agentbrowser-downloads-*/*") -> list[Path]:
    # `rglob` fails on a folder that is removed meanwhile.
    found = (Path(folder, name) for folder, _, names in os.walk(temporary) for name in names)
    return [file for file in found if file.match(pattern) and file.name != "owner"]


async def until(holds: Callable[[], bool]) -> None:
    with trio.fail_after(20):
        while not holds():  # noqa: ASYNC110 - what is waited for happens in another thread
            await trio.sleep(0.02)


async def test_a_download_is_reported_stored_and_read(browser: Browser, site: Site, temporary: Path) -> None:
    url = offer(site)
    async with collect_events(browser, "download") as collector:
        await fetch(browser, site, f"{url}?token=c4n4ry&x=1")
        (done,) = await over(collector)
    begun = collector.events[0]
    assert (begun.state, begun.size, begun.url) == ("started", None, f"{url}?token=[REDACTED]&x=1")
    assert (done.state, done.size, done.suggested_filename) == ("completed", len(CONTENT), "report.pdf")
    assert (done.download_id, done.page_id) == (
        begun.download_id,
        (await browser.call(page.list_pages)).active_page,
    )
    assert await whole(browser, done.download_id, length=30_000) == CONTENT
    part = await browser.call(download.read, download_id=done.download_id, offset=len(CONTENT) + 5)
    assert (part.data, part.eof, part.suggested_filename) == ("", True, "report.pdf")
    listed = await browser.call(download.list_downloads)
    assert listed.downloads == [attrs.evolve(done, seq=None)]  # only events have one
    (file,) = files(temporary)
    assert file.name == done.download_id
    assert (file.parent / "owner").exists()  # by which the next server removes it, should this one be killed
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_files_go_with_their_client(server: SharedServer, site: Site, temporary: Path) -> None:
    async with server.connect() as browser, collect_events(browser, "download") as collector:
        await fetch(browser, site, offer(site))
        await over(collector)
        assert len(files(temporary)) == 1
    await until(lambda: not files(temporary))


async def test_a_download_that_a_script_makes(browser: Browser, site: Site) -> None:
    script = (
        "const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['made'])); a.download = 'NUL'"
    )
    async with collect_events(browser, "download") as collector:
        await browser.call(page.navigate, url=site.html("/", f"<script>{script}; a.click()</script>"))
        (done,) = await over(collector)
    assert done.suggested_filename == "_NUL.txt"
    assert await whole(browser, done.download_id, 100) == b"made"


@pytest.mark.parametrize("target", ["_blank", "_blank rel=noopener"])
async def test_a_download_in_a_new_window(browser: Browser, site: Site, target: str) -> None:
    async with collect_events(browser, "download") as collector:
        url = site.html("/", f"<a href='{offer(site)}' target={target}>get</a>")
        await browser.call(page.navigate, url=url)
        clicked = await browser.request("action/click", {"selector": {"type": "css", "value": "a"}})
        (done,) = await over(collector)
    assert await whole(browser, done.download_id, 200_000) == CONTENT
    (window,) = [one for one in (await browser.call(page.list_pages)).pages if one.opener]
    assert (window.url, window.status) == ("about:blank", "ready")
    assert [one["url"] for one in clicked.get("newPages", [])] in ([], ["about:blank"])


async def test_a_name_is_never_a_path(browser: Browser, site: Site) -> None:
    names = ["../../../tmp/evil.sh", "..%2f..%2fetc%2fpasswd", "CON.txt", "x" * 300 + ".txt"]
    urls = [offer(site, f"/{index}", name) for index, name in enumerate(names)]
    async with collect_events(browser, "download") as collector:
        await fetch(browser, site, *urls)
        done = await over(collector, len(urls))
    reported = {event.url: event.suggested_filename for event in done}
    assert all(len(name.encode()) <= 255 and not set(name) & set("/\\") for name in reported.values())
    assert reported[urls[2]].startswith("_CON")


async def test_too_many_files_are_refused(
    browser: Browser, site: Site, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "MAX_FILES", 2)
    async with collect_events(browser, "download") as collector:
        await fetch(browser, site, *(offer(site, f"/{index}") for index in range(4)))
        done = await over(collector, 4)
        assert sorted(event.state for event in done) == ["completed", "completed", "failed", "failed"]
        assert len(files(temporary)) == 2
        listed = await browser.call(download.list_downloads)
        first, second = [one.download_id for one in listed.downloads]
        await browser.call(
            download.read, download_id=first, offset=10_000, length=len(CONTENT)
        )  # its begin is left out
        assert await whole(browser, second, 50_000) == CONTENT  # it may leave now
        await fetch(browser, site, offer(site, "/4"))
        assert (await over(collector, 5))[-1].state == "completed"
    listed = await browser.call(download.list_downloads)
    assert second not in (ids := [one.download_id for one in listed.downloads])
    assert first in ids
    with pytest.raises(errors.InvalidParams):
        await browser.call(download.read, download_id=second)


async def _flood(browser: Browser, site: Site, *urls: str) -> None:
    """Open a page of another site that begins downloads by itself."""
    site.html("/flood", "".join(f"<iframe src='{url}'></iframe>" for url in urls))
    await browser.call(page.navigate, url=site.url("/flood", "localhost"))


@pytest.mark.parametrize("limit", ["MAX_FILES", "MAX_BYTES"])
async def test_what_a_page_downloads_by_itself_makes_room_for_another_site(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(downloads, limit, {"MAX_FILES": 2, "MAX_BYTES": len(CONTENT) * 5 // 2}[limit])
    async with collect_events(browser, "download") as collector:
        for round_ in range(2):
            await _flood(browser, site, *(offer(site, f"/{round_}{index}") for index in range(2)))
            await over(collector, 2 + 3 * round_)
            await fetch(browser, site, offer(site, f"/asked{round_}"))
            *_, done = await over(collector, 3 + 3 * round_)
            assert (done.url, done.state) == (site.url(f"/asked{round_}"), "completed"), done.error
    listed = (await browser.call(download.list_downloads)).downloads
    assert [one.url for one in listed] == [site.url("/asked0"), site.url("/asked1")]
    assert await whole(browser, listed[0].download_id, 200_000) == CONTENT


async def test_downloads_under_way_make_room_for_another_site(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "MAX_FILES", 2)
    with serve_endless_file(pause_s=0.05) as (url, _):
        async with collect_events(browser, "download") as collector:
            await _flood(browser, site, url, f"{url}?2")
            await collector.until(lambda event: event.state == "started", 2)
            await fetch(browser, site, offer(site, "/asked"))
            given_up, done = sorted(await over(collector, 2), key=lambda event: event.state, reverse=True)
            assert (given_up.state, done.state, done.url) == ("failed", "completed", site.url("/asked"))
            assert "made room" in (given_up.error or "")
            await browser.request("context/destroy", {"contextId": "default"})
            await over(collector, 3)


async def test_a_file_that_is_too_large_is_not_kept(
    browser: Browser, site: Site, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "MAX_BYTES", len(CONTENT) * 3 // 2)
    async with collect_events(browser, "download") as collector:
        await fetch(browser, site, offer(site, "/1"))
        await over(collector)
        await fetch(browser, site, offer(site, "/2"))
        _, second = await over(collector, 2)
    assert second.state == "failed"
    assert "bytes" in (second.error or "")
    assert len(files(temporary)) == 1


async def test_a_burst_of_downloads_keeps_what_the_quota_allows(
    browser: Browser, site: Site, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser has written all of them before Playwright reports the first one."""
    size = 1024 * 1024
    monkeypatch.setattr(downloads, "MAX_BYTES", 2 * size)
    script = f"""onload = () => {{
        const url = URL.createObjectURL(new Blob([new Uint8Array({size}).fill(7)]));
        for (let i = 0; i < 6; i++) Object.assign(document.createElement("a"), {{href: url, download: i}}).click();
    }}"""
    async with collect_events(browser, "download") as collector:
        await browser.call(page.navigate, url=site.html("/", f"<script>{script}</script>"))
        done = await over(collector, 6)
    kept = [event for event in done if event.state == "completed"]
    assert 1 <= len(kept) <= 2
    assert all("bytes" in (event.error or "") for event in done if event not in kept)
    for event in kept:
        assert await whole(browser, event.download_id, 2 * size) == b"\x07" * size
    await until(lambda: files(temporary, "agentbrowser-*/downloads/*") == [])


async def test_an_endless_download_is_cancelled_and_slows_no_other_client(
    server: SharedServer, site: Site, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "MAX_BYTES", 4 * 1024 * 1024)
    other_url = site.html("/other", "other")
    with serve_endless_file() as (url, served):
        async with (
            server.connect() as browser,
            server.connect() as other,
            collect_events(browser, "download") as collector,
        ):
            await other.call(page.navigate, url=other_url)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(fetch, browser, site, url)
                assert await answered(other, until=lambda: len(collector.events) > 1) > 0
            (done,) = await over(collector)
            assert done.state == "failed"
            await until(lambda: served.closed)
            await fetch(browser, site, offer(site))  # its own client goes on too
            (_, kept) = await over(collector, 2)
            assert kept.state == "completed"
    assert not files(temporary, "*.crdownload")


async def test_a_download_whose_size_can_not_be_followed_is_refused(
    browser: Browser, site: Site, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Artifact.__init__

    def without_path(artifact: Artifact, *args: Any) -> None:
        made(artifact, *args)
        del artifact._initializer["absolutePath"]

    monkeypatch.setattr(Artifact, "__init__", without_path)
    with serve_endless_file() as (url, served):
        async with collect_events(browser, "download") as collector:
            await fetch(browser, site, url)
            (done,) = await over(collector)
            assert (done.state, done.size) == ("failed", None)
            assert "measure" in (done.error or "")
            await until(lambda: served.closed)
            await until(lambda: not files(temporary, "*.crdownload"))  # the browser removes it after the event
    assert (await browser.call(download.list_downloads)).downloads == []
    assert files(temporary) == []


async def test_a_quota_that_fails_ends_the_download(
    browser: Browser, site: Site, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(guard: DiskGuard, name: str) -> bool:
        raise ValueError("a fault of ours")

    monkeypatch.setattr(DiskGuard, "exceeds", fail)
    with serve_endless_file() as (url, served):
        async with collect_events(browser, "download") as collector:
            await fetch(browser, site, url)
            (done,) = await over(collector)
            assert done.state == "failed"
            await until(lambda: served.closed)
            await until(lambda: not files(temporary, "*.crdownload"))  # the browser removes it after the event
    assert files(temporary) == []


async def answered(browser: Browser, until: Any) -> int:
    """Return the number of this client's answered requests until something has happened, each within its limit."""
    count = 0
    while not until():
        with trio.fail_after(10):
            await browser.request("observe/content", {"format": "text"})
        count += 1
    return count


async def test_a_slow_download_is_listed_in_progress_and_ends_with_its_context(browser: Browser, site: Site) -> None:
    with serve_endless_file(pause_s=0.05) as (url, _):
        async with collect_events(browser, "download") as collector:
            context = (await browser.request("context/create"))["contextId"]
            made = await browser.request("page/create", {"contextId": context})
            await fetch(browser, site, url, page_id=made["id"])
            (begun,) = await collector.until(lambda event: event.state == "started")
            with pytest.raises(errors.ActionFailed) as caught:
                await browser.call(download.read, download_id=begun.download_id)
            assert caught.value.retryable
            await browser.request("context/destroy", {"contextId": context})
            (done,) = await over(collector)
    assert done.state == "canceled"


async def test_a_download_that_the_site_cuts_off_has_failed(browser: Browser, site: Site) -> None:
    offer(site)
    content, headers = site.pages["/file"]
    site.pages["/file"] = (content, {**headers, "Content-Length": "999999", "Connection": "close"})
    async with collect_events(browser, "download") as collector:
        await fetch(browser, site, site.url("/file"))
        (done,) = await over(collector)
    assert (done.state, (done.error or "").partition(",")[0]) == ("failed", "It was cut off")


async def test_an_unknown_download_can_not_be_read(browser: Browser, server: SharedServer, site: Site) -> None:
    async with server.connect() as other, collect_events(other, "download") as collector:
        await fetch(other, site, offer(site))
        (done,) = await over(collector)
        for download_id in ("", "..", "../../etc/passwd", done.download_id):  # the last one is another client's
            with pytest.raises(errors.InvalidParams) as caught:
                await browser.call(download.read, download_id=download_id)
            assert caught.value.details["path"] == "downloadId"


@pytest.mark.parametrize("params", [{"offset": -1}, {"length": 0}, {"length": 7 * 1024 * 1024}])
async def test_a_part_is_within_bounds(browser: Browser, params: dict[str, int]) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        await browser.request("download/read", {"downloadId": "x", **params})
    assert caught.value.details["path"] == next(iter(params))


async def test_reading_needs_scope_full_and_downloading_needs_standard(site: Site, temporary: Path) -> None:
    config = Config(port=0, scope=Scope.STANDARD, drain_timeout_s=1)
    async with open_server(config) as server, server.connect() as browser:
        for name in ("download/read", "download/list"):
            with pytest.raises(errors.ScopeDenied):
                await browser.request(name, {"downloadId": "x"})
    config = Config(port=0, scope=Scope.READONLY, readonly_navigation=True, drain_timeout_s=1)
    async with (
        open_server(config) as server,
        server.connect() as browser,
        collect_events(browser, "download") as collector,
    ):
        url = site.html("/", f"<script>onload = () => setTimeout(() => {{ location.href = '{offer(site)}' }})</script>")
        await browser.call(page.navigate, url=url)
        (done,) = await over(collector)
        assert done.state == "failed"
        assert "scope" in (done.error or "")
        assert files(temporary) == []


@pytest.mark.parametrize("modifiers", [[], ["Alt"]], ids=["attachment", "alt-click"])
async def test_the_result_of_a_click_names_its_download(browser: Browser, site: Site, modifiers: list[str]) -> None:
    target = offer(site) if not modifiers else site.html("/page", "<p>page</p>")
    await browser.call(page.navigate, url=site.html("/", f"<a href='{target}'>get</a>"))
    async with collect_events(browser, "download") as collector:
        params = {"selector": {"type": "css", "value": "a"}, "options": {"modifiers": modifiers}}
        result = await browser.request("action/click", params)
        (done,) = await over(collector)
    assert done.state == "completed"
    told = result["download"]
    assert told.pop("state") in ("started", "completed")
    assert told == {"downloadId": done.download_id, "suggestedName": done.suggested_filename, "url": target}


@pytest.mark.parametrize("is_ad_later", [False, True])
async def test_the_download_of_a_foreign_frame_is_not_that_of_a_click(
    browser: Browser, site: Site, *, is_ad_later: bool
) -> None:
    """The frame begins it when the page asks, as the timer of an ad may at any time."""
    ad = offer(site, "/ad", "ad.bin")
    site.html("/frame", f"<script>onmessage = () => location = '{ad}'</script>")
    frame = f"<iframe src='{site.url('/frame', 'localhost')}'></iframe>"
    link = f"<a href='{offer(site)}' download>get</a><button>stir</button>"
    script = "<script>onclick = () => frames[0].postMessage(1, '*')</script>"
    await browser.call(page.navigate, url=site.html("/", frame + link + script))
    async with collect_events(browser, "download") as collector:
        selector = {"type": "css", "value": "a" if is_ad_later else "button"}
        result = await browser.request("action/click", {"selector": selector})
        ended = await over(collector, 2 if is_ad_later else 1)
    assert {one.suggested_filename for one in ended} == ({"ad.bin", "report.pdf"} if is_ad_later else {"ad.bin"})
    assert result.get("download", {}).get("suggestedName") == ("report.pdf" if is_ad_later else None)


async def test_an_alt_click_that_the_page_handles_itself_is_no_download(browser: Browser, site: Site) -> None:
    link = "<a href=/page onclick='event.preventDefault(); document.title = 1'>get</a>"
    await browser.call(page.navigate, url=site.html("/", link))
    params = {"selector": {"type": "css", "value": "a"}, "options": {"modifiers": ["Alt"]}}
    result = await browser.request("action/click", params)
    assert "download" not in result
    assert not result["navigated"]
