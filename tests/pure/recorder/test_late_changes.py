"""Changes that a replay sees one step earlier or later than recorded."""

from typing import Any

import pytest

from agentbrowser.cli.replay import Divergence, LateChanges
from agentbrowser.recorder.steps import Step, differences


def step(*lines: str, whole: bool = False) -> Step:
    return Step(event={"method": "agent/observe" if whole else "action/click", "result": answer(*lines, whole=whole)})


def answer(*lines: str, whole: bool = False) -> dict[str, Any]:
    text = "\n".join(['page "Shop"' if whole else "changes", *lines])
    return {"text": text} if whole else {"observation": {"text": text}}


def followed(*pairs: tuple[Step, dict[str, Any]]) -> LateChanges:
    late = LateChanges()
    for number, (recorded, present) in enumerate(pairs, 1):
        lines = differences(recorded.event, present, None)
        late = late.followed_by(
            recorded, present, Divergence(number=number, step=recorded, lines=lines) if lines else None
        )
    return late


TICK = '~ "9:58" → "9:57"'


@pytest.mark.parametrize(
    "pairs",
    [
        [(step("a"), answer("a"))],
        [(step("a", TICK), answer("a")), (step("b"), answer("b", TICK))],
        [(step("a"), answer("a", TICK)), (step("b", TICK), answer("b"))],
        [(step("a"), answer("a", TICK)), (step("page", whole=True), answer("page", whole=True))],
    ],
)
def test_a_change_that_comes_one_step_earlier_or_later_is_no_divergence(pairs: list[tuple[Step, Any]]) -> None:
    assert followed(*pairs) == LateChanges()


@pytest.mark.parametrize(
    ("pairs", "number"),
    [
        ([(step("a", TICK), answer("a")), (step("b"), answer("b"))], 1),
        ([(step("a"), answer("a")), (step("b", TICK), answer("b", "other")), (step("c"), answer("c", TICK))], 2),
        ([(step("page", whole=True), answer("other", whole=True))], 1),
        ([(step("a", TICK), answer("a")), (step("page", whole=True), answer("other", whole=True))], 1),
    ],
)
def test_a_change_that_does_not_come_is_a_divergence_of_its_own_step(
    pairs: list[tuple[Step, Any]], number: int
) -> None:
    late = followed(*pairs)
    assert late.found is not None
    assert (late.found.number, late.may_come) == (number, False)


def test_a_step_without_a_look_decides_nothing() -> None:
    typed = Step(event={"method": "action/fill", "result": {"url": "http://a/"}})
    late = followed((step("a", TICK), answer("a")), (typed, {"url": "http://a/"}))
    assert (late.found is not None, late.may_come) == (True, True)
    assert late.followed_by(step("b"), answer("b", TICK), None) == LateChanges()
