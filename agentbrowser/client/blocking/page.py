# Generated from agentbrowser/client/page.py: python -m agentbrowser.protocol.generate --write
"""A page of a browser."""

import base64
from collections.abc import Callable, Mapping, Sequence
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, Unpack, overload

import attrs

from agentbrowser import methods
from agentbrowser.client.blocking.element import Element
from agentbrowser.client.extraction import schema_of, to_instance
from agentbrowser.client.failures import ExtractionFailed
from agentbrowser.client.options import (
    ActionKeywords,
    MoveKeywords,
    ObserveKeywords,
    ScreenshotKeywords,
    ScrollKeywords,
    SequenceKeywords,
)
from agentbrowser.client.outcomes import Extracted, Image, SequenceOutcome, TextObservation, extracted
from agentbrowser.client.blocking.results import ActionOutcome, sequence_outcome
from agentbrowser.client.selectors import action_params, at, parse_step, with_extras
from agentbrowser.client.typed import items_of, require, require_method, structure, unstructure
from agentbrowser.protocol.registry import Method
from agentbrowser.protocol.types.action import ActionOptions, ActionResult, ScrollOptions
from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.protocol.types.handoff import HandoffResult, HandoffUntil
from agentbrowser.protocol.types.navigation import MoveResult, NavigateResult
from agentbrowser.protocol.types.observe import ContentFormat, ScreenshotOptions, SettleOptions, WaitState
from agentbrowser.protocol.types.page import WaitForResult, WaitUntil
from agentbrowser.protocol.types.selector import Selector
from agentbrowser.protocol.types.sequence import ExecutionStep

if TYPE_CHECKING:
    from agentbrowser.client.blocking.browser import Browser
    from agentbrowser.methods.agent_observe import ObserveParams
    from agentbrowser.protocol.types.extract import AgentExtractResult

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

    def call(self, method: Method[P, ResultT], *args: P.args, **kwargs: P.kwargs) -> ResultT:
        """Call a method with its params as keywords, on this page: ``page.call(dialog.handle, action="accept")``.

        Another ``page_id`` or a ``context_id`` among the params goes before this page.
        """
        require_method(method)
        params = unstructure(method.params(*args, **kwargs))
        if self.id is not None and method.takes_page and "contextId" not in params:
            params.setdefault("pageId", self.id)
        return structure(method.result, self.browser.request(method.name, params))

    # Navigation

    def goto(
        self,
        url: str,
        *,
        wait_until: WaitUntil = "load",
        referer: str | None = None,
        observe: "Literal['changes'] | ObserveParams | None" = None,
        idempotency_key: str | None = None,
        timeout_ms: int | None = None,
    ) -> NavigateResult:
        """Load a URL; with ``observe``, also observe the loaded page.

        Raises:
          NavigationFailed: the page could not be loaded.
        """
        return self._call(
            methods.page.navigate,
            idempotency_key,
            url=url,
            wait_until=wait_until,
            referer=referer,
            observe=observe,
            timeout_ms=timeout_ms,
        )

    def fork(self, *, timeout_ms: int | None = None) -> "Page":
        """Return a copy of the page in a new context, to try another way. Requires the scope ``full``.

        It has cookies, storage, URL, scroll position and form values, and no passwords.
        """
        return Page(self.browser, (self.call(methods.session.fork, timeout_ms=timeout_ms)).page_id)

    def reload(self, **keywords: Unpack[MoveKeywords]) -> MoveResult:
        """Load the page again."""
        return self._call(methods.page.reload, **keywords)

    def go_back(self, **keywords: Unpack[MoveKeywords]) -> MoveResult:
        """Go to the page before in the history."""
        return self._call(methods.page.go_back, **keywords)

    def go_forward(self, **keywords: Unpack[MoveKeywords]) -> MoveResult:
        """Go to the page after in the history."""
        return self._call(methods.page.go_forward, **keywords)

    def wait_for(
        self,
        text: str | None = None,
        *,
        text_gone: str | None = None,
        url: str | None = None,
        selector: str | Selector | None = None,
        state: WaitState | None = None,
        idle: bool = False,
        duration_ms: int | None = None,
        timeout_ms: int = 5000,
    ) -> WaitForResult:
        """Wait for one condition: words, words that go, a URL, an element's state, a page that has settled, or time.

        Raises:
          Timeout: it was not met in time; the details name what was there instead.
        """
        return self.call(
            methods.page.wait_for,
            text=text,
            text_gone=text_gone,
            url=url,
            selector=None if selector is None else at(selector),
            state=state,
            idle=idle,
            duration_ms=duration_ms,
            timeout_ms=timeout_ms,
        )

    def ask_human(
        self,
        reason: str,
        instructions: str = "",
        *,
        choices: Sequence[str] = (),
        until: HandoffUntil | None = None,
        timeout_ms: int = 300_000,
    ) -> HandoffResult:
        """Ask a person to take the page over, and wait until it is handed back or a condition holds.

        The live view shows the request. Looks at the page continue meanwhile; actions raise `PageHeld` while the person
        has it. The outcome is ``done``, ``declined`` or ``timeout``.

        Args:
          choices: answers of which the person can pick one, which is the result's ``answer``; at most 20.

        Raises:
          ActionFailed: the server has no live view.
        """
        return self.call(
            methods.handoff.request,
            reason=reason,
            instructions=instructions,
            choices=items_of("choices", "a list of texts", choices) or None,
            until=until,
            timeout_ms=timeout_ms,
        )

    def activate(self, *, timeout_ms: int | None = None) -> None:
        """Make it the active page, and bring it to the front; one without an id is that already."""
        if self.id is not None:
            self.browser.request(methods.page.activate.name, {"pageId": self.id}, timeout_ms=timeout_ms)

    def close(
        self, *, run_before_unload: bool = False, idempotency_key: str | None = None, timeout_ms: int | None = None
    ) -> None:
        """Close the page; whatever runs on it ends in TargetClosed."""
        method = methods.page.close
        params = unstructure(method.params(page_id=self.id, run_before_unload=run_before_unload))
        self.browser.request(
            method.name, with_extras(params, idempotency_key=idempotency_key), timeout_ms=timeout_ms
        )

    # Observation

    @overload
    def observe(
        self, *, format: Literal["text", "both"] = "both", **keywords: Unpack[ObserveKeywords]
    ) -> TextObservation: ...
    @overload
    def observe(self, *, format: Literal["json"], **keywords: Unpack[ObserveKeywords]) -> AgentObserveResult: ...
    def observe(
        self, *, format: Literal["json", "text", "both"] = "both", **keywords: Unpack[ObserveKeywords]
    ) -> AgentObserveResult:
        """Observe the page: ``text`` of the result is ready for a prompt, and ``elements`` holds the elements in it.

        ``format="text"`` returns the text alone, which is less to send, and ``"json"`` ``content`` in its place.
        """
        seen = self.call(methods.agent_observe.observe, format=format, **keywords)
        return seen if seen.text is None else TextObservation(**attrs.asdict(seen, recurse=False))

    def screenshot(
        self,
        selector: str | Selector | None = None,
        *,
        timeout_ms: int | None = None,
        **keywords: Unpack[ScreenshotKeywords],
    ) -> Image:
        """Take a screenshot of the viewport, the document (``full_page=True``), a part (``clip``), or one element.

        The result is the bytes of the image, with its format, width and height.
        """
        result = self.call(
            methods.observe.screenshot,
            options=ScreenshotOptions(**keywords),
            selector=None if selector is None else at(selector),
            timeout_ms=timeout_ms,
        )
        return Image(base64.b64decode(result.data), format=result.format, width=result.width, height=result.height)

    def content(
        self,
        format: ContentFormat = "markdown",
        *,
        selector: str | Selector | None = None,
        timeout_ms: int | None = None,
    ) -> str:
        """Return the content of the page, or of one element."""
        result = self.call(
            methods.observe.content,
            format=format,
            selector=None if selector is None else at(selector),
            timeout_ms=timeout_ms,
        )
        return result.content

    @overload
    def extract(
        self,
        kind: Mapping[str, Any],
        instruction: str | None = None,
        *,
        selector: str | Selector | None = None,
        max_items: int | None = None,
        min_confidence: float = 0.5,
        include_source_refs: bool = False,
        settle: bool | SettleOptions = True,
        timeout_ms: int | None = None,
    ) -> Extracted[Any]: ...
    @overload
    def extract(
        self,
        kind: type[ResultT],
        instruction: str | None = None,
        *,
        selector: str | Selector | None = None,
        max_items: int | None = None,
        min_confidence: float = 0.5,
        include_source_refs: bool = False,
        settle: bool | SettleOptions = True,
        timeout_ms: int | None = None,
    ) -> Extracted[ResultT]: ...
    def extract(
        self,
        kind: type[ResultT] | Mapping[str, Any],
        instruction: str | None = None,
        *,
        selector: str | Selector | None = None,
        max_items: int | None = None,
        min_confidence: float = 0.5,
        include_source_refs: bool = False,
        settle: bool | SettleOptions = True,
        timeout_ms: int | None = None,
    ) -> Extracted[ResultT]:
        """Return the data on the page, with its confidence: an instance of a class, or a list of them.

        The class is an attrs class or a dataclass. Names, types and docstrings of its fields describe the data; a
        field that may be None is optional. A mapping is the schema itself. Values less probably right than
        ``min_confidence`` are left out. With ``include_source_refs``, the result has the ``sources`` of the values.

        Raises:
          ExtractionFailed: nothing fits, or a required value is too doubtful; the message is the reason.
          TypeError: the class has no schema.
        """
        require("max_items", "a number of items", max_items, int, NoneType)
        schema = schema_of(kind)
        items: list[Any] = []
        parts: list[AgentExtractResult] = []
        cursor = None
        while True:
            result = self.call(
                methods.agent_extract.extract,
                schema=schema,
                instruction=instruction,
                mode="list" if schema.type == "array" else "single",
                selector=None if selector is None else at(selector),
                max_items=500 if max_items is None else min(500, max_items - len(items)),
                min_confidence=min_confidence,
                include_source_refs=include_source_refs,
                cursor=cursor,
                settle=settle,
                timeout_ms=timeout_ms,
            )
            if not result.success:
                reason, fields = result.error or "Nothing on the page fits.", unstructure(result.fields)
                raise ExtractionFailed(
                    reason, confidence=result.confidence, fields=fields, extracted=len(items) or None
                )
            parts.append(result)
            if schema.type != "array":
                return extracted(to_instance(kind, result.data), parts)
            items += result.data or ()
            cursor = result.next_cursor
            if cursor is None or (max_items is not None and len(items) >= max_items):
                return extracted(to_instance(kind, items), parts)

    def evaluate(
        self,
        expression: str,
        arg: Any = None,
        *,
        world: Literal["isolated", "main"] = "isolated",
        await_promise: bool = True,
        timeout_ms: int | None = None,
    ) -> Any:
        """Run a script in the page, and return its value. Requires the scope ``privileged``."""
        result = self.call(
            methods.script.evaluate,
            expression=expression,
            arg=arg,
            world=world,
            await_promise=await_promise,
            timeout_ms=timeout_ms,
        )
        return result.value

    # Actions

    def act(
        self,
        steps: Sequence[ExecutionStep | Mapping[str, Any]],
        *,
        check: bool = True,
        **keywords: Unpack[SequenceKeywords],
    ) -> SequenceOutcome:
        """Run steps in sequence in one request; each is made by `step`, or given in its wire form.

        With ``check=False``, a failed step is reported in the result only.

        Raises:
          SequenceFailed: a step failed that does not have ``on_error="skip"``; it holds all results so far.
          InvalidParams: a step is invalid; none was run.
        """
        typed = [parse_step(index, one) for index, one in enumerate(items_of("steps", "a list of steps", steps))]
        method: Any = methods.agent_act.act
        own = {name: value for name, value in keywords.items() if name != "idempotency_key"}
        plain = unstructure(method.params(steps=typed, page_id=self.id, **own))
        params = with_extras(plain, idempotency_key=keywords.get("idempotency_key"))
        done = sequence_outcome(self, typed, self.browser.request(method.name, params))
        if check:
            done.check(typed, conditions_may_fail=keywords.get("continue_on_condition_fail", False))
        return done

    def press(self, key: str, **keywords: Unpack[ActionKeywords]) -> ActionOutcome:
        """Press a key or a key combination in the focused element."""
        return self.perform(methods.action.press, ActionOptions, keywords, key=key)

    def scroll(self, **keywords: Unpack[ScrollKeywords]) -> ActionOutcome:
        """Scroll the page."""
        return self.perform(methods.action.scroll, ScrollOptions, keywords)

    def perform(
        self,
        method: Method[..., ActionResult],
        options: Callable[..., ActionOptions],
        keywords: Mapping[str, Any],
        **params: Any,
    ) -> ActionOutcome:
        """Call an action with its options as keywords; the elements' and the page's own methods use it."""
        plain = action_params(method, options, keywords, page_id=self.id, **params)
        return ActionOutcome.of(self, self.browser.request(method.name, plain))

    def sibling(self, id: str) -> "Page":
        """Return another page of the same browser by its id."""
        return Page(self.browser, id)

    def _call(self, method: Method[..., ResultT], idempotency_key: str | None = None, **params: Any) -> ResultT:
        plain = with_extras(unstructure(method.params(page_id=self.id, **params)), idempotency_key=idempotency_key)
        return structure(method.result, self.browser.request(method.name, plain))
