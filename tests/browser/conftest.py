"""What tests on a real Chromium need: a site to visit, a server, and a client of it."""

from collections.abc import AsyncIterator, Iterator

import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from tests.browser.site import Site, open_site

LIMIT_S = 120


@pytest.fixture
def site() -> Iterator[Site]:
    with open_site() as site:
        yield site


@pytest.fixture
def config() -> Config:
    """The server's settings; a test module may say others."""
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1)


@pytest.fixture
async def server(config: Config) -> AsyncIterator[Server]:
    with trio.fail_after(LIMIT_S):
        async with open_server(config) as server:
            yield server


@pytest.fixture
async def browser(server: Server) -> AsyncIterator[Browser]:
    async with server.connect() as browser:
        yield browser
