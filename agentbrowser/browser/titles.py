"""What the browser process calls a page: its title, or else a stand-in for it, which is its address."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.async_api import CDPSession

_WEB: Final = ("http", "https")
_LONGEST: Final = 4096
"""What is longer is cut."""


async def target_of(session: CDPSession) -> Mapping[str, Any]:
    """Return what the browser process knows of the page of a session, without asking the page. [asyncio]"""
    answer = await session.send("Target.getTargetInfo")
    found: Mapping[str, Any] = answer["targetInfo"]
    return found


def own_title(title: str, url: str) -> str:
    """Return a title without the stand-in, as far as that can be told: it may come without its scheme."""
    bare = url.partition("://")[2]
    return "" if title in (url, bare, bare.removesuffix("/")) else title


def sure_title(title: str, url: str) -> str | None:
    """Return a title that is surely the document's own; None for one that may be a stand-in, or cut.

    Source: Chromium's NavigationEntryImpl::GetTitleForDisplay. The stand-in begins with the host, as it is spelled for
    people, or with the scheme; other schemes than the web's have others.
    """
    if not title or len(title) >= _LONGEST or title != title.strip():
        return None
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme not in _WEB or not host or "xn--" in host:
        return None
    is_like = title.casefold().startswith((f"{parts.scheme}:", host, "["))
    return None if is_like else title
