"""Private names of Playwright and Hypercorn. No other module uses any.

The tests in `test_vendor.py` fail when a new version changes one. At run time, a change never goes unnoticed:
a command takes Playwright's public path, and everything else raises `VendorChanged`.
"""

import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import hypercorn
    import trio
    from hypercorn.typing import ASGIFramework
    from playwright._impl.transport import PipeTransport
    from playwright.async_api import CDPSession, Download, Frame, Page, Playwright

    from agentbrowser.browser.events.driver_pipe import PipeMeter


class VendorChanged(Exception):
    """A private name of a dependency is missing, or has another shape than we expect."""


async def send(session: "CDPSession", method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Send a CDP command and return the answer, as `CDPSession.send` does. [asyncio]

    `CDPSession.send` walks the whole stack for its traces at each call, and copies all params twice. That is a quarter
    of the time of a short command.
    """
    try:
        owner = session._impl_obj
        post = owner._connection.send_message_to_server
    except AttributeError:
        return dict(await session.send(method, params))
    answer = await post(owner, "send", {"method": method, "params": params}, {"internal": True, "timeout": 0})
    return dict(answer["result"])


_LARGE_MESSAGE: Final = 65_536
_OF_HANDLES: Final = frozenset({"__dispose__", "previewUpdated"})
_HANDLES: Final = frozenset({"JSHandle", "ElementHandle"})
_MAX_HANDLES: Final = 100
"""Arguments of a console message that are kept: each has 17 objects, and a collection of 700,000 takes 0.3 s."""


def _metered_transport(meter: "PipeMeter", objects: Callable[[], dict[str, Any] | None]) -> "type[PipeTransport]":
    """Return Playwright's transport, with a pipe that is metered.

    Playwright keeps the arguments of the last 10,000 console messages until their page is gone, with 8 kB each. Here
    they are forgotten once the listeners have had the message, and all beyond the first hundred before.

    Args:
      objects: returns the driver's objects by guid, once it has started.
    """
    from playwright._impl.transport import PipeTransport

    from agentbrowser.browser.events.driver_pipe import PipeReader, shorten
    from agentbrowser.protocol import wire

    class MeteredTransport(PipeTransport):
        async def connect(self) -> None:
            await super().connect()
            self._proc.stdout = PipeReader(self._proc.stdout, meter)  # type: ignore[arg-type, assignment]
            dispatch = self.on_message
            run: list[str] = []  # of handles that came one after the other: those of results come one by one

            def metered(message: dict[str, Any]) -> None:
                if "id" in message:
                    run.clear()
                    return dispatch(message)
                method, known = message.get("method"), objects()
                if not message:  # in the place of an event that was left out, as of a console message
                    for guid in run:
                        if known is not None and guid in known:
                            known[guid]._dispose("gc")
                    return run.clear()
                if method in _OF_HANDLES and known is not None and message["guid"] not in known:
                    return  # of an argument that is forgotten
                meter.note_event(message)
                if method != "__create__" or message["params"]["type"] not in _HANDLES:
                    run.clear()
                elif len(run) < _MAX_HANDLES:
                    run.append(message["params"]["guid"])
                else:
                    return
                began_s = time.perf_counter()
                if method == "console" and known is not None:
                    args = message["params"]["args"]
                    args[:] = [argument for argument in args if argument["guid"] in known]
                dispatch(message)
                if method == "console" and known is not None:
                    for guid in {argument["guid"] for argument in message["params"]["args"]}:
                        known[guid]._dispose("gc")
                meter.note_work(time.perf_counter() - began_s)

            self.on_message = metered

        def serialize_message(self, message: dict[str, Any]) -> bytes:
            try:  # a fifth of the time of Playwright's own, which held the loop for 30 ms for a message of 9 MB
                return wire.dump_strictly(message)
            except (UnicodeEncodeError, ValueError, TypeError, RecursionError):
                return super().serialize_message(message)

        def send(self, message: dict[str, Any]) -> None:
            data, output = self.serialize_message(message), self._output
            assert output is not None
            if len(data) < _LARGE_MESSAGE:
                output.write(len(data).to_bytes(4, "little") + data)
            else:  # without another copy of it
                output.write(len(data).to_bytes(4, "little"))
                output.write(data)

        def deserialize_message(self, data: str | bytes) -> dict[str, Any]:
            began_s = time.perf_counter()
            try:  # half of the time of Playwright's own, which held the loop for 11 ms for an answer of 8 MB
                message: dict[str, Any] = wire.load(data)
            except (ValueError, RecursionError):  # lone surrogates, and numbers like 1e400
                message = super().deserialize_message(data)
            shorten(message, len(data))
            if "id" not in message:
                meter.note_work(time.perf_counter() - began_s)
            return message

    return MeteredTransport


async def start_playwright(meter: "PipeMeter") -> "Playwright":
    """Start a driver whose pipe is metered. One start at a time. [asyncio]

    Raises:
      VendorChanged: Playwright makes its transport in another way.
    """
    from playwright._impl import out_of_process
    from playwright.async_api import async_playwright

    objects: dict[str, Any] | None = None
    metered, manager = _metered_transport(meter, lambda: objects), async_playwright()
    names = out_of_process.__dict__
    original, names["PipeTransport"] = names["PipeTransport"], metered
    try:
        playwright = await manager.start()
    finally:
        names["PipeTransport"] = original
    transport = manager._client and manager._client._transport
    if transport is None or not isinstance(transport, metered):
        await playwright.stop()
        raise VendorChanged("Playwright has started a driver without the metered pipe.")
    # Its error is read only while it starts; unread, the death of a driver would be logged as an error of asyncio's.
    transport.on_error_future.add_done_callback(lambda lost: lost.cancelled() or lost.exception())
    objects = playwright._impl_obj._connection._objects

    def page_of(guid: str) -> str | None:
        owner = objects.get(guid) if objects else None
        while owner is not None and owner._type != "Page":
            owner = owner._parent
        return None if owner is None else str(owner._guid)

    meter.page_of = page_of
    return playwright


def guid_of(item: "Page | CDPSession") -> str:
    """Return the name of an object in the messages of its driver."""
    return str(item._impl_obj._guid)


def has_loaded(frame: "Frame") -> bool:
    """Return True if the document of a frame has loaded.

    Raises:
      VendorChanged: Playwright does not keep the states of a load where it used to.
    """
    try:
        return "load" in frame._impl_obj._load_states
    except AttributeError as error:
        raise VendorChanged(f"Playwright's Frame has no states of its load: {error!r}") from error


def partial_paths(download: "Download") -> list[Path]:
    """Return the paths at which a file may be while it is downloaded.

    `Download.path` returns one only after the download has ended, which it may never do.

    Raises:
      VendorChanged: Playwright does not have the path where it used to be.
    """
    try:
        path = Path(download._impl_obj._artifact._initializer["absolutePath"])
    except (AttributeError, KeyError, TypeError) as error:
        raise VendorChanged(f"Playwright's Download has no path of its file: {error!r}") from error
    if not path.is_absolute():
        raise VendorChanged(f"Playwright's Download has no absolute path of its file: {path}")
    return [path, path.with_name(f"{path.name}.crdownload")]


def http_server(app: "ASGIFramework", config: "hypercorn.Config") -> Callable[[Any], Awaitable[None]]:
    """Return a function that serves one HTTP connection on a stream, and closes the stream. [trio]

    Hypercorn's public `serve` accepts connections itself, but our gate has accepted them already.

    Raises:
      VendorChanged: Hypercorn has changed its classes.
    """
    try:
        from hypercorn.app_wrappers import ASGIWrapper
        from hypercorn.trio.tcp_server import TCPServer
        from hypercorn.trio.worker_context import WorkerContext

        wrapped, context = ASGIWrapper(app), WorkerContext(None)
    except (ImportError, TypeError) as error:
        raise VendorChanged(f"Hypercorn serves no single connection: {error}") from error

    async def serve(stream: "trio.SSLStream[trio.SocketStream]") -> None:
        await TCPServer(wrapped, config, context, {}, stream).run()

    return serve
