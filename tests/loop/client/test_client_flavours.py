"""The client for asyncio, and the blocking one, against a server that is scripted; each runs in a thread of its own."""

import asyncio
import errno
import gc
import inspect
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
import trio

import agentbrowser
from agentbrowser.client import Browser, ConnectionLost, Element, Feed, Page, PendingApproval, Reconnect, aio, blocking
from agentbrowser.client.blocking.connection import result_of
from agentbrowser.client.connection import dial
from agentbrowser.client.connection.dial import make_connection
from agentbrowser.client.thread import ConnectionThread
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import ElementNotFound, InvalidParams
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.socket import Socket
from tests.loop.raw_websocket import open_gate

T = TypeVar("T")

LIMIT_S = 40
FAULT = ElementNotFound("Nothing matches.", waited_ms=7)
NO_MORE = Reconnect(max_attempts=0)


class Server:
    """Answers with what was asked; what is to hang hangs until it is cancelled."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.hanging = threading.Event()
        self.cancelled = threading.Event()

    async def serve(self, socket: Socket, grant: Grant) -> None:
        while True:
            message = wire.parse(await socket.receive())
            assert isinstance(message, wire.Request | wire.Notification)
            self.said.append(message.method)
            match message:
                case wire.Notification("$/cancelRequest"):
                    self.cancelled.set()
                case wire.Request(_, "test/hang"):
                    self.hanging.set()
                case wire.Request(id_, "action/click" | "handoff/request"):
                    await socket.send(wire.encode(wire.ErrorReply(id_, FAULT)))
                case wire.Request(_, "test/leave"):
                    await socket.close(1011, "bye")
                case wire.Request(id_, "events/subscribe", params):
                    await socket.send(wire.encode(wire.Reply(id_, {"subscribed": params["events"]})))
                    line = {"pageId": "p", "type": "log", "text": "hi", "level": "info", "timestamp": 0}
                    if params["events"] != ["dialog"]:
                        await socket.send(wire.encode(wire.Notification("notifications/console", line)))
                case wire.Request(id_, _, params):
                    await socket.send(wire.encode(wire.Reply(id_, {"asked": (params or {}).get("n")})))


async def act(scene: Callable[[str, Server], T]) -> T:
    """Play a scene in another thread, and return what comes of it."""
    server = Server()
    async with open_gate(server.serve) as gate:
        with trio.fail_after(LIMIT_S):
            return await trio.to_thread.run_sync(scene, f"ws://127.0.0.1:{gate.port}", server)


async def test_asyncio_returns_the_same_browser_class() -> None:
    async def play(url: str, server: Server) -> None:
        async with aio.connect(url) as browser:
            assert type(browser) is Browser
            assert browser.state == "connected"
            answers = await asyncio.gather(*(browser.request("test/echo", {"n": n}) for n in range(20)))
            assert [answer["asked"] for answer in answers] == list(range(20))
            with pytest.raises(ElementNotFound) as caught:
                await browser.page["#gone"].click()
            assert caught.value.details == {"waitedMs": 7}
            async for event in browser.events("console"):
                assert getattr(event, "text", "") == "hi"
                break
            async with browser.events("page", "console") as events:
                assert (await anext(events)).kind == "console"
            await browser.notify("notifications/initialized")
        assert server.said[-2:] == ["notifications/initialized", "shutdown"]

    await act(lambda url, server: asyncio.run(play(url, server)))


async def test_cancelling_an_asyncio_task_cancels_its_request() -> None:
    async def play(url: str, server: Server) -> None:
        async with aio.connect(url) as browser:
            task = asyncio.ensure_future(browser.request("test/hang"))
            assert await asyncio.to_thread(server.hanging.wait, LIMIT_S)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(server.cancelled.wait, LIMIT_S)
            assert await browser.request("test/echo", {"n": 1}) == {"asked": 1}
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await browser.request("test/hang")

    await act(lambda url, server: asyncio.run(play(url, server)))


async def test_asyncio_sends_requests_in_call_order() -> None:
    async def play(url: str, server: Server) -> None:
        async with aio.connect(url) as browser:
            names = [f"test/{n}" for n in range(40)]
            await asyncio.gather(*(browser.request(name) for name in names))
            assert server.said[1:] == names

    await act(lambda url, server: asyncio.run(play(url, server)))


async def test_params_that_are_not_data_are_rejected_in_asyncio() -> None:
    async def play(url: str, server: Server) -> None:
        async with aio.connect(url) as browser:
            with pytest.raises(InvalidParams, match="n must be plain data"):
                await browser.request("test/echo", {"n": object()})
            assert await browser.request("test/echo", {"n": 1}) == {"asked": 1}

    await act(lambda url, server: asyncio.run(play(url, server)))


async def test_a_timeout_in_asyncio_drops_no_event() -> None:
    async def play(url: str, server: Server) -> None:
        async with aio.connect(url) as browser, browser.events("console") as events:
            assert (await anext(events)).kind == "console"
            for _ in range(3):
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(anext(events), 0.001)
            await browser.request("events/subscribe", {"events": ["page"]})  # is answered, and followed by a line
            assert (await asyncio.wait_for(anext(events), LIMIT_S)).kind == "console"
            waiting = asyncio.ensure_future(anext(events))
            await asyncio.sleep(0)
            until_closed = browser.events("dialog")
            await asyncio.wait_for(until_closed.__aenter__(), LIMIT_S)
            reading = asyncio.ensure_future(anext(until_closed))
            await asyncio.sleep(0)
        for ended in (waiting, reading):
            with pytest.raises(StopAsyncIteration):
                await asyncio.wait_for(ended, LIMIT_S)

    await act(lambda url, server: asyncio.run(play(url, server)))


async def test_pending_requests_in_asyncio_fail_with_the_connection() -> None:
    async def play(url: str, server: Server) -> None:
        async with aio.connect(url, reconnect=NO_MORE) as browser:
            async with browser.changes() as changes:
                with pytest.raises(ConnectionLost) as caught:
                    await browser.request("test/leave")
                assert [change.state async for change in changes] == ["closed"]
            assert caught.value.details["code"] == 1011
            assert browser.state == "closed"
        with pytest.raises(ConnectionLost, match="closed"):
            await browser.request("test/echo")

    await act(lambda url, server: asyncio.run(play(url, server)))


async def test_a_missing_server_is_reported_in_asyncio() -> None:
    async def play(url: str, server: Server) -> None:
        with pytest.raises(ConnectionLost, match="No agentbrowser server"):
            async with aio.connect("ws://127.0.0.1:1"):
                pytest.fail("connected to nothing")

    await act(lambda url, server: asyncio.run(play(url, server)))


def test_the_client_for_trio_names_that_for_asyncio_there() -> None:
    async def main() -> None:
        async with agentbrowser.connect():
            raise AssertionError("connected")

    with pytest.raises(RuntimeError, match=r"under asyncio use agentbrowser\.client\.aio\.connect"):
        asyncio.run(main())


def test_a_client_that_can_not_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_descriptors(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    async def play() -> None:
        with pytest.raises(ConnectionLost, match="Too many open files"):
            async with aio.connect("ws://127.0.0.1:1"):
                pytest.fail("connected without a descriptor")

    monkeypatch.setattr(trio, "run", out_of_descriptors)
    with pytest.raises(ConnectionLost, match="Too many open files"):
        blocking.connect("ws://127.0.0.1:1")
    asyncio.run(play())


async def test_a_forked_process_can_not_use_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(url: str, server: Server) -> None:
        with blocking.connect(url) as browser:
            with monkeypatch.context() as forked:
                forked.setattr(os, "getpid", lambda: 1)
                with pytest.raises(ConnectionLost, match="forked"):
                    browser.request("test/echo")
                browser.close()
            assert browser.request("test/echo", {"n": 3}) == {"asked": 3}

    await act(play)


async def test_connecting_can_be_cancelled_in_asyncio() -> None:
    async def silent(socket: Socket, grant: Grant) -> None:
        asked.set()
        await trio.sleep_forever()

    async def play(url: str) -> None:
        async def enter() -> None:
            async with aio.connect(url):
                pytest.fail("the hello was not answered")

        task = asyncio.ensure_future(enter())
        assert await asyncio.to_thread(asked.wait, LIMIT_S)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asked = threading.Event()
    async with open_gate(silent) as gate:
        await trio.to_thread.run_sync(asyncio.run, play(f"ws://127.0.0.1:{gate.port}"))
    for thread in [one for one in threading.enumerate() if one.name == "agentbrowser"]:
        thread.join(LIMIT_S)
        assert not thread.is_alive()


async def test_the_blocking_client() -> None:
    def play(url: str, server: Server) -> None:
        with blocking.connect(url) as browser:
            assert browser.request("test/echo", {"n": 3}) == {"asked": 3}
            with ThreadPoolExecutor(4) as threads:
                asked = threads.map(lambda n: browser.request("test/echo", {"n": n}), range(20))
                assert [answer["asked"] for answer in asked] == list(range(20))
            with pytest.raises(ElementNotFound):
                browser.page["#gone"].click()
            for event in browser.events("console"):
                assert getattr(event, "text", "") == "hi"
                break
            with browser.events("console", "frame") as events:
                assert next(events).kind == "console"
            browser.notify("notifications/initialized")
        assert server.said[-1] == "shutdown"
        with pytest.raises(ConnectionLost, match="closed"):
            browser.request("test/echo")
        with pytest.raises(ConnectionLost, match="No agentbrowser server"), blocking.connect("ws://127.0.0.1:1"):
            pytest.fail("connected to nothing")

    await act(play)


async def test_a_blocking_browser_works_without_a_block() -> None:
    def play(url: str, server: Server) -> None:
        browser = blocking.connect(url)
        gc.collect()
        assert browser.request("test/echo", {"n": 3}) == {"asked": 3}
        browser.close()
        browser.close()
        assert server.said[-1] == "shutdown"
        with pytest.raises(ConnectionLost, match="closed"):
            browser.request("test/echo")

    await act(play)


async def test_a_garbage_collected_browser_is_closed() -> None:
    def play(url: str, server: Server) -> None:
        others = threading.enumerate()
        browser = blocking.connect(url)
        events = browser.events("console")
        del browser
        gc.collect()
        assert next(events).kind == "console"  # who listens has it, too
        (thread,) = [one for one in threading.enumerate() if one.name == "agentbrowser" and one not in others]
        del events
        gc.collect()
        thread.join(LIMIT_S)
        assert not thread.is_alive()
        assert server.said[-1] == "shutdown"

    await act(play)


SCRIPT = """
import sys
from agentbrowser.client import blocking

browser = blocking.connect(sys.argv[1])
print(browser.request("test/echo", {"n": 3})["asked"])
"""


async def test_the_exit_of_a_script_ends_its_session() -> None:
    server = Server()
    async with open_gate(server.serve) as gate:
        command = [sys.executable, "-c", SCRIPT, f"ws://127.0.0.1:{gate.port}"]
        ran = await trio.run_process(command, capture_stdout=True, capture_stderr=True)
    assert (ran.stdout, ran.stderr) == (b"3\n", b"")
    assert server.said[-1] == "shutdown"


async def test_ctrl_c_cancels_a_blocking_request(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(url: str, server: Server) -> None:
        def interrupt(_: Any) -> None:
            assert server.hanging.wait(LIMIT_S)
            raise KeyboardInterrupt

        with blocking.connect(url) as browser:
            with monkeypatch.context() as patch:
                patch.setattr("concurrent.futures.wait", interrupt)
                with pytest.raises(KeyboardInterrupt):
                    browser.request("test/hang")
            assert server.cancelled.wait(LIMIT_S)
            assert browser.request("test/echo", {"n": 1}) == {"asked": 1}

    await act(play)


async def test_pending_requests_fail_when_the_client_is_closed() -> None:
    def play(url: str, server: Server) -> None:
        thread = ConnectionThread(make_connection(url))
        result_of(thread.start(), thread.cancel)
        task = thread.submit(thread.connection.request, "test/hang")
        assert server.hanging.wait(LIMIT_S)
        thread.close()
        with pytest.raises(ConnectionLost, match="closed") as caught:
            task.future.result(LIMIT_S)
        assert not caught.value.retryable  # this client stays closed
        thread.closed.result(LIMIT_S)

    await act(play)


PAIRS = [
    (Browser, blocking.Browser),
    (Page, blocking.Page),
    (Element, blocking.Element),
    (Feed, blocking.Feed),
    (PendingApproval, blocking.PendingApproval),
]


@pytest.mark.parametrize(("ours", "twin"), PAIRS, ids=lambda kind: str(kind.__name__))
def test_blocking_classes_have_the_same_members_and_params(ours: type, twin: type) -> None:
    def members(kind: type) -> dict[str, Any]:
        return {name: value for name, value in vars(kind).items() if not name.startswith("_")}

    assert members(ours).keys() == members(twin).keys()
    for name, member in members(ours).items():
        if inspect.isfunction(member):
            other = members(twin)[name]
            assert list(inspect.signature(member).parameters) == list(inspect.signature(other).parameters)
            assert not inspect.iscoroutinefunction(other)


def test_all_flavours_have_the_same_connect_params() -> None:
    params = [inspect.signature(module.connect).parameters for module in (dial, aio, blocking)]
    assert params[0] == params[1] == params[2]
