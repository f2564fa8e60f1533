"""Candidate elements for semantic selectors."""

import asyncio
import itertools

from playwright.async_api import Frame

from agentbrowser.browser.page import frame_tree
from agentbrowser.browser.page.element_handles import selectors
from agentbrowser.browser.page.frame_tree import depth_first
from agentbrowser.browser.page.surface import PageSurface
from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.protocol.types.selector import Ref, Selector


async def interactive(tab: PageSurface) -> list[ElementFeatures]:
    """Return every interactive element of the selected frame and of the visible frames in it. [asyncio]"""
    lists = await asyncio.gather(*(_within(tab, frame) for frame in depth_first(tab.frame)))
    return list(itertools.chain.from_iterable(lists))


async def _within(tab: PageSurface, frame: Frame) -> list[ElementFeatures]:
    world = tab.isolated_worlds.of(frame)
    if frame is tab.frame:
        return _described(tab, await world.call("listCandidates", {"prefix": None}))
    try:
        async with asyncio.timeout(frame_tree.FRAME_TIMEOUT_S):
            await tab.frame_tree.geometry(frame)
            # Other selectors are resolved in the selected frame, where they would match something else.
            return _described(
                tab, await world.call("listCandidates", {"prefix": f"{tab.frame_tree.ref_prefix(frame)}."})
            )
    except frame_tree.FRAME_UNAVAILABLE:  # hidden, silent or gone
        return []


def _described(tab: PageSurface, plains: list[frame_tree.JsonObject]) -> list[ElementFeatures]:
    masks = tab.secrets.masks
    return [
        ElementFeatures(selector=_selector(plain), **(masks.texts(plain) if masks.active else plain))
        for plain in plains
    ]


def _selector(plain: frame_tree.JsonObject) -> Selector:
    if ref := plain.pop("ref", None):
        return Ref(ref)
    return selectors(plain.pop("by"), plain)[0]
