"""The flight recorder on real pages: what it holds, what it never holds, and its viewer opened from disk."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import trio

from agentbrowser.client import Browser, connect
from agentbrowser.config import Config
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from tests.browser.site import Site
from tests.browser.stage import FakeTab, Stage

PAGE = """<form><label>Name <input name=name></label><label>Password <input type=password></label>
<label>Code <input autocomplete=one-time-code></label><button type=button>Go</button></form>
<script>console.log("ready"); fetch("/data?token=canary0url")</script>"""
PASSWORD = "canary0password"


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, private_network="allow")


def field(css: str) -> dict[str, Any]:
    return {"selector": {"type": "css", "value": css}}


async def entries(browser: Browser, kind: str) -> list[dict[str, Any]]:
    found = await browser.request("recording/get", {"limit": 1000})
    return [entry for entry in found["entries"] if entry["kind"] == kind]


async def until_recorded(browser: Browser, kind: str) -> list[dict[str, Any]]:
    """Wait until there is an entry of that kind."""
    while True:
        if found := await entries(browser, kind):
            return found
        await trio.sleep(0.05)


async def run(browser: Browser, site: Site) -> None:
    site.serve("/data", b"{}")
    await browser.request("page/navigate", {"url": site.html("/", PAGE)})
    await browser.request("agent/observe", {"format": "text"})
    await browser.request("action/fill", {**field("[name=name]"), "value": "Ada"})
    await browser.request("action/fill", {**field("[type=password]"), "value": PASSWORD})
    await browser.request("action/type", {**field("[type=password]"), "text": PASSWORD})
    steps = [{"action": "action/fill", "params": {**field("[type=password]"), "value": PASSWORD}}]
    await browser.request("agent/act", {"steps": steps})


async def test_an_export_holds_what_happened_and_no_password(browser: Browser, site: Site) -> None:
    await run(browser, site)
    await until_recorded(browser, "picture")
    exported = await browser.recording()
    with zipfile.ZipFile(io.BytesIO(exported)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    events = [json.loads(line) for line in files["events.jsonl"].splitlines()]
    requests = [event for event in events if event["kind"] == "request" and event["method"] != "initialize"]
    assert [event["method"] for event in requests][:4] == [
        *("page/navigate", "agent/observe", "action/fill", "action/fill")
    ]
    assert "Name" in requests[1]["result"]["text"]
    assert requests[2]["params"]["value"] == "Ada"
    assert {event["kind"] for event in events} >= {"request", "console", "network", "page", "picture"}
    picture = next(event["file"] for event in events if event["kind"] == "picture")
    assert files[picture].startswith(b"\xff\xd8")
    assert len(files[picture]) < 100_000
    urls = [entry["request"]["url"] for entry in json.loads(files["network.har"])["log"]["entries"]]
    assert any("/data" in url for url in urls)
    assert not [name for name, content in files.items() if b"canary0" in content]


async def test_an_error_names_the_recording_and_the_time(browser: Browser, site: Site) -> None:
    await browser.request("page/navigate", {"url": site.html("/", PAGE)})
    with pytest.raises((errors.ElementNotFound, errors.Timeout)) as failed:  # a busy machine has no time to look for it
        await browser.request("action/click", {**field("#none"), "options": {"timeout": 100}})
    recording = failed.value.recording
    assert recording is not None
    listed = (await browser.request("recording/list"))["recordings"]
    assert [one["id"] for one in listed if one["current"]] == [recording["id"]]
    found = [entry for entry in await entries(browser, "request") if "error" in entry]
    assert [entry["method"] for entry in found] == ["action/click"]
    assert found[0]["t"] <= recording["time"]


async def test_no_picture_is_taken_while_a_secret_field_shows_its_value(browser: Browser, site: Site) -> None:
    await browser.request("page/navigate", {"url": site.html("/", PAGE)})
    await until_recorded(browser, "picture")
    before = len(await entries(browser, "picture"))
    await browser.request("action/fill", {**field("[autocomplete]"), "value": "123456"})
    await until_recorded(browser, "pictureSkipped")
    assert len(await entries(browser, "picture")) == before


async def test_a_stopped_recording_can_be_forgotten(browser: Browser, site: Site) -> None:
    await browser.request("page/navigate", {"url": site.html("/", PAGE)})
    stopped = await browser.request("recording/stop", {"discard": True})
    assert stopped["entries"] == 0
    await browser.request("agent/observe", {"format": "text"})
    assert (await browser.request("recording/get"))["entries"] == []
    with pytest.raises(errors.InvalidParams) as unknown:
        await browser.request("recording/get", {"recordingId": "rec-none"})
    assert unknown.value.details["path"] == "recordingId"


async def test_an_export_takes_a_trace_that_is_being_recorded(browser: Browser, site: Site) -> None:
    await browser.request("page/navigate", {"url": site.html("/", PAGE)})
    with pytest.raises(errors.ActionFailed, match="no trace"):
        await browser.recording(include_trace=True)
    await browser.request("trace/start")
    await browser.request("action/click", field("button"))
    with zipfile.ZipFile(io.BytesIO(await browser.recording(include_trace=True))) as archive:
        inner = zipfile.ZipFile(io.BytesIO(archive.read("trace.zip")))
    assert any(name.endswith(".trace") for name in inner.namelist())


async def test_the_viewer_opens_from_disk(browser: Browser, site: Site, stage: Stage, tmp_path: Path) -> None:
    await run(browser, site)
    await until_recorded(browser, "picture")
    with zipfile.ZipFile(io.BytesIO(await browser.recording())) as archive:
        archive.extractall(tmp_path)

    async def look(tab: FakeTab) -> tuple[list[str], str, list[int]]:
        page = tab.page
        await page.goto((tmp_path / "viewer.html").as_uri())
        titles = await page.locator("#timeline button").all_inner_texts()
        await page.locator("#timeline button").first.focus()
        while "Look that the model had" not in await page.locator("#detail").inner_text():
            await page.keyboard.press("ArrowDown")
        detail = await page.locator("#detail").inner_text()
        widths = await page.evaluate("Promise.all([...document.images].map(one => one.decode().then(() => one.width)))")
        return titles, detail, widths

    titles, detail, widths = stage.play("/none", look)
    assert any("action/fill" in title for title in titles)
    assert "Choice" in detail
    assert "Name" in detail
    assert all(width > 0 for width in widths)


async def test_a_server_without_recorder_says_so(site: Site) -> None:
    config = Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, recorder=False)
    async with open_server(config, listens=False) as server, server.connect() as browser:
        with pytest.raises(errors.InvalidParams, match="turned the recorder off") as off:
            await browser.request("recording/export")
        assert off.value.recording is None
        assert (await browser.request("recording/list"))["recordings"] == []


async def test_recordings_of_ended_sessions_are_those_of_the_token(site: Site) -> None:
    config = Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, token="a-token-of-many-letters")
    async with open_server(config) as server:
        async with connect(server.url, token=config.token) as first:
            await first.request("page/list")
            (own,) = (await first.request("recording/list"))["recordings"]
        async with connect(server.url, token=config.token) as second:
            entries = (await second.request("recording/get", {"recordingId": own["id"]}))["entries"]
            assert "page/list" in [entry.get("method") for entry in entries]
        async with server.connect() as other:  # it has no token
            listed = (await other.request("recording/list"))["recordings"]
            assert [one["current"] for one in listed] == [True]
