"""Real exceptions, provoked from a real page, become our errors: the recorded texts are still those of Playwright."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import attrs
import pytest
from playwright.async_api import BrowserContext, Page

from agentbrowser.browser import faults
from agentbrowser.browser.engine.engine import Engine
from agentbrowser.config import Config
from agentbrowser.protocol.errors import (
    ActionFailed,
    AgentBrowserError,
    ElementNotEnabled,
    ElementNotFound,
    ElementNotVisible,
    ExecutionContextDestroyed,
    FrameNotFound,
    InternalError,
    InvalidParams,
    NavigationFailed,
    SelectorAmbiguous,
    TargetClosed,
    Timeout,
)

Act = Callable[[Page], Awaitable[Any]]

LIMIT_S: Final = 30.0
TIME_MS: Final = 1000
SELECTOR: Final[dict[str, object]] = {"type": "css", "value": "#it"}
PAGE: Final = """
<style>
  @keyframes sway { to { margin-left: 500px } }
  #moving { width: 9px; animation: sway 0.2s infinite alternate }
</style>
<button id=hidden style="display: none">hidden</button>
<div style="position: relative; width: 90px; height: 40px">
  <button id=covered style="position: absolute; inset: 0">covered</button>
  <div id=cover style="position: absolute; inset: 0"></div>
</div>
<button id=disabled disabled>disabled</button> <button id=inert inert>inert</button> <input id=fixed readonly>
<select id=select><option>a<option disabled>b</select> <input id=number type=number> <input id=box type=checkbox>
<input id=radio type=radio checked> <input id=file type=file> <div id=moving>moving</div>
<input id=folder type=file webkitdirectory>
<div id=away style="position: fixed; left: -999px">away</div>
<p>1<p>2<p>3<p>4<p>5<p>6<p>7
<iframe srcdoc="<p>within"></iframe>
"""
ANSWERS: Final = {
    b"/empty": b"",
    b"/nothing": b"HTTP/1.1 204 No Content\r\n\r\n",
    b"/next": b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext",
    b"/file": b"HTTP/1.1 200 OK\r\nContent-Disposition: attachment\r\nContent-Length: 2\r\n\r\nhi",
}


@attrs.frozen
class Scene:
    """A browser and a site; a page of its own for everything that is provoked."""

    runner: asyncio.Runner
    engine: Engine
    site: str

    def provoke(self, act: Act, **facts: Any) -> AgentBrowserError:
        return self.runner.run(self._provoke(act, facts))

    async def _provoke(self, act: Act, facts: dict[str, Any]) -> AgentBrowserError:
        async with asyncio.timeout(LIMIT_S), contextlib.AsyncExitStack() as stack:
            context: BrowserContext = await self.engine.new_context(proxy={"server": "http://none", "bypass": "*"})
            stack.push_async_callback(context.close)
            page = await context.new_page()
            await page.set_content(PAGE)
            with pytest.raises(AgentBrowserError) as caught, faults.mapped(**facts):
                await act(page)
        return caught.value


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    with asyncio.Runner() as runner:
        server = runner.run(asyncio.start_server(answer, "127.0.0.1", 0))
        engine = Engine(Config())
        try:
            yield Scene(runner, engine, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        finally:
            runner.run(engine.close())
            server.close()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    path = (await reader.readuntil(b"\r\n\r\n")).split()[1]
    if path not in ANSWERS:  # say nothing, until the browser has had enough
        await reader.read()
    writer.write(ANSWERS.get(path, b""))
    writer.close()


def on(css: str, do: str, *arguments: Any, **options: Any) -> Act:
    return lambda page: getattr(page.locator(css), do)(*arguments, timeout=TIME_MS, **options)


@pytest.mark.parametrize(
    ("act", "kind", "details"),
    [
        (on("#none", "click"), ElementNotFound, {"waitedMs": TIME_MS}),
        (lambda page: page.get_by_role("link", name="none").click(timeout=300), ElementNotFound, {"waitedMs": 300}),
        (lambda page: page.get_by_test_id("none").wait_for(timeout=300), ElementNotFound, {"waitedMs": 300}),
        (on("#hidden", "click"), ElementNotVisible, {}),
        (on("#hidden", "click", force=True), ElementNotVisible, {}),
        (on("#hidden", "fill", "x"), ElementNotVisible, {}),
        (on("#hidden", "screenshot"), ElementNotVisible, {}),
        (on("#away", "hover"), ElementNotVisible, {}),
        (on("#away", "click", force=True), ElementNotVisible, {}),
        (on("#covered", "click"), ElementNotVisible, {"coverHtml": '<div id="cover"></div>'}),
        (on("#disabled", "click"), ElementNotEnabled, {}),
        (on("#inert", "click"), ElementNotEnabled, {}),
        (on("#fixed", "fill", "x"), ElementNotEnabled, {}),
        (on("#select", "select_option", "b"), ElementNotEnabled, {}),
        (on("#moving", "click"), ActionFailed, {"reason": "The element does not stop moving."}),
        (on("#select", "select_option", "z"), ActionFailed, {"reason": "The element has no such option."}),
        (on("#disabled", "check"), ActionFailed, {"reason": "Not a checkbox or radio button."}),
        (on("#cover", "select_option", "a"), ActionFailed, {"reason": "Element is not a <select> element."}),
        (on("#number", "fill", "x"), ActionFailed, {"reason": "Cannot type text into input[type=number]."}),
        (on("#box", "fill", "x"), ActionFailed, {"reason": 'Input of type "checkbox" cannot be filled.'}),
        (on("#disabled", "set_input_files", []), ActionFailed, {"reason": "Node is not an HTMLInputElement."}),
    ],
)
def test_action(act: Act, kind: type[AgentBrowserError], details: dict[str, Any], scene: Scene) -> None:
    error = scene.provoke(act, selector=SELECTOR)
    assert (type(error), error.details) == (kind, {"selector": SELECTOR, **details})


@pytest.mark.parametrize("act", [on("#radio", "uncheck"), on("#cover", "fill", "x")])
def test_action_that_does_not_suit_the_element(act: Act, scene: Scene) -> None:
    error = scene.provoke(act, action="fill", selector=SELECTOR)
    assert isinstance(error, ActionFailed)
    assert error.message == error.details["reason"]
    assert (error.details["action"], "\n" in error.message) == ("fill", False)


def test_several_files_for_one(scene: Scene) -> None:
    file: dict[str, Any] = {"name": "a", "mimeType": "text/plain", "buffer": b"a"}
    error = scene.provoke(on("#file", "set_input_files", [file, file]))
    assert error.details["reason"] == "Non-multiple file input can only accept single file."
    error = scene.provoke(on("#folder", "set_input_files", [file]))
    assert error.details["reason"] == "The field takes a folder, and no single files."


def test_ambiguous_selector(scene: Scene) -> None:
    error = scene.provoke(on("p", "click"), selector=SELECTOR)
    assert isinstance(error, SelectorAmbiguous)
    assert (error.details["count"], error.details["candidates"]) == (7, [f"<p>{n}</p>" for n in range(1, 6)])


@pytest.mark.parametrize("css", ["a[", "a{", "123", "", "..", "a:none", ':text-matches("(")', ":nth-match(a)"])
def test_malformed_css(css: str, scene: Scene) -> None:
    error = scene.provoke(on(f"css={css}", "click"), selector={"type": "css", "value": css})
    assert isinstance(error, InvalidParams)
    assert error.details == {"path": "selector.value", "expected": "a CSS selector", "got": css}


@pytest.mark.parametrize("xpath", ["//[", "a(", "count(//p)"])
def test_malformed_xpath(xpath: str, scene: Scene) -> None:
    error = scene.provoke(on(f"xpath={xpath}", "click"), selector={"type": "xpath", "value": xpath})
    assert isinstance(error, InvalidParams)
    assert error.details["got"] == xpath


def test_unknown_key(scene: Scene) -> None:
    error = scene.provoke(on("#fixed", "press", "Foo"))
    assert isinstance(error, InvalidParams)
    assert (error.details["path"], error.details["got"]) == ("key", "Foo")


@pytest.mark.parametrize(
    ("path", "reason"), [("/empty", "ERR_EMPTY_RESPONSE"), ("/nothing", "ERR_ABORTED"), ("/file", "download")]
)
def test_failed_load(path: str, reason: str, scene: Scene) -> None:
    url = scene.site + path
    error = scene.provoke(lambda page: page.goto(url), url=url)
    assert isinstance(error, NavigationFailed)
    assert error.details == {"url": url, "reason": reason}


def test_load_without_a_document(scene: Scene) -> None:
    error = scene.provoke(lambda page: page.goto(f"{scene.site}/nothing"))
    assert error.message == "No document came."
    assert "204" in (error.recovery_hint or "")
    assert not error.retryable


@pytest.mark.parametrize(
    ("url", "reason"), [("http://", "ERR_INVALID_URL"), ("http://no.invalid/", "ERR_NAME_NOT_RESOLVED")]
)
def test_url_that_leads_nowhere(url: str, reason: str, scene: Scene) -> None:
    assert scene.provoke(lambda page: page.goto(url)).details["reason"] == reason


def test_silent_server(scene: Scene) -> None:
    url = f"{scene.site}/silent"
    error = scene.provoke(lambda page: page.goto(url, timeout=300), url=url)
    assert isinstance(error, Timeout)
    assert error.details == {"url": url, "timeout": 300}


def test_document_that_goes_away_under_a_script(scene: Scene) -> None:
    leave = "url => { location.href = url; return new Promise(() => {}) }"
    error = scene.provoke(lambda page: page.evaluate(leave, f"{scene.site}/next"))
    assert isinstance(error, ExecutionContextDestroyed)


def test_frame_that_goes_away(scene: Scene) -> None:
    async def act(page: Page) -> None:
        frame = page.frames[1]
        await page.locator("iframe").evaluate("frame => frame.remove()")
        await frame.evaluate("1")

    assert isinstance(scene.provoke(act), FrameNotFound)


@pytest.mark.parametrize("call", ["title", "reload", "screenshot"])
def test_page_that_is_closed(call: str, scene: Scene) -> None:
    async def act(page: Page) -> None:
        await page.close()
        await getattr(page, call)()

    error = scene.provoke(act)
    assert (type(error), error.details) == (TargetClosed, {"target": "page"})


def test_page_that_closes_during_a_call(scene: Scene) -> None:
    async def act(page: Page) -> None:
        closing = asyncio.ensure_future(page.close())
        try:
            await page.locator("#none").click(timeout=5000)
        finally:
            await closing

    assert scene.provoke(act).details == {"target": "page"}


def test_context_that_is_closed(scene: Scene) -> None:
    async def act(page: Page) -> None:
        await page.context.close()
        await page.context.new_page()

    assert scene.provoke(act).details == {"target": "context"}


def test_page_that_crashes(scene: Scene) -> None:
    async def act(page: Page) -> None:
        crashing = asyncio.ensure_future(page.goto("chrome://crash"))
        try:
            await page.evaluate("new Promise(() => {})")
        finally:
            await asyncio.wait({crashing})
            crashing.exception()

    error = scene.provoke(act)
    assert (error.message, error.details) == ("The page has crashed.", {"target": "page"})


def test_script_that_fails_is_our_own_fault(scene: Scene) -> None:
    assert isinstance(scene.provoke(lambda page: page.evaluate("nothing.there")), InternalError)
