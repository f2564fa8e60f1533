"""Pipe of a driver: limits on messages and floods, on bytes and a clock of the test's own."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import pytest

from agentbrowser.browser import faults
from agentbrowser.browser.events import driver_pipe
from agentbrowser.browser.events.driver_pipe import FLOOD_SECONDS, PipeMeter, PipeReader, shorten
from agentbrowser.protocol.errors import ResourceLimitExceeded

LIMIT = 2000


@pytest.fixture(autouse=True)
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_pipe, "MAX_MESSAGE_BYTES", LIMIT)


def frames_of(*messages: dict[str, Any]) -> bytes:
    texts = [json.dumps(message).encode() for message in messages]
    return b"".join(len(text).to_bytes(4, "little") + text for text in texts)


def read_all(data: bytes, part: int = 700) -> list[dict[str, Any]]:
    """Read messages as Playwright does: a length, then parts of the message."""

    async def read() -> list[dict[str, Any]]:
        stream = asyncio.StreamReader()
        stream.feed_data(data)
        stream.feed_eof()
        reader = PipeReader(stream, PipeMeter())
        found: list[dict[str, Any]] = []
        while True:
            try:
                left = int.from_bytes(await reader.readexactly(4), "little")
            except asyncio.IncompleteReadError:
                return found
            text = b""
            while left:
                text += await reader.readexactly(min(left, part))
                left -= min(left, part)
            found.append(json.loads(text))

    return asyncio.run(read())


BIG = "x" * (LIMIT + 1)


@pytest.mark.parametrize("part", [4, 700, 100_000])
def test_an_answer_beyond_the_limit_is_an_error_and_its_neighbours_pass(part: int) -> None:
    before, after = {"id": "abcd@1", "result": {"n": 1}}, {"id": "abcd@3", "result": {"text": "y" * (LIMIT - 100)}}
    first, replaced, last = read_all(frames_of(before, {"id": "abcd@2", "result": {"text": BIG}}, after), part)
    assert (first, last) == (before, after)
    assert replaced["id"] == "abcd@2"
    error = faults.translate(faults.VENDOR_ERRORS[0](replaced["error"]["error"]["message"]))
    assert isinstance(error, ResourceLimitExceeded)
    assert (error.details["limit"], error.details["current"]) == (LIMIT, LIMIT + 41)


def test_an_event_beyond_the_limit_is_empty_but_the_creation_of_an_object_is_not() -> None:
    event = {"guid": "frame@1", "method": "navigated", "params": {"url": BIG}}
    creation = {"guid": "page@1", "method": "__create__", "params": {"type": "JSHandle", "initializer": {"p": BIG}}}
    after = {"guid": "page@1", "method": "close", "params": {}}
    assert read_all(frames_of(event, creation, after)) == [{}, creation, after]


def test_a_long_change_of_storage_passes_without_its_values() -> None:
    change = {"method": "DOMStorage.domStorageItemUpdated", "params": {"storageId": {}, "key": "a", "newValue": BIG}}
    event = {"guid": "cdp-session@1", "method": "event", "params": change}
    after = {"guid": "page@1", "method": "close", "params": {}}
    cut = {"guid": "cdp-session@1", "method": "event", "params": {"method": change["method"], "params": {}}}
    assert read_all(frames_of(event, after)) == [cut, after]


def test_long_texts_that_playwright_would_keep_are_cut() -> None:
    text = "x" * 100_000
    frame = {"guid": "p", "method": "__create__", "params": {"type": "Frame", "initializer": {"url": text}}}
    handle = {"guid": "p", "method": "__create__", "params": {"type": "JSHandle", "initializer": {"preview": text}}}
    moved = {"guid": "f", "method": "navigated", "params": {"url": text}}
    answer = {"id": "a", "result": {"url": text}}
    for message in (frame, handle, moved, answer):
        shorten(message, len(text) + 100)
    lengths = [len(json.dumps(message)) for message in (frame, handle, moved, answer)]
    assert [length < 10_000 for length in lengths] == [True, True, True, False]


def test_a_large_response_keeps_its_first_headers() -> None:
    def response(count: int) -> dict[str, Any]:
        headers = [{"name": f"h{number}", "value": "1"} for number in range(count)]
        return {
            "guid": "p",
            "method": "__create__",
            "params": {"type": "Response", "initializer": {"headers": headers}},
        }

    for count, kept in ((4000, 200), (300, 300), (0, 0)):
        message = response(count)
        shorten(message, len(json.dumps(message)))
        assert message == response(kept)


def seconds_of(meter: PipeMeter, clock: list[float], events: Iterable[dict[str, Any]], seconds: int) -> None:
    for _ in range(seconds):
        for event in events:
            meter.note_event(event)
        clock[0] += 1
    meter.note_event({"guid": "", "method": "other"})  # any event ends the last second


@pytest.mark.parametrize(
    ("event", "rate", "noun"),
    [
        ({"guid": "frame@1", "method": "navigated", "params": {"url": "/"}}, 60, "navigations"),
        ({"guid": "page@1", "method": "worker", "params": {"worker": {"guid": "worker@1"}}}, 30, "workers"),
        ({"guid": "context@1", "method": "console", "params": {"page": {"guid": "page@1"}}}, 600, "console messages"),
        ({"guid": "session@1", "method": "event", "params": {}}, 2100, "events"),
    ],
    ids=["navigations", "workers", "console", "cdp"],
)
def test_a_page_floods_that_exceeds_a_limit_second_after_second(event: Any, rate: int, noun: str) -> None:
    clock, reasons = [100.0], list[str]()
    meter = PipeMeter(clock=lambda: clock[0])
    meter.page_of = {"frame@1": "page@1", "page@1": "page@1"}.get
    meter.relate("session@1", "page@1")
    meter.watch("page@1", reasons.append)
    seconds_of(meter, clock, [event] * rate, FLOOD_SECONDS - 2)
    seconds_of(meter, clock, [event] * (rate // 3), 2)  # a pause: the count begins anew
    seconds_of(meter, clock, [event] * rate, FLOOD_SECONDS - 1)
    assert reasons == []
    seconds_of(meter, clock, [event] * rate, 3)
    assert len(reasons) == 1
    assert noun in reasons[0]


def test_the_pipe_of_an_engine_is_slowed_only_beside_others_and_only_for_its_events() -> None:
    async def paced(meter: PipeMeter, work_s: float) -> bool:
        await meter.pace()
        meter.note_work(work_s)
        await meter.pace()
        return meter.is_slowed

    assert asyncio.run(paced(PipeMeter(lambda: True, clock=lambda: 1.0), 0.2))
    assert not asyncio.run(paced(PipeMeter(lambda: True, clock=lambda: 1.0), 0.01))
    assert not asyncio.run(paced(PipeMeter(lambda: False, clock=lambda: 1.0), 0.2))
