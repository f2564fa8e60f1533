"""Pictures of a browser that is lost: the one before it was lost is kept."""

import asyncio
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from agentbrowser.browser.album import Album
from agentbrowser.errors import BrowserNotLaunched
from agentbrowser.types.event import PageEvent
from agentbrowser.types.picture import ContextPicture, PagePicture, Picture

PICTURE = Picture(
    contexts=[ContextPicture(context_id="default")],
    pages=[PagePicture(page_id="page-1", url="about:blank", context_id="default")],
)


class Contexts(list[Any]):
    async def launch(self, *_: Any) -> None:
        raise BrowserNotLaunched("none")


@attrs.define(eq=False)
class Fakes:
    """Tabs and their engine, whose browser can't be had again."""

    contexts: Contexts = attrs.field(factory=Contexts)
    listeners: list[Callable[[str], object]] = attrs.field(factory=list)

    @property
    def engine(self) -> "Fakes":
        return self

    def on_lost(self, listener: Callable[[str], object]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)


def test_what_is_lost_and_could_not_be_made_again_is_not_taken_for_closed() -> None:
    async def go() -> None:
        fakes: Any = Fakes()
        album = Album(fakes)
        shown: list[Picture] = []
        losses: list[None] = []
        album.begin(shown.append, lambda: losses.append(None))
        assert await album.take() == Picture()
        fakes.listeners[0]("browser")
        assert await album.take() is None
        with pytest.raises(BrowserNotLaunched):
            await album.reopen(PICTURE)
        album.renew()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert (await album.take(), shown, len(losses)) == (None, [], 1)
        album.notice(PageEvent(type="created", page_id="page-2"))  # the client goes on with a page of its own
        assert await album.take() == Picture()
        album.end()
        assert fakes.listeners == []

    asyncio.run(go())
