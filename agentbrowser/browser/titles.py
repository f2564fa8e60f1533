"""Page titles from the browser process: the document's own title, or a placeholder made from its URL."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.async_api import CDPSession

_WEB: Final = ("http", "https")
_MAX_LENGTH: Final = 4096
"""Chromium cuts longer titles."""
MAX_TITLE_LENGTH: Final = 64 * 1024
"""Length at which a title is cut in the page: it may have any."""


async def target_info(session: CDPSession) -> Mapping[str, Any]:
    """Return the browser process's data about the page of a session, without asking the page. [asyncio]"""
    answer = await session.send("Target.getTargetInfo")
    found: Mapping[str, Any] = answer["targetInfo"]
    return found


def own_title(title: str, url: str) -> str:
    """Return a title, or nothing for a recognized placeholder, which may lack the scheme."""
    bare = url.partition("://")[2]
    return "" if title in (url, bare, bare.removesuffix("/")) else title


def certain_title(title: str, url: str) -> str | None:
    """Return a title that is certainly the document's own; None for one that may be a placeholder, or cut.

    Source: Chromium's NavigationEntryImpl::GetTitleForDisplay. The placeholder begins with the displayed host or with
    the scheme; schemes other than http and https have other placeholders.
    """
    if not title or len(title) >= _MAX_LENGTH or title != title.strip():
        return None
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme not in _WEB or not host or "xn--" in host:
        return None
    is_placeholder = title.casefold().startswith((f"{parts.scheme}:", host, "["))
    return None if is_placeholder else title
