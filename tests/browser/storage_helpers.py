"""Helpers for tests of contexts and storage: a page that reports its storage, and clients of other scopes."""

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import trio

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from tests.browser.site import Site

_REPORT = """<script>
document.body.append(JSON.stringify({cookie: document.cookie, local: {...localStorage}, session: {...sessionStorage}}))
</script>"""


def serve_report_page(site: Site, path: str = "/report", host: str = "127.0.0.1") -> str:
    """Serve a page that first of all reports its storage, and return its URL."""
    site.html(path, _REPORT)
    return site.url(path, host)


async def visit(browser: Browser, url: str, page_id: str | None = None) -> dict[str, Any]:
    """Load the page of `serve_report_page` and return its report."""
    await browser.request("page/navigate", {"url": url, "pageId": page_id})
    report: dict[str, Any] = json.loads(await text_of(browser, page_id))
    return report


async def text_of(browser: Browser, page_id: str | None = None) -> str:
    """Return the text of a page."""
    content = await browser.request("observe/content", {"format": "text", "pageId": page_id})
    return str(content["content"]).strip()


async def text_once_there(browser: Browser, page_id: str | None = None) -> str:
    """Return the text of a page once the page has written it."""
    with trio.fail_after(30):
        while not (text := await text_of(browser, page_id)):  # noqa: ASYNC110 - a page can't set our events
            await trio.sleep(0.02)
    return text


def items(**values: str) -> list[dict[str, str]]:
    """Return names and values in the wire format."""
    return [{"name": name, "value": value} for name, value in values.items()]


@contextlib.asynccontextmanager
async def client_with(**settings: Any) -> AsyncIterator[Browser]:
    """Run a server with these settings, and yield a client."""
    config = Config(port=0, **{"scope": Scope.FULL, "drain_timeout_s": 1, **settings})
    with trio.fail_after(120):
        async with open_server(config) as server, server.connect() as browser:
            yield browser
