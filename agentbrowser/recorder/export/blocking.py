"""Exported tests for the blocking client of agentbrowser, for pytest. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from agentbrowser.recorder.export.dialect import Dialect, NotRepeatable, name_of, quote, reading_pattern, url_glob
from agentbrowser.recorder.export.items import (
    Action,
    Check,
    Item,
    Reading,
    Remark,
    SiteUrl,
    Target,
    TestPlan,
    UnsupportedStep,
    Value,
)

_HEAD: Final = '''"""Test of the recording {recording}, written by `agentbrowser export`. Run it with pytest.

BASE_URL is the site to test, and AGENTBROWSER_URL the server: ws://127.0.0.1:9222 without it. AGENT_TOKEN is its token.
The server needs --private-network allow for a site on a private address.{variables}
"""

import contextlib
import os
import re

from agentbrowser.client import blocking
from agentbrowser.client.blocking import Page
from agentbrowser.protocol.errors import AgentBrowserError, Timeout
from agentbrowser.protocol.types import selector as by
from agentbrowser.protocol.types.action import Offset, Point
from agentbrowser.protocol.types.page import Viewport

BASE_URL = os.environ.get("BASE_URL") or {site}
SERVER = os.environ.get("AGENTBROWSER_URL") or "ws://127.0.0.1:9222"
LIMIT = {{"timeout_ms": 10_000}}


def withheld(name: str) -> str:
    """Return a value that the recording does not hold."""
    assert name in os.environ, f"Set the environment variable {{name}}: the recording does not hold this value."
    return os.environ[name]


def look(page: Page) -> str:
    """Return what a look at the settled page shows, without its quoting."""
    return (page.observe(max_tokens=25_000).text or "").replace('\\"', '"')


def seen(page: Page, role: str, name: str, place: int = 0) -> by.Ref:
    """Return the element that a look reports with a role and name, once there is one."""
    for is_last in (False, True):
        shown = page.observe(format="json", text="none", max_elements=2000).elements
        found = [one.ref for one in shown if (one.role, one.name or "") == (role, name)]
        if len(found) > place:
            return by.Ref(found[place])
        assert not is_last, f"no {{role}} {{name!r}} among {{[one.name for one in shown][:20]}}"
        with contextlib.suppress(AgentBrowserError):  # a look finds names that are not the standards'
            page.wait_for(selector=by.Role(role, name, exact=True), **LIMIT)
    raise AssertionError


def check_words(page: Page, *words: str) -> None:
    """Wait until the page shows words. A look may join those of several elements, so that it is asked, too."""
    shown = look(page)
    for missing in [one for one in words if one not in shown]:
        with contextlib.suppress(Timeout):
            page.wait_for(missing, **LIMIT)
            continue
        shown = look(page)
        assert missing in shown, f"expected {{missing!r}} in {{shown[:2000]}}"


def read_words(page: Page, words: str) -> str:
    """Return the part of the words of a look that a group stands for."""
    found = re.search(words, shown := look(page), re.IGNORECASE)
    assert found, f"expected {{words!r}} in {{shown[:2000]}}"
    return found[1]


def check_value(page: Page, selector: by.Selector, value: str | bool) -> None:
    """Wait until the page has settled, and expect an element's value."""
    look(page)
    present = getattr(page[selector].state(), "checked" if isinstance(value, bool) else "value")
    assert present == value, f"expected the value {{value!r}}, got {{present!r}}"


def test_recording() -> None:
    with blocking.connect(SERVER, token=os.environ.get("AGENT_TOKEN")) as browser:
'''
_PYTHON: Final = Dialect(is_python=True)
_ACTIONS: Final = frozenset(
    {"click", "dblclick", "hover", "check", "uncheck", "clear", "fill", "type", "press", "upload", "select", "scroll"}
)
"""Actions that the client has under the name that they have in the protocol."""
_MOVES: Final[Mapping[str, str]] = {
    "page/reload": "reload()",
    "page/goBack": "go_back()",
    "page/goForward": "go_forward()",
    "page/close": "close()",
}
_OPTIONS: Final[Mapping[str, str]] = {
    "button": "button",
    "clickCount": "click_count",
    "modifiers": "modifiers",
    "force": "force",
    "delay": "delay_ms",
    "clear": "clear",
    "direction": "direction",
    "amount": "amount",
}
_CLASSES: Final[Mapping[str, str]] = {
    "css": "Css",
    "xpath": "XPath",
    "text": "Text",
    "label": "Label",
    "placeholder": "Placeholder",
    "testId": "TestId",
}


def agentbrowser_python(plan: TestPlan) -> str:
    """Return the test in Python."""
    named = ", ".join(plan.variables)
    variables = f"\nValues that it does not hold: {named}." if named else ""
    head = _HEAD.format(recording=name_of(plan.recording), site=quote(plan.site), variables=variables)
    return head + "".join(f"        {line}\n" for line in _lines(plan))


def _lines(plan: TestPlan) -> Iterator[str]:
    options = plan.context
    for item, words in _looks(plan.items):
        try:
            match item:
                case Check() if words:
                    yield f"check_words({item.page}, {', '.join(map(quote, words))})"
                case Remark():
                    yield _PYTHON.comment(item.text)
                case UnsupportedStep():
                    raise NotRepeatable(item.reason)
                case Reading():
                    yield f"{item.variable} = read_words({item.page}, {quote(reading_pattern(item))})"
                case Action(method="page/create"):
                    yield _opening(item, options)
                    options = {}
                case Action():
                    yield from _action(item)
                case Check():
                    yield _check(item)
        except NotRepeatable as reason:
            yield _PYTHON.failure(str(reason))


def _looks(items: list[Item]) -> Iterator[tuple[Item, list[str]]]:
    """Yield the items; the words of one look as one item, with all of them."""
    kept: list[Check] = []
    for item in [*items, None]:
        look = item if isinstance(item, Check) and item.look is not None and item.words is not None else None
        if kept and (look is None or look.look != kept[0].look):
            yield kept[0], [str(one.words) for one in kept]
            kept = []
        if look is not None:
            kept.append(look)
        elif item is not None:
            yield item, []


def _opening(action: Action, options: Mapping[str, Any]) -> str:
    given = [] if action.value is None else [_literal(action.value)]
    names = {"locale": "locale", "timezone": "timezone", "userAgent": "user_agent"}
    given += [f"{names[name]}={_literal(options[name])}" for name in names if options.get(name)]
    if size := options.get("viewport"):
        given.append(f"viewport=Viewport(width={_literal(size['width'])}, height={_literal(size['height'])})")
    return f"{action.page} = browser.new_page({', '.join(given)})"


def _action(action: Action) -> Iterator[str]:
    if action.method == "session/fork":
        yield f"{action.opens} = {action.page}.fork()"
        return
    call, dialog = _call(action), action.dialog or {}
    if dialog.get("sent") == "before":
        yield _answer(action.page, dialog)
    if action.opens is None:
        yield call
    else:
        yield f"opened = {call}.new_pages"
        yield 'assert opened, "it opened no page"'
        yield f"{action.opens} = opened[0]"
    if dialog.get("sent") == "after":
        yield _answer(action.page, dialog)


def _answer(page: str, dialog: Mapping[str, Any]) -> str:
    answer: dict[str, Any] = {"action": dialog["answered"].removesuffix("ed")}
    if prompt := dialog.get("prompt"):
        answer["promptText"] = prompt
    return f'browser.request("dialog/handle", {_literal(answer)} | {{"pageId": {page}.id}})'


def _call(action: Action) -> str:
    page = action.page
    if action.method == "page/navigate":
        return f"{page}.goto({_literal(action.value)})"
    if action.method in _MOVES:
        return f"{page}.{_MOVES[action.method]}"
    if action.method.startswith(("emulate/", "frame/")):
        return f'browser.request({quote(action.method)}, {_literal(action.options)} | {{"pageId": {page}.id}})'
    point = action.options.get("position")
    options = [f"position={_point(point)}"] if point else []
    options += [f"{_OPTIONS[name]}={_literal(one)}" for name, one in action.options.items() if name in _OPTIONS and one]
    if action.method == "action/drag" and action.target is not None:
        drop = _selector(action.drop_target, page) if action.drop_target else _point(action.options["target"])
        return f"{page}[{_selector(action.target, page)}].drag_to({drop})"
    name = action.method.removeprefix("action/")
    if name not in _ACTIONS:
        raise NotRepeatable(f"{action.method} has no equal here")
    values = [_literal(one) for one in ([action.value] if action.value is not None else action.values)]
    element = page if action.target is None else f"{page}[{_selector(action.target, page)}]"
    return f"{element}.{name}({', '.join([*values, *options])})"


def _point(point: Mapping[str, Any]) -> str:
    """Return the expression of a point, or of a distance."""
    if "x" in point:
        return f"Point(x={_literal(point['x'])}, y={_literal(point['y'])})"
    return f"Offset(dx={_literal(point['dx'])}, dy={_literal(point['dy'])})"


def _check(check: Check) -> str:
    page = check.page
    if check.url is not None:
        # A glob matches a whole URL, other text a part of it.
        path = check.url.path if isinstance(check.url, SiteUrl) else str(check.url)
        base = '"*" + BASE_URL + ' if isinstance(check.url, SiteUrl) else '"*" + '
        return f"{page}.wait_for(url={base}{quote(url_glob(path))}, **LIMIT)"
    if check.part is not None:
        return f"{page}.wait_for(url={_literal(check.part)}, **LIMIT)"
    if check.words is not None:
        return f"{page}.wait_for({quote(check.words)}, **LIMIT)"
    if check.gone is not None:
        return f"{page}.wait_for(text_gone={quote(check.gone)}, **LIMIT)"
    assert check.target is not None
    selector = _selector(check.target, page)
    if isinstance(check.content, list):
        raise NotRepeatable(f"check the values {check.content} here")
    if check.content is not None:
        return f"check_value({page}, {selector}, {_literal(check.content)})"
    if selector.startswith("seen(") and check.state in ("visible", "exists", "attached"):
        return selector
    state = "attached" if check.state == "exists" else check.state
    return f"{page}.wait_for(selector={selector}, state={quote(state)}, **LIMIT)"


def _selector(target: Target, page: str) -> str:
    selector, element = target.selector, target.element
    if selector["type"] == "ref":
        if element is None:
            raise NotRepeatable(f"the recording has no look with {selector.get('value')}: locate it here")
        if element.locator is not None and not element.locator.frames:
            locator = element.locator
            if locator.role is not None:
                return f"by.Role({quote(locator.role)}, {quote(locator.name)}, exact=True)"
            return f"by.Css({quote(locator.css)})"
        if element.selector is None or element.is_derived:
            place = f", {element.place}" if element.place else ""
            return f"seen({page}, {quote(element.role)}, {quote(element.name)}{place})"
        selector = element.selector
    kind = selector["type"]
    exact = ", exact=True" if selector.get("exact") else ""
    if kind == "role":
        named = f", {quote(selector['name'])}" if selector.get("name") else ""
        return f"by.Role({quote(selector['role'])}{named}{exact})"
    if kind == "semantic":
        return f"by.Semantic({quote(selector['description'])})"
    if kind == "coordinates":
        return f"by.Coordinates({_literal(selector['x'])}, {_literal(selector['y'])})"
    return f"by.{_CLASSES[kind]}({quote(selector['value'])}{exact})"


def _literal(value: Value | Any) -> str:
    return _PYTHON.literal(value)
