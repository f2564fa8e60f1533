"""Failures of commands: one line on standard error, and an exit code of sysexits.h."""

import contextlib
import math
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import IO, Any, TypeVar, TypeVarTuple

import click
from click.core import ParameterSource

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class CommandFailed(click.ClickException):
    """Failure of a command; its one line gives the reason."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line to standard error."""
        click.echo(f"agentbrowser: {self.message}", err=True)


class BadUsage(CommandFailed):
    """Invalid setting or argument."""

    exit_code = 2


class NoBrowser(CommandFailed):
    """Missing browser, or one that does not start."""

    exit_code = 69  # EX_UNAVAILABLE


class ServerBroken(CommandFailed):
    """Fatal failure of a running server."""

    exit_code = 70  # EX_SOFTWARE


def read_seconds(context: click.Context, option: click.Parameter, value: str) -> float:
    """Return a time that a loop can wait for; raise `BadUsage`, which names the option or the variable, for others."""
    with contextlib.suppress(ValueError):
        if 0 <= (seconds := float(value)) < math.inf:
            return seconds
    is_variable = context.get_parameter_source(option.name or "") == ParameterSource.ENVIRONMENT
    source = option.envvar if is_variable else option.opts[0]
    raise BadUsage(f"{source} must be a number of seconds, at least 0, not {value!r}")


def check_server(url: str, token: str | None) -> None:
    """Raise `BadUsage` for a ``--url`` that can't name a server, and for a token that can't be sent."""
    from agentbrowser.client.connection.transport import check_address
    from agentbrowser.protocol.errors import InvalidParams

    try:
        check_address(url, token)
    except InvalidParams as invalid:
        text = f"--{invalid.message}".replace("--token", "--token (AGENT_TOKEN)", 1)
        raise BadUsage(text) from None


def run(work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    """Run a function in Trio; an expected failure becomes one line and an exit code."""
    import trio

    with reported():
        return trio.run(work, *args)


@contextlib.contextmanager
def reported() -> Iterator[None]:
    """Turn an expected failure of the block into one line and an exit code."""
    try:
        yield
    except (Exception, BaseExceptionGroup) as error:
        failure = failure_for(error)
        if failure is None:
            raise
        raise failure from None


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Name the path in the error of a write, which has none, and remove what was written, such as half a picture.

    Raises:
      OSError: in place of that of the block.
    """
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        if path.is_file():
            path.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from None


def failure_for(error: BaseException) -> BaseException | None:
    """Return the exception to raise for one that a command raised; None for a bug, which keeps its traceback."""
    # Imported here: a command that succeeds needs none of these modules.
    import trio

    from agentbrowser.cli.demo.story import DemoFailed
    from agentbrowser.cli.serve import CannotListen
    from agentbrowser.cli.settings import with_flags
    from agentbrowser.protocol.errors import AgentBrowserError, BrowserNotLaunched
    from agentbrowser.recorder.archive import BadRecording
    from agentbrowser.recorder.record_dir import BadRecordDir
    from agentbrowser.server.sessions.sqlite_store import StateDirInUse
    from agentbrowser.server.sessions.store import BadStore
    from agentbrowser.server.watch.audit_log import BadAuditLog
    from agentbrowser.server.watch.supervisor import ThreadLost

    match innermost(error):
        case KeyboardInterrupt() as interrupt:
            return interrupt
        case BrowserNotLaunched() as missing:
            return NoBrowser(f"{missing.message} {missing.recovery_hint or ''}".rstrip())
        case AgentBrowserError() as failed:
            return CommandFailed(failed.message)
        case CannotListen() | BadRecording() as refused:
            return CommandFailed(str(refused))
        case StateDirInUse() as used:  # a restart may help
            return CommandFailed(with_flags(str(used)))
        case BadStore() | BadAuditLog() | BadRecordDir() as unusable:
            return BadUsage(with_flags(str(unusable)))
        case ThreadLost() as lost:
            return ServerBroken(str(lost))
        case DemoFailed() as failed:
            return CommandFailed(f"the demonstration failed: {failed}")
        case trio.TooSlowError():
            return CommandFailed("it took too long")
        case OSError() as failed:
            return CommandFailed(": ".join(str(part) for part in (failed.filename, failed.strerror or failed) if part))
    return None


def innermost(error: BaseException) -> BaseException:
    """Return the exception inside all the groups that nurseries put around it; of several, an interrupt."""
    while isinstance(error, BaseExceptionGroup):
        interrupts, _ = error.split(KeyboardInterrupt)
        if interrupts is None and len(error.exceptions) > 1:
            break
        error = (interrupts or error).exceptions[0]
    return error
