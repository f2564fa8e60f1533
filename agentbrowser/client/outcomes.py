"""Results of sequences, extractions and screenshots, which all flavours of the client share."""

import re
from collections.abc import Mapping, Sequence
from typing import Generic, Self, TypeVar

import attrs

from agentbrowser.client.failures import SequenceFailed
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.protocol.types.extract import AgentExtractResult, ExtractedField, ExtractionSource
from agentbrowser.protocol.types.sequence import CONDITION_NOT_MET, ExecutionStep, StepResult

DataT = TypeVar("DataT")


@attrs.frozen(kw_only=True)
class TextObservation(AgentObserveResult):
    """Observation with its text, which is ready for a prompt."""

    text: str = ""


@attrs.frozen(kw_only=True)
class StepOutcome(StepResult):
    """Result of one step; ``result`` is that of its method, as a typed value."""

    @property
    def exception(self) -> AgentBrowserError | None:
        """Return the error of the step, as the class of its code."""
        return None if self.error is None else AgentBrowserError.from_wire(self.error)


@attrs.frozen(kw_only=True)
class SequenceOutcome:
    """Result of a sequence; ``failed_at`` is the first step that failed."""

    completed: int
    total: int
    success: bool
    results: list[StepOutcome]
    duration_ms: int
    failed_at: int | None = None
    pre_observation: AgentObserveResult | None = None
    post_observation: AgentObserveResult | None = None
    post_observation_error: AgentBrowserError | None = None
    """The reason why a requested observation is missing."""

    def check(self, steps: Sequence[ExecutionStep], *, conditions_may_fail: bool) -> None:
        """Raise the error of the first failed step, unless the step, or the sequence, says to go on.

        Raises:
          SequenceFailed: a step failed.
        """
        for one in self.results:
            if (error := one.exception) is None or steps[one.step].on_error == "skip":
                continue
            if conditions_may_fail and error.message.startswith(CONDITION_NOT_MET):
                continue
            raise SequenceFailed(steps[one.step].action, one, error, self) from error


@attrs.frozen(kw_only=True)
class Extracted(Generic[DataT]):
    """Extracted data, with its confidence."""

    data: DataT
    confidence: float | None = None
    """Probability that the data is right; of several requests, the lowest."""
    dropped: int = 0
    """Number of items that were dropped because a required value is missing."""
    truncated: bool = False
    """True if the page exceeds the analysis limits, so that data may be missing."""
    fields: Mapping[str, ExtractedField] = attrs.field(factory=dict)
    """Confidence and evidence by property; of several requests, those of the first."""
    sources: Sequence[ExtractionSource] = ()
    """Elements with the values, if they were asked for, each with the place of its value in the whole data."""


class Image(bytes):
    """The bytes of a screenshot, with its format, and its size in pixels."""

    format: str
    width: int
    height: int

    def __new__(cls, contents: bytes, *, format: str, width: int, height: int) -> Self:
        """Return the image of these bytes."""
        image = super().__new__(cls, contents)
        image.format, image.width, image.height = format, width, height
        return image


def extracted(data: DataT, parts: Sequence[AgentExtractResult]) -> Extracted[DataT]:
    """Return data with the confidence and the facts of the requests that it comes from."""
    known = [part.confidence for part in parts if part.confidence is not None]
    return Extracted(
        data=data,
        confidence=min(known, default=None),
        dropped=sum(part.dropped or 0 for part in parts),
        truncated=any(part.truncated for part in parts),
        fields=parts[0].fields or {},
        sources=_joined_sources(parts),
    )


def _joined_sources(parts: Sequence[AgentExtractResult]) -> list[ExtractionSource]:
    """Return the sources of all parts; each part counts its items from 0."""
    joined: list[ExtractionSource] = []
    before = 0
    for part in parts:
        joined += [_moved(one, before) for one in part.sources or ()]
        before += len(part.data) if isinstance(part.data, list) else 0
    return joined


def _moved(source: ExtractionSource, by: int) -> ExtractionSource:
    path = source.path and re.sub(r"^/(\d+)", lambda index: f"/{int(index[1]) + by}", source.path)
    return attrs.evolve(source, path=path) if by else source
