"""Web site of one page on loopback for the demonstration."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import h11
import trio

_PAGE: Final = (Path(__file__).parent / "page.html").read_bytes()
_TIMEOUT_S: Final = 10.0
_CHUNK_BYTES: Final = 65_536


@contextlib.asynccontextmanager
async def open_site() -> AsyncIterator[str]:
    """Serve the page until the block ends, and yield its URL. [trio]"""
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener.socket.getsockname()[1]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, _answer, [listener])
        yield f"http://127.0.0.1:{port}/"
        nursery.cancel_scope.cancel()


async def _answer(stream: trio.SocketStream) -> None:
    """Answer one request and close the connection. [trio]"""
    connection = h11.Connection(h11.SERVER)
    with trio.move_on_after(_TIMEOUT_S), contextlib.suppress(trio.BrokenResourceError, h11.RemoteProtocolError):
        async with stream:
            request = await _next_request(stream, connection)
            found = request is not None and request.target == b"/"
            body = _PAGE if found else b""
            headers = [
                ("content-type", "text/html; charset=utf-8"),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            await _send(stream, connection, h11.Response(status_code=200 if found else 404, headers=headers))
            await _send(stream, connection, h11.Data(data=body))
            await _send(stream, connection, h11.EndOfMessage())


async def _next_request(stream: trio.SocketStream, connection: h11.Connection) -> h11.Request | None:
    while (event := connection.next_event()) is h11.NEED_DATA:
        connection.receive_data(await stream.receive_some(_CHUNK_BYTES))
    return event if isinstance(event, h11.Request) else None


async def _send(stream: trio.SocketStream, connection: h11.Connection, event: h11.Event) -> None:
    await stream.send_all(connection.send(event) or b"")
