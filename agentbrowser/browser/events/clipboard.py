"""Clipboard of one session: the sessions in a browser share its clipboard, and each pastes only what it has copied."""

import asyncio
import contextlib
import itertools
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Final, Self
from weakref import WeakKeyDictionary

import attrs

from agentbrowser.protocol.errors import ActionFailed, AgentBrowserError

_MODIFIERS: Final = r"(?:(?:Control|ControlLeft|ControlRight|ControlOrMeta|Meta|Shift|Alt)\+)+"
_PASTES: Final = re.compile(rf"{_MODIFIERS}(?:v|KeyV|Insert)", re.IGNORECASE)
_COPIES: Final = re.compile(rf"{_MODIFIERS}(?:c|x|KeyC|KeyX|Insert|Delete)", re.IGNORECASE)
# A frame that does not answer is not waited for longer: the key may be for another one.
_LISTEN_TIMEOUT_S: Final = 0.5
_SEVERAL: Final = 2
_OTHERS: Final = -1
"""Number of the other programs and persons that use a joined browser: nobody reports their copies."""
_NUMBERS: Final = itertools.count()

Put = Callable[[str], Awaitable[bool]]
"""Puts a text on the clipboard; returns True if it is there."""


@attrs.define(eq=False)
class SharedClipboard:
    """Clipboard of one browser."""

    lock: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    """Held from the time at which a session's own text is put there until it is pasted."""
    loop: asyncio.AbstractEventLoop | None = None
    users: set[int] = attrs.field(factory=set)
    """Numbers of those who may have put a text there; two are enough to know that there are several."""


_SHARED: Final[WeakKeyDictionary[object, SharedClipboard]] = WeakKeyDictionary()


@attrs.define(eq=False)
class SessionClipboard:
    """The last text that one session has copied.

    While only this session can have copied in its browser, the browser's own clipboard serves it. From then on, each
    paste gets the session's last text, without its format.
    """

    shared: SharedClipboard = attrs.field(factory=SharedClipboard)
    _number: int = attrs.field(factory=lambda: next(_NUMBERS), init=False)
    _text: str = attrs.field(default="", init=False, repr=False)

    @classmethod
    def of(cls, engine: object, *, is_shared: bool, is_joined: bool = False) -> Self:
        """Return a clipboard for a session in an engine, which other sessions may use too.

        Args:
          is_joined: True if other programs and persons use the browser, too.
        """
        if not is_shared:
            return cls()
        shared = _SHARED.setdefault(engine, SharedClipboard())
        if is_joined:
            shared.users.add(_OTHERS)
        return cls(shared)

    def pasted_by(self, key: str) -> str:
        """Return the text that a key pastes, as far as it is known."""
        return self._text if _PASTES.fullmatch(key) else ""

    def note(self, text: str) -> None:
        """Note a text that a page of the session has copied; empty if it is unknown."""
        self._text = text
        self._use()

    async def listen(self, listening: Iterable[Awaitable[object]], key: str) -> None:
        """Wait a moment until documents report copies: any of them may have the focus. [asyncio]"""
        if is_shortcut(key):
            await asyncio.wait(
                [asyncio.ensure_future(_done(document)) for document in listening], timeout=_LISTEN_TIMEOUT_S
            )

    @contextlib.asynccontextmanager
    async def prepared(self, put: Put, key: str) -> AsyncIterator[None]:
        """Prepare the clipboard for a key that is pressed in this block. [asyncio]

        Raises:
          ActionFailed: the clipboard may hold a text of others, and the page prevents its replacement.
        """
        if not is_shortcut(key):
            yield
            return
        async with self._lock():
            if _PASTES.fullmatch(key) and self.shared.users - {self._number}:
                self._use()
                if not await put(self._text):
                    reason = "the clipboard holds what another session has copied"
                    hint = "Use fill or type: the page lets nothing else be put on the clipboard."
                    raise ActionFailed(f"The press failed: {reason}.", action="press", reason=reason, hint=hint)
            yield

    def _use(self) -> None:
        users = self.shared.users
        if len(users) < _SEVERAL:
            users.add(self._number)

    def _lock(self) -> asyncio.Lock:
        """Return the lock of the running loop: a loop that has ended may have left the last one locked."""
        shared, loop = self.shared, asyncio.get_running_loop()
        if shared.loop is not loop:
            shared.loop, shared.lock = loop, asyncio.Lock()
        return shared.lock


def is_shortcut(key: str) -> bool:
    """Return True if a key copies, cuts or pastes."""
    return bool(_PASTES.fullmatch(key) or _COPIES.fullmatch(key))


async def _done(document: Awaitable[object]) -> None:
    with contextlib.suppress(AgentBrowserError):  # its frame is gone
        await document
