"""Scripted agent: it reads only looks as text, chooses elements as a model would, and acts by ref without a pause."""

import re
from collections.abc import Mapping
from typing import Any, Final

import attrs

from agentbrowser.client import Browser
from agentbrowser.protocol.errors import AgentBrowserError, ElementChanged, ElementNotFound
from tests.browser.sites.looks import Part, TextLook, has_words
from tests.browser.sites.targets import Target, TargetAmbiguous, TargetMissing

_MOST_PAGES: Final = 20
_METHODS: Final = {"click", "dblclick", "hover", "check", "uncheck", "fill", "press", "select", "drag"}
_LISTS: Final = frozenset({"combobox", "listbox"})
_SCREEN: Final = {"width": 1280, "height": 800}
"""The screen for which the sites were written: some of their lists open below 720 pixels."""
_SLOT: Final = re.compile(r"\{(\w+)\}")


class StepFailed(Exception):
    """A step of a task could not be done."""

    def __init__(self, number: int, cause: str, detail: str) -> None:
        super().__init__(f"step {number}: {cause}: {detail}")


@attrs.define
class ScriptedAgent:
    """An agent with one page; ``changes`` makes each action report what changed in its own result."""

    browser: Browser
    changes: bool = False
    _first: str = ""
    """Text of the first look after the last action: a whole look, or what changed."""
    _whole: dict[str, Any] | None = None
    """The first look after the last action, if it is a whole one."""
    _memory: dict[str, str] = attrs.field(factory=dict)

    async def run(self, url: str, steps: list[dict[str, Any]]) -> None:
        """Do a task.

        Raises:
          StepFailed: a step could not be done.
        """
        await self.browser.request("emulate/setViewport", _SCREEN)
        await self.browser.request("page/navigate", {"url": url})
        await self._look()
        for number, step in enumerate(steps, 1):
            try:
                await self._do_settled(step)
            except TargetMissing as missing:
                raise StepFailed(number, "target missing", str(missing)) from None
            except TargetAmbiguous as several:
                raise StepFailed(number, "target ambiguous", str(several)) from None
            except WordsMissing as missing:
                raise StepFailed(number, "words missing", f"{missing}\n{self._first}") from None
            except AgentBrowserError as refused:
                raise StepFailed(number, f"refused, {type(refused).__name__}", f"{step}: {refused}") from refused

    async def _do_settled(self, step: Mapping[str, Any]) -> None:
        """Do a step; if its ref is stale and the look had reported the page as not settled, look again and retry."""
        is_pending = "\npending " in self._first
        try:
            await self._do(step)
        except (ElementNotFound, ElementChanged):
            if not is_pending:
                raise
            await self._look()
            await self._do(step)

    async def _do(self, step: Mapping[str, Any]) -> None:
        words = TextLook.of(self._first).words
        match step["do"]:
            case "expect":
                if not has_words(words, step["text"]):
                    raise WordsMissing(step["text"])
            case "expectGone":
                if has_words(words, step["text"]):
                    raise WordsMissing(f"gone: {step['text']}")
            case "remember":
                found = re.search(step["pattern"], words)
                if found is None:
                    raise WordsMissing(step["pattern"])
                self._memory[step["as"]] = found[1]
            case action:
                await self._act(action, step)

    async def _act(self, action: str, step: Mapping[str, Any]) -> None:
        assert action in _METHODS, action
        params: dict[str, Any] = {}
        if "value" in step:
            params["value"] = _SLOT.sub(lambda slot: self._memory[slot[1]], step["value"])
        if action == "select":
            params["values"] = params.pop("value")
        if action == "press":
            params["key"] = step["key"]
        target = await self._find(Target(**step["target"]), action)
        if action == "select" and target.role not in _LISTS:
            await self._send("click", {"selector": _ref(target)})
            action, target = "click", await self._find(Target("option", params.pop("values")), "click")
        if action == "drag":
            params["source"] = _ref(target)
            params["target"] = _ref(await self._find(Target(**step["to"]), "drop"))
        else:
            params["selector"] = _ref(target)
        await self._send(action, params)

    async def _send(self, action: str, params: dict[str, Any]) -> None:
        """Act, and look."""
        if self.changes:
            result = await self.browser.request(f"action/{action}", {**params, "observe": "changes"})
            self._first, self._whole = result["observation"]["text"], None
        else:
            await self.browser.request(f"action/{action}", params)
            await self._look()

    async def _find(self, target: Target, action: str) -> Part:
        """Return the element that a target means; read on in the look while it is not there."""
        look = TextLook()
        seen = self._whole or await self._observe()
        for _ in range(_MOST_PAGES):
            look.add(seen["text"])
            try:
                return target.find(look, action)
            except TargetMissing:
                cursor = seen.get("nextCursor") or (look.folds.pop(0) if look.folds else None)
                if cursor is None:
                    raise
                seen = await self._observe(cursor=cursor)
        raise TargetMissing(f"{target} on {_MOST_PAGES} pages")

    async def _look(self) -> None:
        self._whole = await self._observe()
        self._first = self._whole["text"]

    async def _observe(self, **params: Any) -> dict[str, Any]:
        return dict(await self.browser.request("agent/observe", {"format": "text", **params}))


class WordsMissing(Exception):
    """The first look after an action lacks the words that it should show."""


def _ref(part: Part) -> dict[str, str]:
    return {"type": "ref", "value": part.ref}
