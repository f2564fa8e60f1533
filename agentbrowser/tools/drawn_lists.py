"""Choice from a list that the page draws itself: a click opens it, and others choose its options."""

import json
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

_COMBOBOX: Final = "combobox"
"""Value of an error's `control`: a list that the page draws itself, and a click opens."""
_OPTION: Final = "option"
_OPTION_TIMEOUT_MS: Final = 2_000
_CLICK: Final = "action/click"
_ACT: Final = "agent/act"
_DIALOGS: Final = {"type": "css", "value": "dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]"}
_FOCUSED: Final = {"type": "css", "value": "[role=combobox]:focus, [aria-haspopup=listbox]:focus"}
_HAS_OPENED: Final = " expanded false → true"
_HAS_CLOSED: Final = " expanded true → false"


def values_of(error: AgentBrowserError, wire: Mapping[str, Any]) -> list[str]:
    """Return the options that a failed step wants of a list that the page draws itself; none for another failure."""
    values = wire["params"].get("values")
    if values is None or not (isinstance(error, ActionFailed) and error.details.get("control") == _COMBOBOX):
        return []
    return [values] if isinstance(values, str) else list(values)


def opened_by(error: AgentBrowserError, wire: Mapping[str, Any]) -> dict[str, Any]:
    """Return the step on the element that it has meant: for a click, the same words may mean the label."""
    ref = error.details.get("ref")
    selector = {"type": "ref", "value": ref} if ref else wire["params"]["selector"]
    return {**wire, "params": {**wire["params"], "selector": selector}}


def opening_step(wire: Mapping[str, Any]) -> dict[str, Any]:
    """Return the click that opens the list of a choice."""
    return {"action": _CLICK, "params": {"selector": wire["params"]["selector"]}}


def option_step(wire: Mapping[str, Any], value: str) -> dict[str, Any]:
    """Return the click on the option with exactly this name, which leads to what the choice expects."""
    return {**wire, **_option_click(_option(value))}


async def is_shown(call: ToolCall, value: str) -> bool:
    """Return True if an option with this name shows before the list is opened: it may be of another list."""
    return await _is_there(call, _option(value))


async def _is_there(call: ToolCall, selector: Mapping[str, Any]) -> bool:
    try:
        return bool((await _state(call, selector))["found"])
    except SelectorAmbiguous:
        return True


async def _state(call: ToolCall, selector: Mapping[str, Any]) -> dict[str, Any]:
    params = {**call.named_tab(), "selector": selector, "properties": ["attributes"]}
    state: dict[str, Any] = await call.request("observe/element", params)
    return state


def _option(value: str) -> dict[str, Any]:
    return {"type": "role", "role": _OPTION, "name": value, "exact": True}


def _option_click(selector: Mapping[str, Any]) -> dict[str, Any]:
    return {"action": _CLICK, "params": {"selector": selector, "options": {"timeout": _OPTION_TIMEOUT_MS}}}


def _press_down(selector: Mapping[str, Any]) -> dict[str, Any]:
    """Return the press of the key that opens the list of a field."""
    options = {"timeout": _OPTION_TIMEOUT_MS}
    return {"action": "action/press", "params": {"selector": selector, "key": "ArrowDown", "options": options}}


def chosen_words(values: Sequence[str], before: Sequence[str] = ()) -> str:
    """Return the words for a choice that was made, of which some options were chosen before."""
    clicked, chosen = (", ".join(map(quoted, some)) for some in ([one for one in values if one not in before], before))
    kept = f"{chosen} {'was' if len(before) == 1 else 'were'} chosen already" if before else ""
    made = f"clicked option{'s' if len(values) - len(before) > 1 else ''} {clicked} of the list that a click has opened"
    return "; ".join(filter(None, (made if clicked else "", kept)))


@attrs.define
class DrawnList:
    """A list that looks read once it is open: several options are chosen, or one that has no role of an option."""

    _call: ToolCall
    _params: Mapping[str, Any]
    """Params of requests: their tab and their time."""
    _wire: Mapping[str, Any]
    """The step that chooses, which a <select> would take."""
    _looks: Mapping[str, Any]
    """Params of a look for changes."""
    _shown: list[Mapping[str, Any]] = attrs.field(factory=list)
    lines: list[str] = attrs.field(factory=list)
    """Changes that the opening has made."""
    before: list[str] = attrs.field(factory=list)
    """Options that were chosen before, and were not clicked."""

    @property
    def refs(self) -> frozenset[str]:
        """Return the refs of the elements that the opening has shown."""
        return frozenset(one["ref"] for one in self._shown)

    def add(self, look: Mapping[str, Any]) -> None:
        """Add the changes that a look has found."""
        self._shown += (look.get("changes") or {}).get("added", ())
        self.lines += look_lines(look)

    async def choose(self, values: Sequence[str], *, is_open: bool) -> dict[str, Any]:
        """Click the options that are not chosen yet; return the result of the last click.

        Raises:
          ElementNotFound: the list has not shown one of them.
          AgentBrowserError: a click has failed.
        """
        if not is_open:
            await self._run(opening_step(self._wire), postObserve=self._looks)
        if not self._shown:  # some fields only take the focus from a click
            await self._run(_press_down(self._wire["params"]["selector"]), postObserve=self._looks)
        if not self._shown:  # it was open, and is so still
            look = await self._call.request("agent/observe", {**self._params, "format": "json"})
            self._shown += [one for one in look["interactiveElements"] if one["role"] == _OPTION]
        done: dict[str, Any] = {}
        for value in values:
            option = self._named(value)
            is_reached = len(values) > 1 and option.get("selected") and await self._is_reached(option)
            if len(values) > 1 and (option.get("selected") or option.get("checked")) and not is_reached:
                self.before.append(value)
                continue  # another click would take it back
            expected = {"expect": self._wire["expect"]} if "expect" in self._wire and value == values[-1] else {}
            click = {**_option_click({"type": "ref", "value": option["ref"]}), **expected}
            try:
                done = await self._run(click)
            except (ElementChanged, ElementNotFound, ElementNotVisible) as error:
                try:
                    await self._run(_press_down(_FOCUSED))  # the choice before may have closed the list
                except AgentBrowserError:
                    raise error from None
                done = await self._run(click)
            if is_reached and (await self._attributes(click["params"]["selector"])).get("aria-selected") == "false":
                done = await self._run(click)  # it was chosen, and the click before has taken it back
        if len(values) > 1:
            await self._close()
        return done

    async def _is_reached(self, option: Mapping[str, Any]) -> bool:
        """Return True if the keyboard has reached an option: some lists mark that as the selected one."""
        id_ = (await self._attributes({"type": "ref", "value": option["ref"]})).get("id")
        css = f"[aria-activedescendant={json.dumps(id_)}]"
        return bool(id_) and await _is_there(self._call, {"type": "css", "value": css})

    async def _close(self) -> None:
        """Close the list behind a choice of several, so that it covers nothing: a person presses Escape.

        In a dialog it stays open, as the key might close that.
        """
        field = await self._attributes(self._wire["params"]["selector"])
        if field.get("aria-expanded") == "true" and not await _is_there(self._call, _DIALOGS):
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

    def _named(self, value: str) -> Mapping[str, Any]:
        """Return the one option with exactly this name; without any role of an option, the one element with it."""
        called = [one for one in self._shown if " ".join((one.get("name") or "").split()) == value]
        found = [one for one in called if one.get("role") == _OPTION] or called
        if len(found) == 1:
            return found[0]
        amount = f"{len(found)} options" if found else "no option"
        hint = "Click one of the options that the changes show; to filter a long list, fill the field."
        raise ElementNotFound(f"A click on the list has shown {amount} {quoted(value)}.", hint=hint)


def net_changes(lines: Iterable[str], drawn: Iterable[DrawnList]) -> list[str]:
    """Return the lines of changes since before lists were opened, whose looks no model has seen."""
    refs, opened = set[str](), dict[str, str]()
    for one in drawn:
        refs |= one.refs
        opened |= {line.split()[1]: line for line in _split(one.lines) if line.endswith(_HAS_OPENED)}
    kept = list[str]()
    for line in _split(lines):
        ref = line.split()[1] if line.startswith(("- @", "~ @")) else ""
        if line.startswith("-") and ref in refs:
            continue
        if ref in opened and line.endswith(_HAS_CLOSED):
            del opened[ref]
            line = line.removesuffix(_HAS_CLOSED).removesuffix(",")
        if line != f"~ {ref}":
            kept.append(line)
    if kept in (["changes"], [NO_CHANGES]):
        return ["changes", *opened.values()] if opened else [NO_CHANGES]
    return [*kept, *opened.values()]


def _split(lines: Iterable[str]) -> list[str]:
    return [part for line in lines for part in line.split("\n")]
