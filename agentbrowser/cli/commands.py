"""The command line: each command reads its words, calls what does the work, and shows what came of it."""

import os
from collections.abc import Awaitable, Callable, Mapping
from functools import reduce
from pathlib import Path
from typing import IO, Any, Final, TypeVar, TypeVarTuple, get_args

import attrs
import click
import structlog
import trio
from rich.console import Console
from rich.text import Text

from agentbrowser import __version__
from agentbrowser.cli import docs as documentation
from agentbrowser.cli.demo import Chapter, DemoFailed, perform
from agentbrowser.cli.doctor import Finding, examine
from agentbrowser.cli.install import install as get_browser
from agentbrowser.cli.logs import set_up_logging
from agentbrowser.cli.readers import read_domains, read_expiry
from agentbrowser.cli.serve import CannotListen
from agentbrowser.cli.serve import serve as serve_until_told
from agentbrowser.cli.settings import CONFIG_VARIABLE, SETTINGS, BadSetting, Setting, load, unknown_variables
from agentbrowser.config import BrowserName, Config
from agentbrowser.policy.credentials import entry_for, new_token
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError, BrowserNotLaunched
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.sessions.store import BadStateDir
from agentbrowser.server.watch.supervisor import ThreadLost

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Command = Callable[..., None]

_EXPECTED: Final = (
    *(OSError, AgentBrowserError, BadStateDir, CannotListen, ThreadLost, DemoFailed, trio.TooSlowError),
    BaseExceptionGroup,
)
_COLORS: Final = {"ok": "green", "warn": "yellow", "fail": "red"}

log = structlog.get_logger("agentbrowser.cli.commands")


class Failure(click.ClickException):
    """The command can't go on; its one line says why."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line to standard error."""
        click.echo(f"agentbrowser: {self.message}", err=True)


class Misuse(Failure):
    """A setting can't be used."""

    exit_code = 2


class NoBrowser(Failure):
    """There is no browser, or it does not start."""

    exit_code = 69  # EX_UNAVAILABLE of sysexits.h


class Broken(Failure):
    """The server can't go on working."""

    exit_code = 70  # EX_SOFTWARE


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="agentbrowser")
def main() -> None:
    """Let AI agents control a real browser over one WebSocket.

    New here? `agentbrowser install` gets a browser, `demo` shows an agent at work, `serve` waits for yours.
    """


def _with_settings(command: Command) -> Command:
    """Give a command the flags of all settings."""
    file = click.option("--config", metavar="FILE", help=f"read settings from this TOML file  [{CONFIG_VARIABLE}]")
    return file(reduce(lambda inner, setting: _option(setting)(inner), reversed(SETTINGS), command))


def _option(setting: Setting) -> Callable[[Command], Command]:
    default = f"; {setting.default}" if setting.default else ""
    shown = f"{setting.help}  [{setting.variable}{default}]"
    if setting.opposite:
        return click.option(f"{setting.flag}/{setting.opposite}", setting.key, default=None, help=shown)
    return click.option(setting.flag, setting.key, metavar=setting.metavar, multiple=setting.is_list, help=shown)


@main.command()
@_with_settings
def serve(**flags: Any) -> None:
    """Serve clients until told to stop, by Ctrl-C or SIGTERM.

    In brackets stand the variable that says the same, and the default. A flag beats a variable, and that a key of the
    config file, which is the flag without its dashes: port = 9333. Times are seconds.
    """
    config = _load(flags)
    set_up_logging(config)
    for name in config.secrets.variables if config.secrets else ():
        os.environ.pop(name, None)  # it has been read, and is not for the processes that are started
    if flags["token"] is not None:
        log.warning("token_on_command_line", hint="every user can read it there; use AGENT_TOKEN or --token-file")
    for name, meant in unknown_variables(os.environ).items():
        log.warning("unknown_variable", name=name, hint=f"did you mean {meant}?")
    _run(serve_until_told, config)


@main.command()
@click.option("--force", is_flag=True, help="get one even if there is one")
@click.option("--browser", type=click.Choice(get_args(BrowserName)), help="which one  [AGENT_BROWSER; chromium]")
@click.option("--full", is_flag=True, help="get one that could show windows, besides a headless shell")
def install(force: bool, browser: str | None, full: bool) -> None:
    """Get a browser, and see that it starts."""
    config = _quiet(_load({"browser": browser}))
    _run(_get_browser, config, force, full)


async def _get_browser(config: Config, force: bool, full: bool) -> None:
    await get_browser(config, Console(), force=force, full=full)


@main.command()
@_with_settings
@click.option("--json", "as_json", is_flag=True, help="print JSON")
def doctor(as_json: bool, **flags: Any) -> None:
    """Check all that a server needs, and say how to mend what is wrong.

    It takes the flags of serve, so that it checks the server that you would start.
    """
    findings = _run(examine, _quiet(_load(flags)), os.environ)
    if as_json:
        click.echo(wire.dump({"findings": [attrs.asdict(finding) for finding in findings]}))
    else:
        _show_findings(findings)
    failed = {finding.name for finding in findings if finding.state == "fail"}
    raise SystemExit(NoBrowser.exit_code if failed == {"browser"} else bool(failed))


def _show_findings(findings: list[Finding]) -> None:
    console = Console(highlight=False)
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        mark = (f"{finding.state:<5}", _COLORS[finding.state])
        console.print(Text.assemble(mark, f"{finding.name:<{width}}  {finding.what}"), soft_wrap=True)
        if finding.mend:
            console.print(Text(f"{'':{width + 7}}{finding.mend}", style="dim"), soft_wrap=True)


@main.command()
@click.argument("topic", required=False)
def docs(topic: str | None) -> None:
    """List the pages of the documentation, or show one.

    In a terminal a page is formatted, in a pager; elsewhere it is Markdown as it is.
    """
    if topic is None:
        return _list_topics()
    try:
        text = documentation.find(topic).text
    except documentation.NoSuchTopic as unknown:
        raise Misuse(str(unknown)) from None
    console = Console()
    if not console.is_terminal:
        return click.echo(text, nl=False)
    from rich.markdown import Markdown  # takes long to import, and no other command needs it

    with console.pager(styles=True):
        console.print(Markdown(text))
    return None


def _list_topics() -> None:
    known = documentation.topics()
    width = max(map(len, known))
    for name, topic in known.items():
        click.echo(f"{name:<{width}}  {topic.summary}")


@main.group()
def token() -> None:
    """Make tokens for a file of tokens."""


@token.command()
@click.option("--name", default="client", show_default=True, help="what the log calls it")
@click.option(
    "--scope",
    type=click.Choice([scope.word for scope in Scope]),
    default="standard",
    show_default=True,
    help="what its clients may do",
)
@click.option("--domains", default="", metavar="LIST", help="the only hosts to go to: a.com,*.b.org")
@click.option("--expires", metavar="WHEN", help="when it ends: days from now, as in 30d, or 2027-01-31T00:00:00Z")
def new(name: str, scope: str, domains: str, expires: str | None) -> None:
    """Print a new token and the lines that let it in.

    The token, which is shown this once, goes to standard error, and the lines for the file of --tokens-file to standard
    output: agentbrowser token new --name ci >> tokens.toml
    """
    secret = new_token()
    try:
        lines = entry_for(secret, name=name, scope=scope, domains=read_domains(domains), expires=read_expiry(expires))
    except ValueError as error:
        raise Misuse(str(error)) from None
    click.echo(f"Token, for the client; it is not shown again:\n\n{secret}\n\nFor the file of tokens:\n", err=True)
    click.echo(f"{lines}\n")


@main.command()
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default="agentbrowser-demo.png",
    show_default=True,
    help="where the screenshot goes",
)
@click.option("--headed", is_flag=True, help="show the browser's window")
@click.option("--json", "as_json", is_flag=True, help="print JSON, a line for each request")
def demo(output: Path, headed: bool, as_json: bool) -> None:
    """Watch an agent work on a page that comes with the package."""
    config = _quiet(_load({"headless": False if headed else None}))
    _run(perform, config, output, _print_chapter if as_json else _show_chapter)


def _print_chapter(chapter: Chapter) -> None:
    click.echo(wire.dump(attrs.asdict(chapter)))


def _show_chapter(chapter: Chapter) -> None:
    console = Console(highlight=False)
    head = Text.assemble((f"{chapter.method:<20}", "bold cyan"), (f"{chapter.duration_ms:>8.1f} ms  ", "dim"))
    console.print(head + Text(chapter.title), soft_wrap=True)
    for line in chapter.lines:
        console.print(Text(f"{'':33}{line}", style="dim"), soft_wrap=True)


def _load(flags: Mapping[str, Any]) -> Config:
    try:
        return load({key: value for key, value in flags.items() if value != ()}, os.environ)
    except BadSetting as bad:
        raise Misuse(str(bad)) from None


def _quiet(config: Config) -> Config:
    """Set up logging for a command that says itself what happens."""
    config = attrs.evolve(config, log_level="error")
    set_up_logging(config)
    return config


def _run(work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    """Run the work in Trio; what can go wrong with it becomes one line and an exit code."""
    try:
        return trio.run(work, *args)
    except _EXPECTED as error:
        failure = _failure(_innermost(error))
        if failure is None:
            raise
        raise failure from None


def _innermost(error: BaseException) -> BaseException:
    """Return the exception in all the groups that nurseries have put around it; of several, an interrupt."""
    while isinstance(error, BaseExceptionGroup):
        interrupts, _ = error.split(KeyboardInterrupt)
        if interrupts is None and len(error.exceptions) > 1:
            break
        error = (interrupts or error).exceptions[0]
    return error


def _failure(error: BaseException) -> BaseException | None:
    """Return what to raise for an exception; None for one that nobody has thought of, and that keeps its traceback."""
    match error:
        case KeyboardInterrupt():
            return error
        case BrowserNotLaunched():
            return NoBrowser(f"{error.message} {error.recovery_hint or ''}".rstrip())
        case AgentBrowserError():
            return Failure(error.message)
        case CannotListen() | BadStateDir():
            return Failure(str(error))
        case ThreadLost():
            return Broken(str(error))
        case DemoFailed():
            return Failure(f"the demonstration failed: {error}")
        case trio.TooSlowError():
            return Failure("it took too long")
        case OSError():
            return Failure(": ".join(str(part) for part in (error.filename, error.strerror or error) if part))
    return None
