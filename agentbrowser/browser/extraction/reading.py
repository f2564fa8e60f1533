"""Extraction from one tab: one look at the page, the matching beside the loop, a second look only for sources."""

import asyncio
from typing import TYPE_CHECKING, Any, Final, Protocol

import attrs

from agentbrowser.browser import handover
from agentbrowser.browser.extraction.confidence import confidence
from agentbrowser.browser.extraction.engine import Material, Outcome, extract
from agentbrowser.browser.extraction.lists import Origin
from agentbrowser.browser.extraction.wishes import Asked, asked
from agentbrowser.browser.handover import Held
from agentbrowser.browser.patience import Patience
from agentbrowser.types.extract import AgentExtractResult, ExtractionSource
from agentbrowser.types.selector import Css

if TYPE_CHECKING:
    from agentbrowser.methods.agent_extract import ExtractParams

_LIMITS: Final = {"bytes": handover.MAX_CONTENT_BYTES}
_SHOWN: Final = 500


class Surface(handover.Surface, Protocol):
    """What extraction needs of a tab."""


@attrs.frozen(eq=False)
class Extraction:
    """The data of one tab's document."""

    tab: Surface

    async def extract(self, params: "ExtractParams") -> AgentExtractResult:
        """Return the data that the schema asks for. [asyncio]"""
        wanted = asked(params.schema, params.mode, params.instruction)
        held = await handover.hand_over(self.tab, params.selector, Patience.of(params.timeout_ms))
        gathered = await self._gather(wanted, params, held)
        offset = int(params.cursor or 0)
        outcome = await asyncio.to_thread(_work, wanted, gathered, params.max_items, offset)
        if outcome.why_not is not None:
            return AgentExtractResult(
                success=False, error=outcome.why_not, confidence=0.0, dropped=outcome.dropped or None
            )
        sources = await self._sources(held, gathered["gathering"], outcome) if params.include_source_refs else None
        return AgentExtractResult(
            success=True,
            data=outcome.data,
            sources=sources,
            confidence=confidence(outcome.features, is_list=wanted.is_list),
            next_cursor=None if outcome.next_offset is None else str(outcome.next_offset),
            dropped=outcome.dropped or None,
        )

    async def _gather(self, wanted: Asked, params: "ExtractParams", held: Held) -> dict[str, Any]:
        has_lists = wanted.is_list or bool(wanted.lists) or any(wish.is_many for wish in wanted.wishes)
        answer = await held.ask(
            "gatherData",
            groups=has_lists,
            facts=not wanted.is_list,
            keep=params.include_source_refs,
            bytes=handover.MAX_CONTENT_BYTES,
        )
        return handover.checked(answer, params.selector, _LIMITS)

    async def _sources(self, held: Held, gathering: int, outcome: Outcome) -> list[ExtractionSource]:
        spots = sorted({origin.spot for origin in outcome.origins})
        answer = await held.world.call("sourcesOf", {"gathering": gathering, "spots": spots})
        found = dict(zip(spots, answer["sources"], strict=False))
        return [
            ExtractionSource(ref=at["ref"], selector=Css(at["css"]), text=origin.text[:_SHOWN], path=_pointer(origin))
            for origin in outcome.origins
            if (at := found.get(origin.spot))
        ]


def _work(wanted: Asked, gathered: dict[str, Any], max_items: int, offset: int) -> Outcome:
    return extract(wanted, Material.of(gathered), max_items=max_items, offset=offset)


def _pointer(origin: Origin) -> str:
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in origin.path)
    return "".join(f"/{step}" for step in steps)
