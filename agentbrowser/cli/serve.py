"""Server as a program: startup, signals and shutdown with a time limit."""

import contextlib
import errno
import gc
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

import structlog
import trio

from agentbrowser.cli.logs import mask_in_logs
from agentbrowser.cli.readers import FileToken
from agentbrowser.cli.settings import changed_flags, in_effect
from agentbrowser.config import Config, is_loopback
from agentbrowser.forced_exit import EXIT_SIGNALS, exit_within
from agentbrowser.frozen_imports import frozen_imports
from agentbrowser.mcp.mount import open_mount
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.gate.accept import open_gate
from agentbrowser.server.gate.tls import client_refusal
from agentbrowser.server.watch.descriptors import raise_limit

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from agentbrowser.server.app import Server
    from agentbrowser.server.gate.accept import Gate

log = structlog.get_logger("agentbrowser.serve")

_RELOAD_SIGNALS: Final = (signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()
_SHUTDOWN_TIMEOUT_S: Final = 12.0
"""Time limit of the rest of the shutdown after the drain."""
_SWITCH_INTERVAL_S: Final = 0.001
"""Longest time that one of the two loops keeps the interpreter while the other one waits; Python's 5 ms add up: an
answer crosses both."""


class CannotListen(Exception):
    """Unavailable address; the text is one line with the reason."""

    def __init__(self, config: Config, error: OSError) -> None:
        address = f"port {config.port} of {config.host}"
        if error.errno == errno.EADDRINUSE:
            super().__init__(f"{address} is in use; stop what listens there, or choose another --port")
        else:
            super().__init__(f"can't listen on {address}: {error.strerror}")


async def serve(config: Config, load: "Callable[[], Config] | None" = None) -> None:
    """Run a server until a signal arrives, then let requests finish and close everything. [trio]

    A second signal, a second or more after the first, or a shutdown beyond its time limit, ends the process at once.
    SIGHUP applies the tokens, the certificate, the secrets and the rules of the configuration that ``load`` returns,
    without a disconnection.

    Raises:
      CannotListen: the address is not available.
      BrowserNotLaunched: no browser was found.
    """
    raise_limit()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    with trio.open_signal_receiver(*EXIT_SIGNALS) as signals, _reload_receiver() as reloads:
        async with open_quiet_nursery() as nursery:
            stopping, started = trio.Event(), trio.Event()
            servers: list[Server] = []
            nursery.start_soon(_await_signal, signals, config, servers, stopping)
            nursery.start_soon(_cancel_startup, stopping, started, nursery.cancel_scope)
            async with _open_gate(config) as gate, open_mount(gate) as mount:
                open_behind = await trio.to_thread.run_sync(_load_server, abandon_on_cancel=True)
                async with open_behind(gate) as server:
                    if mount is not None:
                        mount.serve(server)
                    started.set()
                    servers.append(server)
                    _notify_service_manager("READY=1")
                    log.info("in_effect", **in_effect(config))
                    _warn_open(config)
                    if load is not None and reloads is not None:
                        nursery.start_soon(_reload_at_signals, reloads, server, load)
                    await stopping.wait()
                    _notify_service_manager("STOPPING=1")
            nursery.cancel_scope.cancel()
    log.info("stopped")
    # asyncio logs the unread errors of a cancelled start when they are collected; at Python's exit, logging fails.
    gc.collect()


@contextlib.asynccontextmanager
async def _open_gate(config: Config) -> "AsyncIterator[Gate]":
    """Open the gate; only its own error is one of the address."""
    async with contextlib.AsyncExitStack() as stack:
        try:
            gate = await stack.enter_async_context(open_gate(config))
        except OSError as error:
            raise CannotListen(config, error) from error
        yield gate


def _notify_service_manager(state: str) -> None:
    """Send a state to systemd, if it has started the server with ``Type=notify``."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifier:
        try:
            notifier.sendto(state.encode(), f"\0{address[1:]}" if address[0] == "@" else address)
        except OSError as error:
            log.warning("service_manager_unreachable", error=error.strerror)


def _load_server() -> "Callable[[Gate], AbstractAsyncContextManager[Server]]":
    """Import the server and the browser side while the gate answers."""
    with frozen_imports():
        from agentbrowser.server.app import open_behind
    return open_behind


async def _await_signal(
    signals: AsyncIterator[int], config: Config, servers: "list[Server]", stopping: trio.Event
) -> None:
    """Wait for the first signal, and enforce the time limit of the shutdown, which grows with the sessions. [trio]"""
    number = await anext(signals)
    drain_s = max((server.drain_limit_s for server in servers), default=config.drain_timeout_s)
    exit_within(drain_s + _SHUTDOWN_TIMEOUT_S)
    log.info("stopping", signal=signal.Signals(number).name, grace_s=config.drain_timeout_s)
    stopping.set()
    async for _ in signals:  # one that came before the handler was replaced; it must not be delivered at the end
        pass


def _reload_receiver() -> contextlib.AbstractContextManager[AsyncIterator[int] | None]:
    """Return the receiver of the signals to reload; of None where the system has none (Windows)."""
    return trio.open_signal_receiver(*_RELOAD_SIGNALS) if _RELOAD_SIGNALS else contextlib.nullcontext()


async def _reload_at_signals(signals: AsyncIterator[int], server: "Server", load: "Callable[[], Config]") -> None:
    """Reload the configuration at each signal; an invalid one changes nothing. [trio]"""
    async for _ in signals:
        if server.audit is not None:
            server.audit.reopen()
        try:
            # A file may not answer, such as a pipe.
            config = await trio.to_thread.run_sync(load, abandon_on_cancel=True)
            mask_in_logs(config)
            server.reload(config)
        except ValueError as error:
            log.error("reload_failed", error=str(error), hint="the server continues as before")
            continue
        log.info("in_effect", **in_effect(server.config))
        _warn_open(config)
        if ignored := changed_flags(server.config, config):
            log.warning("restart_needed", settings=", ".join(ignored), hint="a reload leaves them as they were")
        log.info("reloaded", tokens=len(config.tokens.entries) if config.tokens else int(config.has_tokens))


async def _cancel_startup(stopping: trio.Event, started: trio.Event, serving: trio.CancelScope) -> None:
    """Cancel an unfinished startup when the signal arrives, since it may hang. [trio]"""
    await stopping.wait()
    if not started.is_set():
        serving.cancel()


def _warn_open(config: Config) -> None:
    if not config.has_tokens:
        hint = "every program on this machine can connect; set AGENT_TOKEN or --token-file"
        log.warning("no_token", scope=min(config.scope, Scope.STANDARD).word, hint=hint)
    if config.tls_cert is None and not is_loopback(config.host):
        hint = "the network can read tokens and pages: set --tls-cert, or put a proxy with TLS before the port"
        log.warning("no_tls", host=config.host, hint=hint)
    if (why := client_refusal(config)) is not None:
        hint = "clients refuse it: renew its file, then send SIGHUP"
        log.warning("certificate_outdated", cert=config.tls_cert, why=why, hint=hint)
    if isinstance(config.token, FileToken) and config.token.exposed:
        log.warning("token_file_exposed", hint="every user can read or change it: chmod 600")
    if config.tokens is not None and config.tokens.exposed:
        log.warning("tokens_file_exposed", hint="every user can read or change it: chmod 600")
    if config.secrets is not None and config.secrets.exposed:
        log.warning("secrets_file_exposed", hint="others than its owner can read or change it: chmod 600")
