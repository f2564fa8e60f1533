"""browser_navigate and browser_tabs."""

import re
from collections.abc import Mapping
from typing import Any, Final

from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams, NavigationFailed
from agentbrowser.tools.acts import dialog_words, http_failure, listed_downloads
from agentbrowser.tools.calls import ToolCall
from agentbrowser.tools.looks import MAX_TOKENS
from agentbrowser.tools.results import DownloadLink, ToolResult, error_lines, look_lines
from agentbrowser.tools.untrusted import quoted

_MOVES: Final = {"back": "page/goBack", "forward": "page/goForward", "reload": "page/reload"}
_COMMITTED: Final = {"waitUntil": "commit", "timeout": 30_000}
"""The look that follows waits for the page to settle, which ends although an image or a frame never comes."""
_LOOK: Final[Mapping[str, Any]] = {"format": "text", "maxTokens": MAX_TOKENS}
_NEW: Final = "new"
_ERROR_PAGE: Final = "chrome-error:"
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SCHEMES: Final = ("about:", "blob:", "chrome:", "data:", "file:", "javascript:", "mailto:", "tel:", "view-source:")
"""Schemes without slashes behind them, which otherwise look like a host and its port."""
_LOCAL: Final = ("localhost", "127.0.0.1", "[::1]")
_LOOK_TIMEOUT_MS: Final = 10_000


async def navigate(call: ToolCall) -> ToolResult:
    """Load a URL or move in the history, and return the first look."""
    url = call.arguments["url"].strip()
    if url.startswith("/") and not url.startswith("//"):  # a host of that name may exist
        raise InvalidParams(f"url must name its host: {url} is a path.", path="url", expected="a URL", got=url)
    is_new = call.arguments.get("tab") == _NEW
    if method := _MOVES.get(url):
        tab = await call.tab()
        moved = await call.request(method, {"pageId": tab, **_COMMITTED})
        if not moved["navigated"] and method != _MOVES["reload"]:
            return ToolResult(text=f"There is no page to go {url} to.", is_error=True)
        return await _looked(call, tab, moved)
    tab = await call.new_tab() if is_new else await call.tab()
    try:
        loaded = await call.request("page/navigate", {"url": _with_scheme(url), "pageId": tab, **_COMMITTED})
    except NavigationFailed as error:
        lines = [*error_lines(error), *await _place(call, tab), *await call.since_then()]
        return ToolResult(text="\n".join(lines), is_error=True)
    return await _looked(call, tab, loaded, *([f"tab {tab}"] if is_new else []))


async def _place(call: ToolCall, tab: str) -> list[str]:
    """Return the line of a tab after a failed load: it may have left its page for the browser's error page."""
    pages = (await call.request("page/list"))["pages"]
    urls = [str(page["url"]) for page in pages if page["id"] == tab]
    shown = ["the browser's error page" if url.startswith(_ERROR_PAGE) else quoted(url) for url in urls]
    return [f"the tab shows {url}" for url in shown]


def _with_scheme(url: str) -> str:
    """Return a URL with the scheme that a person leaves out."""
    if _SCHEME.match(url) or url.lower().startswith(_SCHEMES):  # the server says which of them it refuses, and why
        return url
    return f"{'http' if url.startswith(_LOCAL) else 'https'}://{url.removeprefix('//')}"


async def _looked(call: ToolCall, tab: str, loaded: Mapping[str, Any], *first_lines: str) -> ToolResult:
    """Return the look at a page that has loaded; the load counts, whatever becomes of the look."""
    lines = [*first_lines, *filter(None, [http_failure(loaded), dialog_words(loaded)])]
    try:
        look = await call.request("agent/observe", {**_LOOK, "pageId": tab, "timeout": _LOOK_TIMEOUT_MS})
    except AgentBrowserError as error:
        return ToolResult(text="\n".join([*lines, *error_lines(error, "no look: ")]))
    return ToolResult(text="\n".join([*lines, *look_lines(look), *await call.since_then()]))


async def tabs(call: ToolCall) -> ToolResult:
    """Close a tab if one is named, and list the others, and the downloads."""
    if closing := call.arguments.get("close"):
        await call.request("page/close", {"pageId": closing})
    listed = await call.request("page/list")
    lines = [_tab_line(page, listed.get("activePage")) for page in listed["pages"]]
    await call.journal.arrivals()  # all of them are listed
    downloads, unreadable = await listed_downloads(call)
    lines += [_download_line(download) for download in downloads] if unreadable is None else [unreadable]
    return ToolResult(text="\n".join(lines) or "no tabs", downloads=tuple(DownloadLink.completed(downloads)))


def _tab_line(page: Mapping[str, Any], active: str | None) -> str:
    dialog = page.get("dialog")
    words = [
        f"tab {page['id']} {quoted(page['title'])} {quoted(page['url'])}",
        *(["active"] if page["id"] == active else []),
        *([f"opened by {page['opener']}"] if page.get("opener") else []),
        *([f"dialog {dialog['type']} {quoted(dialog['message'])}"] if dialog else []),
    ]
    return ", ".join(words)


def _download_line(download: Mapping[str, Any]) -> str:
    size = f", {download['size']} bytes" if download.get("size") is not None else ""
    return f"download {download['downloadId']} {quoted(download['suggestedFilename'])} {download['state']}{size}"
