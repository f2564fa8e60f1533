"""Extraction from one tab: one look at the page, the matching beside the loop, a second look only for sources.

What there is little to match of is matched at once: to hand it over would take a tenth of that time.
"""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import Frame

from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.page import element_handles
from agentbrowser.browser.page.element_handles import ElementHandle
from agentbrowser.browser.page.frame_tree import depth_first
from agentbrowser.extraction.columns.page_data import PageData, unpacked
from agentbrowser.extraction.extract import Extraction, extract
from agentbrowser.extraction.model.weights import confidence
from agentbrowser.extraction.output.fact_values import Origin
from agentbrowser.extraction.schema.schema_fields import ExtractionQuery, extraction_query
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.types.extract import AgentExtractResult, ExtractionSource
from agentbrowser.protocol.types.selector import Css, Ref

if TYPE_CHECKING:
    from agentbrowser.methods.agent_extract import ExtractParams

_LIMITS: Final = {"bytes": element_handles.MAX_CONTENT_BYTES}
_SHOWN: Final = 500
_SHORT: Final = 100
"""What is longer is told as it was read."""
_DOUBTFUL: Final = 0.8
"""The confidence below which frames within the frame are looked at too."""
_MAX_FRAMES: Final = 8
_LITTLE: Final = 2000
"""How many texts are matched at once, in about a millisecond, or ten where none was seen before."""
_FEW_LETTERS: Final = 50_000
"""How long these are together at most."""
_OF_PAIR: Final = 20
"""How many texts a pair of a wish and what may be meant by it takes as long as."""


@attrs.frozen
class _Find:
    """What came out of one frame."""

    frame: Frame
    outcome: Extraction
    gathering: int
    confidence: float
    is_cut: bool
    """Whether not all of the page was looked at."""


@attrs.frozen(eq=False)
class Extractor:
    """The data of one tab's document."""

    tab: ActSurface

    async def extract(self, params: "ExtractParams") -> AgentExtractResult:
        """Return the data that the schema asks for. [asyncio]"""
        wanted = extraction_query(params.schema, params.mode, params.instruction)
        held = await element_handles.handle_for(self.tab, params.selector, Deadline.of(params.timeout_ms))
        found = await self._find(held, wanted, params)
        if params.selector is None and found.confidence < _DOUBTFUL:
            found = await self._deeper(found, wanted, params)
        return await self._result(found, params)

    async def _find(self, held: ElementHandle, wanted: ExtractionQuery, params: "ExtractParams") -> _Find:
        answer = await held.call("gatherData", **_look(wanted, params))
        gathered = unpacked(element_handles.checked_answer(answer, params.selector, _LIMITS))
        work = (wanted, gathered, params.max_items, int(params.cursor or 0))
        outcome = _work(*work) if _is_little(wanted, gathered) else await asyncio.to_thread(_work, *work)
        sure = 0.0 if outcome.why_not else confidence(outcome.features, is_list=wanted.is_list)
        return _Find(held.frame, outcome, gathered["gathering"], sure, bool(gathered.get("isCut")))

    async def _deeper(self, found: _Find, wanted: ExtractionQuery, params: "ExtractParams") -> _Find:
        """Return what a frame within the frame has, if that is better; one that can't be looked at has nothing."""
        for frame in _inner(found.frame):
            try:
                other = await self._find(ElementHandle(frame, self.tab.isolated_worlds.of(frame)), wanted, params)
            except AgentBrowserError:
                continue
            if other.confidence > found.confidence:
                found = other
        return found

    async def _result(self, found: _Find, params: "ExtractParams") -> AgentExtractResult:
        outcome, is_cut = found.outcome, found.is_cut or None
        dropped = outcome.dropped or None
        if outcome.why_not is not None:
            return AgentExtractResult(
                success=False, error=outcome.why_not, confidence=0.0, dropped=dropped, truncated=is_cut
            )
        return AgentExtractResult(
            success=True,
            data=outcome.data,
            sources=await self._sources(found) if params.include_source_refs else None,
            confidence=found.confidence,
            next_cursor=None if outcome.next_offset is None else str(outcome.next_offset),
            dropped=dropped,
            truncated=is_cut,
        )

    async def _sources(self, found: _Find) -> list[ExtractionSource]:
        spots = sorted({origin.spot for origin in found.outcome.origins})
        part = self.tab.frame_tree.ref_prefix(found.frame)
        wanted = {"gathering": found.gathering, "spots": spots, "prefix": f"{part}." if part else ""}
        answer = await self.tab.isolated_worlds.of(found.frame).call("sourcesOf", wanted)
        known = {spot: at for spot, at in zip(spots, answer["sources"], strict=False) if at}
        is_chosen = found.frame == self.tab.frame
        return [
            ExtractionSource(
                ref=at["ref"],
                selector=Css(at["css"]) if is_chosen else Ref(at["ref"]),
                text=_held(origin.text[:_SHOWN], at["text"]),
                path=_pointer(origin),
            )
            for origin in found.outcome.origins
            if (at := known.get(origin.spot))
        ]


def _held(text: str, said: str) -> str:
    """Return what was read, or the first part of it where its element says it with something else in between."""
    if len(text) > _SHORT or len(said) > 4 * _SHORT or "".join(text.split()) in "".join(said.split()):
        return text
    size = next((size for size in range(len(text), 0, -1) if text[:size] in said), 0)
    behind = said.partition(text[:size])[2] if size else ""
    return text[:size].strip() if text[size:].strip() in behind else text


def _look(wanted: ExtractionQuery, params: "ExtractParams") -> dict[str, Any]:
    has_lists = wanted.is_list or bool(wanted.lists) or any(field.is_many for field in wanted.fields)
    return {
        "groups": has_lists,
        "facts": not wanted.is_list or wanted.item.type != "object",
        "keep": params.include_source_refs,
        "bytes": element_handles.MAX_CONTENT_BYTES,
    }


def _inner(frame: Frame) -> Iterator[Frame]:
    frames = depth_first(frame)
    next(frames)
    for _, inner in zip(range(_MAX_FRAMES), frames, strict=False):
        yield inner


def _is_little(wanted: ExtractionQuery, gathered: dict[str, Any]) -> bool:
    """Tell whether the loop may well do the matching itself."""
    columns = [column for kind in ("groups", "sets") for one in gathered[kind] for column in one["columns"]]
    fields = len(wanted.fields) + sum([len(one.fields) for one in wanted.lists])
    pairs = fields * (len(columns) + len(gathered["facts"]) + len(gathered["meta"]))
    texts = sum([len(column["texts"]) for column in columns])
    return texts + _OF_PAIR * pairs <= _LITTLE and gathered["size"] <= _FEW_LETTERS and not gathered["embedded"]


def _work(wanted: ExtractionQuery, gathered: dict[str, Any], max_items: int, offset: int) -> Extraction:
    return extract(wanted, PageData.of(gathered), max_items=max_items, offset=offset)


def _pointer(origin: Origin) -> str:
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in origin.path)
    return "".join(f"/{step}" for step in steps)
