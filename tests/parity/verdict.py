"""Verdict on a scenario: equal, or different and listed."""

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import pytest

from tests.parity.differences import DIFFERENT, KNOWN_DEFECTS
from tests.parity.pair import PairThread
from tests.parity.scenario import Outcome, Scenario


def every(scenarios: Sequence[Scenario]) -> Callable[[Callable[..., None]], Any]:
    """Run a test for each scenario of a table."""
    return pytest.mark.parametrize("scenario", scenarios, ids=lambda one: one.title)


def judge(pair: PairThread, scenario: Scenario) -> None:
    """Run a scenario, and fail unless we agree with Playwright, or are listed as different."""
    theirs, ours, failure = pair.play(scenario)
    if failure != scenario.error:  # a busy machine may need longer to reach the reason than a brief timeout allows
        theirs, ours, failure = pair.play(scenario, patience=8)
    if theirs != ours:
        # A paste may outrun the copy before it, in the browser: then Playwright's own outcome differs, too.
        repeated = pair.play(scenario, patience=8)
        if repeated[0] != theirs:
            theirs, ours, failure = repeated
    report = "\n".join(_differences(theirs, ours, failure))
    title = scenario.title
    if title in DIFFERENT or title in KNOWN_DEFECTS:
        assert theirs != ours, "no longer differs from Playwright: remove it from differences.py"
    else:
        assert ours == theirs, report
    if title not in KNOWN_DEFECTS:
        assert failure == scenario.error, report


def _differences(theirs: Outcome, ours: Outcome, failure: str | None) -> list[str]:
    left, right = attrs.asdict(theirs), attrs.asdict(ours)
    unequal = [name for name in ("failed", "answer", "page", "wire") if left[name] != right[name]]
    compared = [f"{name}:\n  Playwright {left[name]}\n  ours       {right[name]}" for name in unequal]
    their_words = (theirs.message or "done").partition("\n")[0]
    return ["", *compared, f"Playwright: {their_words}", f"ours: {failure or ''} {ours.message or 'done'}"]
