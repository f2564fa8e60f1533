"""Fixture of the pair of pages, shared by all tests of a process."""

from collections.abc import Iterator

import pytest

from tests.parity.pair import PairThread


@pytest.fixture(scope="session")
def pair() -> Iterator[PairThread]:
    with PairThread().running() as pair:
        yield pair
