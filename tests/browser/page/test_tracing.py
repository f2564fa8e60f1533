"""trace/*: contents of a recording, privacy, and cleanup."""

import asyncio
import base64
import io
import json
import stat
import threading
import zipfile
from collections.abc import AsyncIterator, Awaitable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio
from playwright._impl.protocol_channels import TracingChannel

from agentbrowser.browser.downloads import trace_files
from agentbrowser.browser.page import tracing
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import page, trace
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from tests.browser.conftest import LIMIT_S
from tests.browser.shared_server import ServerInFolder, SharedServer, server_in_folder
from tests.browser.site import Site

CHANGE = """async () => { for (let n = 0; n < 30; n++) {
    document.body.style.background = `rgb(${n * 8}, 0, 0)`;
    await new Promise(requestAnimationFrame) } }"""


CONFIG = Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1)


@pytest.fixture(scope="module")
def in_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerInFolder]:
    with server_in_folder(CONFIG, tmp_path_factory.mktemp("traces")) as in_folder:
        yield in_folder


@pytest.fixture
def folder(in_folder: ServerInFolder) -> Iterator[Path]:
    """Yield the directory for temporary files; check that no recording is left behind."""
    yield in_folder.folder
    in_folder.until_empty("agentbrowser-trace-*")


@pytest.fixture
async def server(in_folder: ServerInFolder, folder: Path) -> AsyncIterator[SharedServer]:
    with trio.fail_after(LIMIT_S):
        yield in_folder.server


def opened(data: str) -> dict[str, bytes]:
    """Return the files of a recording."""
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(data))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def left_in(folder: Path) -> list[Path]:
    return list(folder.glob("agentbrowser-trace-*"))


async def record(browser: Browser, site: Site, **options: Any) -> dict[str, bytes]:
    await browser.request("trace/start", options)
    style = site.serve("/record.css", b"p { color: red }", Content_Type="text/css")
    await browser.call(
        page.navigate, url=site.html("/", f"<link rel=stylesheet href={style}><p>canary in the document")
    )
    await browser.request("script/evaluate", {"expression": CHANGE})
    return opened((await browser.call(trace.stop)).data)


async def test_a_recording_holds_what_happened(browser: Browser, site: Site) -> None:
    files = await record(browser, site, name="My ../ trace", sources=True)
    assert b"My ../ trace" in files["trace.trace"]
    assert site.url("/").encode() in files["trace.network"]
    assert b"canary in the document" in files["trace.trace"]
    assert any(name.endswith(".jpeg") for name in files)
    assert not any(name.startswith("resources/src@") for name in files)


FORM = """<form action=/sent method=post>
  <input type=password name=a value="canary-1"><input autocomplete=cc-number name=b><input id=passwd>
  <textarea autocomplete=one-time-code name=c>canary-2</textarea><input name=d value="plain &quot;text&quot;">
  <button>go</button>
</form><script>
  document.cookie = "name=canary-3";
  const [a, b, passwd, c] = document.forms[0].elements;
  a.value = 'canary-4"}'; b.value = passwd.value = "canary-5";
</script>"""


def stored(site: Site, value: str) -> dict[str, Any]:
    return {"origin": site.url("").rstrip("/"), "localStorage": [{"name": "token", "value": value}]}


async def test_a_recording_has_no_values_of_secret_fields_and_nothing_that_was_sent(
    browser: Browser, site: Site
) -> None:
    style = site.serve("/style.css", b"button { color: rgb(1, 2, 3) }", Content_Type="text/css")
    answer = f"<link rel=stylesheet href={style}><input type=password id=e value=canary-7><p>received"
    site.html("/sent", answer, Set_Cookie="other=canary-6")
    await browser.call(page.navigate, url=site.html("/", FORM))
    await browser.call(trace.start)
    await browser.request("action/click", {"selector": {"type": "css", "value": "button"}})
    await browser.request("action/click", {"selector": {"type": "css", "value": "#e"}})
    assert await browser.request("storage/getCookies", {})
    await browser.request("storage/setState", {"state": {"cookies": [], "origins": [stored(site, "canary-8")]}})
    await browser.request("storage/getState", {})
    for options in ({}, {"force": True}):
        await browser.request("action/fill", {"selector": "#e", "value": 'canary-9"', "options": options})
    await browser.request("action/type", {"selector": "#e", "text": "canary-0", "options": {"clear": True}})
    await browser.request("action/press", {"selector": "#e", "key": "Shift+q"})
    await browser.request("action/press", {"selector": "#e", "key": "Control+a"})
    with pytest.raises(errors.AgentBrowserError):
        await browser.request("action/check", {"selector": {"type": "css", "value": "#e"}, "options": {"timeout": 500}})
    files = opened((await browser.call(trace.stop)).data)
    (sent,) = (one for one in site.seen if one.method == "POST")
    assert b"canary-4" in sent.body
    assert "canary-3" in sent.headers["Cookie"]
    assert not [name for name, content in files.items() if b"canary" in content or b"Shift+q" in content]
    assert b"Control+a" in files["trace.trace"]
    (before,) = (line for line in files["trace.trace"].splitlines() if b'"cc-number"' in line)
    assert json.loads(before)["snapshot"]["html"]
    assert before.count(b'"[REDACTED]"') == 6
    assert b'"plain \\"text\\""' in before
    assert b'"text": "[REDACTED]"' in files["trace.network"]
    assert any(b"rgb(1, 2, 3)" in content for content in files.values())
    assert b"received" in files["trace.trace"]


async def test_parts_that_were_not_requested_are_left_out(browser: Browser, site: Site) -> None:
    files = await record(browser, site, screenshots=False, snapshots=False)
    assert not any(name.endswith(".jpeg") for name in files)
    assert b"canary in the document" not in files["trace.trace"]


async def test_one_recording_at_a_time_for_each_context(browser: Browser, site: Site) -> None:
    with pytest.raises(errors.ActionFailed) as caught:
        await browser.call(trace.stop)
    assert caught.value.details == {"action": "trace/stop", "reason": "no trace is being recorded"}
    await browser.call(trace.start)
    with pytest.raises(errors.ActionFailed) as caught:
        await browser.call(trace.start)
    assert caught.value.details["reason"] == "a trace is being recorded already"
    other = (await browser.request("context/create"))["contextId"]
    await browser.call(trace.start, context_id=other)
    made = await browser.call(page.create, url=site.html("/other", "x"), context_id=other)
    assert (
        site.url("/other").encode() in opened((await browser.call(trace.stop, page_id=made.id)).data)["trace.network"]
    )
    assert (
        site.url("/other").encode()
        not in opened((await browser.call(trace.stop, context_id="default")).data)["trace.network"]
    )
    await browser.call(trace.start)
    with pytest.raises(errors.ContextNotFound):
        await browser.call(trace.start, context_id="nowhere")


async def test_a_recording_is_private_and_nothing_is_left_of_it(
    browser: Browser, site: Site, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: list[int] = []
    read = tracing._read

    def look(path: Path) -> str:
        modes.extend(stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent))
        return read(path)

    monkeypatch.setattr(tracing, "_read", look)
    await record(browser, site)
    assert modes == [0o600, 0o700]
    assert left_in(folder) == []


async def test_a_large_recording_is_discarded(
    browser: Browser, site: Site, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracing, "MAX_TRACE_BYTES", 100)
    with pytest.raises(errors.ResourceLimitExceeded) as caught:
        await record(browser, site)
    assert caught.value.details["limit"] == 100
    assert caught.value.details["current"] > 100
    assert left_in(folder) == []
    with pytest.raises(errors.ActionFailed):
        await browser.call(trace.stop)


@pytest.mark.slow
async def test_a_page_does_not_fill_the_disk_through_a_trace(
    server: SharedServer, site: Site, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_files, "MAX_BYTES", 3_000_000)
    async with server.connect() as browser:
        await browser.call(page.navigate, url=site.html("/", "<p>quiet"))
        await browser.call(trace.start)
        for number in range(8):
            site.html(f"/large{number}", str(number) * 1_000_000)
            await browser.request("script/evaluate", {"expression": f"fetch('/large{number}').then(a => a.text())"})
        await until_gone(folder, 100_000)
        for method in ("trace/stop", "trace/start"):
            with pytest.raises(errors.ResourceLimitExceeded) as caught:
                await browser.request(method)
            assert caught.value.details["limit"] == trace_files.MAX_BYTES
        other = (await browser.request("context/create"))["contextId"]
        await browser.call(trace.start, context_id=other)
        made = await browser.call(page.create, url=site.html("/other", "x"), context_id=other)
        files = opened((await browser.call(trace.stop, page_id=made.id)).data)
        assert site.url("/other").encode() in files["trace.network"]


async def until_gone(folder: Path, max_bytes: int) -> None:
    """Wait until the files of all traces have at most so many bytes."""
    while size_of_traces(folder) > max_bytes:  # noqa: ASYNC110 - the file system
        await trio.sleep(0.05)


def size_of_traces(folder: Path) -> int:
    return sum(trace_files._measure(one) for one in folder.glob("agentbrowser-*/traces"))


async def test_what_a_trace_has_recorded_is_deleted_with_its_context(
    server: SharedServer, site: Site, folder: Path
) -> None:
    async with server.connect() as browser:
        for _ in range(2):  # of the second one Playwright writes only what is new
            files = await record(browser, site)
            assert any(name.startswith("resources/") for name in files)
        await browser.call(trace.start)
        await browser.call(page.navigate, url=site.html("/large", "x" * 500_000))
    await until_gone(folder, 0)


async def test_a_client_records_only_what_is_its_own(server: SharedServer, site: Site) -> None:
    async with server.connect() as one, server.connect() as two:
        await one.call(trace.start)
        with pytest.raises(errors.ActionFailed):
            await two.call(trace.stop)
        await two.call(page.navigate, url=site.html("/theirs", "x"))
        await one.call(page.navigate, url=site.html("/mine", "x"))
        network = opened((await one.call(trace.stop)).data)["trace.network"]
    assert b"/mine" in network
    assert b"/theirs" not in network


async def test_recording_needs_the_scope() -> None:
    async with open_server(attrs.evolve(CONFIG, scope=Scope.STANDARD)) as server, server.connect() as browser:
        for method in ("trace/start", "trace/stop"):
            with pytest.raises(errors.ScopeDenied):
                await browser.request(method)


@pytest.mark.parametrize("command", ["tracingStart", "tracingStartChunk"])
async def test_a_start_that_is_cancelled_records_nothing(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    await browser.new_page("about:blank")
    original, sent = getattr(TracingChannel, command), threading.Event()

    async def never_done(answer: Awaitable[object]) -> None:
        await answer
        sent.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patched:
        patched.setattr(TracingChannel, command, lambda *args, **options: never_done(original(*args, **options)))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(browser.request, "trace/start", {})
            await trio.to_thread.run_sync(sent.wait, LIMIT_S)
            nursery.cancel_scope.cancel()
    with pytest.raises(errors.ActionFailed, match="no trace is being recorded"):
        await browser.call(trace.stop)
    assert "trace.trace" in await record(browser, site)
