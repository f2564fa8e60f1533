"""Exported tests for Playwright, in Python for pytest, and in TypeScript for @playwright/test. Pure."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import attrs

from agentbrowser.recorder.export.dialect import (
    Code,
    Dialect,
    NotRepeatable,
    name_of,
    quote,
    reading_pattern,
    url_pattern,
    words_pattern,
)
from agentbrowser.recorder.export.items import (
    Action,
    Check,
    Reading,
    Remark,
    SiteUrl,
    Target,
    TestPlan,
    UnsupportedStep,
    Value,
)
from agentbrowser.recorder.export.playwright_heads import PYTHON_HEAD, TYPESCRIPT_HEAD
from agentbrowser.recorder.export.seen import Locator, Row, SeenElement

_STATES: Final[Mapping[str, str]] = {
    "visible": "toBeVisible",
    "hidden": "toBeHidden",
    "enabled": "toBeEnabled",
    "disabled": "toBeDisabled",
    "exists": "toBeAttached",
    "attached": "toBeAttached",
    "detached": "toBeHidden",
}
_PAGE_CALLS: Final[Mapping[str, str]] = {
    "page/reload": "reload",
    "page/goBack": "goBack",
    "page/goForward": "goForward",
    "page/close": "close",
}
_ELEMENT_CALLS: Final[Mapping[str, str]] = {
    "action/click": "click",
    "action/dblclick": "dblclick",
    "action/hover": "hover",
    "action/check": "check",
    "action/uncheck": "uncheck",
    "action/clear": "clear",
    "action/fill": "fill",
    "action/type": "pressSequentially",
    "action/press": "press",
}
_OPTIONS: Final = ("button", "clickCount", "modifiers", "position", "force", "delay")
_WHEEL: Final[Mapping[str, tuple[int, int]]] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_SCROLLED: Final = 300
_NAMED_BY_WORDS: Final = frozenset({"listitem", "row", "cell", "gridcell", "article", "option", "group", "region"})
"""Roles whose elements a look names by the words in them."""


def _path(url: Value) -> str:
    return url.path if isinstance(url, SiteUrl) else str(url)


def _is_joined(words: str) -> bool:
    """Return True if words of a look may be those of several elements."""
    return "\\W" in words_pattern(words)


def playwright_python(plan: TestPlan) -> str:
    """Return the test in Python."""
    head = PYTHON_HEAD.format(**_facts(plan, Dialect(is_python=True), "\n"))
    lines = _Writer(Dialect(is_python=True), plan).lines()
    return head + "".join(f"        {line}\n" if line else "\n" for line in [*lines, "browser.close()"])


def playwright_typescript(plan: TestPlan) -> str:
    """Return the test in TypeScript."""
    head = TYPESCRIPT_HEAD.format(**_facts(plan, Dialect(is_python=False), "\n// "))
    lines = _Writer(Dialect(is_python=False), plan).lines()
    return head + "".join(f"  {line}\n" if line else "\n" for line in lines) + "});\n"


def _facts(plan: TestPlan, dialect: Dialect, new_line: str) -> dict[str, str]:
    named = ", ".join(plan.variables)
    given = {"timezoneId" if name == "timezone" else name: value for name, value in plan.context.items() if value}
    return {
        "recording": name_of(plan.recording),
        "site": quote(plan.site),
        "variables": f"{new_line}Values that it does not hold: {named}." if named else "",
        "context": dialect.arguments(**given),
    }


@attrs.frozen
class _Writer:
    """Writer of the statements of one test."""

    dialect: Dialect
    plan: TestPlan

    def lines(self) -> Iterator[str]:
        """Yield the statements."""
        for item in self.plan.items:
            match item:
                case Remark():
                    yield self.dialect.comment(item.text)
                case UnsupportedStep():
                    yield self.dialect.failure(item.reason)
                case Reading():
                    yield self._read(item)
                case Action() | Check():
                    yield from self._repeatable(item)

    def _repeatable(self, item: Action | Check) -> Iterator[str]:
        try:
            yield from list(self._check(item) if isinstance(item, Check) else self._action(item))
        except NotRepeatable as reason:
            yield self.dialect.failure(str(reason))

    def _read(self, reading: Reading) -> str:
        function = "read_words" if self.dialect.is_python else "readWords"
        pattern = quote(reading_pattern(reading))
        return self.dialect.assigned(reading.variable, f"{function}({reading.page}, {pattern})")

    def _action(self, action: Action) -> Iterator[str]:
        done = list(self._do(action))
        if action.dialog and action.dialog["answered"] != "open":
            yield self._dialog(action)
        if action.opens is None:
            yield from done
        elif self.dialect.is_python:
            yield f"with {action.page}.expect_popup() as opening:"
            yield from (f"    {line}" for line in done)
            yield f"{action.opens} = opening.value"
        else:
            yield f'const opening{action.opens} = {action.page}.waitForEvent("popup");'
            yield from done
            yield f"const {action.opens} = await opening{action.opens};"

    def _dialog(self, action: Action) -> str:
        assert action.dialog is not None
        is_accepted, prompt = action.dialog["answered"] == "accepted", action.dialog.get("prompt")
        answer = self.dialect.call("dialog", "accept" if is_accepted else "dismiss", *([prompt] if prompt else []))
        handler = f"lambda dialog: {answer}" if self.dialect.is_python else f"(dialog) => {answer}"
        return f'{action.page}.once("dialog", {handler})' + ("" if self.dialect.is_python else ";")

    def _do(self, action: Action) -> Iterator[str]:
        say, call = self.dialect.statement, self.dialect.call
        method, page, options = action.method, action.page, action.options
        if method == "page/create":
            yield self.dialect.assigned(page, call("context", "newPage"))
            if action.value is not None:
                yield say(call(page, "goto", action.value))
        elif method == "page/navigate":
            yield say(call(page, "goto", action.value))
        elif method in _PAGE_CALLS:
            yield say(call(page, _PAGE_CALLS[method]))
        elif method == "emulate/setViewport":
            size = {name: options[name] for name in ("width", "height")}
            yield say(call(page, "setViewportSize", size))
        elif method == "emulate/setOffline":
            yield say(call("context", "setOffline", options["offline"]))
        elif method == "action/scroll":
            yield from map(say, self._scroll(action))
        elif method == "action/drag":
            yield from map(say, self._drag(action))
        elif method == "action/press" and action.target is None:
            yield say(call(f"{page}.keyboard", "press", action.value))
        elif method == "action/upload" and action.target is not None:
            element = self._locator(action.target, page)
            files = self.dialect.literal(action.values)
            yield say(f"upload({page}, {element}, {files})")
        elif method in (*_ELEMENT_CALLS, "action/select") and action.target is not None:
            yield say(self._act(action, action.target))
        else:
            raise NotRepeatable(f"{method} has no equal here")

    def _act(self, action: Action, target: Target) -> str:
        given = {name: action.options[name] for name in _OPTIONS if action.options.get(name)}
        if target.selector["type"] == "coordinates" and action.method in ("action/click", "action/dblclick"):
            name = action.method.removeprefix("action/")
            return self.dialect.call(f"{action.page}.mouse", name, target.selector["x"], target.selector["y"])
        element = self._locator(target, action.page)
        if action.method == "action/select":
            return self.dialect.call(element, "selectOption", list(action.values))
        value = [] if action.value is None else [action.value]
        return self.dialect.call(element, _ELEMENT_CALLS[action.method], *value, **given)

    def _scroll(self, action: Action) -> Iterator[str]:
        amount, direction = action.options.get("amount"), action.options.get("direction")
        if action.target is not None and direction is None and amount in (None, "toElement"):
            yield self.dialect.call(self._locator(action.target, action.page), "scrollIntoViewIfNeeded")
            return
        if action.target is not None:
            yield self.dialect.call(self._locator(action.target, action.page), "hover")
        right, down = _WHEEL[direction or "down"]
        pixels = amount if isinstance(amount, int | float) else 720 if amount == "page" else _SCROLLED
        yield self.dialect.call(f"{action.page}.mouse", "wheel", right * pixels, down * pixels)

    def _drag(self, action: Action) -> Iterator[str]:
        if action.target is None:
            raise NotRepeatable("action/drag has no source")
        source = self._locator(action.target, action.page)
        if action.drop_target is not None:
            yield self.dialect.call(source, "dragTo", Code(self._locator(action.drop_target, action.page)))
            return
        point = action.options["target"]
        if "x" not in point:
            raise NotRepeatable("action/drag by a distance has no equal here")
        yield self.dialect.call(source, "hover")
        yield self.dialect.call(f"{action.page}.mouse", "down")
        yield self.dialect.call(f"{action.page}.mouse", "move", point["x"], point["y"])
        yield self.dialect.call(f"{action.page}.mouse", "up")

    def _check(self, check: Check) -> Iterator[str]:
        page = check.page
        if check.url is not None:
            yield self._expect(page, "toHaveURL", self._expected_url(check.url))
        elif check.part is not None:
            yield self._expect(page, "toHaveURL", self.dialect.pattern(url_pattern(_path(check.part))))
        elif check.words is not None and check.look is not None and (check.is_anywhere or _is_joined(check.words)):
            pattern = words_pattern(check.words)
            function = "check_words" if self.dialect.is_python else "checkWords"
            yield self.dialect.statement(f"{function}({page}, {quote(pattern)})")
        elif check.words is not None:
            yield self._expect(self._shown(page, check.words), "toBeVisible")
        elif check.gone is not None:
            yield self._expect(self._shown(page, check.gone), "toBeHidden")
        elif check.target is not None:
            element = self._locator(check.target, page)
            yield from self._check_element(check, element if check.look is None else self._first_visible(element))

    def _check_element(self, check: Check, element: str) -> Iterator[str]:
        content = check.content
        if content is None:
            yield self._expect(element, _STATES[check.state])
        elif isinstance(content, bool):
            yield self._expect(element, "toBeChecked", checked=content)
        else:
            yield self._expect(element, "toHaveValues" if isinstance(content, list) else "toHaveValue", content)

    def _expect(self, subject: str, name: str, *args: Any, **options: Any) -> str:
        name = "to_have_url" if name == "toHaveURL" and self.dialect.is_python else name
        return self.dialect.statement(self.dialect.call(f"expect({subject})", name, *args, **options))

    def _expected_url(self, url: Value) -> Any:
        pattern = url_pattern(_path(url))
        return self.dialect.pattern(f"{pattern}$") if ".*" in pattern else url

    def _shown(self, page: str, words: str) -> str:
        return self._first_visible(self.dialect.call(page, "getByText", words))

    def _first_visible(self, found: str) -> str:
        first = ".first" if self.dialect.is_python else ".first()"
        return self.dialect.call(found, "filter", visible=True) + first

    def _locator(self, target: Target, page: str) -> str:
        selector, element = target.selector, target.element
        if selector["type"] == "ref" or element is not None:
            if element is None:
                raise NotRepeatable(f"the recording has no look with {selector.get('value')}: locate it here")
            if element.locator is not None:
                return self._recorded(page, element.locator)
            if element.frame is not None:
                page = self._frame(page, element)
            if element.selector is None:
                return self._by_role(page, element)
            selector = element.selector
        locator = _LOCATORS.get(selector["type"])
        if locator is None:
            described = selector.get("description") or selector["type"]
            raise NotRepeatable(f"{described}: Playwright has no such selector, locate it here")
        return locator(self.dialect, page, selector)

    def _recorded(self, page: str, locator: Locator) -> str:
        """Return a locator of an element that was acted on: by role and name where they are unique."""
        for frame in locator.frames:
            page = self.dialect.call(page, "frameLocator", f"css={frame}")
        if locator.role is not None:
            return self.dialect.call(page, "getByRole", locator.role, name=locator.name, exact=True)
        if locator.row is not None:
            return self._in_row(page, locator.row)
        return self.dialect.call(page, "locator", f"css={locator.css}")

    def _in_row(self, page: str, row: Row) -> str:
        """Return a locator of an element in a row that has words of its own, or of the row."""
        if row.role is not None:
            rows = self.dialect.call(page, "getByRole", row.role)
        else:
            rows = self.dialect.call(page, "locator", f"css={row.css}")
        found = self.dialect.call(rows, "filter", hasText=row.words)
        if row.inner is not None:
            role, name = row.inner
            return self.dialect.call(found, "getByRole", role, name=name, exact=True)
        return self.dialect.call(found, "locator", f"css=:scope > {row.path}") if row.path else found

    def _anyhow(self, page: str, pattern: Code) -> str:
        """Return a locator by words in an element, or by a label, title or placeholder: a look takes each as a name."""
        found = self.dialect.call(page, "getByText", pattern)
        for method in ("getByLabel", "getByTitle", "getByPlaceholder"):
            name = "or_" if self.dialect.is_python else "or"
            found = self.dialect.call(found, name, Code(self.dialect.call(page, method, pattern)))
        return found + (".first" if self.dialect.is_python else ".first()")

    def _frame(self, page: str, element: SeenElement) -> str:
        path = urlsplit((element.frame or "").rpartition(" ")[2]).path
        if path.strip("/"):
            return self.dialect.call(page, "frameLocator", f'css=iframe[src*="{path}"]')
        raise NotRepeatable(f"{element.role} {quote(element.name)} is in a frame: locate it here")

    def _by_role(self, page: str, element: SeenElement) -> str:
        text = element.name.removesuffix("…")
        exact, pattern = text == element.name, self.dialect.pattern(words_pattern(text))
        if element.role in ("generic", "file"):
            if not text:
                raise NotRepeatable(f"a {element.role} without a name: locate it here")
            return self._anyhow(page, pattern)
        elif element.is_derived and element.role in _NAMED_BY_WORDS:
            found = self.dialect.call(self.dialect.call(page, "getByRole", element.role), "filter", hasText=pattern)
        elif element.is_derived:
            # The words that name it stand beside it.
            return self.dialect.call(self.dialect.call(page, "getByRole", element.role), "nth", element.role_place)
        elif text:
            found = self.dialect.call(page, "getByRole", element.role, name=text, exact=exact)
        else:
            found = self.dialect.call(page, "getByRole", element.role)
        return found if element.is_alone else self.dialect.call(found, "nth", element.place)


def _named(method: str) -> Callable[[Dialect, str, Mapping[str, Any]], str]:
    def locate(dialect: Dialect, page: str, selector: Mapping[str, Any]) -> str:
        exact = {"exact": True} if selector.get("exact") else {}
        return dialect.call(page, method, selector["value"], **exact)

    return locate


def _role(dialect: Dialect, page: str, selector: Mapping[str, Any]) -> str:
    given = {name: selector[name] for name in ("name", "exact") if selector.get(name)}
    return dialect.call(page, "getByRole", selector["role"], **given)


_LOCATORS: Final[Mapping[str, Callable[[Dialect, str, Mapping[str, Any]], str]]] = {
    "role": _role,
    "text": _named("getByText"),
    "label": _named("getByLabel"),
    "placeholder": _named("getByPlaceholder"),
    "testId": lambda dialect, page, selector: dialect.call(page, "getByTestId", selector["value"]),
    "css": lambda dialect, page, selector: dialect.call(page, "locator", f"css={selector['value']}"),
    "xpath": lambda dialect, page, selector: dialect.call(page, "locator", f"xpath={selector['value']}"),
}
