"""Changes that a replay sees one step earlier or later than recorded."""

from typing import Any

import pytest

from agentbrowser.cli.replay import Divergence, LateChanges
from agentbrowser.recorder.archive import Recording
from agentbrowser.recorder.steps import Step, differences, steps_of


def step(*lines: str, whole: bool = False) -> Step:
    return Step(event={"method": "agent/observe" if whole else "action/click", "result": answer(*lines, whole=whole)})


def answer(*lines: str, whole: bool = False) -> dict[str, Any]:
    text = "\n".join(['page "Shop"' if whole else "changes" if lines else "no changes", *lines])
    return {"text": text} if whole else {"observation": {"text": text}}


def followed(*pairs: tuple[Step, dict[str, Any]]) -> LateChanges:
    late = LateChanges()
    for number, (recorded, present) in enumerate(pairs, 1):
        lines = differences(recorded, present, None)
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
        [(step("a", TICK), answer("a")), (step(), answer(TICK))],
        [(step(), answer(TICK)), (step(TICK), answer())],
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


def test_changes_that_the_last_step_lacks_may_come_in_looks_behind_it() -> None:
    late = followed((step("a", "b", TICK), answer("a")))
    assert late.lacks_some
    late = late.seen_later(answer())
    assert (late.found is not None, late.lacks_some) == (True, True)
    late = late.seen_later(answer("b"))
    assert late.lacks_some
    assert late.seen_later(answer(TICK)) == LateChanges()


@pytest.mark.parametrize("later", [answer("other"), answer(TICK, "other")])
def test_other_changes_behind_the_last_step_leave_its_divergence(later: dict[str, Any]) -> None:
    late = followed((step("a", TICK), answer("a"))).seen_later(later)
    assert (late.found is not None, late.lacks_some) == (True, False)


def test_nothing_is_looked_for_behind_a_last_step_that_shows_too_much() -> None:
    assert not followed((step("a"), answer("a", TICK))).lacks_some


def test_a_step_has_the_time_at_which_the_last_look_within_it_read_its_page() -> None:
    def request(time_ms: int, page: str) -> dict[str, Any]:
        return {"t": time_ms, "kind": "request", "method": "action/click", "page": page, "params": {}, "ms": 10.0}

    looks = [
        {"t": time_ms, "kind": "look", "page": page} for time_ms, page in [(5, "a"), (12, "a"), (19, "a"), (14, "b")]
    ]
    requests = [request(0, "a"), request(10, "a"), request(10, "b"), request(20, "a"), request(30, "c")]
    steps = steps_of(Recording(meta={}, events=[*looks, *requests], blobs={}))
    assert [one.look_ms for one in steps] == [5, 19, 14, None, None]
    assert [one.seen_ms for one in steps] == [5, 19, 14, 30, 40]


@pytest.mark.parametrize("is_nested", [False, True])
@pytest.mark.parametrize("is_incremental", [False, True])
def test_the_words_of_a_look_as_json_are_compared(*, is_incremental: bool, is_nested: bool) -> None:
    def result(words: str) -> dict[str, Any]:
        block = {"kind": "status", "parts": [{"text": words}, {"ref": "@save"}]}
        whole = {"content": [block], "interactiveElements": []}
        look = {"changes": {"words": [{"kind": "added", "block": block}]}} if is_incremental else whole
        return {"observation": look} if is_nested else look

    saved = Step(event={"method": "agent/observe", "result": result("Saved")})
    assert differences(saved, result("Saved"), None) == []
    assert "Failed" in str(differences(saved, result("Failed"), None))
    assert saved.is_incremental is is_incremental
