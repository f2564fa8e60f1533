"""Running a server as a program: from its first line to the signal that ends it, and to the end of all patience."""

import errno
import gc
import os
import signal
import threading
from collections.abc import AsyncIterator
from types import FrameType
from typing import TYPE_CHECKING, Final

import structlog
import trio

from agentbrowser.browser.engine.driver_dirs import kill_all
from agentbrowser.config import Config
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.gate.accept import open_gate

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from agentbrowser.server.app import Server
    from agentbrowser.server.gate.accept import Gate

log = structlog.get_logger("agentbrowser.cli.serve")

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_END_S: Final = 12.0
"""How long the server may take to end, beyond the time its requests have to finish."""


class CannotListen(Exception):
    """The address can't be had; the text is one line that says why."""

    def __init__(self, config: Config, error: OSError) -> None:
        place = f"port {config.port} of {config.host}"
        if error.errno == errno.EADDRINUSE:
            super().__init__(f"{place} is in use; stop what listens there, or choose another --port")
        else:
            super().__init__(f"can't listen on {place}: {error.strerror}")


async def serve(config: Config) -> None:
    """Run a server until the process is told to end; then let requests finish, and close everything. [trio]

    A second signal ends the process at once, and so does a shutdown that takes too long.

    Raises:
      CannotListen: the address can't be had.
      BrowserNotLaunched: there is no browser.
    """
    with trio.open_signal_receiver(*_SIGNALS) as signals:
        async with open_quiet_nursery() as nursery:
            told, started = trio.Event(), trio.Event()
            nursery.start_soon(_hear, signals, config, told)
            nursery.start_soon(_give_up_starting, told, started, nursery.cancel_scope)
            try:
                async with open_gate(config) as gate:
                    open_behind = await trio.to_thread.run_sync(_load_server, abandon_on_cancel=True)
                    async with open_behind(gate):
                        started.set()
                        _warn_open(config)
                        await told.wait()
            except OSError as error:
                raise CannotListen(config, error) from error
    log.info("stopped")


def _load_server() -> "Callable[[Gate], AbstractAsyncContextManager[Server]]":
    """Import the server and the browser side, while the gate answers already.

    What the program is made of is never freed: to look through it with the rest would stop all clients for long.
    """
    from agentbrowser.server.app import open_behind

    gc.collect()
    gc.freeze()
    return open_behind


async def _hear(signals: AsyncIterator[int], config: Config, told: trio.Event) -> None:
    """Take in the first signal, and see to it that the end comes in time. [trio]"""
    number = await anext(signals)
    _end_within(config.drain_timeout_s + _END_S)
    log.info("stopping", signal=signal.Signals(number).name, grace_s=config.drain_timeout_s)
    told.set()


async def _give_up_starting(told: trio.Event, started: trio.Event, serving: trio.CancelScope) -> None:
    """Stop a start that is still under way when the signal comes: it may hang. [trio]"""
    await told.wait()
    if not started.is_set():
        serving.cancel()


def _warn_open(config: Config) -> None:
    if not config.has_tokens:
        hint = "every program on this machine can connect; set AGENT_TOKEN or --token-file"
        log.warning("no_token", scope=min(config.scope, Scope.STANDARD).word, hint=hint)
    if config.tokens is not None and config.tokens.exposed:
        log.warning("tokens_file_exposed", hint="every user can read or change it: chmod 600")
    if config.secrets is not None and config.secrets.exposed:
        log.warning("secrets_file_exposed", hint="others than its owner can read or change it: chmod 600")


def _end_within(limit_s: float) -> None:
    """End the process by force after that time, or at the next signal."""
    for number in _SIGNALS:
        signal.signal(number, _end_now)
    timer = threading.Timer(limit_s, _end_now)
    timer.daemon = True
    timer.start()


def _end_now(number: int | None = None, frame: FrameType | None = None) -> None:
    kill_all()  # they would end when their pipes to this process break, but not while they are stopped
    os._exit(1)
