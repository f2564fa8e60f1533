"""Frame tree of a page: which frames are visible, where they are in the viewport, and what each one contains."""

import asyncio
import itertools
from collections.abc import Callable, Iterator
from typing import Any, Final

import attrs
import structlog
from playwright.async_api import Frame

from agentbrowser.browser import faults
from agentbrowser.browser.page.isolated_world import IsolatedWorld
from agentbrowser.browser.page.surface import PageSurface
from agentbrowser.policy import urls
from agentbrowser.protocol.codec import structure
from agentbrowser.protocol.errors import AgentBrowserError, ElementNotFound
from agentbrowser.protocol.types.observe import BoundingBox
from agentbrowser.protocol.types.selector import Ref, describe

log = structlog.get_logger("agentbrowser.browser")

FRAME_TIMEOUT_S: Final = 2.0
"""Time limit for an answer of one frame, which another process may keep busy."""
FRAME_UNAVAILABLE: Final = (AgentBrowserError, TimeoutError, *faults.VENDOR_ERRORS)
"""Errors of a call to a frame that goes away or does not answer."""

JsonObject = dict[str, Any]


@attrs.frozen(kw_only=True)
class FrameRect:
    """Rectangle in the frame's own pixels."""

    left: float
    top: float
    right: float
    bottom: float


@attrs.frozen(kw_only=True)
class FrameGeometry:
    """Transform from a frame's coordinates to the page's viewport: multiply by the scale, then add the offset."""

    x: float = 0.0
    y: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    is_upright: bool = True
    """True if the frame is neither rotated nor skewed, so that the transform is exact."""
    width: float = 0.0
    height: float = 0.0
    view: FrameRect | None = None
    """Visible part of the frame, in its own pixels; None if that is the viewport."""

    def within_parent(self, parent: "FrameGeometry") -> "FrameGeometry":
        """Return the geometry relative to the page, given that of the parent frame."""
        view = FrameRect(left=0.0, top=0.0, right=self.width, bottom=self.height)
        if (visible := parent.view) is not None:
            view = FrameRect(
                left=max(view.left, (visible.left - self.x) / self.scale_x),
                top=max(view.top, (visible.top - self.y) / self.scale_y),
                right=min(view.right, (visible.right - self.x) / self.scale_x),
                bottom=min(view.bottom, (visible.bottom - self.y) / self.scale_y),
            )
        return attrs.evolve(
            self,
            x=parent.x + self.x * parent.scale_x,
            y=parent.y + self.y * parent.scale_y,
            scale_x=self.scale_x * parent.scale_x,
            scale_y=self.scale_y * parent.scale_y,
            is_upright=self.is_upright and parent.is_upright,
            view=view,
        )

    def with_default_view(self, viewport: JsonObject) -> "FrameGeometry":
        """Return the geometry with the page's viewport as the visible part, for the main frame."""
        whole = FrameRect(left=0.0, top=0.0, right=viewport["width"], bottom=viewport["height"])
        return self if self.view else attrs.evolve(self, view=whole)

    def to_viewport(self, box: BoundingBox) -> BoundingBox:
        """Return a box of the frame in coordinates of the page's viewport."""
        return BoundingBox(
            x=round(self.x + box.x * self.scale_x, 1),
            y=round(self.y + box.y * self.scale_y, 1),
            width=round(box.width * self.scale_x, 1),
            height=round(box.height * self.scale_y, 1),
        )

    def visible_part(self, box: BoundingBox) -> BoundingBox | None:
        """Return the visible part of a box in coordinates of the page's viewport; None if no part is visible."""
        view = self.view
        left, top = (max(box.x, view.left), max(box.y, view.top)) if view else (box.x, box.y)
        right, bottom = box.x + box.width, box.y + box.height
        if view:
            right, bottom = min(right, view.right), min(bottom, view.bottom)
        if right <= left or bottom <= top:
            return None
        return self.to_viewport(BoundingBox(x=left, y=top, width=right - left, height=bottom - top))


@attrs.frozen
class FrameObservation:
    """Answer of one frame to an observation."""

    frame: Frame
    geometry: FrameGeometry
    answer: JsonObject
    is_root: bool
    """True for the selected frame; the others are inside it."""
    frame_id: str | None
    """Its id; None for the page's main frame."""


@attrs.frozen
class FrameTree:
    """Frames of one tab as a tree."""

    tab: PageSurface

    def ref_prefix(self, frame: Frame) -> str:
        """Return the prefix of a frame's refs, without the dot; empty for the main frame."""
        return "" if frame.parent_frame is None else f"f{self.tab.frame_id(frame).rpartition('-')[2]}"

    def frame_of(self, ref: str) -> Frame:
        """Return the frame of a ref.

        Raises:
          ElementNotFound: the frame is gone.
        """
        prefix = ref_prefix_of(ref)
        for frame in self.tab.page.frames:
            if self.ref_prefix(frame) == prefix:
                return frame
        raise ElementNotFound(f"The frame of {ref} is gone.", selector=describe(Ref(ref)))

    async def observe(
        self,
        root: Frame,
        arguments_for: Callable[[Frame, FrameGeometry, int], JsonObject],
        on_missed: Callable[[Frame], None],
    ) -> list[FrameObservation]:
        """Observe all visible frames, from the root down, each parent before its children. [asyncio]

        Args:
          arguments_for: returns the arguments of ``observe`` for a frame, given its ancestors' number of elements.
          on_missed: called with each frame that did not answer in time.
        """

        def report_missed(frame: Frame, reason: str) -> None:
            if not frame.is_detached():
                # Not its URL, which may have 64 KiB: each look would write it, for each frame that stays busy.
                log.info("frame_unseen", host=urls.host_of(frame.url), reason=reason)
                on_missed(frame)

        async def observe_frame(frame: Frame, geometry: FrameGeometry, before: int) -> list[FrameObservation]:
            try:
                async with asyncio.timeout(FRAME_TIMEOUT_S):
                    observation = await observe_one(frame, geometry, before)
                return await with_children(observation, before)
            except FRAME_UNAVAILABLE as error:
                report_missed(frame, type(error).__name__)
                return []

        async def observe_one(frame: Frame, geometry: FrameGeometry, before: int) -> FrameObservation:
            child_ids = list(map(self.tab.frame_id, frame.child_frames))
            arguments = arguments_for(frame, geometry, before) | {"frames": child_ids}
            answer = await self.tab.isolated_worlds.of(frame).call("observe", arguments)
            frame_id = None if frame.parent_frame is None else self.tab.frame_id(frame)
            geometry = geometry.with_default_view(answer["metadata"]["viewport"])
            return FrameObservation(frame, geometry, answer, frame is root, frame_id)

        async def with_children(observation: FrameObservation, before: int) -> list[FrameObservation]:
            frame, children = observation.frame, observation.frame.child_frames
            known = (
                await self._child_geometries(frame, children, observation.answer.get("frames", {})) if children else {}
            )
            for child in children:
                if child not in known:
                    report_missed(child, "it can not be found")
            before += len(observation.answer.get("elements", ()))
            observations = (
                observe_frame(child, geometry.within_parent(observation.geometry), before)
                for child, geometry in known.items()
                if geometry
            )
            return [observation, *itertools.chain.from_iterable(await asyncio.gather(*observations))]

        geometry = FrameGeometry() if root.parent_frame is None else await self.geometry(root)
        return await with_children(await observe_one(root, geometry, 0), 0)

    async def geometry(self, frame: Frame) -> FrameGeometry:
        """Return the geometry of a frame. [asyncio]

        Raises:
          ElementNotFound: the frame is not visible.
        """
        parent = frame.parent_frame
        if parent is None:
            about = await self.tab.isolated_worlds.of(frame).call("about")
            return FrameGeometry().with_default_view(about["viewport"])
        known = await self.tab.isolated_worlds.of(parent).call("frameGeometries", [self.tab.frame_id(frame)])
        geometry = (await self._child_geometries(parent, [frame], known)).get(frame)
        if geometry is None:
            raise ElementNotFound("The frame is not visible.", hint="Go back to the main frame with frame/main.")
        return geometry.within_parent(await self.geometry(parent))

    async def _child_geometries(
        self, parent: Frame, children: list[Frame], known: JsonObject
    ) -> dict[Frame, FrameGeometry | None]:
        """Return the geometry of the children; None for hidden ones. Children that can't be found are absent."""
        world = self.tab.isolated_worlds.of(parent)
        ids = {child: self.tab.frame_id(child) for child in children}
        new = [child for child, id_ in ids.items() if id_ not in known]
        for registered in await asyncio.gather(*(_register_child(world, child, ids[child]) for child in new)):
            known = known | registered
        found = {child: known[id_] for child, id_ in ids.items() if id_ in known}
        return {child: plain and structure(FrameGeometry, plain) for child, plain in found.items()}


async def _register_child(world: IsolatedWorld, child: Frame, id_: str) -> JsonObject:
    """Register a child with the scripts of its parent, and return where it is; empty if it is gone."""
    try:
        async with asyncio.timeout(FRAME_TIMEOUT_S):
            return dict(await world.call_with_owner(child, "registerFrame", id_))
    except FRAME_UNAVAILABLE:
        return {}


def ref_prefix_of(ref: str) -> str:
    """Return the frame prefix of a ref: ``f2`` of ``@f2.submit``."""
    return ref.removeprefix("@").rpartition(".")[0]


def depth_first(frame: Frame) -> Iterator[Frame]:
    """Yield a frame and all its descendants, in the order of an observation."""
    yield frame
    for child in frame.child_frames:
        yield from depth_first(child)
