"""Check of an action's expected outcome: the ``expect`` of agent/act's steps."""

import json
from typing import Any, Final

import attrs

from agentbrowser.browser import faults
from agentbrowser.browser.act import conditions
from agentbrowser.browser.act.locate import ElementSearch
from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.page import element_handles
from agentbrowser.policy.redaction import redact_address
from agentbrowser.protocol.errors import ActionFailed, AgentBrowserError, ElementNotFound, Timeout
from agentbrowser.protocol.types.selector import Selector, describe
from agentbrowser.protocol.types.sequence import Expectation

_LIMITS: Final = {"bytes": element_handles.MAX_CONTENT_BYTES}
_SHOWN: Final = 200
_QUOTED: Final = 100
_BRIEF_S: Final = 1.0

Missing = dict[str, Any]
"""Unmet parts of the expectation by name, each with the actual value."""


@attrs.frozen
class ExpectationCheck:
    """An expectation, with the action and the element that must fulfil it."""

    tab: ActSurface
    expect: Expectation
    element: Selector | None
    action: str

    async def wait(self) -> None:
        """Wait until all parts hold at the same moment. [asyncio]

        Raises:
          ActionFailed: it never did; the details say what was expected, and what there is instead.
        """
        unknown: Missing = {}
        missing = await conditions.poll(self._missing, self.expect.timeout_ms / 1000, unknown=unknown)
        if missing is not None:
            raise self._failed(missing)

    async def _missing(self) -> Missing | None:
        missing = self._url()
        if self.tab.dialog is None:
            missing |= await self._state() | await self._text() | await self._value()
        elif self.expect.state or self.expect.text or self.expect.value is not None:
            missing["dialog"] = self.tab.dialog.type  # the dialog blocks the page until it is answered
        return missing or None

    def _url(self) -> Missing:
        wanted, actual = self.expect.url, self.tab.page.url
        if wanted is None or self.tab.secrets.fits_url(wanted, actual):
            return {}
        return {"url": redact_address(actual)}

    async def _state(self) -> Missing:
        if self.expect.state is None or self.expect.selector is None:
            return {}
        try:
            actual = await conditions.mismatch(self.tab, self.expect.selector, self.expect.state)
        except ElementNotFound:
            return {"state": "never observed"}
        return {"state": actual} if actual else {}

    async def _text(self) -> Missing:
        if self.expect.text is None:
            return {}
        if self.tab.secrets.masks.active:  # no part of a secret counts as shown
            is_shown = await conditions.words_in(self.tab, self.tab.frame, self.expect.text)
        else:
            with faults.mapped():
                is_shown = bool(await self.tab.frame.get_by_text(self.expect.text).filter(visible=True).count())
        # A payment form in a frame says there that it is paid, and a click in it may be answered by the page around it.
        is_shown = is_shown or await conditions.words_elsewhere(self.tab, self.expect.text)
        return {} if is_shown else {"text": None}

    async def _value(self) -> Missing:
        selector = self.expect.selector or self.element
        if self.expect.value is None or selector is None:
            return {}
        try:
            content = await self._content(selector)
        except (ElementNotFound, Timeout):  # gone, or not there yet
            return {"value": None}
        if content.get("secret"):
            raise self._secret()
        actual = content.get("value")
        return {} if _equal(self.expect.value, actual) else {"value": _truncated(actual)}

    async def _content(self, selector: Selector) -> dict[str, Any]:
        """Return the element's content, of several the first one's. [asyncio]"""
        with faults.mapped(selector=describe(selector)):
            found = await ElementSearch(self.tab, selector).find_all()
            if found is None or not await found.locator.count():
                raise ElementNotFound("The element is not there.")
            first = attrs.evolve(found, locator=found.locator.first)
            element = await element_handles.handle_of(self.tab, first, Deadline(_BRIEF_S))
        answer = await element.call("stateOf", properties=["held"], bytes=element_handles.MAX_CONTENT_BYTES)
        content: dict[str, Any] = element_handles.checked_answer(answer, selector, _LIMITS)["state"]["held"]
        return content

    def _failed(self, missing: Missing) -> AgentBrowserError:
        waited_ms = self.expect.timeout_ms
        if not missing:
            return conditions.no_answer(waited_ms, action=self.action)
        expected = self._expected(missing)
        shown = expected.keys() - {"value"}  # typed text is in no message
        names = [
            f"{name} {_in_words(expected[name])}" if name in shown else name for name in missing if name != "dialog"
        ]
        message = f"{self.action} was done, but what was expected was not there within {waited_ms} ms"
        hint = "Observe the page to see what the action has led to; to retry is to do it again."
        if kind := missing.get("dialog"):
            names.append(f"the page has a dialog open ({kind})")
            hint = "Answer the dialog with dialog/handle, then observe the page; to retry is to do the action again."
        return ActionFailed(
            f"{message}: {', '.join(names)}.",
            hint=hint,
            action=self.action,
            reason="not as expected",
            waited_ms=waited_ms,
            expected=expected,
            got=missing,
        )

    def _expected(self, missing: Missing) -> dict[str, Any]:
        """Return the unmet part of the expectation."""
        wanted = {name: getattr(self.expect, name) for name in ("url", "state", "text", "value")}
        names = wanted if "dialog" in missing else missing
        shown = {name: wanted[name] for name in names if wanted.get(name) is not None}
        if self.expect.selector is not None and not shown.keys().isdisjoint(("state", "value")):
            return {"selector": describe(self.expect.selector), **shown}
        return shown

    def _secret(self) -> ActionFailed:
        return ActionFailed(
            f"{self.action} was done, but what a field for secrets holds is not told.",
            hint="Leave the value out: action/fill itself fails if what it writes does not land.",
            action=self.action,
            reason="the value is a secret",
        )


def _equal(wanted: str | bool | list[str], actual: Any) -> bool:
    if isinstance(wanted, list) or isinstance(actual, list):
        return sorted(_listed(wanted)) == sorted(_listed(actual))
    if isinstance(wanted, str) and isinstance(actual, str):
        return _lines(wanted) == _lines(actual)
    return type(wanted) is type(actual) and wanted == actual


def _listed(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _lines(text: str) -> str:
    """Return a text with line ends as pages have them."""
    return text.replace("\r\n", "\n").strip("\n")


def _in_words(expected: Any) -> str:
    """Return an expected value as one word of a sentence, cut off where it is long."""
    text = json.dumps(expected, ensure_ascii=False)
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def _truncated(actual: Any) -> Any:
    return actual[:_SHOWN] if isinstance(actual, str | list) else actual
