"""Private names of Playwright and Hypercorn. No other module uses any.

The tests in `test_vendor.py` fail when a new version changes one. At run time, a change never goes unnoticed:
a command takes Playwright's public path, and everything else raises `VendorChanged`.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import hypercorn
    import trio
    from hypercorn.typing import ASGIFramework
    from playwright.async_api import CDPSession, Download


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
