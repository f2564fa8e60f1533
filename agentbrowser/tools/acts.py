"""browser_act: steps, one line for each, and the changes that they made."""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from agentbrowser.protocol.errors import (
    AgentBrowserError,
    ElementNotFound,
    PageNotFound,
    ScopeDenied,
    TargetClosed,
)
from agentbrowser.protocol.types.event import DownloadEvent, PageEvent
from agentbrowser.tools import drawn_lists
from agentbrowser.tools.calls import ToolCall
from agentbrowser.tools.journal import arrival_line
from agentbrowser.tools.results import NO_CHANGES, DownloadLink, ToolResult, error_lines, look_lines
from agentbrowser.tools.steps import Step, dialog_params, is_dialog, wire_step
from agentbrowser.tools.untrusted import as_json, quoted

_STEPS_TIMEOUT_MS: Final = 35_000
"""With the look after it, below the time at which hosts give up (60 s)."""
_LOOK_TIMEOUT_MS: Final = 8_000
_NO_EFFECT: Final = "no effect that can be seen"
_UNSEEN: Final = "done, perhaps with an effect that only a screenshot shows"
_PRESSES: Final = ("click", "dblclick", "rightclick", "drag")
_FIRST_FAILURE: Final = 400
_FOREIGN: Final = re.compile(r"[#.]\w|//|\[|(ref|text|xpath|role|id)=|e\d+$|\w+\[")
"""Beginnings of selectors of other tools, which are read as words."""
_CHANGES: Final[Mapping[str, Any]] = {
    "incremental": True,
    "format": "text",
    "maxTokens": 1_500,
    "timeout": _LOOK_TIMEOUT_MS,
}
_BOTH: Final[Mapping[str, Any]] = {**_CHANGES, "format": "both"}


@attrs.frozen
class _Planned:
    """A step of an agent/act request."""

    index: int
    """Index of the call's step that it belongs to."""
    wire: dict[str, Any]


@attrs.define
class _Report:
    """Outcomes of the steps that ran."""

    steps: list[tuple[str, Mapping[str, Any] | Sequence[str]]] = attrs.field(factory=list)
    """Number, verb and element of each step, and its result, or the lines of another outcome."""
    downloads: list[DownloadLink] = attrs.field(factory=list)
    reported: list[str] = attrs.field(factory=list)
    """Ids of the tabs and downloads in the outcomes."""
    notes: list[str] = attrs.field(factory=list)
    """Lines behind those of the steps."""
    before: list[str] = attrs.field(factory=list)
    """Lines of changes that an earlier look has shown."""
    drawn: list[drawn_lists.DrawnList] = attrs.field(factory=list)
    """Lists whose looks are not shown."""
    failed: bool = False

    def add(self, number: int, step: Step, outcome: Mapping[str, Any] | Sequence[str]) -> None:
        """Add a step."""
        words = [str(number), step["do"], *([_target(step)] if step.get("on") else [])]
        self.steps.append((" ".join(words), outcome))

    def lines(self, changes: Sequence[str]) -> list[str]:
        """Return the lines of the steps; further lines of an outcome are indented.

        Args:
          changes: the lines of the look that follows. Only one without changes confirms that a step had no effect:
            many handlers act a moment after their event.
        """
        is_confirmed = bool(changes) and changes[0] == NO_CHANGES
        lines = list[str]()
        for words, outcome in self.steps:
            if isinstance(outcome, Mapping):
                is_pressed = words.split()[1] in _PRESSES
                outcome = [_outcome(outcome, is_confirmed=is_confirmed, is_pressed=is_pressed)]
            first, *others = outcome
            lines += [f"{words}: {first}", *(f"  {line}" for line in others)]
        return [*lines, *self.notes]


async def act(call: ToolCall) -> ToolResult:
    """Run the steps until one fails, then look for changes.

    Raises:
      InvalidParams: a step lacks its element or its value; none has run.
    """
    steps: list[Step] = call.arguments["steps"]
    wire_steps = [None if is_dialog(index, step) else wire_step(index, step) for index, step in enumerate(steps)]
    report, earlier = _Report(), await call.since_then()
    if None in wire_steps:
        changes = await _run_with_dialogs(call, steps, wire_steps, report)
    else:  # one request, which looks at the tab that it has acted on
        params = {**call.named_tab(), "timeout": _STEPS_TIMEOUT_MS + _LOOK_TIMEOUT_MS, "postObserve": _CHANGES}
        result = await _run(call, params, _planned(wire_steps, range(len(steps))), steps, report)
        if missing := result.get("postObservationError"):
            changes = report.before + await _no_look(call, AgentBrowserError.from_wire(missing))
        else:
            changes = look_lines(result["postObservation"])
            changes = report.before + (changes if changes != [NO_CHANGES] or not report.before else [])
    if report.drawn:
        changes = drawn_lists.net_changes(changes, report.drawn)
    later, lines, ran = await _later(call, report), report.lines(changes), len(report.steps)
    if ran < len(steps):
        lines.append(f"not run: {len(steps) - ran} of {len(steps)} steps")
    if report.downloads and (unreadable := (await listed_downloads(call))[1]):
        report.downloads.clear()
        lines.append(unreadable)
    text = "\n".join([*lines, *earlier, *map(arrival_line, later), *changes])
    return ToolResult(text=text, downloads=tuple(report.downloads), is_error=report.failed)


async def _later(call: ToolCall, report: _Report) -> list[PageEvent | DownloadEvent]:
    """Return the tabs and downloads that came after their step, and link the completed downloads."""
    later = await call.journal.arrivals([*report.reported, *(download.id for download in report.downloads)])
    completed = [event for event in later if isinstance(event, DownloadEvent) and event.state == "completed"]
    report.downloads += [DownloadLink(id=event.download_id, name=event.suggested_filename) for event in completed]
    return later


async def listed_downloads(call: ToolCall) -> tuple[list[Any], str | None]:
    """Return the downloads, or a line with the reason why nobody can read them here."""
    try:
        return (await call.request("download/list"))["downloads"], None
    except ScopeDenied as denied:
        return [], f"downloads can't be read: {denied.message}"


async def _run_with_dialogs(
    call: ToolCall, steps: Sequence[Step], wire_steps: Sequence[dict[str, Any] | None], report: _Report
) -> list[str]:
    """Run steps some of which answer dialogs, until one fails; return the lines of what changed."""
    tab, is_armed = await call.tab(), False
    try:
        for batch in _batches(wire_steps):
            if planned := _planned(wire_steps, batch):
                await _run(call, {"pageId": tab, "timeout": _STEPS_TIMEOUT_MS}, planned, steps, report)
            else:
                may_arm = any(wire_steps[batch.stop :])
                is_armed = await _answer_dialog(call, tab, batch.start, steps[batch.start], report, may_arm) or is_armed
            if report.failed:
                break
    finally:
        if is_armed:
            await _disarm(call, tab, report)
    try:
        return look_lines(await call.request("agent/observe", {**_CHANGES, "pageId": tab}))
    except AgentBrowserError as error:
        return await _no_look(call, error)


def _planned(wire_steps: Sequence[dict[str, Any] | None], batch: range) -> list[_Planned]:
    """Return the steps of one request; none for a dialog."""
    return [_Planned(index, wire) for index in batch if (wire := wire_steps[index]) is not None]


def _batches(wire_steps: Sequence[dict[str, Any] | None]) -> Iterator[range]:
    """Yield the ranges of steps that one request runs; a dialog is answered by a request of its own."""
    start = 0
    for index, step in enumerate(wire_steps):
        if step is None:
            if start < index:
                yield range(start, index)
            yield range(index, index + 1)
            start = index + 1
    if start < len(wire_steps):
        yield range(start, len(wire_steps))


async def _run(
    call: ToolCall, params: dict[str, Any], planned: Sequence[_Planned], steps: Sequence[Step], report: _Report
) -> dict[str, Any]:
    """Run steps by one request with these params, report them, and return its result.

    A list that the page draws itself takes further requests, which open it and click its options.
    """
    wire_steps = [step.wire for step in planned]
    result: dict[str, Any] = await call.request("agent/act", {**params, "steps": wire_steps})
    for outcome in result["results"]:
        at, done = planned[outcome["step"]], outcome.get("result") or {}
        error = AgentBrowserError.from_wire(outcome["error"]) if outcome.get("error") else None
        rest, look = planned[outcome["step"] + 1 :], result.get("postObservation")
        if error is not None and (values := drawn_lists.values_of(error, at.wire)):
            at = attrs.evolve(at, wire=drawn_lists.on_matched_element(error, at.wire))
            if look and (outcome["step"] or report.drawn) and (seen := look_lines(look)) != [NO_CHANGES]:
                report.before += seen  # also what the choice before has changed
            return await _choose(call, params, at, values, error, rest, steps, report)
        if error is not None:
            report.failed = True
            report.add(at.index + 1, steps[at.index], error_lines(_explained(error, steps[at.index]), "FAILED "))
        else:
            report.add(at.index + 1, steps[at.index], done)
        report.downloads += _downloads(done)
        report.reported += [page["pageId"] for page in done.get("newPages") or ()]
    return result


async def _choose(
    call: ToolCall,
    params: dict[str, Any],
    at: _Planned,
    values: Sequence[str],
    error: AgentBrowserError,
    rest: Sequence[_Planned],
    steps: Sequence[Step],
    report: _Report,
) -> dict[str, Any]:
    """Choose the options of a list by what a look shows, and run the rest; return the last result.

    Args:
      error: the failure of the step, which would have chosen of a <select>.
    """
    bare = {name: value for name, value in params.items() if name != "postObserve"}
    drawn = drawn_lists.DrawnList(call, bare, at.wire, _BOTH, is_open=drawn_lists.is_open(error))
    try:
        done = await drawn.choose(values)
    except AgentBrowserError as failure:
        report.failed = True
        report.add(at.index + 1, steps[at.index], error_lines(failure, "FAILED "))
        report.before += drawn.lines
    else:
        words = drawn_lists.choice_words(values, drawn.already_chosen, was_open=drawn.is_open)
        meant = [f"on {_named(element)}"] if (element := error.details.get("element")) else []
        report.add(at.index + 1, steps[at.index], [", ".join([*meant, words, *_effects(done)])])
        report.drawn.append(drawn)
        if rest:
            return await _run(call, params, rest, steps, report)
    if "postObserve" not in params:
        return {}
    try:
        return {"postObservation": await call.request("agent/observe", {**_CHANGES, **call.named_tab()})}
    except AgentBrowserError as error:
        return {"postObservationError": error.to_wire()}


async def _answer_dialog(call: ToolCall, tab: str, index: int, step: Step, report: _Report, may_arm: bool) -> bool:
    """Answer the open dialog; return True if the answer is armed for one that a later step opens."""
    params = dialog_params(step)
    try:
        result = await call.request("dialog/handle", {**params, "pageId": tab, "arm": may_arm})
    except AgentBrowserError as error:
        report.failed = True
        report.add(index + 1, step, error_lines(error, "FAILED "))
        return False
    done = "accepted" if params["action"] == "accept" else "dismissed"
    dialog = result.get("dialog")
    words = (
        f"{done} {dialog['type']} {quoted(dialog['message'])}"
        if dialog
        else f"the next dialog of this call will be {done}"
    )
    report.add(index + 1, step, [words])
    return dialog is None


async def _disarm(call: ToolCall, tab: str, report: _Report) -> None:
    """Take back an answer that no step has needed: a later call may open a dialog that the model has not seen."""
    with contextlib.suppress(PageNotFound, TargetClosed):  # nothing is armed there
        if (await call.request("dialog/handle", {"action": "disarm", "pageId": tab}))["handled"]:
            report.notes.append("no step has opened a dialog: the answer is taken back")


async def _no_look(call: ToolCall, error: AgentBrowserError) -> list[str]:
    """Return the lines of a look that failed: the steps count all the same.

    A tab that has closed itself, such as that of a sign-in, mostly changes the one that has opened it.
    """
    if isinstance(error, TargetClosed | PageNotFound):
        with contextlib.suppress(AgentBrowserError):
            listed = await call.request("page/list")
            closed, active = call.arguments.get("tab"), listed.get("activePage")
            if active and active != closed and closed not in [page["id"] for page in listed["pages"]]:
                look = await call.request("agent/observe", {**_CHANGES, "pageId": active})
                return [f"the tab has closed; in tab {active}, which is active:", *look_lines(look)]
    return error_lines(error, "no look: ")


def _explained(error: AgentBrowserError, step: Step) -> AgentBrowserError:
    """Return the error of a step, in terms of what the model asked for."""
    if isinstance(error, ElementNotFound) and step["do"] == "type" and not step.get("on"):
        return ElementNotFound("Nothing that takes text has the focus.", hint="Name the field in on.")
    if isinstance(error, ElementNotFound) and _FOREIGN.match(step.get("on") or ""):
        error.recovery_hint = (
            "on was read as words: give a ref such as @save, the words of the element, or CSS after css=."
        )
    return error


def _outcome(result: Mapping[str, Any], *, is_confirmed: bool, is_pressed: bool) -> str:
    """Return the outcome of a step: its effects, and what was meant by words that are not its name.

    Args:
      is_confirmed: True if the look that follows shows no effect either.
      is_pressed: True for a click or a drag: a switch that shows its state by its colour would be clicked a second
        time, and a card that no board has let go is where it was.
    """
    no_effect = [_NO_EFFECT] if is_confirmed and result.get("noEffect") else []
    words = ", ".join([*no_effect, *_effects(result)]) or (_UNSEEN if is_confirmed and is_pressed else "done")
    meant = result.get("element")
    return f"on {_named(meant)}, {words}" if meant else words


def _named(element: Mapping[str, Any]) -> str:
    name = element.get("name")
    return " ".join(filter(None, (element.get("ref"), element["role"], name and quoted(name))))


def _effects(result: Mapping[str, Any]) -> Iterator[str]:
    if (value := result.get("value")) is not None:
        yield f"value is {quoted(value) if isinstance(value, str) else as_json(value)}"
    if result.get("navigated"):
        yield f"now at {quoted(result.get('url', ''))}"
    if status := http_failure(result):
        yield status
    if result.get("fileChooser"):
        yield "opened a file chooser: use do: upload on it"
    for page in result.get("newPages") or ():
        yield f"opened tab {page['pageId']} {quoted(page['url'])}"
    for url in result.get("pendingPages") or ():
        yield f"asked for a tab at {quoted(url)}, in which no page has come yet"
    if dialog := dialog_words(result):
        yield dialog
    if download := result.get("download"):
        yield f"download {download['downloadId']} {quoted(download['suggestedName'])} {download['state']}"
    if result.get("healed"):
        yield "the element was re-rendered, and found again"


def dialog_words(result: Mapping[str, Any]) -> str | None:
    """Return the words for the dialog of an action or a load."""
    if (dialog := result.get("dialog")) is None:
        return None
    answer = "; answer it with do: dialog" if dialog["answered"] == "open" else ""
    return f"dialog {dialog['type']} {quoted(dialog['message'])} is {dialog['answered']}{answer}"


def http_failure(result: Mapping[str, Any]) -> str | None:
    """Return the words for the status of a document that the server has refused or does not have."""
    status = result.get("status")
    return f"HTTP status {status}" if status and status >= _FIRST_FAILURE else None


def _downloads(result: Mapping[str, Any]) -> Iterator[DownloadLink]:
    if download := result.get("download"):
        yield DownloadLink(id=download["downloadId"], name=download["suggestedName"])


def _target(step: Step) -> str:
    on = str(step["on"])
    return on if on.startswith("@") and on.isprintable() and " " not in on else quoted(on, 80)
