"""Result of an extraction, and the reasons for none."""

from collections.abc import Sequence
from typing import Any

import attrs

from agentbrowser.extraction.match.evidence import FieldEvidence
from agentbrowser.extraction.output.fact_values import Origin
from agentbrowser.extraction.output.items import Items
from agentbrowser.extraction.schema.schema_fields import SchemaField


@attrs.frozen(kw_only=True)
class Extraction:
    """Result of an extraction: the data, or the reason for none, and the features of its confidence."""

    data: Any = None
    items: Items | None = None
    parts: Sequence[Origin] = ()
    """Origins of the values of a single object."""
    features: tuple[float, ...] = ()
    """Features of the share of the values that is right."""
    answer_features: tuple[float, ...] = ()
    """Features of the probability that the whole is right."""
    evidence: Sequence[FieldEvidence] = ()
    dropped: int = 0
    """Number of items that lack a required value."""
    next_offset: int | None = None
    why_not: str | None = None

    @property
    def origins(self) -> Sequence[Origin]:
        """Return the origins of the values."""
        return self.parts if self.items is None else self.items.origins(())


def name_of(path: tuple[str, ...]) -> str:
    """Return the name of a field in results and messages."""
    return ".".join(path) or "value"


def no_match_reason(fields: Sequence[SchemaField]) -> str:
    """Return the reason for no answer where nothing fits."""
    names = ", ".join(".".join(field.path) for field in fields[:6] if field.path) or "the schema"
    return f"Nothing on the page fits {names}."


def unmet_reason(required: Sequence[tuple[str, ...]], found: Sequence[FieldEvidence], least: float) -> str:
    """Return the reason for no answer where required values are missing or too doubtful."""
    doubtful = {one.path: one.confidence for one in found if one.is_withheld}
    absent = [path for path in required if path not in doubtful]
    reasons = [f"Nothing on the page fits the required {', '.join(map(name_of, absent))}."] if absent else []
    listed = required if required else doubtful
    below = [f"{name_of(path)} ({doubtful[path]:.2f})" for path in listed if path in doubtful]
    if below:
        reasons.append(f"Below minConfidence {least:g}: {', '.join(below)}.")
    return " ".join(reasons) or "Nothing on the page fits the schema."
