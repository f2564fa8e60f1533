"""Service of the verbs: one embedded server, named sessions, and what a verb prints. The daemon runs it."""

import argparse
import os
import re
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
import structlog
import trio

from agentbrowser.cli.verbs.daemon import Daemon, VerbRequest
from agentbrowser.cli.verbs.outcome import BROKEN, Outcome, closed, failure, not_run
from agentbrowser.cli.verbs.parser import BadArguments, parse, wants_json
from agentbrowser.cli.verbs.start import READY
from agentbrowser.cli.verbs.variables import StartSettings
from agentbrowser.config import Config
from agentbrowser.forced_exit import EXIT_SIGNALS, exit_within
from agentbrowser.mcp.link import BrowserLink, load_server
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams

if TYPE_CHECKING:
    from agentbrowser.cli.verbs.session import VerbSession
    from agentbrowser.client.browser import Browser
    from agentbrowser.server.app import Server

log = structlog.get_logger("agentbrowser.verbs")

DEFAULTS: Final = {"scope": "privileged", "dialog_timeout_s": 60.0, "upload_root": Path("/"), "log_level": "warning"}
"""Settings of the daemon that differ from those of a server: its clients are the user's own shells."""
DEFAULT_SESSION: Final = "default"
_SESSION: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_QUICK_DRAIN_S: Final = 0.2
"""Time for requests to finish at the end: the daemon has waited for its verbs before."""
_SHUTDOWN_TIMEOUT_S: Final = 20.0


async def serve(
    config: Config, started: StartSettings, directory: str, idle_s: float, on_listening: Callable[[], None]
) -> None:
    """Serve verbs in a directory, until the daemon is idle, replaced or ended, or a signal arrives. [trio]

    Args:
      started: the settings as given; a verb with another value for one of them is refused.

    Raises:
      CannotServe: another daemon serves the directory.
      BadRuntimeDir: the directory can't be trusted.
    """
    config = attrs.evolve(config, drain_timeout_s=min(config.drain_timeout_s, _QUICK_DRAIN_S))
    # nohup ignores SIGHUP; otherwise the end of a terminal would kill the daemon, and leave its browser's files.
    hangup = () if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else (signal.SIGHUP,)
    with trio.open_signal_receiver(*EXIT_SIGNALS, *hangup) as signals:
        async with open_quiet_nursery() as nursery:
            service = Service(config, started, nursery)
            service.daemon = Daemon(directory, service.run, idle_s)
            nursery.start_soon(_end_at_signal, signals, service.daemon)
            await service.daemon.serve(on_listening)
            nursery.cancel_scope.cancel()


def notice_to(descriptor: int | None) -> Callable[[], None]:
    """Return what reports to the verb that has started the daemon, over a pipe, that it listens."""

    def report() -> None:
        os.chdir("/")  # the folder of the first verb may go
        if descriptor is not None:
            os.write(descriptor, READY)
            os.close(descriptor)

    return report


async def _end_at_signal(signals: AsyncIterator[int], daemon: Daemon) -> None:
    """End at the first signal; a second one, or a slow shutdown, ends the process. [trio]"""
    await anext(signals)
    exit_within(_SHUTDOWN_TIMEOUT_S)
    daemon.end()


@attrs.define(eq=False)
class Service:
    """Sessions of the verbs on one server, which starts when a verb first needs it."""

    config: Config
    _started: StartSettings
    _nursery: trio.Nursery
    daemon: Daemon | None = attrs.field(default=None, init=False)
    _sessions: "dict[str, VerbSession]" = attrs.field(factory=dict, init=False)
    _server: "Server | None" = attrs.field(default=None, init=False)
    _lock: trio.Lock = attrs.field(factory=trio.Lock, init=False)

    async def run(self, request: VerbRequest) -> tuple[int, bytes]:
        """Run a verb, and return its exit code and output. [trio]"""
        try:
            arguments = parse(request.words)
        except BadArguments as bad:
            outcome = not_run(str(bad))
            return outcome.exit_code, outcome.printed(as_json=wants_json(request.words))
        try:
            name = arguments.session or request.session or DEFAULT_SESSION
            if not _SESSION.fullmatch(name):
                raise InvalidParams("The name of a session must be of up to 64 letters, digits, dots and hyphens.")
            if arguments.verb == "close":
                outcome = await self._close(name, is_all=arguments.all)
            elif problem := self._started.problem(request.variables, request.cwd, DEFAULTS):
                outcome = not_run(f"agentbrowser: {problem}")
            else:
                outcome = await self._run(arguments, request, name)
        except AgentBrowserError as error:
            outcome = failure(error)
        except Exception as error:
            log.exception("verb_failed", verb=arguments.verb)
            outcome = Outcome(text=f"{type(error).__name__}: {error}", exit_code=BROKEN)
        return outcome.exit_code, outcome.printed(as_json=arguments.json)

    async def _run(self, arguments: argparse.Namespace, request: VerbRequest, name: str) -> Outcome:
        # Imported by the first verb: the socket must be there early.
        from agentbrowser.cli.verbs.handlers import VerbCall, handle
        from agentbrowser.cli.verbs.session import NEW_SESSION, VerbSession

        session = self._sessions.setdefault(name, VerbSession(BrowserLink(self._connect, self._nursery)))
        call = VerbCall(
            arguments=arguments,
            cwd=request.cwd,
            stdin=request.stdin,
            upload_root=self.config.upload_root or Path("/"),
            runner=await session.open(getattr(arguments, "timeout", None)),
        )
        try:
            outcome = await handle(call)
        except AgentBrowserError as error:
            outcome = failure(error)
        if session.surprises(arguments.verb, self._launches()):
            outcome = attrs.evolve(outcome, text=f"{outcome.text}\n{NEW_SESSION}")
        return outcome

    def _launches(self) -> int:
        """Return the number of browsers launched for the sessions so far; 0 if each has a browser of its own."""
        if self._server is None or self.config.isolation == "session":
            return 0
        return self._server.engine.launches

    async def _close(self, name: str, *, is_all: bool) -> Outcome:
        names = list(self._sessions) if is_all else [name]
        ended = [one for one in names if one in self._sessions and await self._sessions.pop(one).close()]
        if is_all and self.daemon is not None:
            self.daemon.end()
        return closed(ended)

    @asynccontextmanager
    async def _connect(self) -> "AsyncIterator[Browser]":
        async with self._lock:
            server = self._server = self._server or await self._nursery.start(self._hold_server)
        async with server.connect() as browser:
            yield browser

    async def _hold_server(self, *, task_status: "trio.TaskStatus[Server]") -> None:
        """Hold the server open until the daemon ends. [trio]"""
        open_server = await trio.to_thread.run_sync(load_server)
        async with open_server(self.config, listens=False) as server:
            task_status.started(server)
            await trio.sleep_forever()
