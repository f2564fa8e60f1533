"""Extraction from one tab: the in-page script gathers data once, and a thread matches it with the schema.

Little data is matched on the loop: handing it to a thread would take a tenth of the time.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import Frame

from agentbrowser.browser import faults
from agentbrowser.browser.act.locate import ElementSearch
from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.background_tasks import in_thread
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.page import element_handles
from agentbrowser.browser.page.element_handles import ElementHandle
from agentbrowser.browser.page.frame_tree import depth_first
from agentbrowser.extraction.columns.page_data import PageData, unpacked
from agentbrowser.extraction.extract import extract
from agentbrowser.extraction.match.evidence import FieldEvidence
from agentbrowser.extraction.model.weights import answer_confidence
from agentbrowser.extraction.output.extraction import Extraction, name_of
from agentbrowser.extraction.output.fact_values import Origin
from agentbrowser.extraction.schema.schema_fields import ExtractionQuery, extraction_query
from agentbrowser.protocol.errors import AgentBrowserError, ElementNotFound
from agentbrowser.protocol.types.extract import AgentExtractResult, ExtractedField, ExtractionSource
from agentbrowser.protocol.types.selector import Css, Ref, describe

if TYPE_CHECKING:
    from agentbrowser.methods.agent_extract import ExtractParams

_LIMITS: Final = {"bytes": element_handles.MAX_CONTENT_BYTES}
_MAX_SOURCE_TEXT: Final = 500
_MAX_COMPARED: Final = 100
"""Length of the longest text that is compared with its element."""
_DOUBTFUL: Final = 0.8
"""Confidence below which child frames are searched too."""
_MAX_FRAMES: Final = 8
_MAX_TEXTS_ON_LOOP: Final = 2000
"""Number of texts that are matched on the loop: about 4 ms, or 10 ms if they are new and of many forms."""
_MAX_CHARACTERS_ON_LOOP: Final = 50_000
"""Total length of these texts."""
_TEXTS_PER_PAIR: Final = 20
"""Number of texts that take as long as one pair of a field and a column."""


@attrs.frozen
class _FrameExtraction:
    """Extraction from one frame."""

    frame: Frame
    outcome: Extraction
    gathering: int
    confidence: float
    is_cut: bool
    """True if the page was too large to gather all of it."""


@attrs.frozen(eq=False)
class Extractor:
    """Extractor of data from one tab's document."""

    tab: ActSurface

    async def extract(self, params: "ExtractParams") -> AgentExtractResult:
        """Return the data that the schema requests. [asyncio]"""
        # In a thread: a large schema takes longer than the loop may be held.
        query = await in_thread(extraction_query, params.schema, params.mode, params.instruction)
        try:
            handle = await self._scope(params)
        except ElementNotFound as error:
            reason = f"The selector matches nothing on the page: {error.message}"
            return AgentExtractResult(success=False, error=reason, confidence=0.0)
        found = await self._from_frame(handle, query, params)
        if params.selector is None and found.confidence < _DOUBTFUL:
            found = await self._from_child_frames(found, query, params)
        return await self._result(found, params)

    async def _scope(self, params: "ExtractParams") -> ElementHandle:
        """Return a handle on the element to search, or on the frame. [asyncio]

        Raises:
          ElementNotFound: there is none at present. The page has settled, so that waiting would rarely help.
        """
        selector, deadline = params.selector, Deadline.of_request(params.timeout_ms)
        if selector is None:
            return await element_handles.handle_for(self.tab, None, deadline)
        with faults.mapped(selector=describe(selector)):
            found = await ElementSearch(self.tab, selector).locate(Deadline(0))
            return await element_handles.handle_of(self.tab, found, deadline)

    async def _from_frame(
        self, handle: ElementHandle, query: ExtractionQuery, params: "ExtractParams", *, is_inner: bool = False
    ) -> _FrameExtraction:
        answer = await handle.call("gatherData", **_gather_options(query, params), isInner=is_inner)
        plain = element_handles.checked_answer(answer, params.selector, _LIMITS)
        masks = self.tab.secrets.masks
        if masks.active:  # before texts become numbers and dates, which no mask would recognize
            plain = await in_thread(masks.texts, plain)
        gathered = unpacked(plain)
        work = (query, gathered, params.max_items, int(params.cursor or 0), params.min_confidence)
        outcome = _match(*work) if _is_little(query, gathered) else await in_thread(_match, *work)
        sure = 0.0 if outcome.why_not else answer_confidence(outcome.answer_features)
        return _FrameExtraction(handle.frame, outcome, gathered["gathering"], sure, bool(gathered.get("isCut")))

    async def _from_child_frames(
        self, found: _FrameExtraction, query: ExtractionQuery, params: "ExtractParams"
    ) -> _FrameExtraction:
        """Return the best extraction of a frame and its child frames; frames that raise errors are skipped."""
        for frame in _child_frames(found.frame):
            try:
                handle = ElementHandle(frame, self.tab.isolated_worlds.of(frame))
                other = await self._from_frame(handle, query, params, is_inner=True)
            except AgentBrowserError:
                continue
            if other.confidence > found.confidence:
                found = other
        return found

    async def _result(self, found: _FrameExtraction, params: "ExtractParams") -> AgentExtractResult:
        outcome, is_cut = found.outcome, found.is_cut or None
        dropped = outcome.dropped or None
        if outcome.why_not is not None:
            return AgentExtractResult(
                success=False,
                fields=_fields(outcome),
                error=outcome.why_not,
                confidence=0.0,
                dropped=dropped,
                truncated=is_cut,
            )
        return AgentExtractResult(
            success=True,
            data=outcome.data,
            sources=await self._sources(found) if params.include_source_refs else None,
            fields=_fields(outcome),
            confidence=found.confidence,
            next_cursor=None if outcome.next_offset is None else str(outcome.next_offset),
            dropped=dropped,
            truncated=is_cut,
        )

    async def _sources(self, found: _FrameExtraction) -> list[ExtractionSource]:
        spots = sorted({origin.spot for origin in found.outcome.origins})
        part = self.tab.frame_tree.ref_prefix(found.frame)
        request = {"gathering": found.gathering, "spots": spots, "prefix": f"{part}." if part else ""}
        answer = await self.tab.isolated_worlds.of(found.frame).call("sourcesOf", request)
        known = {spot: at for spot, at in zip(spots, answer["sources"], strict=False) if at}
        is_chosen = found.frame == self.tab.frame
        return [
            ExtractionSource(
                ref=at["ref"],
                selector=Css(at["css"]) if is_chosen else Ref(at["ref"]),
                text=_source_text(origin.text[:_MAX_SOURCE_TEXT], at["text"]),
                path=_pointer(origin),
            )
            for origin in found.outcome.origins
            if (at := known.get(origin.spot))
        ]


def _source_text(text: str, element_text: str) -> str:
    """Return the text of a value, or its first part if its element has other text in between."""
    if (
        len(text) > _MAX_COMPARED
        or len(element_text) > 4 * _MAX_COMPARED
        or "".join(text.split()) in "".join(element_text.split())
    ):
        return text
    size = next((size for size in range(len(text), 0, -1) if text[:size] in element_text), 0)
    rest = element_text.partition(text[:size])[2] if size else ""
    return text[:size].strip() if text[size:].strip() in rest else text


def _gather_options(query: ExtractionQuery, params: "ExtractParams") -> dict[str, Any]:
    has_lists = query.is_list or bool(query.lists) or any(field.is_many for field in query.fields)
    return {
        "groups": has_lists,
        "facts": not query.is_list or query.item.type != "object",
        "keep": params.include_source_refs,
        "bytes": element_handles.MAX_CONTENT_BYTES,
    }


def _child_frames(frame: Frame) -> Iterator[Frame]:
    frames = depth_first(frame)
    next(frames)
    for _, inner in zip(range(_MAX_FRAMES), frames, strict=False):
        yield inner


def _is_little(query: ExtractionQuery, gathered: dict[str, Any]) -> bool:
    """Return True if matching is quick enough for the loop."""
    columns = [column for kind in ("groups", "sets") for one in gathered[kind] for column in one["columns"]]
    fields = len(query.fields) + sum([len(one.fields) for one in query.lists])
    pairs = fields * (len(columns) + len(gathered["facts"]) + len(gathered["meta"]))
    texts = sum([len(column["texts"]) for column in columns])
    is_small = gathered["size"] <= _MAX_CHARACTERS_ON_LOOP and not gathered["embedded"]
    return is_small and texts + _TEXTS_PER_PAIR * pairs <= _MAX_TEXTS_ON_LOOP


def _match(
    query: ExtractionQuery, gathered: dict[str, Any], max_items: int, offset: int, min_confidence: float
) -> Extraction:
    page = PageData.of(gathered)
    return extract(query, page, max_items=max_items, offset=offset, min_confidence=min_confidence)


def _fields(outcome: Extraction) -> dict[str, ExtractedField] | None:
    """Return the evidence for each requested property; None if nothing was looked at."""
    return {name_of(one.path): _field(one) for one in outcome.evidence} or None


def _field(evidence: FieldEvidence) -> ExtractedField:
    return ExtractedField(
        confidence=evidence.confidence,
        source=evidence.source,
        withheld=evidence.is_withheld or None,
        conflict=None if evidence.conflict is None else evidence.conflict[:_MAX_SOURCE_TEXT],
    )


def _pointer(origin: Origin) -> str:
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in origin.path)
    return "".join(f"/{step}" for step in steps)
