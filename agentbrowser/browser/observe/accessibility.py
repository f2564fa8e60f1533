"""Accessibility tree of a page, as the browser exposes it, and an outline of roles and names."""

import asyncio
import contextlib
import itertools
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import attrs
from playwright.async_api import CDPSession, Error, Frame

from agentbrowser.browser import faults
from agentbrowser.browser.background_tasks import beside_loop
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.engine import vendor
from agentbrowser.browser.observe import accessibility_tree
from agentbrowser.browser.observe.accessibility_tree import MAX_NODES, AxNode, ElementFacts
from agentbrowser.browser.observe.surface import ObserveSurface
from agentbrowser.browser.page import isolated_world
from agentbrowser.browser.page.element_handles import (
    MAX_CONTENT_BYTES,
    ElementHandle,
    checked_answer,
    handle_for,
)
from agentbrowser.browser.page.frame_sessions import FrameSession
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import ActionFailed, ExecutionContextDestroyed
from agentbrowser.protocol.types.observe import (
    AccessibilityNode,
    AccessibilityOptions,
    AccessibilityResult,
    AriaSnapshotResult,
    BoundingBox,
)
from agentbrowser.protocol.types.selector import Selector

_LIMITS: Final = {"bytes": MAX_CONTENT_BYTES, "nodes": MAX_NODES}
_numbers: Final = itertools.count()
_BATCH_SIZE: Final = 100
_NODES_ON_LOOP: Final = 300
"""Nodes that a loop may make a tree of: the largest tree held it for 0.3 s."""
_GONE: Final = "Cannot find context with specified id"

_SCRIPT: Final = f"globalThis[{isolated_world.KEY}]"
_INSPECT: Final = f'function (...nodes) {{ return {_SCRIPT}(`["inspect"]`, nodes); }}'


@attrs.frozen
class Accessibility:
    """Accessibility tree and outline of one tab's document."""

    tab: ObserveSurface

    async def outline(self, selector: Selector | None, timeout_ms: int | None = None) -> AriaSnapshotResult:
        """Return the page, or an element, as a YAML outline (ARIA snapshot). [asyncio]

        Raises:
          ResourceLimitExceeded: it has more than 20,000 elements or 8 MB.
        """
        held = await handle_for(self.tab, selector, Deadline.of_request(timeout_ms))
        return AriaSnapshotResult(**await _call(held, "outline", selector))

    async def tree(self, options: AccessibilityOptions, timeout_ms: int | None = None) -> AccessibilityResult:
        """Return the accessibility tree of the document, or of a root element. [asyncio]

        Raises:
          ActionFailed: the engine does not expose its tree.
          ResourceLimitExceeded: the document has more than 20,000 nodes or 8 MB.
        """
        if not self.tab.is_chromium:
            hint = "Use observe/ariaSnapshot, which all browsers can give."
            message = "Only Chromium shows its accessibility tree."
            raise ActionFailed(message, action="observe/accessibility", reason="browser", hint=hint)
        held = await handle_for(self.tab, options.root, Deadline.of_request(timeout_ms))
        await _call(held, "checkSize", options.root)
        with faults.mapped(action="observe/accessibility"):
            tree = await self._tree(options, held)
        if options.include_hidden:
            answer = await _call(held, "hiddenParts", options.root)
            tree = _with_hidden(tree, [_hidden(part) for part in answer["parts"]])
        return AccessibilityResult(tree=tree)

    async def _tree(self, options: AccessibilityOptions, held: ElementHandle) -> list[AccessibilityNode]:
        document = await self._document(held.frame)
        try:
            nodes = await document.nodes(held.name)
            facts, secrets = await document.facts(accessibility_tree.controls(nodes)), await document.secrets()
        except Error as error:
            if _GONE not in error.message:
                raise
            raise ExecutionContextDestroyed("The page went on to another document.") from error
        finally:
            await document.release()
        depth, interesting = options.max_depth, options.interesting_only
        holders = self.tab.secrets.masks.holders
        build = partial(accessibility_tree.build, interesting_only=interesting, max_depth=depth, holders=holders)
        return await beside_loop(len(nodes) > _NODES_ON_LOOP, build, nodes, facts, secrets)

    async def _document(self, frame: Frame) -> "_Document":
        place = await self.tab.frame_sessions.find(frame)
        # A world of the same name is created only once: this is the one with the in-page scripts.
        return _Document(place, await place.isolated_world(isolated_world.NAME))


async def _call(held: ElementHandle, function: str, selector: Selector | None) -> dict[str, Any]:
    return checked_answer(await held.call(function, **_LIMITS), selector, _LIMITS)


@attrs.frozen
class _Document:
    """One document in both views: the browser's accessibility tree and the in-page scripts."""

    place: FrameSession
    context: int
    group: str = attrs.field(factory=lambda: f"agentbrowser-accessibility-{next(_numbers)}", init=False)
    """Group of this call's remote objects: those of calls beside it are not released with them."""

    @property
    def session(self) -> CDPSession:
        """Return the session with the document's process."""
        return self.place.session

    async def nodes(self, held: str | None) -> list[AxNode]:
        """Return the browser's nodes of the element that is held under a name, or of the document. [asyncio]"""
        if held is None:
            whole = {"frameId": self.place.frame_id}
            return list((await vendor.send(self.session, "Accessibility.getFullAXTree", whole))["nodes"])
        element = {"expression": f"{_SCRIPT}.held('{held}')", "contextId": self.context, "objectGroup": self.group}
        found = await self.session.send("Runtime.evaluate", element)
        part = {"objectId": found["result"]["objectId"]}
        return list((await vendor.send(self.session, "Accessibility.queryAXTree", part))["nodes"])

    async def secrets(self) -> list[str]:
        """Return the texts that reveal a secret. [asyncio]"""
        call = {"expression": f'{_SCRIPT}(`["secretTexts"]`)', "contextId": self.context, "returnByValue": True}
        found: list[str] = wire.load((await self.session.send("Runtime.evaluate", call))["result"]["value"])
        return found

    async def facts(self, ids: Sequence[int]) -> dict[int, ElementFacts]:
        """Return the page's facts about nodes, by their backend ids. [asyncio]"""
        facts: dict[int, ElementFacts] = {}
        for start in range(0, len(ids), _BATCH_SIZE):
            facts |= await self._inspect(ids[start : start + _BATCH_SIZE])
        return facts

    async def _inspect(self, ids: Sequence[int]) -> dict[int, ElementFacts]:
        objects = await asyncio.gather(*(self._object(id_) for id_ in ids))
        call = {
            "executionContextId": self.context,
            "functionDeclaration": _INSPECT,
            "arguments": [{"objectId": found} if found else {"value": None} for found in objects],
            "returnByValue": True,
        }
        answers = wire.load((await self.session.send("Runtime.callFunctionOn", call))["result"]["value"])
        return {
            id_: ElementFacts(box=BoundingBox(**item["box"]), secret=item["secret"])
            for id_, item in zip(ids, answers, strict=True)
            if item is not None
        }

    async def _object(self, id_: int) -> str | None:
        arguments = {"backendNodeId": id_, "executionContextId": self.context, "objectGroup": self.group}
        try:
            return str((await vendor.send(self.session, "DOM.resolveNode", arguments))["object"]["objectId"])
        except Error:  # the element has left the page
            return None

    async def release(self) -> None:
        """Release the remote objects of the elements. [asyncio]"""
        with contextlib.suppress(Error):
            await self.session.send("Runtime.releaseObjectGroup", {"objectGroup": self.group})


def _hidden(part: dict[str, Any]) -> AccessibilityNode:
    children = [_hidden(child) for child in part["children"]]
    return AccessibilityNode(role=part["role"], name=part["name"] or None, hidden=True, children=children or None)


def _with_hidden(tree: list[AccessibilityNode], hidden: list[AccessibilityNode]) -> list[AccessibilityNode]:
    """Append the hidden nodes to the children of the root."""
    if not tree:
        return hidden
    return [attrs.evolve(tree[0], children=[*(tree[0].children or []), *hidden] or None)]
