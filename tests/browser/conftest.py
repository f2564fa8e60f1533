"""Fixtures of the tests on a real Chromium: a site to visit, a server, and a client of it."""

from collections.abc import AsyncIterator, Iterator

import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from tests.browser.shared_server import SharedServer
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


@pytest.fixture(scope="module")
def shared() -> Iterator[list[SharedServer]]:
    """Hold the module's shared server, once a test has started it."""
    servers: list[SharedServer] = []
    yield servers
    for server in servers:
        server.close()


@pytest.fixture
async def server(
    config: Config, shared: list[SharedServer], request: pytest.FixtureRequest
) -> AsyncIterator[Server | SharedServer]:
    """Return a server of the test's own if the test can look into it, or is marked `own_server`; else the module's."""
    if not (_needs_own_server(request) or config.has_tokens) and (not shared or shared[0].config == config):
        if not shared:
            shared.append(await trio.to_thread.run_sync(SharedServer, config))
        with trio.fail_after(LIMIT_S):
            yield shared[0]
        return
    with trio.fail_after(LIMIT_S):
        async with open_server(config) as server:
            yield server


def _needs_own_server(request: pytest.FixtureRequest) -> bool:
    """Return whether the test is marked so, or anything but the fixture `browser` takes the server."""
    if request.node.get_closest_marker("own_server") is not None:
        return True
    info = request.node._fixtureinfo
    takers = [definitions[-1] for name, definitions in info.name2fixturedefs.items() if name != "browser"]
    return "server" in info.argnames or any("server" in taker.argnames for taker in takers)


@pytest.fixture
async def browser(server: Server | SharedServer) -> AsyncIterator[Browser]:
    async with server.connect() as browser:
        yield browser
