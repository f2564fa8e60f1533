"""Fixtures of the tests on a real Chromium: a site to visit, a server, and a client of it."""

from collections.abc import AsyncIterator, Iterator
from typing import Final

import pytest
import trio
from playwright.async_api import Browser as PlaywrightBrowser

from agentbrowser.browser.engine.proxy_check import ProxyCheck
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site, open_site
from tests.browser.stage import Stage, opened
from tests.browser.watched_page import Scenarios

LIMIT_S = 120
CHECKED: Final = {"engine", "faults", "security", "server"}
"""Rooms of tests whose browsers are launched with the check of the proxy."""
USUAL: Final = Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1)
"""Settings of the server in most tests."""


@pytest.fixture
def site() -> Iterator[Site]:
    with open_site() as site:
        yield site


@pytest.fixture(autouse=True)
def launches_unchecked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the check of the proxy where a launch is not the subject: it is a sixth of the launch and its page."""

    async def pass_(check: ProxyCheck, browser: PlaywrightBrowser) -> None: ...

    if request.path.parent.name not in CHECKED:
        monkeypatch.setattr(ProxyCheck, "run", pass_)


@pytest.fixture
def config() -> Config:
    """The server's settings; a test module may say others."""
    return USUAL


@pytest.fixture(scope="session")
def usual_server() -> Iterator[list[SharedServer]]:
    """Hold the shared server with the usual settings, once a test has asked for it."""
    servers: list[SharedServer] = []
    yield servers
    for server in servers:
        server.close()


@pytest.fixture(scope="module")
def module_servers() -> Iterator[list[SharedServer]]:
    """Hold the shared servers of this module, one for each other configuration that a test has asked for.

    They end with the module: an idle server takes half a percent of a core, until all tests are over.
    """
    servers: list[SharedServer] = []
    yield servers
    for server in servers:
        server.close()


@pytest.fixture
async def server(
    config: Config,
    usual_server: list[SharedServer],
    module_servers: list[SharedServer],
    request: pytest.FixtureRequest,
) -> AsyncIterator[Server | SharedServer]:
    """Return a server of the test's own if the test can look into it, or is marked `own_server`; else a shared one."""
    if not _needs_own_server(request) and config.tokens is None:
        shared = usual_server if config == USUAL else module_servers
        found = next((server for server in shared if server.config == config), None)
        if found is None:
            found = await trio.to_thread.run_sync(SharedServer, config)
            shared.append(found)
        with trio.fail_after(LIMIT_S):
            yield found
        return
    with trio.fail_after(LIMIT_S):
        async with open_server(config) as server:
            yield server


def _needs_own_server(request: pytest.FixtureRequest) -> bool:
    """Return whether the test is marked so, or anything but the fixtures that only connect takes the server."""
    if request.node.get_closest_marker("own_server") is not None:
        return True
    info = request.node._fixtureinfo
    takers = [
        definitions[-1]
        for name, definitions in info.name2fixturedefs.items()
        if name not in ("browser", "shared_server")
    ]
    return "server" in info.argnames or any("server" in taker.argnames for taker in takers)


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """Return the browser that all tests of the browser side share in this process; each has a context of its own."""
    with opened() as stage:
        yield stage


@pytest.fixture(scope="session")
def scenarios(stage: Stage) -> Scenarios:
    """Return a runner of scenarios on the shared browser."""
    return Scenarios(stage)


@pytest.fixture
def shared_server(server: Server | SharedServer) -> SharedServer:
    """Return a server that other tests use too, for tests that only connect more clients."""
    assert isinstance(server, SharedServer), "the module or its settings ask for a server of the test's own"
    return server


@pytest.fixture
async def browser(server: Server | SharedServer) -> AsyncIterator[Browser]:
    async with server.connect() as browser:
        yield browser
