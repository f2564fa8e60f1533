"""MCP server as a program on standard input and output."""

import signal
from collections.abc import AsyncIterator, Collection
from typing import Final

import attrs
import structlog
import trio

from agentbrowser.config import Config
from agentbrowser.forced_exit import EXIT_SIGNALS, exit_within
from agentbrowser.mcp.calls import RunningCalls
from agentbrowser.mcp.link import BrowserLink, embedded, remote
from agentbrowser.mcp.server import ToolServer
from agentbrowser.mcp.stdio import claimed_descriptors, open_stdio
from agentbrowser.nursery import open_quiet_nursery

log = structlog.get_logger("agentbrowser.mcp")

_SHUTDOWN_TIMEOUT_S: Final = 10.0
_QUIET_S: Final = 0.5
"""Time for the host's first requests, which need no browser."""
_DRAIN_TIMEOUT_S: Final = 0.2
"""Time for requests to finish at the end: their client is gone."""


async def serve(config: Config, url: str | None, groups: Collection[str]) -> None:
    """Serve one client on standard input and output, until it leaves or a signal arrives. [trio]

    Args:
      url: address of a server to join; None to run one in this process, without a port.
      groups: groups of tools beside the core ones.

    Raises:
      InvalidParams: there is no such group of tools.
    """
    quick = attrs.evolve(config, drain_timeout_s=min(config.drain_timeout_s, _DRAIN_TIMEOUT_S))
    opener = embedded(quick) if url is None else remote(url, config.token)
    with trio.open_signal_receiver(*EXIT_SIGNALS) as signals, claimed_descriptors() as descriptors:
        async with open_quiet_nursery() as nursery:
            nursery.start_soon(_await_signal, signals, nursery.cancel_scope)
            calls = RunningCalls(nursery)
            link = BrowserLink(opener, nursery, calls.decide)
            server = ToolServer(calls, lambda _: link, lambda _: groups).build()
            if url is None:
                nursery.start_soon(_prepare, link)
            async with open_stdio(*descriptors) as (received, answers):
                await server.run(received, answers, server.create_initialization_options())
            exit_within(_SHUTDOWN_TIMEOUT_S)
            nursery.cancel_scope.cancel()


async def _prepare(link: BrowserLink) -> None:
    """Load the server and start its driver before the first call waits for them; the browser waits for that call."""
    await trio.sleep(_QUIET_S)
    try:
        await link.browser()
    except Exception as error:  # noqa: BLE001 - the first call tries again, and reports it
        log.info("not_prepared", error=str(error))


async def _await_signal(signals: AsyncIterator[int], serving: trio.CancelScope) -> None:
    """End at the first signal; a second one, or a slow shutdown, ends the process. [trio]"""
    number = await anext(signals)
    exit_within(_SHUTDOWN_TIMEOUT_S)
    log.info("stopping", signal=signal.Signals(number).name)
    serving.cancel()
