"""Steps of a recording: its requests as they can be repeated, and the comparison of their answers. Pure."""

import bisect
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import attrs

from agentbrowser.policy.redaction import REDACTED
from agentbrowser.policy.secrets import names_in
from agentbrowser.protocol import errors
from agentbrowser.recorder.archive import Recording

_REPEATED: Final = (
    "page/",
    "action/",
    "agent/",
    "observe/",
    "frame/",
    "dialog/",
    "emulate/",
    "context/",
    "session/fork",
)
_METHOD: Final = re.compile(r"[a-z]+/[a-zA-Z]+")
"""Name of a method: recordings of earlier versions hold the names of unknown ones as clients sent them."""
_IDS: Final = frozenset({"id", "pageId", "nextCursor", "contextId", "frameId", "downloadId", "opener", "cursor"})
"""Fields whose values differ from run to run."""
_COMPARED: Final = ("url", "title", "navigated", "value", "success", "failedAt", "status")
_COMPARED_OF_PART: Final = ("url", "title")
"""Those of a sequence without its refused steps."""
_ACT: Final = "agent/act"
_ABORTED: Final = "ERR_ABORTED"
_REFUSALS: Final = frozenset(
    one.code
    for one in (
        errors.ScopeDenied,
        errors.ApprovalDenied,
        errors.ApprovalTimeout,
        errors.ApprovalRequired,
        errors.DomainNotAllowed,
        errors.InvalidParams,  # also a URL that the policy excludes
    )
)
LOOK: Final = "look"
"""Kind of the entry at the time at which a look reads its page."""
_OBSERVE: Final = "agent/observe"
_VOLATILE_LINES: Final = ("pending ",)
_ANY_KEY: Final = "x"
"""Key that is pressed for one that was not recorded, as it typed a character: no text is the name of a key."""


@attrs.frozen(kw_only=True)
class Step:
    """One request of a recording."""

    event: Mapping[str, Any]
    ran: tuple[int, ...] | None = None
    """Steps of its sequence that were not refused, if one was; None for all."""
    look_ms: int | None = None
    """Time at which its look has read the page; None without a look, and in recordings of earlier versions."""

    @property
    def method(self) -> str:
        """Return its method."""
        return str(self.event["method"])

    @property
    def params(self) -> dict[str, Any]:
        """Return its params as recorded, without the refused steps of a sequence."""
        params = dict(self.event.get("params") or {})
        if self.ran is not None:
            params["steps"] = [params["steps"][number] for number in self.ran]
        return params

    @property
    def start_ms(self) -> int:
        """Return the time of its arrival, in milliseconds since 1970."""
        return int(self.event["t"])

    @property
    def end_ms(self) -> int:
        """Return the time of its answer."""
        return self.start_ms + round(float(self.event["ms"]))

    @property
    def seen_ms(self) -> int:
        """Return the time of the page that its answer shows: a timer that fired after it is not in the answer."""
        return self.end_ms if self.look_ms is None else self.look_ms

    @property
    def can_look_again(self) -> bool:
        """Return True for a look that changes nothing for the next one."""
        params = self.params
        is_whole = self.method == _OBSERVE and not (params.get("incremental") or params.get("cursor"))
        return is_whole and not self.is_cancelled

    @property
    def is_cancelled(self) -> bool:
        """Return True if the client cancelled it: nobody knows what its answer would have been."""
        return (self.event.get("error") or {}).get("code") == errors.Cancelled.code

    @property
    def is_incremental(self) -> bool:
        """Return True if its answer has changes, and not a whole look."""
        look = look_of(self.event.get("result")) or {}
        return "changes" in look or (look.get("text") or "").startswith(("changes", "no changes"))


def steps_of(recording: Recording) -> list[Step]:
    """Return the requests that can be repeated, in order of their arrival."""
    steps = []
    looks: dict[str, list[int]] = {}
    for event in recording.events:
        if event["kind"] == LOOK:
            bisect.insort(looks.setdefault(event["page"], []), event["t"])
    for event in recording.events:
        if event["kind"] != "request" or not event["method"].startswith(_REPEATED):
            continue
        if not _METHOD.fullmatch(event["method"]):
            continue
        if "omitted" in (event.get("params") or {}):
            continue
        step = Step(event=event)
        times = looks.get(event.get("page") or "", [])
        last_ms = times[found - 1] if (found := bisect.bisect_right(times, step.end_ms)) else 0
        steps.append(attrs.evolve(step, look_ms=last_ms) if last_ms >= step.start_ms else step)
    return steps


def permitted(steps: Iterable[Step]) -> list[Step]:
    """Return the steps that a replay may run: nothing that the client was refused.

    Sequences without results are left out, too: nobody knows which of their steps were refused.
    """
    allowed = []
    for step in steps:
        if step.method != _ACT:
            if (step.event.get("error") or {}).get("code") not in _REFUSALS:
                allowed.append(step)
            continue
        results = (step.event.get("result") or {}).get("results")
        if not isinstance(results, list):
            continue
        refused = {one["step"] for one in results if (one.get("error") or {}).get("code") in _REFUSALS}
        ran = tuple(sorted({one["step"] for one in results} - refused))
        if not refused:
            allowed.append(step)
        elif ran:
            allowed.append(attrs.evolve(step, ran=ran))
    return allowed


def without_cancelled(exchanges: Iterable[Mapping[str, Any]], steps: Iterable[Step]) -> Iterator[Mapping[str, Any]]:
    """Yield exchanges of pages; those that ended because a client's request was cancelled have no answer.

    A replay cancels the request, too. An answer that fails would replace the page by one that says so.
    """
    spans = [(step.start_ms, step.end_ms) for step in steps if step.is_cancelled]
    for exchange in exchanges:
        failed, started_ms = exchange.get("failed"), exchange["request"]["t"]
        is_aborted = failed is not None and _ABORTED in str(failed.get("error")) and "response" not in exchange
        if is_aborted and any(first <= started_ms <= last for first, last in spans):
            exchange = {name: one for name, one in exchange.items() if name != "failed"}
        yield exchange


def secret_names_in(steps: Iterable[Step]) -> list[str]:
    """Return the names of the secrets that steps type, each once."""
    return list(dict.fromkeys(name for step in steps for text in _texts(step.params) for name in names_in(text)))


@attrs.define
class Substitutions:
    """Values of a run in the place of those of the recording: ids, cursors, the site, and masked text."""

    masked: str = "masked-in-the-recording"
    origins: tuple[str, str] | None = None
    """Recorded origin, and the one to visit in its place."""
    _values: dict[str, str] = attrs.field(factory=dict, init=False)

    def learn(self, recorded: Any, present: Any) -> None:
        """Pair the ids of a recorded result with those of the present one."""
        for key, old, new in _pairs(recorded, present):
            if key in _IDS and old != new:
                self._values[old] = new

    def page(self, recorded: str | None) -> str | None:
        """Return the present id of a recorded page; None if it is not known yet."""
        return None if recorded is None else self._values.get(recorded)

    def learn_page(self, recorded: str | None, present: str | None) -> None:
        """Pair a recorded page with the present one."""
        if recorded is not None and present is not None:
            self._values.setdefault(recorded, present)

    def apply(self, value: Any) -> Any:
        """Return params for the present run."""
        if isinstance(value, dict):
            is_masked_key = value.get("key") == REDACTED
            return {key: self.apply(item) for key, item in value.items()} | ({"key": _ANY_KEY} if is_masked_key else {})
        if isinstance(value, list):
            return [self.apply(item) for item in value]
        if not isinstance(value, str):
            return value
        if value == REDACTED:
            return self.masked
        value = self._values.get(value, value)
        return value if self.origins is None else value.replace(*self.origins)

    def undo(self, value: Any) -> Any:
        """Return a present result with the values of the recording."""
        if isinstance(value, dict):
            return {key: self.undo(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.undo(item) for item in value]
        if not isinstance(value, str):
            return value
        for old, new in self._values.items():
            value = value.replace(new, old)
        return value if self.origins is None else value.replace(self.origins[1], self.origins[0])


def differences(step: Step, result: Any, error: Mapping[str, Any] | None) -> list[str]:
    """Return the differences between a step's answer and a present one, as lines of a diff; none if they agree.

    A request that the client cancelled has none.
    """
    if step.is_cancelled:
        return []
    recorded = step.event
    compared = _COMPARED if step.ran is None else _COMPARED_OF_PART
    old_error = recorded.get("error")
    if bool(old_error) != bool(error) or (old_error and error and old_error["code"] != error["code"]):
        return [f"- {_outcome(old_error)}", f"+ {_outcome(error)}"]
    old, new = seen_in(recorded.get("result"), compared), seen_in(result, compared)
    return [] if old == new else list(difflib.unified_diff(old, new, "recorded", "replayed", lineterm="", n=2))


def look_of(result: Any) -> Any:
    """Return the look that a result holds, or None."""
    if not isinstance(result, dict):
        return None
    if result.keys() & {"interactiveElements", "metadata", "text", "changes"}:
        return result
    return result.get("observation") or result.get("postObservation")


def seen_in(result: Any, compared: Iterable[str] = _COMPARED) -> list[str]:
    """Return what is compared of a result: the look, if there is one, and the facts about the page."""
    if not isinstance(result, dict) or "omitted" in result:
        return []
    lines = [f"{name}: {result[name]}" for name in compared if name in result]
    look = look_of(result)
    if look is None:
        return lines
    if isinstance(text := look.get("text"), str):
        return lines + [line for line in text.splitlines() if not line.startswith(_VOLATILE_LINES)]
    changes = look.get("changes") or {}
    lines += map(_element_line, look.get("interactiveElements") or [])
    lines += map(_words_of, look.get("content") or [])
    lines += [f"+ {_element_line(one)}" for one in changes.get("added") or []]
    lines += [f"~ {_element_line(one)}" for one in changes.get("updated") or []]
    lines += [f"- {ref}" for ref in changes.get("removed") or []]
    for one in changes.get("words") or []:
        lines.append(f"{one.get('kind')}: {one.get('before') or ''} → {_words_of(one.get('block') or {})}")
    return lines


def _element_line(element: Mapping[str, Any]) -> str:
    return " ".join(str(element.get(name, "")) for name in ("ref", "role", "name", "value"))


def _words_of(block: Mapping[str, Any]) -> str:
    return " ".join(str(part["text"]) for part in block.get("parts") or [] if "text" in part)


def _outcome(error: Mapping[str, Any] | None) -> str:
    return "success" if not error else f"error {error['code']}: {error['message']}"


def _pairs(recorded: Any, present: Any, key: str = "") -> Iterator[tuple[str, str, str]]:
    if isinstance(recorded, dict) and isinstance(present, dict):
        for name in recorded.keys() & present.keys():
            yield from _pairs(recorded[name], present[name], name)
    elif isinstance(recorded, list) and isinstance(present, list):
        for old, new in zip(recorded, present, strict=False):
            yield from _pairs(old, new, key)
    elif isinstance(recorded, str) and isinstance(present, str):
        yield key, recorded, present


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value
