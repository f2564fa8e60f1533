"""Choice from a list that the page draws itself: a click opens it, and others choose its options."""

import contextlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import attrs

from agentbrowser.protocol.errors import (
    ActionFailed,
    AgentBrowserError,
    ElementChanged,
    ElementNotFound,
    ElementNotVisible,
    SelectorAmbiguous,
)
from agentbrowser.tools.calls import ToolCall
from agentbrowser.tools.results import NO_CHANGES, look_lines
from agentbrowser.tools.untrusted import quoted

_LISTBOX: Final = "listbox"
_CONTROLS: Final = ("combobox", _LISTBOX)
"""Values of an error's `control`: a list that the page draws itself, and a click opens, or one that is open."""
_OPTION: Final = "option"
_OPTION_TIMEOUT_MS: Final = 2_000
_CLICK: Final = "action/click"
_ACT: Final = "agent/act"
_DIALOGS: Final = {
    "type": "css",
    "value": "dialog[open], :is([role=dialog], [role=alertdialog], [aria-modal=true]):not([aria-hidden=true])",
}
_FOCUSED: Final = {"type": "css", "value": "[role=combobox]:focus, [aria-haspopup=listbox]:focus"}
_MULTISELECT: Final = {"type": "css", "value": "[role=listbox][aria-multiselectable=true]"}
_REACHED: Final = {"type": "css", "value": "[role=option]:focus, [aria-activedescendant]:focus"}
_OPENING_KEYS: Final = ("Alt+ArrowDown", "ArrowDown")
"""The first one opens a list; in a field whose list is closed, the other may choose its first option."""
_GONE: Final = (ElementChanged, ElementNotFound, ElementNotVisible)
_HAS_OPENED: Final = " expanded false → true"
_HAS_CLOSED: Final = " expanded true → false"
_IS_BACK: Final = "+ back as before: "
_INVERSE_SIGNS: Final = {"+ ": "- ", "- ": "+ "}
_MARKS: Final = re.compile(r"^([+~-] )(?:(?:[-|]|#+) )+")
_CHANGED_TEXT: Final = re.compile(r'~ (?P<kind>[^"@]*)(?P<before>"(?:[^"\\]|\\.)*") → (?P<after>"(?:[^"\\]|\\.)*")')


def values_of(error: AgentBrowserError, wire: Mapping[str, Any]) -> list[str]:
    """Return the options that a failed step wants of a list that the page draws itself; none for another failure."""
    values = wire["params"].get("values")
    if values is None or not (isinstance(error, ActionFailed) and error.details.get("control") in _CONTROLS):
        return []
    return [values] if isinstance(values, str) else list(values)


def on_matched_element(error: AgentBrowserError, wire: Mapping[str, Any]) -> dict[str, Any]:
    """Return a failed step with the element that it matched as its selector: for a click, words may match the label."""
    ref = error.details.get("ref")
    selector = {"type": "ref", "value": ref} if ref else wire["params"]["selector"]
    return {**wire, "params": {**wire["params"], "selector": selector}}


def is_open(error: AgentBrowserError) -> bool:
    """Return True if the list of a failed step is open, and no click opens it."""
    return error.details.get("control") == _LISTBOX


async def _exists(call: ToolCall, selector: Mapping[str, Any], *, is_visible: bool = False) -> bool:
    """Return True if an element matches; with `is_visible`, a single match must be visible."""
    try:
        state = await _state(call, selector)
        return bool(state["found"]) and not (is_visible and state.get("visible") is False)
    except SelectorAmbiguous:
        return True


async def _state(call: ToolCall, selector: Mapping[str, Any]) -> dict[str, Any]:
    params = {**call.named_tab(), "selector": selector, "properties": ["attributes", "visible"]}
    state: dict[str, Any] = await call.request("observe/element", params)
    return state


def _option(value: str) -> dict[str, Any]:
    return {"type": "role", "role": _OPTION, "name": value, "exact": True}


def _option_click(selector: Mapping[str, Any]) -> dict[str, Any]:
    return {"action": _CLICK, "params": {"selector": selector, "options": {"timeout": _OPTION_TIMEOUT_MS}}}


def _press_down(selector: Mapping[str, Any], key: str = "ArrowDown") -> dict[str, Any]:
    """Return the press of the key that opens the list of a field."""
    options = {"timeout": _OPTION_TIMEOUT_MS}
    return {"action": "action/press", "params": {"selector": selector, "key": key, "options": options}}


def choice_words(values: Sequence[str], already_chosen: Sequence[str], *, was_open: bool) -> str:
    """Return the words that report which options of a list were clicked, and which were chosen already."""
    clicked = [value for value in values if value not in already_chosen]
    words = []
    if clicked:
        opened = "" if was_open else " that a click has opened"
        words.append(f"clicked option{'s' if len(clicked) > 1 else ''} {_quoted(clicked)} of the list{opened}")
    if already_chosen:
        words.append(f"{_quoted(already_chosen)} {'was' if len(already_chosen) == 1 else 'were'} chosen already")
    return "; ".join(words)


def _quoted(values: Sequence[str]) -> str:
    return ", ".join(map(quoted, values))


@attrs.define
class DrawnList:
    """A list that the page draws itself. Its options are known from the looks after it has opened."""

    _call: ToolCall
    _params: Mapping[str, Any]
    """Params of every request: its tab and its time limit."""
    _wire: Mapping[str, Any]
    """The step that failed, since it needs a <select>."""
    _looks: Mapping[str, Any]
    """Params of a look for changes."""
    is_open: bool = False
    """True if the element is the list itself, and no click opens it."""
    _shown: list[Mapping[str, Any]] = attrs.field(factory=list)
    _since: int = 0
    """Index of the first element shown since the list was opened again."""
    lines: list[str] = attrs.field(factory=list)
    """Changes that the opening has made."""
    already_chosen: list[str] = attrs.field(factory=list)
    """Requested options that needed no click."""

    @property
    def refs(self) -> frozenset[str]:
        """Return the refs of the elements that the opening has shown."""
        return frozenset(element["ref"] for element in self._shown)

    def add(self, look: Mapping[str, Any]) -> None:
        """Add the changes that a look has found."""
        self._shown += (look.get("changes") or {}).get("added", ())
        self.lines += [line for line in look_lines(look) if line != NO_CHANGES]

    async def choose(self, values: Sequence[str]) -> dict[str, Any]:
        """Click the options that are not chosen yet; return the result of the last click.

        Raises:
          ElementNotFound: the list has not shown one of them.
          AgentBrowserError: a click has failed.
        """
        elsewhere = [] if self.is_open else [value for value in values if await _exists(self._call, _option(value))]
        if not self.is_open:
            await self._open()
        if not self._shown and (self.is_open or not await self._is_closed()):  # it was open, and is so still
            look = await self._call.request("agent/observe", {**self._params, "format": "json"})
            self._shown += [element for element in look["interactiveElements"] if element["role"] == _OPTION]
        done: dict[str, Any] = {}
        for value in values:
            option = await self._find_option(value, is_searched=value not in elsewhere)
            expected = {"expect": self._wire["expect"]} if "expect" in self._wire and value == values[-1] else {}
            if await self._is_chosen(option, value, is_single=len(values) == 1):
                self.already_chosen.append(value)  # another click would take it back
                if expected:
                    hover = {"action": "action/hover", "params": {"selector": self._wire["params"]["selector"]}}
                    done = await self._run({**hover, **expected})
                continue
            click = {**_option_click(option["selector"]), **expected}
            try:
                done = await self._run(click)
            except _GONE as error:
                done = await self._click_again(value, click, error)
            if option["selected"] and (await self._attributes(option["selector"])).get("aria-selected") == "false":
                done = await self._run(click)  # it was chosen, and the click before has taken it back
                self.already_chosen.append(value)
        if not self.is_open:
            await self._close(is_sure=len(values) > 1 or bool(self.already_chosen))
        return done

    async def _open(self) -> None:
        """Open the list by a click, or else by its key."""
        selector = self._wire["params"]["selector"]
        with contextlib.suppress(ElementNotVisible):  # a field beside the viewport still takes the key
            await self._run({"action": _CLICK, "params": {"selector": selector}}, postObserve=self._looks)
        for key in _OPENING_KEYS:  # some fields only take the focus from a click
            if self._has_options() or (self._shown and not await self._is_closed()):
                return
            await self._run(_press_down(selector, key), postObserve=self._looks)

    def _has_options(self) -> bool:
        return any(each.get("role") == _OPTION for each in self._shown[self._since :])

    async def _click_again(self, value: str, click: dict[str, Any], error: AgentBrowserError) -> dict[str, Any]:
        """Click an option of a list that the choice before has closed, or drawn anew with other elements."""
        try:
            await self._run(_press_down(_FOCUSED))
        except AgentBrowserError:
            if self.is_open or not await self._is_closed():
                raise error from None
        else:
            with contextlib.suppress(*_GONE):
                return await self._run(click)
        self._since = len(self._shown)
        if await self._is_closed():
            await self._open()
        option = await self._find_option(value, is_searched=True)
        return await self._run({**click, "params": _option_click(option["selector"])["params"]})

    async def _is_closed(self) -> bool:
        """Return True if the field says that its list is not open: options that are there are of another list."""
        field = await self._attributes(self._wire["params"]["selector"])
        return field.get("aria-expanded") == "false"

    async def _is_chosen(self, option: Mapping[str, Any], value: str, *, is_single: bool) -> bool:
        """Return True if an option is surely chosen: some lists mark what the keyboard has reached as selected."""
        if option["checked"] or not option["selected"]:
            return bool(option["checked"])
        if is_single and await self._shows_value(value):
            return True
        if sum(bool(element.get("selected")) for element in self._shown) > 1:
            return True
        id_ = (await self._attributes(option["selector"])).get("id")
        css = f"[aria-activedescendant={json.dumps(id_)}]"
        if id_ and await _exists(self._call, {"type": "css", "value": css}):
            return False
        return await _exists(self._call, _REACHED)  # the keyboard reaches options without selecting them

    async def _shows_value(self, value: str) -> bool:
        """Return True if the field of the list shows this value."""
        params = {**self._params, "selector": self._wire["params"]["selector"], "properties": ["value", "text"]}
        try:
            field = await self._call.request("observe/element", params)
        except AgentBrowserError:
            return False
        return any(" ".join((field.get(name) or "").split()) == value for name in ("value", "text"))

    async def _close(self, *, is_sure: bool) -> None:
        """Close a list that a choice leaves open, so that it covers nothing: a person presses Escape.

        In a dialog it stays open, as the key might close that.

        Args:
          is_sure: True if the choice leaves the list open; else only a list that takes several options stays so.
        """
        field = await self._attributes(self._wire["params"]["selector"])
        field = field or await self._attributes(_FOCUSED)  # its name may have what is chosen, and so be another one
        if field.get("aria-expanded") != "true" or not (is_sure or await _exists(self._call, _MULTISELECT)):
            return
        if not await _exists(self._call, _DIALOGS, is_visible=True):
            await self._run({"action": "action/press", "params": {"key": "Escape"}})

    async def _attributes(self, selector: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the attributes of an element; none of one that is gone."""
        try:
            return (await _state(self._call, selector)).get("attributes") or {}
        except AgentBrowserError:
            return {}

    async def _run(self, step: Mapping[str, Any], **looking: Any) -> dict[str, Any]:
        """Run a step, and return its result."""
        result: dict[str, Any] = await self._call.request(_ACT, {**self._params, "steps": [step], **looking})
        (ran,) = result["results"]
        if look := result.get("postObservation"):
            self.add(look)
        if error := ran.get("error") or result.get("postObservationError"):
            raise AgentBrowserError.from_wire(error)
        return ran.get("result") or {}

    async def _find_option(self, value: str, *, is_searched: bool) -> dict[str, Any]:
        """Return the only option of exactly this name; if no element of the name is an option, the only element.

        Args:
          is_searched: True to search the page for it, too: a look has no room for all options of a long list.
        """
        named = [each for each in self._shown[self._since :] if " ".join((each.get("name") or "").split()) == value]
        found = [each for each in named if each.get("role") == _OPTION] or named
        if len(found) == 1:
            (only,) = found
            selector = {"type": "ref", "value": only["ref"]}
            return {"selector": selector, "selected": only.get("selected"), "checked": only.get("checked") is True}
        state = await _state(self._call, _option(value)) if is_searched and not found else None
        if state and state["found"]:
            attributes = state.get("attributes") or {}
            chosen = {name: attributes.get(f"aria-{name}", "").lower() == "true" for name in ("selected", "checked")}
            return {"selector": _option(value), **chosen}
        amount = f"{len(found)} options" if found else "no option"
        shown = f"The list has {amount}" if self.is_open else f"A click on the list has shown {amount}"
        hint = "Click one of the options that the changes show; to filter a long list, fill the field."
        raise ElementNotFound(f"{shown} {quoted(value)}.", hint=hint)


def net_changes(lines: Iterable[str], drawn: Iterable[DrawnList]) -> list[str]:
    """Return the lines of changes without those of lists that were opened and closed, whose looks no model saw."""
    refs, opened, undone, has_hidden = set[str](), dict[str, str](), set[str](), False
    for drawn_list in drawn:
        refs |= drawn_list.refs
        opening = drawn_list.lines
        opened |= {line.split()[1]: line for line in opening if line.endswith(_HAS_OPENED)}
        undone.update(filter(None, map(_inverse, opening)))
        has_hidden = has_hidden or any(line.startswith("- @") for line in opening)
    kept = list[str]()
    for line in lines:
        ref = line.split()[1] if line.startswith(("- @", "~ @")) else ""
        if (
            (line.startswith("-") and ref in refs)
            or _plain(line) in undone
            or (has_hidden and line.startswith(_IS_BACK))
        ):
            continue
        if line.startswith("-"):
            opened.pop(ref, None)  # the field has gone with its list, as that of a cell does
        if ref in opened and line.endswith(_HAS_CLOSED):
            del opened[ref]
            line = line.removesuffix(_HAS_CLOSED).removesuffix(",")
        if line != f"~ {ref}":
            kept.append(line)
    if kept in (["changes"], [NO_CHANGES]):
        return ["changes", *opened.values()] if opened else [NO_CHANGES]
    return [*kept, *opened.values()]


def _inverse(line: str) -> str | None:
    """Return the line of the opposite change; None for a line that has none."""
    line = _plain(line)
    sign, words = line[:2], line[2:]
    if sign in _INVERSE_SIGNS:
        return f"{_INVERSE_SIGNS[sign]}{words}"
    texts = _CHANGED_TEXT.fullmatch(line)
    return f"~ {texts['kind']}{texts['after']} → {texts['before']}" if texts else None


def _plain(line: str) -> str:
    """Return the line of a change without the marks of a list, a table or a heading, which only new texts have."""
    return _MARKS.sub(r"\1", line, count=1)
