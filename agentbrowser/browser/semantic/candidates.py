"""Candidate elements for semantic selectors."""

import asyncio
import itertools
from typing import Final

from playwright.async_api import Frame

from agentbrowser.browser.background_tasks import in_thread
from agentbrowser.browser.page import frame_tree
from agentbrowser.browser.page.element_handles import selectors
from agentbrowser.browser.page.frame_tree import depth_first
from agentbrowser.browser.page.surface import PageSurface
from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.long_work import give_way
from agentbrowser.policy.masking import SecretMasker
from agentbrowser.protocol import wire
from agentbrowser.protocol.types.selector import Ref, Selector

_SHORT: Final = 20_000
"""Characters of a list that the loop reads itself, in less than 1 ms."""


async def interactive(tab: PageSurface, *, is_whole: bool = False) -> list[ElementFeatures]:
    """Return every interactive element of the selected frame and of the visible frames in it. [asyncio]

    Args:
      is_whole: return the elements that a modal covers, too.
    """
    lists = await asyncio.gather(*(_within(tab, frame, is_whole) for frame in depth_first(tab.frame)))
    return list(itertools.chain.from_iterable(lists))


async def _within(tab: PageSurface, frame: Frame, is_whole: bool) -> list[ElementFeatures]:
    if frame is tab.frame:
        return await _list(tab, frame, is_whole)
    try:
        async with asyncio.timeout(frame_tree.FRAME_TIMEOUT_S):
            await tab.frame_tree.geometry(frame)
            return await _list(tab, frame, is_whole)
    except frame_tree.FRAME_UNAVAILABLE:  # hidden, silent or gone
        return []


async def _list(tab: PageSurface, frame: Frame, is_whole: bool) -> list[ElementFeatures]:
    part = tab.frame_tree.ref_prefix(frame)
    # Other selectors than refs are resolved in the selected frame: elsewhere they would match something else.
    wanted = {"prefix": f"{part}." if part else "", "isSelected": frame is tab.frame, "isWhole": is_whole}
    listed = await tab.isolated_worlds.of(frame).call_for_json("listCandidates", wanted)
    masks = tab.secrets.masks
    if len(listed) <= _SHORT and masks.is_quick(listed):
        return _read(listed, masks)
    return await in_thread(_read, listed, masks)


def _read(listed: str, masks: SecretMasker) -> list[ElementFeatures]:
    elements: list[ElementFeatures] = []
    for plain in wire.load_items(listed):
        give_way()
        selector = _selector(plain)
        up = plain.pop("up", 0)
        holder = elements[-up] if up else None
        elements.append(
            ElementFeatures(selector=selector, holder=holder, **(masks.texts(plain) if masks.active else plain))
        )
    return elements


def _selector(plain: frame_tree.JsonObject) -> Selector:
    by = plain.pop("by", None)
    return Ref(plain["ref"]) if by is None else selectors(by, plain)[0]
