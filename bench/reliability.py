"""Plot of the confidence of extraction: a reliability diagram, and precision against the share of fields answered."""

from collections.abc import Sequence
from typing import Any, Final

from bench import picture

_BINS: Final = 10
_THRESHOLDS: Final = [at / 100 for at in range(0, 100, 2)]
_SURE: Final = 0.8

Outcome = tuple[float, bool]
"""The confidence of a field or an answer, and whether it is right."""


def draw(name: str, fields: Sequence[Outcome], answers: Sequence[Outcome], present: int) -> None:
    """Draw the plot of one part of the corpus.

    Args:
      fields: the fields with a value.
      answers: the answers with data.
      present: the number of fields that the pages have a value for.
    """
    plot = picture.pyplot()
    figure, (left, right) = plot.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
    left.plot([0, 1], [0, 1], color="0.7", linestyle="--", label="perfect")
    for label, outcomes in (("fields", fields), ("whole answers", answers)):
        centres, shares = _reliability(outcomes)
        left.plot(centres, shares, marker="o", label=f"{label} ({len(outcomes)})")
    left.set(title="Reliability", xlabel="confidence", ylabel="share right", xlim=(0, 1), ylim=(0, 1))
    left.legend()
    shares, precisions = _trade_off(fields, present)
    right.plot(shares, precisions)
    _mark_sure(right, fields, present)
    right.set(title="Fields at or above each confidence", xlabel="share of present fields answered", ylabel="precision")
    right.set_xlim(0, 1)
    picture.save(figure, name)
    plot.close(figure)


def _reliability(outcomes: Sequence[Outcome]) -> tuple[list[float], list[float]]:
    """Return the mean confidence and the share right in each bin of confidence."""
    bins: dict[int, list[Outcome]] = {}
    for one in outcomes:
        bins.setdefault(min(_BINS - 1, int(one[0] * _BINS)), []).append(one)
    inside = [bins[at] for at in sorted(bins)]
    means = [sum(confidence for confidence, _ in one) / len(one) for one in inside]
    return means, [sum(is_right for _, is_right in one) / len(one) for one in inside]


def _trade_off(fields: Sequence[Outcome], present: int) -> tuple[list[float], list[float]]:
    """Return the share of the present fields that is answered, and the precision, for each least confidence."""
    points = [_at(fields, present, least) for least in _THRESHOLDS]
    known = [point for point in points if point is not None]
    return [share for share, _ in known], [precision for _, precision in known]


def _at(fields: Sequence[Outcome], present: int, least: float) -> tuple[float, float] | None:
    given = [is_right for confidence, is_right in fields if confidence >= least]
    return (min(1.0, len(given) / max(1, present)), sum(given) / len(given)) if given else None


def _mark_sure(axes: Any, fields: Sequence[Outcome], present: int) -> None:
    """Mark the point of the confidence that a client may rely on."""
    if (point := _at(fields, present, _SURE)) is not None:
        axes.plot(*point, marker="o", color="black")
        axes.annotate(f"confidence {_SURE}", point, textcoords="offset points", xytext=(8, 8))
