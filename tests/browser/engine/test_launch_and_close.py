"""browser/launch and browser/close: the browser itself, as one of its clients sees it."""

import pytest

from agentbrowser.browser.recording.page_recorder import PageRecorder
from agentbrowser.client import Browser
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site


async def test_launch_reports_the_browser(browser: Browser) -> None:
    launched = await browser.request("browser/launch", {"browser": "chromium", "headless": True})
    assert launched["browser"] == "chromium"
    assert launched["version"][0].isdigit()
    assert (await browser.request("browser/launch"))["browserId"] == launched["browserId"]
    created = await browser.request("page/create")
    listed = (await browser.request("page/list"))["pages"]
    assert [(one["id"], one["contextId"]) for one in listed] == [(created["id"], launched["defaultContext"])]


async def test_a_second_launch_reports_what_it_did_not_change(browser: Browser) -> None:
    settings = {"locale": "de-DE", "viewport": {"width": 800, "height": 600}}
    assert "unchanged" not in await browser.request("browser/launch", settings)
    assert "unchanged" not in await browser.request("browser/launch", {"locale": "de-DE"})
    launched = await browser.request("browser/launch", {**settings, "locale": "fr-FR", "userAgent": "mine"})
    assert launched["unchanged"] == ["userAgent", "locale"]
    assert (await browser.request("page/create"))["viewport"] == settings["viewport"]


async def test_harmless_arguments_change_nothing(browser: Browser) -> None:
    args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=800,600"]
    await browser.request("browser/launch", {"args": args})
    assert (await browser.request("page/create"))["viewport"] == {"width": 1280, "height": 720}


@pytest.mark.parametrize("name", ["proxy", "userDataDir", "cdpUrl", "downloadsPath", "executablePath"])
async def test_operator_options_are_refused_with_a_reason(browser: Browser, name: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        await browser.request("browser/launch", {name: "/tmp/x"})
    assert caught.value.details["path"] == name
    assert "operator" in caught.value.message


async def test_a_context_that_can_not_be_recorded_is_not_left_without_listeners(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise AgentBrowserError("lost")

    with monkeypatch.context() as patched:
        patched.setattr(PageRecorder, "attach", fail)
        with pytest.raises(AgentBrowserError, match="lost"):
            await browser.request("context/create", {"contextId": "extra"})
    assert (await browser.request("context/list"))["contexts"] == []


async def test_close_ends_only_the_clients_own_pages(shared_server: SharedServer, browser: Browser, site: Site) -> None:
    url = site.html("/", "x", title="Mine")
    await browser.request("page/navigate", {"url": url})
    await browser.request("context/create", {"contextId": "extra"})
    async with shared_server.connect() as neighbour:
        await neighbour.request("page/navigate", {"url": url})
        assert await browser.request("browser/close") == {}
        assert (await browser.request("page/list"))["pages"] == []
        assert [one["id"] for one in (await browser.request("context/list"))["contexts"] if one["id"] == "extra"] == []
        assert [one["title"] for one in (await neighbour.request("page/list"))["pages"]] == ["Mine"]
    assert (await browser.request("page/navigate", {"url": url}))["title"] == "Mine"
