"""Entry of the operator's secrets into pages, only on permitted origins, and detection of where pages show them."""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import Frame, Locator

from agentbrowser.browser.page.surface import PageSurface
from agentbrowser.policy import globs
from agentbrowser.policy.masking import SecretMasker
from agentbrowser.policy.secrets import Secret, SecretStore, parts_of
from agentbrowser.protocol.errors import (
    ActionFailed,
    AgentBrowserError,
    ExecutionContextDestroyed,
    FrameNotFound,
    ScopeDenied,
)
from agentbrowser.protocol.types.action import TypeOptions

if TYPE_CHECKING:
    from agentbrowser.browser.act.attempt import ActionAttempt

_MAX_CHARACTERS: Final = 2_000_000
"""Texts of a document that are searched for secrets; of a longer one there are no pictures."""
_DROP_TIMEOUT_S: Final = 1.0
_GONE: Final = (ExecutionContextDestroyed, FrameNotFound)
_WRONG_ORIGIN_HINT: Final = (
    "Use it only on the sites that the operator has named for it; look where the page and its frames are."
)


@attrs.define(eq=False)
class PageSecrets:
    """The operator's secrets, and those that were entered into a client's pages.

    Args:
      is_recorded: returns True while a trace of one of the pages is being recorded.
    """

    vault: SecretStore
    is_recorded: Callable[[], bool]
    used: dict[str, Secret] = attrs.field(factory=dict, init=False)
    """Entered secrets by value: the operator may change the value of a name meanwhile."""
    masks: SecretMasker = attrs.field(factory=SecretMasker, init=False)
    """Masks for what this side spells in another way, such as numbers, file names and parts of files."""

    def named_in(self, text: str) -> list[Secret]:
        """Return the secrets that a text names; all exist, because the request was validated."""
        return self.vault.named_in(text)

    def use(self, secrets: Sequence[Secret], action: str) -> None:
        """Record that these secrets are about to be entered.

        Raises:
          ActionFailed: a trace is being recorded, and would contain them.
        """
        if self.is_recorded():
            reason = "a trace is being recorded, and would hold the secret"
            raise ActionFailed(f"The {action} failed: {reason}.", action=action, reason=reason, hint="Stop it first.")
        self.remember(secrets)

    def fits_url(self, wanted: str, url: str) -> bool:
        """Return True if a glob or a part of a URL fits one, as the client sees it: a part of a secret fits nothing."""
        shown = self.masks.text(url)
        return wanted == url or globs.fits(wanted, shown)

    def remember(self, secrets: Iterable[Secret]) -> None:
        """Mask and cover secrets that the pages may hold. Each step is atomic, so any thread may call it."""
        new = {secret.value: secret for secret in secrets}
        self.masks.add(new)
        self.used |= new


async def fill(act: "ActionAttempt", text: str) -> None:
    """Fill the field with a text that names secrets. [asyncio]

    Raises:
      ScopeDenied: a secret is not permitted for the document of the field.
    """
    page_secrets, secrets = act.tab.secrets, act.tab.secrets.named_in(text)
    origin = await _check_origin(act, secrets)
    if act.options.trial:
        return
    page_secrets.use(secrets, act.action)
    whole = "".join(piece for piece, _ in parts_of(text, secrets))
    await _write(act, origin, whole, secrets, mode="fill")
    await act.settle()


async def type_(act: "ActionAttempt", text: str, options: TypeOptions) -> None:
    """Type a text that names secrets after the field's current text. [asyncio]

    Raises:
      ScopeDenied: a secret is not permitted for the document of the field.
    """
    page_secrets, secrets = act.tab.secrets, act.tab.secrets.named_in(text)
    origin = await _check_origin(act, secrets)
    if options.trial:
        return
    page_secrets.use(secrets, act.action)
    clears, mode = options.clear, "type"
    for piece, is_secret in parts_of(text, secrets):
        if is_secret or mode == "type":
            piece_text = piece if is_secret else ""
            await _write(act, origin, piece_text, secrets, mode=mode, clears=clears, delay=options.delay_ms)
            clears, mode = False, "goOn"
        if not is_secret:  # keys such as Enter, or text without a secret
            await act.perform(act.tab.page.keyboard.type(piece, delay=options.delay_ms))
    await act.settle()


async def _check_origin(act: "ActionAttempt", secrets: Sequence[Secret]) -> str:
    """Locate the field and check that the secrets may be entered there; return the origin of its document."""
    if not act.tab.is_chromium:
        raise act.failed("secrets can be used in Chromium only")
    found = await act.find()
    origin = await act.tab.isolated_worlds.of(found.frame).origin()
    _require_permission(act, secrets, origin)
    await act.wait_until_ready("text")
    return origin


def _require_permission(act: "ActionAttempt", secrets: Iterable[Secret], origin: str) -> None:
    for secret in secrets:
        if not secret.is_for(origin):
            message = f"The secret {secret.name} is not for {origin}; nothing was written."
            method = f"action/{act.action}"
            raise ScopeDenied(message, method=method, secret=secret.name, origin=origin, hint=_WRONG_ORIGIN_HINT)


async def check_pasted(act: "ActionAttempt", text: str, frames: Iterable[Frame]) -> None:
    """Check that the secrets in a text may be pasted into any of these frames: a page may have shown them. [asyncio]

    Raises:
      ScopeDenied: a secret is not permitted for one of the documents.
    """
    held = [one for one in act.tab.secrets.used.values() if text and _holds(text, one)]
    for frame in frames if held else ():
        with contextlib.suppress(*_GONE):
            _require_permission(act, held, await act.tab.isolated_worlds.of(frame).origin())


def _holds(text: str, secret: Secret) -> bool:
    masks = SecretMasker()
    masks.add([secret.value])
    return masks.text(text) != text


async def _write(
    act: "ActionAttempt",
    origin: str,
    text: str,
    secrets: Sequence[Secret],
    *,
    mode: str,
    clears: bool = False,
    delay: int = 0,
) -> None:
    values = [secret.value for secret in secrets]
    arguments = {"origin": origin, "text": text, "values": values, "how": mode, "clears": clears, "delay": delay}
    try:
        outcome = await act.perform(act.subject.entrust(arguments))
    except _GONE:  # the page has taken the value and navigated
        return
    except asyncio.CancelledError:
        with contextlib.suppress(AgentBrowserError, TimeoutError):
            async with asyncio.timeout(_DROP_TIMEOUT_S):
                await act.tab.isolated_worlds.of(act.element.frame).call("dropUnfinished")
        raise
    if outcome is not None:
        _check_written(act, outcome)


def _check_written(act: "ActionAttempt", outcome: dict[str, Any]) -> None:
    if outcome.get("isElsewhere"):
        raise act.failed("the page went to another document; nothing was written", retryable=True)
    if outcome.get("isAstray"):
        raise act.failed("the page took the keyboard focus away from the field", hint="Look at the page, and try fill.")
    if not outcome["landed"]:
        raise act.failed("the value did not land", hint="Check the format that the field takes, or use type.")


async def known_in(tab: PageSurface, frame: Frame) -> dict[str, Any]:
    """Return the origin of a frame's document, and the used secrets that it may know. [asyncio]"""
    if not tab.secrets.used:
        return {"origin": "null", "values": []}
    origin = await tab.isolated_worlds.of(frame).origin()
    return {"origin": origin, "values": [one.value for one in tab.secrets.used.values() if one.is_for(origin)]}


async def places_to_cover(tab: PageSurface) -> list[Locator]:
    """Return locators of all that a screenshot must not show. [asyncio]

    Raises:
      ActionFailed: no locator finds some of it.
    """
    locators = await secret_locators(tab)
    if locators is None:
        reason, hint = "the page may show a secret that can't be covered", "Read the page as text."
        raise ActionFailed(f"The screenshot failed: {reason}.", action="screenshot", reason=reason, hint=hint)
    return locators


async def secret_locators(tab: PageSurface) -> list[Locator] | None:
    """Return locators of all that shows a used secret, in all frames; None if no locator finds some. [asyncio]"""
    locators: list[Locator] = []
    for frame in tab.page.frames if tab.secrets.used else ():
        found = await _secret_locators_in(tab, frame)
        if found is None:
            return None
        locators += found
    return locators


async def _secret_locators_in(tab: PageSurface, frame: Frame) -> list[Locator] | None:
    try:
        known = await known_in(tab, frame)
        paths = (await tab.isolated_worlds.of(frame).call("secretPlaces", known))["paths"]
        if len(known["values"]) < len(tab.secrets.used):
            elsewhere = await _places_where_unknown(tab, frame)
            if elsewhere is None:
                return None
            paths += elsewhere
    except FrameNotFound:
        return []
    locators = [frame.locator(f"css={path}") for path in paths]
    # Playwright's `>` does not find what is in a form with a field of the name parentElement.
    return locators if all(await asyncio.gather(*(one.count() for one in locators))) else None


async def _places_where_unknown(tab: PageSurface, frame: Frame) -> list[str] | None:
    """Return the paths of elements that show secrets in a document that may not know them: this side searches it.

    None for a document that is too large for that.
    """
    world, masks = tab.isolated_worlds.of(frame), tab.secrets.masks
    shown = await world.call("textsHere", {"limit": _MAX_CHARACTERS})
    if shown["isTooLarge"]:
        return None

    def search() -> dict[str, list[int]]:
        values = [index for index, value in enumerate(shown["values"]) if masks.holders([value])]
        return {"texts": masks.holders(shown["texts"]), "values": values}

    found = await asyncio.to_thread(search)
    return (await world.call("placesOf", found))["paths"] if any(found.values()) else []
