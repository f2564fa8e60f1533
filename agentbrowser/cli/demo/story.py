"""What an agent does on the page, told chapter by chapter, each checked against what the page itself then says."""

import base64
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.cli.demo.site import open_site
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
    """The page is not as the story has it."""


@attrs.frozen
class Chapter:
    """One request, and what came of it."""

    method: str
    title: str
    duration_ms: float
    lines: list[str]


@attrs.define
class _Teller:
    """Tells each chapter with the time since the one before."""

    say: Callable[[Chapter], None]
    began_s: float = attrs.field(factory=time.perf_counter)

    def tell(self, method: str, title: str, *lines: str) -> None:
        duration_ms = round((time.perf_counter() - self.began_s) * 1000, 1)
        self.say(Chapter(method, title, duration_ms, list(lines)))
        self.began_s = time.perf_counter()


async def perform(config: Config, output: Path, say: Callable[[Chapter], None]) -> None:
    """Run a server and a site on loopback, be an agent that connects over a WebSocket, and tell what happens. [trio]

    Args:
      config: of which only what concerns the browser counts.
      output: where the screenshot goes, as PNG.

    Raises:
      DemoFailed: the page says something else than it should.
      AgentBrowserError: a request failed.
      OSError: the screenshot can't be written.
      TooSlowError: all of it took a minute.
    """
    token = secrets.token_urlsafe()
    ours = attrs.evolve(
        config,
        host="127.0.0.1",
        port=0,
        token=token,
        scope=Scope.STANDARD,
        allowed_domains=None,
        private_network="ask-first",
    )
    with trio.fail_after(_LIMIT_S):
        async with open_site() as site, open_server(ours) as server, connect(server.url, token=token) as browser:
            await _sail(browser, site, output, _Teller(say))


async def _sail(browser: Browser, site: str, output: Path, teller: _Teller) -> None:
    there = await browser.call(page.navigate, url=site)
    _expect("the title", there.title, "Paper boats")
    teller.tell("page/navigate", f"{there.title}, at {there.url}")

    seen = await browser.call(agent_observe.observe)
    elements = seen.interactive_elements or []
    teller.tell("agent/observe", f"{len(elements)} elements to act on", *map(_describe, elements))

    captain = _ref(elements, "textbox", "Captain")
    filled = await browser.call(action.fill, selector=captain, value=_CAPTAIN)
    _expect("the captain", filled.value, _CAPTAIN)
    teller.tell("action/fill", f"{captain.value} holds {filled.value!r}")

    flag = _ref(elements, "checkbox", "with a flag")
    await browser.call(action.click, selector=flag)
    _expect("the flag", (await browser.call(observe.element, selector=flag)).checked, True)
    teller.tell("action/click", f"{flag.value} is checked")

    done = await browser.call(agent_act.act, steps=list(_STEPS))
    _expect("the steps", done.success, True)
    teller.tell("agent/act", f"{done.completed} of {done.total} steps in one request", *_steps(done))

    told = await browser.call(observe.element, selector=Css("#log"))
    _expect("the log", told.text, _THE_END)
    teller.tell("observe/element", f"the page says: {told.text}")

    picture = await browser.call(observe.screenshot, options=ScreenshotOptions(format="png"))
    await trio.Path(output).write_bytes(base64.b64decode(picture.data))
    teller.tell("observe/screenshot", f"{picture.width} by {picture.height} pixels in {output}")


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
