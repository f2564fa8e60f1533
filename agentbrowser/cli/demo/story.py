"""Story of the demonstration: an agent's requests as chapters, each checked against the state of the page."""

import base64
import errno
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.cli.demo.site import open_site
from agentbrowser.cli.failures import writing
from agentbrowser.client import Browser, connect
from agentbrowser.config import Config
from agentbrowser.methods import action, agent_act, agent_observe, observe, page
from agentbrowser.methods.agent_act import ActResult
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.element import InteractiveElement
from agentbrowser.protocol.types.observe import ScreenshotOptions
from agentbrowser.protocol.types.selector import Css, Ref
from agentbrowser.protocol.types.sequence import Condition, ExecutionStep
from agentbrowser.server.app import open_server

_LIMIT_S: Final = 60.0
_CAPTAIN: Final = "Ada"
_THE_END: Final = "Ada's large boat with a flag is at sea."
_STEPS: Final = (
    ExecutionStep(
        label="choose the size",
        action="action/select",
        params={"selector": {"type": "label", "value": "Size"}, "values": "large"},
    ),
    ExecutionStep(
        label="fold the boat",
        action="action/click",
        params={"selector": {"type": "role", "role": "button", "name": "Fold the boat"}},
    ),
    ExecutionStep(
        label="launch it, once it is folded",
        condition=Condition(selector=Css("#boat"), state="visible", timeout_ms=5000),
        action="action/click",
        params={"selector": {"type": "text", "value": "Launch it"}},
    ),
)


class DemoFailed(Exception):
    """Difference between the page and the story."""


@attrs.frozen
class Chapter:
    """One request and its result."""

    method: str
    title: str
    duration_ms: float
    lines: list[str]


@attrs.define
class _Reporter:
    """Reporter of chapters with the time since the previous one."""

    on_chapter: Callable[[Chapter], None]
    began_s: float = attrs.field(factory=time.perf_counter)

    def report(self, method: str, title: str, *lines: str) -> None:
        duration_ms = round((time.perf_counter() - self.began_s) * 1000, 1)
        self.on_chapter(Chapter(method, title, duration_ms, list(lines)))
        self.began_s = time.perf_counter()


async def perform(config: Config, output: Path, on_chapter: Callable[[Chapter], None]) -> None:
    """Run a server and a site on loopback, act as an agent over a WebSocket and report each request. [trio]

    Args:
      config: configuration; only the settings of the browser are used.
      output: file for the screenshot, as PNG.
      on_chapter: called with each chapter.

    Raises:
      DemoFailed: the page differs from the story.
      AgentBrowserError: a request failed.
      OSError: the screenshot can't be written. A path that takes no file is reported before the start.
      TooSlowError: the demonstration took over a minute.
    """
    _check_writable(output)
    token = secrets.token_urlsafe()
    demo_config = attrs.evolve(
        config,
        host="127.0.0.1",
        port=0,
        token=token,
        scope=Scope.STANDARD,
        allowed_domains=None,
        private_network="ask-first",
    )
    with trio.fail_after(_LIMIT_S):
        async with open_site() as site, open_server(demo_config) as server, connect(server.url, token=token) as browser:
            await _play(browser, site, output, _Reporter(on_chapter))


def _check_writable(output: Path) -> None:
    number = 0
    if not output.parent.is_dir():
        number = errno.ENOENT
    elif output.is_dir():
        number = errno.EISDIR
    elif not os.access(output if output.exists() else output.parent, os.W_OK):
        number = errno.EACCES
    if number:
        raise OSError(number, os.strerror(number), str(output))


def _write(output: Path, picture: bytes) -> None:
    with writing(output):
        output.write_bytes(picture)


async def _play(browser: Browser, site: str, output: Path, reporter: _Reporter) -> None:
    opened = await browser.call(page.navigate, url=site)
    _expect("the title", opened.title, "Paper boats")
    reporter.report("page/navigate", f"{opened.title}, at {opened.url}")

    observation = await browser.call(agent_observe.observe)
    elements = observation.interactive_elements or []
    reporter.report("agent/observe", f"{len(elements)} elements to act on", *map(_describe, elements))

    captain = _ref(elements, "textbox", "Captain")
    filled = await browser.call(action.fill, selector=captain, value=_CAPTAIN)
    _expect("the captain", filled.value, _CAPTAIN)
    reporter.report("action/fill", f"{captain.value} holds {filled.value!r}")

    flag = _ref(elements, "checkbox", "with a flag")
    await browser.call(action.click, selector=flag)
    _expect("the flag", (await browser.call(observe.element, selector=flag)).checked, True)
    reporter.report("action/click", f"{flag.value} is checked")

    done = await browser.call(agent_act.act, steps=list(_STEPS))
    _expect("the steps", done.success, True)
    reporter.report("agent/act", f"{done.completed} of {done.total} steps in one request", *_steps(done))

    log_line = await browser.call(observe.element, selector=Css("#log"))
    _expect("the log", log_line.text, _THE_END)
    reporter.report("observe/element", f"the page says: {log_line.text}")

    picture = await browser.call(observe.screenshot, options=ScreenshotOptions(format="png"))
    await trio.to_thread.run_sync(_write, output, base64.b64decode(picture.data))
    reporter.report("observe/screenshot", f"{picture.width} by {picture.height} pixels in {output}")


def _expect(what: str, got: Any, wanted: Any) -> None:
    if got != wanted:
        raise DemoFailed(f"{what} should be {wanted!r}, but is {got!r}")


def _ref(elements: list[InteractiveElement], role: str, name: str) -> Ref:
    for element in elements:
        if (element.role, element.name) == (role, name):
            return Ref(element.ref)
    raise DemoFailed(f"the page should show a {role} called {name!r}")


def _describe(element: InteractiveElement) -> str:
    value = f" = {element.value!r}" if element.value else ""
    return f"{element.ref:<16} {element.role} {element.name!r}{value}"


def _steps(done: ActResult) -> list[str]:
    return [f"{result.label or result.step} ({result.duration_ms} ms)" for result in done.results]
