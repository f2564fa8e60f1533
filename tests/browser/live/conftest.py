from collections.abc import Iterator

import pytest

from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from tests.browser.live.people import People, open_people


@pytest.fixture(scope="session")
def people() -> Iterator[People]:
    with open_people() as people:
        yield people


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.PRIVILEGED, private_network="allow", drain_timeout_s=1)
