"""What is measured: a program that controls a browser, and what it can be asked to do."""

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
    """Where it is measured."""

    browser: str
    """The browser's program, the same for all."""
    flags: tuple[str, ...]
    """What this machine's browser has to be started with."""
    home: Path
    """A directory for what the peers leave behind."""
    programs: Path
    """Where npm has put the peers' programs."""
    site: str
    """The URL that the pages are below."""

    @property
    def form(self) -> str:
        """The page for actions."""
        return self.site + "actions"

    @property
    def shop(self) -> str:
        """The page for extraction."""
        return self.site + "shop"


async def _by_the_clock_here(operation: Operation) -> tuple[float, object]:
    started = time.perf_counter()
    result = await operation()
    return time.perf_counter() - started, result


@attrs.frozen(kw_only=True)
class Peer:
    """A program that controls a browser with one page, which is ready.

    What an operation returns: ``observe`` the text that a model would read; ``screenshot`` the image's bytes, or the
    path of a file with them; ``extract`` the rows; the others nothing.
    """

    name: str
    version: str
    operations: dict[str, Operation]
    """What it can do, of `OPERATIONS`."""
    go: Callable[[str], Awaitable[object]]
    """Go to a URL, and learn the refs there that operations need."""
    evaluate: Callable[[str], Awaitable[Any]]
    """Return what a JavaScript expression is in the page, as plain data."""
    folded: Callable[[], Awaitable[str]] | None = None
    """A look that says what is alike once, where there is such a thing."""
    tools: str = ""
    """What a model has to read before it can use the program at all."""
    timed: Callable[[Operation], Awaitable[tuple[float, object]]] = _by_the_clock_here
    """Run an operation; return its seconds, by a clock of the peer's choice, and its result."""
