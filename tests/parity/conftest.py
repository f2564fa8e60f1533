"""Fixture of the pair of pages, shared by all tests of a process; tests that use it are slow."""

from collections.abc import Iterator

import pytest

from tests.browser.shared_server import kept_open
from tests.parity.pair import PairThread, open_pair


@pytest.fixture(scope="session")
def pair() -> Iterator[PairThread]:
    with kept_open(open_pair) as pair:
        yield pair


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if pair.__name__ in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
