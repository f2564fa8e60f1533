"""Checks of many small cases in one test: with a test for each, the time is mostly pytest's own."""

from collections.abc import Callable, Iterable
from typing import TypeVar

CaseT = TypeVar("CaseT")


def each_of(
    cases: Iterable[CaseT], name: Callable[[CaseT], str]
) -> Callable[[Callable[[CaseT], None]], Callable[[], None]]:
    """Return a decorator that makes a check of one case the test of all; its failure names the failed cases."""

    def decorate(check: Callable[[CaseT], None]) -> Callable[[], None]:
        def check_all() -> None:
            failed = {name(case): error for case in cases if (error := _error(check, case))}
            assert not failed, failed  # pytest explains no assertion of a helper's by itself

        return check_all

    return decorate


def _error(check: Callable[[CaseT], None], case: CaseT) -> AssertionError | None:
    try:
        check(case)
    except AssertionError as error:
        return error
    return None


def in_parts(cases: Iterable[CaseT], parts: int) -> list[list[CaseT]]:
    """Return the cases in several parts, each for a test whose cases share a page: a client for each takes longest."""
    every = list(cases)
    return [every[part::parts] for part in range(parts)]
