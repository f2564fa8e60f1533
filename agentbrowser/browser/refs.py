"""What a client has seen of a page: the elements by their refs, and what has become of them since."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

import attrs

from agentbrowser.browser.world import World
from agentbrowser.codec import structure, wire_fields
from agentbrowser.errors import ElementChanged, ElementNotFound, InvalidParams
from agentbrowser.types.element import AgentObserveResult, Changes, InteractiveElement, ObserveMetadata, Screenshot
from agentbrowser.types.observe import (
    AccessibilityOptions,
    AccessibilityResult,
    BoundingBox,
    ScreenshotOptions,
    ScreenshotResult,
)
from agentbrowser.types.page import Dialog, Page
from agentbrowser.types.selector import SELECTORS, Ref, Selector, describe

if TYPE_CHECKING:
    from agentbrowser.methods.agent_observe import ObserveParams

_WATCHED: Final = ("name", "value", "checked", "disabled", "expanded", "selected")
_MINIMAL: Final = ("ref", "selector", "role", "name", "tag_name")
_NAMES: Final = {name: attribute.name for name, attribute in wire_fields(InteractiveElement).items()}
_KINDS: Final[dict[str, Callable[..., Selector]]] = {kind.type: kind for kind in SELECTORS}

Plain = dict[str, Any]


class Camera(Protocol):
    """What pictures a page."""

    async def screenshot(self, options: ScreenshotOptions, selector: Selector | None) -> ScreenshotResult:
        """Picture the page."""
        ...


class Outline(Protocol):
    """What knows a page's accessibility tree."""

    async def tree(self, options: AccessibilityOptions) -> AccessibilityResult:
        """Return the tree."""
        ...


class Surface(Protocol):
    """What observing needs of a tab."""

    @property
    def world(self) -> World:
        """Our scripts in the page."""
        ...

    @property
    def capture(self) -> Camera:
        """What pictures the page."""
        ...

    @property
    def accessibility(self) -> Outline:
        """What knows the page's tree."""
        ...

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that holds the page up, if any."""
        ...

    async def describe(self) -> Page:
        """Return the page's facts without asking the page."""
        ...


@attrs.frozen(kw_only=True)
class Thing:
    """An interactive element as a ranker sees it."""

    role: str
    name: str | None = None
    selector: Selector


@attrs.define(eq=False)
class Refs:
    """The memory of one page: the states of the elements that the client was told of, in one document."""

    tab: Surface
    _document: str = ""
    _seen: dict[str, tuple[Any, ...]] = attrs.field(factory=dict)

    async def observe(self, params: "ObserveParams") -> AgentObserveResult:
        """Look at the page. [asyncio]

        Raises:
          InvalidParams: the cursor is of another document.
        """
        if self.tab.dialog is not None:
            return await self._behind(self.tab.dialog, params)
        if params.include_interactive_elements or params.incremental:
            result = await self._elements(params)
        else:
            result = AgentObserveResult(metadata=_metadata(await self.tab.world.call("about"), params))
        return await self._with_pictures(result, params)

    async def interactive(self) -> list[Thing]:
        """Return every interactive element, without giving refs. [asyncio]"""
        return [structure(Thing, plain) for plain in await self.tab.world.call("list")]

    async def resolve(self, ref: str) -> str:
        """Return a CSS selector that hits just the element of the ref, open shadow roots included. [asyncio]

        Raises:
          ElementNotFound: the ref was never given, or its element is gone.
          ElementChanged: the element is something else by now.
        """
        answer = await self.tab.world.call("locate", {"ref": ref})
        if answer["state"] == "here":
            return str(answer["css"])
        if answer["state"] == "changed":
            before, after = answer["before"], answer["after"]
            raise ElementChanged(f"{ref} is not what it was when observed.", ref=ref, before=before, after=after)
        raise ElementNotFound(self._why_missing(ref, answer), selector=describe(Ref(ref)))

    def _why_missing(self, ref: str, answer: Plain) -> str:
        if answer["state"] == "gone":
            return f"The element {ref} has left the page."
        if ref in self._seen and answer["document"] != self._document:
            return f"The page has gone to another document since {ref} was observed."
        return f"No element was observed as {ref}."

    async def _elements(self, params: "ObserveParams") -> AgentObserveResult:
        answer = await self.tab.world.call("observe", self._wanted(params))
        if answer.get("isLost"):
            hint = "Observe again without a cursor."
            raise InvalidParams("The cursor is of another document.", path="cursor", got=params.cursor, hint=hint)
        elements = {plain["ref"]: _element(plain, params) for plain in answer["elements"]}
        changes = self._compare(answer, elements)
        is_listed = params.include_interactive_elements
        return AgentObserveResult(
            metadata=_metadata(answer["metadata"], params),
            interactive_elements=list(elements.values()) if is_listed else None,
            total_interactive_elements=answer["total"] if is_listed else None,
            next_cursor=answer.get("next"),
            changes=changes if params.incremental else None,
        )

    def _wanted(self, params: "ObserveParams") -> Plain:
        offset, _, after = (params.cursor or "0").partition("@")
        roles = params.filter_roles
        return {
            "max": params.max_elements,
            "offset": int(offset),
            "after": f"@{after}" if after else None,
            "roles": [role.strip().lower() for role in roles] if roles is not None else None,
            "viewportOnly": params.viewport_only,
            "bounds": params.include_bounds,
            "alternatives": params.response_tier != "minimal",
            "stable": params.stable_refs,
            "refresh": params.refresh_refs,
            "history": params.include_ref_history,
            "known": list(self._seen),
        }

    def _compare(self, answer: Plain, elements: dict[str, InteractiveElement]) -> Changes:
        """Remember what is seen now, and tell what is new in it."""
        if answer["document"] != self._document:
            removed, self._seen, self._document = list(self._seen), {}, answer["document"]
        else:
            removed = answer["missing"]
        for ref in removed:
            self._seen.pop(ref, None)
        before = dict(self._seen)
        self._seen |= {plain["ref"]: tuple(map(plain.get, _WATCHED)) for plain in answer["elements"]}
        added = [element for ref, element in elements.items() if ref not in before]
        updated = [element for ref, element in elements.items() if before.get(ref, self._seen[ref]) != self._seen[ref]]
        return Changes(added=added, updated=updated, removed=removed)

    async def _with_pictures(self, result: AgentObserveResult, params: "ObserveParams") -> AgentObserveResult:
        if params.response_tier != "full":
            return result
        if params.include_accessibility:
            tree = await self.tab.accessibility.tree(AccessibilityOptions())
            result = attrs.evolve(result, accessibility=tree)
        if params.include_screenshot:
            taken = await self.tab.capture.screenshot(ScreenshotOptions(), None)
            result = attrs.evolve(result, screenshot=Screenshot(**attrs.asdict(taken)))
        return result

    async def _behind(self, dialog: Dialog, params: "ObserveParams") -> AgentObserveResult:
        """Say what can be said while a dialog holds the page's scripts up."""
        page = await self.tab.describe()
        metadata = ObserveMetadata(url=page.url, title=page.title, viewport=page.viewport, dialog=dialog)
        return AgentObserveResult(
            metadata=metadata, interactive_elements=[] if params.include_interactive_elements else None
        )


def _element(plain: Plain, params: "ObserveParams") -> InteractiveElement:
    """Make an element of what our script has returned, which needs no checks: they would cost more than the page."""
    known: Plain = {_NAMES[name]: value for name, value in plain.items()}
    if params.response_tier == "minimal":
        known = {name: known[name] for name in _MINIMAL if name in known} | {"action_hints": []}
    known["selector"] = _selector(known["selector"])
    if others := known.get("alternative_selectors"):
        known["alternative_selectors"] = list(map(_selector, others))
    if bounds := known.get("bounds"):
        known["bounds"] = BoundingBox(**bounds)
    return InteractiveElement(**known)


def _selector(plain: Plain) -> Selector:
    return _KINDS[plain.pop("type")](**plain)


def _metadata(plain: Plain, params: "ObserveParams") -> ObserveMetadata | None:
    return structure(ObserveMetadata, plain) if params.include_metadata else None
