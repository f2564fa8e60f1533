"""Replay of recorded runs: without divergence on the recorded network, and the first changed step is found."""

import asyncio
import base64
from pathlib import Path
from typing import Any

import attrs
import pytest
from playwright.async_api import Page

from agentbrowser.browser.recording import page_recorder
from agentbrowser.browser.recording.event_streams import record_streams
from agentbrowser.browser.recording.replay_network import ReplayNetwork
from agentbrowser.cli.replay import ReplayOptions, ReplayReport, replay
from agentbrowser.config import Config
from agentbrowser.policy.secrets import OriginPattern, Secret, SecretStore
from agentbrowser.protocol.registry import Scope
from agentbrowser.recorder.archive import Recording, read_recording
from agentbrowser.recorder.steps import look_of, steps_of
from agentbrowser.server.app import open_server
from tests.browser.site import Site

pytestmark = pytest.mark.slow

LIVE = Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, private_network="allow", record_bodies=True)
REPLAYING = attrs.evolve(LIVE, record_bodies=False, recorder=False)
FORM = """<h1>Shop</h1><p id=no></p><label>Name <input id=name></label><label>Password <input type=password></label>
<button onclick="fetch('/order', {method: 'POST', body: '1'}).then(r => r.text()).then(t => {
  document.title = t; done.textContent = t + ' for ' + document.getElementById('name').value })">Order</button>
<p id=done></p><a href=/next>Next</a><script>no.textContent = 'Visit ' + Math.random()</script>"""


def element(css: str, **more: Any) -> dict[str, Any]:
    return {"selector": {"type": "css", "value": css}, **more}


async def record(site: Site, folder: Path) -> Path:
    """Record a run with a form, a request of a script, a password and a redirect."""
    site.serve("/order", b"Ordered", Content_Type="text/plain")
    site.serve("/next", b"", Location="/landed")
    site.html("/landed", "<h1>Thanks</h1>")
    url = site.html("/", FORM)
    async with open_server(LIVE, listens=False) as server, server.connect() as browser:
        await browser.request("page/navigate", {"url": url})
        await browser.request("agent/observe", {"format": "text"})
        await browser.request("action/fill", element("#name", value="Ada"))
        await browser.request("action/fill", element("[type=password]", value="hunter2"))
        await browser.request("action/click", element("button"))
        await browser.request("page/waitFor", {"text": "Ordered for Ada"})
        await browser.request("agent/observe", {"format": "json"})
        await browser.request("action/click", element("a"))
        await browser.request("agent/observe", {"format": "text"})
        exported = await browser.request("recording/export")
    path = folder / "run.zip"
    path.write_bytes(base64.b64decode(exported["data"]))
    return path


async def again(recording: Recording, **options: Any) -> ReplayReport:
    return await replay(recording, ReplayOptions(**options), REPLAYING)


async def test_a_run_replays_without_its_site_and_a_changed_page_is_found(site: Site, tmp_path: Path) -> None:
    recording = read_recording(await record(site, tmp_path))
    asked = len(site.seen)
    for _ in range(2):
        report = await again(recording)
        assert [one.lines for one in report.divergences] == []
        assert report.steps == 9
    assert len(site.seen) == asked, "the site was not asked"
    changed = {name: body.replace(b"Ordered", b"Refused") for name, body in recording.blobs.items()}
    report = await again(attrs.evolve(recording, blobs=changed), longest_pause_s=0)
    (divergence,) = report.divergences
    assert (divergence.number, divergence.step.method) == (6, "page/waitFor")
    changed = {name: body.replace(b"<h1>Thanks", b"<h1>Sorry") for name, body in recording.blobs.items()}
    (divergence,) = (await again(attrs.evolve(recording, blobs=changed))).divergences
    assert (divergence.number, divergence.step.method) == (9, "agent/observe")
    assert {line for line in divergence.lines if "Thanks" in line or "Sorry" in line} == {'-# "Thanks"', '+# "Sorry"'}
    updated = (await again(attrs.evolve(recording, blobs=changed), accepts=True)).recording
    assert (await again(updated)).divergences == []


async def test_a_replay_against_another_site_visits_it(site: Site, tmp_path: Path) -> None:
    recording = read_recording(await record(site, tmp_path))
    asked = len(site.seen)
    report = await again(recording, against=site.url("/", "localhost"), masked="hunter2")
    assert len(site.seen) > asked
    # The recorded network is not used, and random numbers are still the recorded ones.
    assert [one.lines for one in report.divergences] == []


async def test_a_secret_is_typed_and_masked_by_an_operator_without_it(site: Site, tmp_path: Path) -> None:
    url = site.html("/", FORM)
    user = Secret(name="user", value="hunter2-hunter2", origins=(OriginPattern.parse(url.rstrip("/")),))
    live = attrs.evolve(LIVE, secrets=SecretStore((user,)))
    async with open_server(live, listens=False) as server, server.connect() as browser:
        await browser.request("page/navigate", {"url": url})
        await browser.request("action/fill", element("#name", value="{{secret:user}}"))
        seen = await browser.request("agent/observe", {"format": "text"})
        exported = await browser.request("recording/export")
    assert '"Name" (filled' in seen["text"], "the look masks a value that it would show else"
    path = tmp_path / "run.zip"
    path.write_bytes(base64.b64decode(exported["data"]))
    report = await again(read_recording(path))
    assert [one.lines for one in report.divergences] == []
    assert report.steps == 3


async def test_the_clock_of_pages_jumps_over_what_is_cut_from_a_pause(site: Site, tmp_path: Path) -> None:
    hour = (
        "this.nextSibling.textContent = `hour ${new Date().getUTCHours()} of ${Intl.DateTimeFormat().format().length}`"
    )
    url = site.html("/", f"<button onclick='{hour}'>Time</button><p></p><a href=/next>Next</a>")
    site.html("/next", "<p id=now></p><script>now.textContent = 'at ' + new Date().getUTCHours()</script>")
    async with open_server(LIVE, listens=False) as server, server.connect() as browser:
        await browser.request("page/navigate", {"url": url})
        await browser.request("action/click", element("button", observe="changes"))
        await browser.request("action/click", element("a"))
        await browser.request("agent/observe", {"format": "text"})
        exported = await browser.request("recording/export")
    path = tmp_path / "run.zip"
    path.write_bytes(base64.b64decode(exported["data"]))
    recording = read_recording(path)
    start, click = (one.event for one in steps_of(recording)[:2])
    first = start["t"] // 3_600_000 % 24
    later = {id(one) for one in recording.events if one["t"] >= click["t"]}
    moved = [{**one, "t": one["t"] + 2 * 3_600_000} if id(one) in later else one for one in recording.events]
    report = await again(attrs.evolve(recording, events=moved), longest_pause_s=1, accepts=True)
    texts = [str(look_of(step.event.get("result"))) for step in steps_of(report.recording)]
    assert any(f"hour {(first + two) % 24}" in texts[1] for two in (2, 3)), texts  # 3: the hour has just ended
    assert any(f"at {(first + two) % 24}" in texts[3] for two in (2, 3)), texts


async def test_a_fork_is_replayed_and_its_page_is_found(site: Site, tmp_path: Path) -> None:
    url = site.html("/", "<label>Name <input></label>")
    async with open_server(LIVE, listens=False) as server, server.connect() as browser:
        await browser.request("page/navigate", {"url": url})
        await browser.request("action/fill", element("input", value="Ada"))
        other = (await browser.request("session/fork", {}))["pageId"]
        assert 'value="Ada"' in (await browser.request("agent/observe", {"format": "text", "pageId": other}))["text"]
        exported = await browser.request("recording/export")
    path = tmp_path / "run.zip"
    path.write_bytes(base64.b64decode(exported["data"]))
    recording = read_recording(path)
    report = await again(recording)
    assert ([one.lines for one in report.divergences], report.steps) == ([], 4)
    changed = {name: body.replace(b"Name", b"Title") for name, body in recording.blobs.items()}
    (divergence,) = (await again(attrs.evolve(recording, blobs=changed))).divergences
    assert (divergence.number, divergence.step.method) == (4, "agent/observe")


async def test_a_timer_that_fires_between_a_look_and_its_answer_is_not_in_the_replay(
    site: Site, tmp_path: Path
) -> None:
    late = "setTimeout(() => { late.textContent = `It is late` }, 2500)"
    url = site.html("/", f'<p id=late></p><input aria-label=Name oninput="if (value.length === 1) {late}">')
    async with open_server(LIVE, listens=False) as server, server.connect() as browser:
        await browser.request("page/navigate", {"url": url})
        await browser.request("agent/observe", {"format": "text"})
        await browser.request("action/type", element("input", text="Ada!", observe="changes"))
        exported = await browser.request("recording/export")
    path = tmp_path / "run.zip"
    path.write_bytes(base64.b64decode(exported["data"]))
    recording = read_recording(path)
    typing = steps_of(recording)[-1]
    assert typing.look_ms is not None
    assert "It is late" not in str(look_of(typing.event["result"]))
    # The answer is sent long after the look, and the replay is slower than the timer.
    slow = {**typing.event, "ms": typing.event["ms"] + 60_000, "params": {**typing.params, "options": {"delay": 900}}}
    events = [slow if one is typing.event else one for one in recording.events]
    assert (await again(attrs.evolve(recording, events=events))).divergences == []
    without = [one for one in events if one["kind"] != "look"]
    (divergence,) = (await again(attrs.evolve(recording, events=without))).divergences
    assert any("It is late" in line for line in divergence.lines)


async def test_messages_of_an_event_stream_are_repeated(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first document opens the stream, and a busy browser is slow to report the messages of a new page."""

    async def record_late(recorder: page_recorder.PageRecorder, page: Page) -> None:
        await asyncio.sleep(0.5)
        await record_streams(recorder, page)

    monkeypatch.setattr(page_recorder, "record_streams", record_late)
    site.serve("/events", b"data: One\n\nevent: news\ndata: Two\n\n", Content_Type="text/event-stream")
    listening = """<p id=seen></p><script>
      const stream = new EventSource("/events");
      stream.onmessage = ({ data }) => { seen.textContent += ` ${data}` };
      stream.addEventListener("news", ({ data }) => { seen.textContent += ` ${data}!`; stream.close() });
    </script>"""
    url = site.html("/", listening)
    async with open_server(LIVE, listens=False) as server, server.connect() as browser:
        await browser.request("page/navigate", {"url": url})
        await browser.request("page/waitFor", {"text": "One Two!"})
        await browser.request("agent/observe", {"format": "text"})
        exported = await browser.request("recording/export")
    path = tmp_path / "run.zip"
    path.write_bytes(base64.b64decode(exported["data"]))
    asked = len(site.seen)
    report = await again(read_recording(path))
    assert ([one.lines for one in report.divergences], report.steps, len(site.seen)) == ([], 3, asked)


def test_answers_come_in_their_order_and_the_last_one_is_repeated() -> None:
    def exchange(number: int) -> dict[str, Any]:
        request = {"method": "GET", "url": "http://a/", "t": number}
        return {
            "request": request,
            "response": {"status": 200, "headers": {}, "t": number},
            "body": {"file": str(number)},
        }

    network = ReplayNetwork(exchanges=[exchange(1), exchange(2)], blobs={"1": b"first", "2": b"second"})
    answers = [network._next("GET", "http://a/") for _ in range(3)]
    assert [answer and answer.body for answer in answers] == [b"first", b"second", b"second"]
    assert network._next("POST", "http://a/") is None
