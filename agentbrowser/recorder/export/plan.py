"""Plan of an exported test, from the requests of a recording. Pure."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import attrs

from agentbrowser.policy.redaction import REDACTED
from agentbrowser.recorder.archive import Recording
from agentbrowser.recorder.export.items import (
    Action,
    Check,
    Item,
    Reading,
    ReadWords,
    Remark,
    SiteUrl,
    Target,
    TestPlan,
    UnsupportedStep,
    Value,
    Withheld,
)
from agentbrowser.recorder.export.seen import (
    Locator,
    SeenElement,
    SeenLook,
    codes_in,
    read_look,
    steady_words,
    tickers_in,
)
from agentbrowser.recorder.export.values import (
    VARIABLE,
    chosen_options,
    described,
    known_or_withheld,
    meant_by_words,
    one_line,
    own_params,
    title,
    uploaded_files,
)
from agentbrowser.recorder.steps import look_of, steps_of

_MAX_WORDS: Final = 5
_MAX_ELEMENTS: Final = 3
_READS: Final = ("observe/", "agent/observe", "agent/extract", "page/list", "page/activate", "frame/list")
"""Methods that change nothing; their looks become expectations."""
_NO_ROLES: Final = ("generic", "file")
_EXTRACT: Final = "agent/extract"
_OPENING: Final = ("page/create", "page/navigate")
_ROUNDED_MS: Final = 2
_CONTEXT: Final = 4
"""Words before and behind those that are read."""


def plan_of(recording: Recording) -> TestPlan:
    """Return the plan of a test that repeats a recording."""
    steps = steps_of(recording)
    first = next((step.params["url"] for step in steps if step.method in _OPENING and step.params.get("url")), "")
    parts = urlsplit(first)
    site = f"{parts.scheme}://{parts.netloc}" if parts.netloc else "http://127.0.0.1"
    looks = [look_of(step.event.get("result")) for step in steps if step.method != _EXTRACT]
    planner = _Planner(
        site=site,
        located=[event for event in recording.events if event["kind"] == "locator"],
        tickers=tickers_in(read_look(look) for look in looks if isinstance(look, dict)),
    )
    for step in steps:
        planner.add(step.event)
    items = [item for item in planner.items if not isinstance(item, Reading) or item.variable in planner.typed]
    return TestPlan(recording=str(recording.meta.get("id", "")), site=site, items=_once(items), context=planner.context)


def _once(items: list[Item]) -> list[Item]:
    """Return the items without an expectation that repeats the one before it."""
    before = [None, *items]
    return [item for number, item in enumerate(items) if not (isinstance(item, Check) and item == before[number])]


@attrs.define
class _Planner:
    """Reader of the requests of a recording, in order."""

    site: str
    located: list[Mapping[str, Any]]
    """Recorded locators that no action has taken yet, in order of time."""
    tickers: frozenset[str]
    """Shapes of words whose numbers depend on the time."""
    items: list[Item] = attrs.field(factory=list)
    _span: tuple[float, float] = (0.0, 0.0)
    """Time of the present request."""
    context: dict[str, Any] = attrs.field(factory=dict)
    typed: set[str] = attrs.field(factory=set)
    """Variables of the read words that are typed."""
    _pages: dict[str | None, str] = attrs.field(factory=dict)
    _elements: dict[str, dict[str, SeenElement]] = attrs.field(factory=dict)
    _words: dict[str, set[str]] = attrs.field(factory=dict)
    _looks: int = 0
    _read: dict[str, str] = attrs.field(factory=dict)
    """Variables of the read words."""
    _codes: set[str] = attrs.field(factory=set)
    """Words with numbers of all looks."""
    _made_up: set[str] = attrs.field(factory=set)
    """Those that came after an action."""
    _framed: set[str] = attrs.field(factory=set)
    """Pages on which looks have shown frames."""
    _armed: dict[str, tuple[UnsupportedStep, dict[str, Any]]] = attrs.field(factory=dict)
    """Answers to the next dialog of a page, each with the item that stands for one that no dialog has got."""
    _documents: dict[str, str] = attrs.field(factory=dict)
    """URLs of the last looks, without fragments."""

    def add(self, event: Mapping[str, Any]) -> None:
        """Add a request and what its answer shows."""
        method, params = event["method"], dict(event.get("params") or {})
        self._span = (event["t"] - _ROUNDED_MS, event["t"] + event["ms"] + _ROUNDED_MS)
        if error := event.get("error"):
            self.items.append(Remark(f"left out: {method} failed with {error['code']}: {one_line(error['message'])}"))
            return
        result = event.get("result") or {}
        page = event.get("page") or params.get("pageId")
        if method == "agent/act":
            self._sequence(params, result, page)
        elif method == "dialog/handle":
            self._answer(params, result, page)
        else:
            self._step(method, params, result, page)
        look = look_of(result)
        if isinstance(look, dict) and method != _EXTRACT:
            self._look(read_look(look), self._page(page))

    def _sequence(self, params: Mapping[str, Any], result: Mapping[str, Any], page: str | None) -> None:
        outcomes = {one["step"]: one for one in result.get("results", [])}
        for number, step in enumerate(params.get("steps", [])):
            outcome = outcomes.get(number)
            if outcome is None:
                return
            reason = one_line((outcome.get("error") or {}).get("message", ""))
            if not outcome["success"] and "result" not in outcome:
                self.items.append(Remark(f"left out: step {number}, {step['action']}, failed: {reason}"))
                continue
            own = step.get("params") or {}
            there = own.get("pageId") or page
            if condition := step.get("condition"):
                target = self._target(condition["selector"], self._page(there))
                self.items.append(Check(page=self._page(there), target=target, state=condition["state"]))
            self._step(step["action"], own, outcome.get("result") or {}, there)
            if not outcome["success"]:  # it was done: what came next may depend on it
                self.items.append(Remark(f"left out: what step {number} was expected to lead to: {reason}"))
            elif expect := step.get("expect"):
                meant = (outcome.get("result") or {}).get("element")
                self._expect(expect, own.get("selector"), meant, self._page(there))

    def _step(self, method: str, params: Mapping[str, Any], result: Mapping[str, Any], page: str | None) -> None:
        if method.startswith(_READS):
            return
        if method == "page/create":
            self._create(params, result)
            return
        if method == "page/waitFor":
            self._wait(params, self._page(page))
            return
        if method.startswith(("context/", "browser/")):
            self.items.append(Remark(f"left out: {method}"))
            return
        here = self._page(page)
        if method == "session/fork":
            self._fork(here, result["pageId"])
            return
        opened = result.get("newPages") or []
        for number, one in enumerate(opened):
            self._pages[one["pageId"]] = f"page{len(self._pages) + 1}"
            if number:
                further = self._pages[one["pageId"]]
                self.items.append(UnsupportedStep(f"{method} opened {len(opened)} pages: open {further} here"))
        meant = result.get("element")
        target = self._target(params.get("selector") or params.get("source"), here, acts=True, meant=meant)
        drop = params.get("target")
        dialog = result.get("dialog")
        answer = {"answered": dialog["answered"], **self._take_armed(here)} if dialog else None
        self.items.append(
            Action(
                method=method,
                page=here,
                target=target,
                drop_target=self._target(drop, here) if isinstance(drop, str) or (drop and "type" in drop) else None,
                value=self._value(method, params, target),
                values=self._values(method, params, target),
                options={**chosen_options(params), **own_params(method, params)},
                opens=self._pages[opened[0]["pageId"]] if opened else None,
                dialog=answer,
            )
        )
        url = result.get("url")
        if url and (result.get("navigated") or method.startswith("page/")):
            self.items.append(Check(page=here, url=self._url(url)))

    def _fork(self, here: str, id_: str) -> None:
        """Add a copy of a page, which has the elements and words of the original."""
        variable = self._pages[id_] = f"page{len(self._pages) + 1}"
        self._elements[variable] = dict(self._elements.get(here, {}))
        self._words[variable] = set(self._words.get(here, ()))
        self.items.append(Action(method="session/fork", page=here, opens=variable))

    def _create(self, params: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        if not self._pages:
            given = {name: params[name] for name in ("locale", "timezone", "userAgent") if params.get(name)}
            self.context = {**given, "viewport": params.get("viewport") or result.get("viewport")}
        variable = f"page{len(self._pages) + 1}" if self._pages else "page"
        self._pages[result.get("id")] = variable
        url = params.get("url")
        opening = self._url(url, visits=True) if url else None
        self.items.append(Action(method="page/create", page=variable, value=opening))
        if url and result.get("url"):
            self.items.append(Check(page=variable, url=self._url(result["url"])))

    def _answer(self, params: Mapping[str, Any], result: Mapping[str, Any], page: str | None) -> None:
        """Give the answer to the dialog of the last action or the next one: Playwright needs it before the action."""
        here = self._page(page)
        if params["action"] == "disarm":
            self._take_armed(here)
            return
        prompt = params.get("promptText")
        value = Withheld(f"{VARIABLE}PROMPT") if prompt == REDACTED else prompt
        answered = {"answered": f"{params['action']}ed", "prompt": value}
        if result.get("handled") is False:
            self._take_armed(here)
            unused = UnsupportedStep("an answer was armed for a dialog that no action opened")
            self._armed[here] = unused, {**answered, "sent": "before"}
            self.items.append(unused)
            return
        answered["sent"] = "after"
        for number, item in reversed(list(enumerate(self.items))):
            if isinstance(item, Action) and item.page == here and item.dialog:
                self.items[number] = attrs.evolve(item, dialog={**item.dialog, **answered})
                break
        else:
            self.items.append(UnsupportedStep("a dialog was answered that no action opened"))

    def _take_armed(self, here: str) -> dict[str, Any]:
        """Return the answer that is armed on the page, which none has from now on; nothing if there is none."""
        unused, answer = self._armed.pop(here, (None, {}))
        self.items = [item for item in self.items if item is not unused]
        return answer

    def _wait(self, params: Mapping[str, Any], here: str) -> None:
        if words := params.get("text"):
            self.items.append(Check(page=here, words=words))
        elif gone := params.get("textGone"):
            self.items.append(Check(page=here, gone=gone))
        elif url := params.get("url"):
            self.items.append(Check(page=here, part=self._part(url)))
        elif target := self._target(params.get("selector"), here):
            self.items.append(Check(page=here, target=target, state=params.get("state") or "visible"))

    def _expect(self, expect: Mapping[str, Any], own: Any, meant: Mapping[str, Any] | None, here: str) -> None:
        """Add what a step was expected to lead to.

        Args:
          own: the selector of the step.
          meant: the element that its words meant.
        """
        if words := expect.get("text"):
            self.items.append(Check(page=here, words=words))
        if url := expect.get("url"):
            self.items.append(Check(page=here, part=self._part(url)))
        selector = expect.get("selector")
        target = self._target(selector or own, here, meant=None if selector else meant)
        if target and expect.get("state"):
            self.items.append(Check(page=here, target=target, state=expect["state"]))
        if target and expect.get("value") is not None and expect["value"] != REDACTED:
            self.items.append(Check(page=here, target=target, content=expect["value"]))

    def _look(self, look: SeenLook, here: str) -> None:
        known = self._words.setdefault(here, set())
        elements = self._elements.setdefault(here, {})
        if look.url is not None and not look.is_diff:
            document = look.url.partition("#")[0]
            if self._documents.get(here, document) != document:
                known.clear()
            self._documents[here] = document
        if look.has_frames:
            self._framed.add(here)
        new = [one for ref, one in look.elements.items() if ref not in elements]
        elements.update(look.elements)
        words = steady_words(look.words, known, self._codes - self._made_up, _MAX_WORDS, self.tickers)
        if self._looks:
            self._read_new(look, here)
            self._made_up |= codes_in(look.words) - self._codes
        self._codes |= codes_in(look.words)
        if not look.is_diff:
            known.clear()
        known.update(text for _, text in look.words)
        self._looks += 1
        is_anywhere = look.is_diff and here in self._framed
        self.items += [Check(page=here, words=text, look=self._looks, is_anywhere=is_anywhere) for text in words]
        if look.is_diff:
            steady = [
                one for one in new if one.name and not one.is_derived and not one.frame and REDACTED not in one.name
            ]
            # The page may have others of the same role and name, which these changes do not hold.
            named = [attrs.evolve(one, place=0, is_alone=True) for one in steady if one.role not in _NO_ROLES]
            targets = [Target(selector={"type": "ref"}, element=one) for one in named]
            self.items += [Check(page=here, target=target, look=self._looks) for target in targets[:_MAX_ELEMENTS]]

    def _read_new(self, look: SeenLook, here: str) -> None:
        """Read the codes that the page has just made up, in case that they are typed later."""
        for _, text in look.words:
            for code in codes_in([("", text)]) - (self._codes - self._made_up):
                words = code.strip(".,:;()")
                before, _, after = text.partition(words)
                context = " ".join(before.split()[-_CONTEXT:]), " ".join(after.split()[:_CONTEXT])
                if words in self._read or not re.search(r"\w", "".join(context)):
                    continue
                variable = self._read[words] = f"words{len(self._read) + 1}"
                item = Reading(page=here, variable=variable, before=context[0], words=words, after=context[1])
                self.items.append(item)

    def _page(self, id_: str | None) -> str:
        """Return the variable of a page; the first request opens the first one."""
        if id_ in self._pages:
            return self._pages[id_]
        if id_ is None and self._pages:
            return list(self._pages.values())[-1]
        variable = f"page{len(self._pages) + 1}" if self._pages else "page"
        if self._pages:
            self.items.append(UnsupportedStep(f"{variable} opened by itself: open it here"))
        self._pages[id_] = variable
        self.items.append(Action(method="page/create", page=variable))
        return variable

    def _target(
        self, selector: Any, here: str, *, acts: bool = False, meant: Mapping[str, Any] | None = None
    ) -> Target | None:
        if not selector:
            return None
        if isinstance(selector, str):
            kind = "ref" if selector.startswith("@") else "css"
            selector = {"type": kind, "value": selector}
        known, element = self._elements.get(here, {}), None
        if selector["type"] == "ref":
            element = self._located(known.get(selector["value"]), selector["value"], here, acts=acts)
        elif selector["type"] == "semantic":
            element = meant_by_words(meant, known) if meant else described(selector["description"], known.values())
        return Target(selector=selector, element=element)

    def _located(self, element: SeenElement | None, ref: str, here: str, *, acts: bool) -> SeenElement | None:
        """Return an element with the locator that was recorded as the present request acted on it.

        Args:
          acts: the next step of the request that acts on it has the next locator.
        """
        first, last = self._span
        pages = {id_ for id_, variable in self._pages.items() if variable == here}
        for event in self.located:
            if first <= event["t"] <= last and event["ref"] == ref and event["page"] in pages:
                if acts:
                    self.located.remove(event)
                known = element or SeenElement(role=event.get("role") or "generic", name=event.get("name") or "")
                return attrs.evolve(known, locator=Locator.of(event))
        return element

    def _value(self, method: str, params: Mapping[str, Any], target: Target | None) -> Value | None:
        if method == "page/navigate":
            return self._url(params["url"], visits=True)
        name = {"action/fill": "value", "action/type": "text", "action/press": "key"}.get(method)
        if name is not None:
            if (variable := self._read.get(params[name])) is not None:
                self.typed.add(variable)
                return ReadWords(variable)
            return known_or_withheld(params[name], "KEY" if name == "key" else title(target))
        return None

    def _values(self, method: str, params: Mapping[str, Any], target: Target | None) -> tuple[Value, ...]:
        if method == "action/upload":
            return uploaded_files(params, target)
        given = params.get("values") if method == "action/select" else None
        return tuple(
            known_or_withheld(one, title(target)) for one in ([given] if isinstance(given, str) else given or [])
        )

    def _url(self, url: str, *, visits: bool = False) -> Value:
        if visits and REDACTED in unquote(url):
            return Withheld(f"{VARIABLE}URL")
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}" != self.site:
            return url
        return SiteUrl(url[len(self.site) :] or "/")

    def _part(self, url: str) -> Value:
        return SiteUrl(url[len(self.site) :]) if url.startswith(self.site) else url
