"""A page of a browser."""

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, Unpack

import attrs

from agentbrowser import methods
from agentbrowser.client.element import Element
from agentbrowser.client.extraction import ExtractionFailed, schema_of, to_instance
from agentbrowser.client.options import (
    ActionKeywords,
    ObserveKeywords,
    ScreenshotKeywords,
    ScrollKeywords,
    SequenceKeywords,
)
from agentbrowser.client.selectors import at, parse_step
from agentbrowser.protocol.registry import Method
from agentbrowser.protocol.types.action import ActionOptions, ActionResult, ScrollOptions
from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.protocol.types.navigation import NavigateResult
from agentbrowser.protocol.types.observe import ContentFormat, ScreenshotOptions, WaitState
from agentbrowser.protocol.types.page import MoveResult, WaitForResult, WaitUntil
from agentbrowser.protocol.types.selector import Selector
from agentbrowser.protocol.types.sequence import ExecutionStep

if TYPE_CHECKING:
    from agentbrowser.client.browser import Browser
    from agentbrowser.methods.agent_act import ActResult
    from agentbrowser.methods.agent_observe import ObserveParams

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


@attrs.frozen
class Page:
    """A page of the client; without an id, the page that is active at each request."""

    browser: "Browser" = attrs.field(repr=False)
    id: str | None = None

    def __getitem__(self, selector: str | Selector) -> Element:
        """Return the element of a selector: ``page["@submit"]`` by ref, ``page["#menu a"]`` by CSS, or a typed one."""
        return Element(self, at(selector))

    async def call(self, method: Method[P, ResultT], *args: P.args, **kwargs: P.kwargs) -> ResultT:
        """Call any method with its params as keywords; pass ``page_id`` if the method needs it."""
        return await self.browser.call(method, *args, **kwargs)

    # Navigation

    async def goto(
        self,
        url: str,
        *,
        wait_until: WaitUntil = "load",
        referer: str | None = None,
        observe: "ObserveParams | None" = None,
        timeout_ms: int | None = None,
    ) -> NavigateResult:
        """Load a URL; with ``observe``, also observe the loaded page.

        Raises:
          NavigationFailed: the page could not be loaded.
        """
        return await self.call(
            methods.page.navigate,
            url=url,
            wait_until=wait_until,
            referer=referer,
            observe=observe,
            timeout_ms=timeout_ms,
            page_id=self.id,
        )

    async def reload(self, *, wait_until: WaitUntil = "load", timeout_ms: int | None = None) -> MoveResult:
        """Load the page again."""
        return await self.call(methods.page.reload, wait_until=wait_until, timeout_ms=timeout_ms, page_id=self.id)

    async def go_back(self, *, wait_until: WaitUntil = "load", timeout_ms: int | None = None) -> MoveResult:
        """Go to the page before in the history."""
        return await self.call(methods.page.go_back, wait_until=wait_until, timeout_ms=timeout_ms, page_id=self.id)

    async def go_forward(self, *, wait_until: WaitUntil = "load", timeout_ms: int | None = None) -> MoveResult:
        """Go to the page after in the history."""
        return await self.call(methods.page.go_forward, wait_until=wait_until, timeout_ms=timeout_ms, page_id=self.id)

    async def wait_for(
        self,
        text: str | None = None,
        *,
        text_gone: str | None = None,
        url: str | None = None,
        selector: str | Selector | None = None,
        state: WaitState | None = None,
        idle: bool = False,
        timeout_ms: int = 5000,
    ) -> WaitForResult:
        """Wait for one condition: words, words that go, a URL, an element's state, or a page that has settled.

        Raises:
          Timeout: it was not met in time; the details name what was there instead.
        """
        return await self.call(
            methods.page.wait_for,
            text=text,
            text_gone=text_gone,
            url=url,
            selector=None if selector is None else at(selector),
            state=state,
            idle=idle,
            timeout_ms=timeout_ms,
            page_id=self.id,
        )

    async def activate(self) -> None:
        """Make it the active page, and bring it to the front; one without an id is that already."""
        if self.id is not None:
            await self.call(methods.page.activate, page_id=self.id)

    async def close(self, *, run_before_unload: bool = False) -> None:
        """Close the page; whatever runs on it ends in TargetClosed."""
        await self.call(methods.page.close, page_id=self.id, run_before_unload=run_before_unload)

    # Observation

    async def observe(self, **keywords: Unpack[ObserveKeywords]) -> AgentObserveResult:
        """Observe the page: ``text`` of the result is ready for a prompt.

        With ``format="json"``, ``interactive_elements`` holds the elements instead.
        """
        keywords.setdefault("format", "text")
        return await self.call(methods.agent_observe.observe, page_id=self.id, **keywords)

    async def screenshot(
        self,
        selector: str | Selector | None = None,
        *,
        timeout_ms: int | None = None,
        **keywords: Unpack[ScreenshotKeywords],
    ) -> bytes:
        """Take a screenshot of the viewport, the document (``full_page=True``), a part (``clip``), or one element."""
        result = await self.call(
            methods.observe.screenshot,
            options=ScreenshotOptions(**keywords),
            selector=None if selector is None else at(selector),
            page_id=self.id,
            timeout_ms=timeout_ms,
        )
        return base64.b64decode(result.data)

    async def content(
        self,
        format: ContentFormat = "markdown",
        *,
        selector: str | Selector | None = None,
        timeout_ms: int | None = None,
    ) -> str:
        """Return the content of the page, or of one element."""
        result = await self.call(
            methods.observe.content,
            format=format,
            selector=None if selector is None else at(selector),
            page_id=self.id,
            timeout_ms=timeout_ms,
        )
        return result.content

    async def extract(
        self,
        kind: type[ResultT],
        instruction: str | None = None,
        *,
        selector: str | Selector | None = None,
        max_items: int | None = None,
        timeout_ms: int | None = None,
    ) -> ResultT:
        """Return the data on the page as an instance of an attrs class or a dataclass, or of ``list`` of one.

        Names, types and docstrings of the fields describe the data; a field that may be None is optional.

        Raises:
          ExtractionFailed: nothing fits; for a list, an empty list is returned instead.
          TypeError: the class has no schema.
        """
        schema = schema_of(kind)
        data: Any = None
        cursor = None
        while True:
            result = await self.call(
                methods.agent_extract.extract,
                schema=schema,
                instruction=instruction,
                mode="list" if schema.type == "array" else "single",
                selector=None if selector is None else at(selector),
                max_items=500 if max_items is None else min(500, max_items - len(data or ())),
                cursor=cursor,
                page_id=self.id,
                timeout_ms=timeout_ms,
            )
            if schema.type != "array":
                break
            data = [*(data or ()), *(result.data or ())]
            cursor = result.next_cursor
            if cursor is None or (max_items is not None and len(data) >= max_items):
                return to_instance(kind, data)
        if not result.success:
            raise ExtractionFailed(result.error or "Nothing on the page fits.")
        return to_instance(kind, result.data)

    async def evaluate(
        self,
        expression: str,
        arg: Any = None,
        *,
        world: Literal["isolated", "main"] = "isolated",
        timeout_ms: int | None = None,
    ) -> Any:
        """Run a script in the page, and return its value. Requires the scope ``privileged``."""
        result = await self.call(
            methods.script.evaluate, expression=expression, arg=arg, world=world, page_id=self.id, timeout_ms=timeout_ms
        )
        return result.value

    # Actions

    async def act(
        self, steps: Sequence[ExecutionStep | Mapping[str, Any]], **keywords: Unpack[SequenceKeywords]
    ) -> "ActResult":
        """Run steps in sequence in one request; each is made by `step`, or given in its wire form.

        Raises:
          InvalidParams: a step is invalid; none was run.
        """
        typed = [parse_step(index, one) for index, one in enumerate(steps)]
        return await self.call(methods.agent_act.act, steps=typed, page_id=self.id, **keywords)

    async def press(self, key: str, **keywords: Unpack[ActionKeywords]) -> ActionResult:
        """Press a key or a key combination in the focused element."""
        return await self.call(methods.action.press, key=key, options=ActionOptions(**keywords), page_id=self.id)

    async def scroll(self, **keywords: Unpack[ScrollKeywords]) -> ActionResult:
        """Scroll the page."""
        return await self.call(methods.action.scroll, options=ScrollOptions(**keywords), page_id=self.id)
