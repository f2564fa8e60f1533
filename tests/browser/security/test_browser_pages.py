"""Documents and dialogs of the browser's own: what clients can do in those, and pages with these."""

import json
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
import trio

from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.errors import ActionFailed, BrowserNotLaunched
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from tests.browser.site import open_site

pytestmark = pytest.mark.slow
LIMIT_S: Final = 60.0
VIEWER: Final = "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/"
PDF: Final = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>endobj
trailer<</Root 1 0 R>>
"""
OPEN: Final = "chrome.tabs.create({url: 'file:///etc/hostname'})"


ASKING: Final = {
    "a passkey": "navigator.credentials.get({publicKey: {challenge: new Uint8Array(16)}})",
    "a new passkey": "navigator.credentials.create({publicKey: {challenge: new Uint8Array(16), rp: {name: 'a'}, "
    "user: {id: new Uint8Array(8), name: 'a', displayName: 'a'}, pubKeyCredParams: [{type: 'public-key', alg: -7}]}})",
    "an identity": "navigator.credentials.get({digital: {requests: [{protocol: 'openid4vp-v1-unsigned', data: {}}]}})",
    "an account": "navigator.login.setStatus('logged-in').then(() => navigator.credentials.get({identity: "
    "{mode: 'active', providers: [{configURL: `${origin}/provider.json`, clientId: '1'}]}}))",
    "a screen": "navigator.mediaDevices.getDisplayMedia()",
}


@pytest.fixture
async def pdf_reader() -> AsyncIterator[tuple[Browser, str]]:
    """Yield a client of full Chromium, and the URL of a PDF."""
    try:
        path = find_browser("chromium", headless=False).path
    except BrowserNotLaunched:
        pytest.skip("there is no full Chromium: agentbrowser install --full")
    config = Config(port=0, executable_path=path, scope=Scope.PRIVILEGED, private_network="allow", drain_timeout_s=1)
    with trio.fail_after(LIMIT_S), open_site() as site:
        site.serve("/empty.pdf", PDF, Content_Type="application/pdf")
        url = site.html("/", "<iframe src=/empty.pdf></iframe>")
        async with open_server(config) as server, server.connect() as browser:
            yield browser, url


async def urls(browser: Browser, method: str) -> list[str]:
    answer = await browser.request(method)
    return [each["url"] for each in answer["pages" if method == "page/list" else "frames"]]


async def viewer(browser: Browser) -> str:
    """Return the id of the frame of the PDF viewer, once it is there."""
    while True:
        frames: list[dict[str, Any]] = (await browser.request("frame/list"))["frames"]
        if found := [frame["frameId"] for frame in frames if frame["url"].startswith(VIEWER)]:
            return str(found[0])
        await trio.sleep(0.05)


@pytest.mark.parametrize("world", ["main", "isolated"])
async def test_the_pdf_viewer_runs_no_script_of_a_client(pdf_reader: tuple[Browser, str], world: str) -> None:
    browser, url = pdf_reader
    await browser.request("page/navigate", {"url": url})
    await browser.request("frame/switch", {"frameId": await viewer(browser)})
    with pytest.raises(ActionFailed, match="the browser's own"):
        await browser.request("script/evaluate", {"expression": f"() => {{ {OPEN} }}", "world": world})
    assert await urls(browser, "page/list") == [url]


async def test_a_client_can_not_give_the_pdf_viewer_a_script(pdf_reader: tuple[Browser, str]) -> None:
    browser, url = pdf_reader
    response = {"body": OPEN, "contentType": "text/javascript"}
    patterns = [{"urlPattern": "chrome-extension://**"}, {"urlPattern": "chrome://**"}]
    await browser.request("network/intercept", {"patterns": patterns, "handler": "respond", "response": response})
    await browser.request("page/navigate", {"url": url})
    await browser.request("frame/switch", {"frameId": await viewer(browser)})
    while not (await browser.request("agent/observe"))["totalInteractiveElements"]:  # noqa: ASYNC110 - nobody tells
        await trio.sleep(0.05)  # the toolbar comes by the viewer's own scripts
    assert await urls(browser, "page/list") == [url]


def provider(url: str) -> dict[str, object]:
    """Return what an identity provider at this URL answers."""
    account = {"id": "1", "name": "Ann", "email": "ann@a.test"}
    ends = {"accounts_endpoint": "/accounts", "id_assertion_endpoint": "/token", "login_url": "/login"}
    return {
        "/.well-known/web-identity": {"provider_urls": [f"{url}provider.json"]},
        "/provider.json": {**ends, "client_metadata_endpoint": "/client"},
        "/accounts": {"accounts": [account]},
        "/client": {},
    }


@pytest.mark.parametrize("asked", ASKING)
async def test_a_page_that_asks_for_something_still_takes_input(pdf_reader: tuple[Browser, str], asked: str) -> None:
    """Beneath a dialog of full Chromium, which nobody sees, a page took no input until its end."""
    browser, _ = pdf_reader
    with open_site() as site:
        body = f'<button id=a onclick="{ASKING[asked]}">Ask</button><button id=b onclick="title = 1">Go</button>'
        url = site.html("/", body).replace("127.0.0.1", "localhost")
        for path, answer in provider(url).items():
            site.serve(path, json.dumps(answer).encode(), Content_Type="application/json")
        await browser.request("page/navigate", {"url": url})
        for element in ("#a", "#b", "#b"):
            await browser.request("action/click", {"selector": {"type": "css", "value": element}})
            await trio.sleep(0.5)  # a dialog that came later would be missed
