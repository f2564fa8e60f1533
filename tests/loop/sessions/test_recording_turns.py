"""Readers of recordings: one at a time for the server, and a bounded part of a recording for each answer."""

import base64
import io
import threading
import zipfile
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from agentbrowser.methods import recording
from agentbrowser.methods.recording import MAX_GET_BYTES, ExportParams, GetParams
from agentbrowser.recorder.archive import TRACE
from agentbrowser.recorder.session_recorder import SessionRecorder
from agentbrowser.server.gate.auth import Owner


def call_of(recorder: SessionRecorder, owner: str = "agent") -> Any:
    owned = Owner(owner, digest=b"digest")
    return SimpleNamespace(session=SimpleNamespace(recorder=recorder, recordings=lambda: [recorder], owner=owned))


async def test_exports_take_turns() -> None:
    """Eight at once took 4 GB, and a connection may have 64 in flight."""
    reading, most, lock = 0, 0, threading.Lock()
    together = threading.Barrier(2)

    def mask(value: Any) -> Any:
        nonlocal reading, most
        with lock:
            reading += 1
            most = max(most, reading)
        try:
            together.wait(0.2)  # for another export, if one may run
        except threading.BrokenBarrierError:
            together.reset()
        with lock:
            reading -= 1
        return value

    recorder = SessionRecorder(mask=mask)
    recorder.note("person")
    sizes: list[int] = []

    async def export() -> None:
        sizes.append((await recording.export.handler(call_of(recorder), ExportParams())).size)

    async with trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(export)
    assert (len(sizes), most) == (3, 1)


async def test_an_answer_has_a_bounded_part_of_a_recording() -> None:
    recorder = SessionRecorder()
    for number in range(5):
        recorder.note("person", time_ms=recorder.started_ms + number, text="x" * (MAX_GET_BYTES // 2 - 1000))
    first = await recording.get.handler(call_of(recorder), GetParams())
    assert (len(first.entries), first.more) == (2, True)
    recorder.note("person", time_ms=recorder.started_ms + 9, text="x" * (2 * MAX_GET_BYTES))
    last = await recording.get.handler(call_of(recorder), GetParams(since=recorder.started_ms + 9))
    assert (len(last.entries), last.more) == (1, False)  # each is returned, however large it is


async def test_an_owner_waits_for_one_export_of_another() -> None:
    order: list[str] = []
    began, go_on = threading.Event(), threading.Event()

    def noted(owner: str) -> SessionRecorder:
        def mask(value: Any) -> Any:
            order.append(owner)
            began.set()
            go_on.wait(60)
            return value

        recorder = SessionRecorder(mask=mask)
        recorder.note("person")
        return recorder

    async with trio.open_nursery() as nursery:

        async def export(owner: str) -> None:
            await recording.export.handler(call_of(noted(owner), owner), ExportParams())

        for _ in range(4):
            nursery.start_soon(export, "greedy")
        await trio.to_thread.run_sync(began.wait, 60)
        nursery.start_soon(export, "other")
        await trio.testing.wait_all_tasks_blocked()
        go_on.set()
    assert order[1] == "other"
    assert sorted(order) == ["greedy"] * 4 + ["other"]


async def test_a_trace_is_decoded_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trace of 50 MB held the loop for 200 ms."""
    trace = bytes(range(256)) * 4000  # several pieces
    threads: set[int] = set()

    def b64decode(text: str) -> bytes:
        threads.add(threading.get_ident())
        return base64.b64decode(text)

    async def browse(work: object) -> str:
        return base64.b64encode(trace).decode()

    monkeypatch.setattr(recording, "base64", SimpleNamespace(b64decode=b64decode, b64encode=base64.b64encode))
    call = call_of(SessionRecorder())
    call.session.active, call.session.fresh, call.browse = "page-1", "page-2", browse
    exported = await recording.export.handler(call, ExportParams(include_trace=True))
    assert threads
    assert threading.get_ident() not in threads
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(exported.data))) as archive:
        assert archive.read(TRACE) == trace
