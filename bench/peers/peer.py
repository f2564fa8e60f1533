"""Interface of a peer: a program that controls a browser, with its operations."""

import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import attrs

OPERATIONS: Final = (
    "navigate",
    "observe",
    "click by css",
    "click by role",
    "click by ref",
    "fill",
    "ten steps",
    "extract",
    "screenshot",
)

Operation = Callable[[], Awaitable[object]]


@attrs.frozen(kw_only=True)
class Setting:
    """Environment of the comparison."""

    browser: str
    """Browser executable, the same for all peers."""
    flags: tuple[str, ...]
    """Browser flags that this machine needs."""
    home: Path
    """Directory for files of the peers."""
    programs: Path
    """npm folder with the peers' programs."""
    site: str
    """Base URL of the pages."""

    def program(self, name: str) -> Path:
        """Return the path of a peer's program."""
        return self.programs / "node_modules" / ".bin" / name

    @property
    def form(self) -> str:
        """Return the URL of the page for actions."""
        return self.site + "actions"

    @property
    def shop(self) -> str:
        """Return the URL of the page for extraction."""
        return self.site + "shop"


async def _by_the_clock_here(operation: Operation) -> tuple[float, object]:
    started = time.perf_counter()
    result = await operation()
    return time.perf_counter() - started, result


@attrs.frozen(kw_only=True)
class Peer:
    """A program that controls a browser with one open page.

    What an operation returns: ``observe`` the text that a model would read; ``screenshot`` the image's bytes, or the
    path of a file with them; ``extract`` the rows; the others nothing.
    """

    name: str
    version: str
    operations: dict[str, Operation]
    """Supported operations, out of `OPERATIONS`."""
    go: Callable[[str], Awaitable[object]]
    """Loads a URL, and finds the refs for the operations."""
    evaluate: Callable[[str], Awaitable[Any]]
    """Returns the value of a JavaScript expression in the page, as plain data."""
    folded: Callable[[], Awaitable[str]] | None = None
    """Observation with folded rows, if the peer has one."""
    tools: str = ""
    """Tool descriptions that a model must read first."""
    timed: Callable[[Operation], Awaitable[tuple[float, object]]] = _by_the_clock_here
    """Runs an operation; returns its seconds, by a clock of the peer's choice, and its result."""
