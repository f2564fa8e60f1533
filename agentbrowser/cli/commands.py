"""Command line: the commands, their options, and what they print.

A command imports what it needs when it runs: ``--version`` and ``--help`` load nothing but Click.
"""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import click

from agentbrowser import __version__
from agentbrowser.cli.deploy import deploy
from agentbrowser.cli.failures import BadUsage, NoBrowser, check_server, read_seconds, run
from agentbrowser.cli.live import live
from agentbrowser.cli.recordings import export, replay, show
from agentbrowser.cli.verbs.commands import CommandGroup, completion, skill

if TYPE_CHECKING:
    from agentbrowser.cli.demo.story import Chapter
    from agentbrowser.cli.docs import Topic
    from agentbrowser.cli.doctor import Finding
    from agentbrowser.cli.settings import Setting
    from agentbrowser.config import Config


_COLORS: Final = {"ok": "green", "warn": "yellow", "fail": "red"}


class LazyCommand(click.Command):
    """Command that creates its first options on first use, since their creation imports modules."""

    def __init__(self, *args: Any, options: Callable[[], list[click.Parameter]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._options: Callable[[], list[click.Parameter]] | None = options

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the options and arguments, the lazy ones first."""
        if self._options is not None:
            self.params[:0] = self._options()
            self._options = None
        return super().get_params(ctx)


class LazyGroup(LazyCommand, click.Group):
    """Group of commands that creates its own first options on first use."""


def _setting_options() -> list[click.Parameter]:
    """Return ``--config`` and an option for each setting."""
    from agentbrowser.cli.settings import CONFIG_VARIABLE, SETTINGS

    file = click.Option(["--config"], metavar="FILE", help=f"read settings from this TOML file  [{CONFIG_VARIABLE}]")
    return [file, *map(_option, SETTINGS)]


def _option(setting: "Setting") -> click.Option:
    default = f"; {setting.default}" if setting.default else ""
    shown = f"{setting.help}  [{setting.variable}{default}]"
    if setting.opposite:
        return click.Option([f"{setting.flag}/{setting.opposite}", setting.key], default=None, help=shown)
    return click.Option([setting.flag, setting.key], metavar=setting.metavar, multiple=setting.is_list, help=shown)


def _browser_options() -> list[click.Parameter]:
    from agentbrowser.config import BrowserName

    choice = click.Choice(get_args(BrowserName))
    return [click.Option(["--browser"], type=choice, help="browser to install  [AGENT_BROWSER; chromium]")]


def _token_options() -> list[click.Parameter]:
    from agentbrowser.protocol.registry import Scope

    name = click.Option(["--name"], default="client", show_default=True, help="name of the client in the log")
    words = click.Choice([scope.word for scope in Scope])
    scope = click.Option(["--scope"], type=words, default="standard", show_default=True, help="scope of its clients")
    return [name, scope]


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="agentbrowser")
def main() -> None:
    """Let AI agents control a real browser over one WebSocket.

    New here? `agentbrowser install` installs a browser, `demo` shows an agent at work, `serve` starts a server.

    Shell agents use verbs: `agentbrowser skill` explains them, `agentbrowser open URL` begins.
    """


@main.command(cls=LazyCommand, options=_setting_options)
def serve(**flags: Any) -> None:
    """Serve clients until Ctrl-C or SIGTERM.

    Brackets hold the environment variable of the same setting, and the default. A flag overrides a variable, and a
    variable overrides a key of the config file. The key is the flag without its dashes: port = 9333. Times are seconds.
    """
    environ = dict(os.environ)
    config = _load(flags, for_server=True)
    from functools import partial

    import structlog

    from agentbrowser.cli import serve as serving
    from agentbrowser.cli.logs import set_up_logging
    from agentbrowser.cli.readers import hide_variables
    from agentbrowser.cli.settings import load_for_server, unknown_variables

    set_up_logging(config)
    log = structlog.get_logger("agentbrowser.cli")
    hide_variables(config.secrets.variables if config.secrets else ())
    if flags["token"] is not None:
        log.warning("token_on_command_line", hint="every user can read it there; use AGENT_TOKEN or --token-file")
    for name, meant in unknown_variables(os.environ).items():
        log.warning("unknown_variable", name=name, hint=f"did you mean {meant}?")
    run(serving.serve, config, partial(load_for_server, _given(flags), environ))


@main.command(cls=LazyCommand, options=_browser_options)
@click.option("--force", is_flag=True, help="install a browser even if one is found")
@click.option("--full", is_flag=True, help="also install a browser that can show windows")
def install(force: bool, browser: str | None, full: bool) -> None:
    """Install a browser, and check that it starts."""
    run(_install, _log_errors_only(_load({"browser": browser})), force, full)


async def _install(config: "Config", force: bool, full: bool) -> None:
    from rich.console import Console

    from agentbrowser.cli.install import install as install_browser

    await install_browser(config, Console(), force=force, full=full)


@main.command(cls=LazyCommand, options=_setting_options)
@click.option("--json", "as_json", is_flag=True, help="print JSON")
def doctor(as_json: bool, **flags: Any) -> None:
    """Check everything that a server needs, and explain how to fix it.

    It takes the flags of serve, so that it checks the server that you would start.
    """
    config = _log_errors_only(_load(flags))
    from agentbrowser.cli.doctor import examine

    findings = run(examine, config, os.environ)
    if as_json:
        _print_json({"findings": [_fields(finding) for finding in findings]})
    else:
        _show_findings(findings)
    failed = {finding.name for finding in findings if finding.state == "fail"}
    raise SystemExit(NoBrowser.exit_code if failed == {"browser"} else bool(failed))


def _show_findings(findings: "list[Finding]") -> None:
    from rich.console import Console
    from rich.text import Text

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
    from agentbrowser.cli import docs as documentation

    if topic is None:
        return _list_topics(documentation.topics())
    try:
        text = documentation.find(topic).text
    except documentation.NoSuchTopic as unknown:
        raise BadUsage(str(unknown)) from None
    if not _is_terminal():
        return click.echo(text, nl=False)
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(force_terminal=True)
    with console.capture() as formatted:
        console.print(Markdown(text))
    # click makes less show colors; rich depends on the user's settings.
    return click.echo_via_pager(formatted.get())


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _list_topics(known: "Mapping[str, Topic]") -> None:
    width = max(map(len, known))
    for name, topic in known.items():
        click.echo(f"{name:<{width}}  {topic.summary}")


@main.group(cls=LazyGroup, options=_setting_options, invoke_without_command=True)
@click.option("--url", help="join a running server, as ws://127.0.0.1:9222, instead of having one here")
@click.option("--tools", "groups", default="", metavar="LIST", help="further tools: evaluate, state, emulate")
@click.pass_context
def mcp(context: click.Context, /, url: str | None, groups: str, **flags: Any) -> None:
    """Serve the tools for models over MCP, on standard input and output.

    A host such as Claude Code starts this command. The server and its browser are in this process, and no port is
    opened. It takes the flags of serve; other than there, the scope is full (privileged with --tools evaluate), and a
    dialog waits a minute for its answer.
    """
    if context.invoked_subcommand is not None:
        if url or groups or _given({name: value for name, value in flags.items() if value is not None}):
            raise BadUsage("Options of mcp stand behind its command: agentbrowser mcp config cursor --tools evaluate")
        return
    from agentbrowser.cli.hosts import read_groups
    from agentbrowser.cli.logs import set_up_logging
    from agentbrowser.mcp.serve import serve as serve_tools

    chosen = read_groups(groups)
    scope = "privileged" if "evaluate" in chosen else "full"
    config = _load(flags, defaults={"scope": scope, "dialog_timeout_s": 60.0})
    if url is not None:
        check_server(url, config.token)
    set_up_logging(config)
    run(serve_tools, config, url, chosen)


@mcp.command(name="config", context_settings={"ignore_unknown_options": True})
@click.argument("host")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def mcp_config(host: str, arguments: tuple[str, ...]) -> None:
    """Print the configuration for a host, and where it belongs.

    HOST is claude-code, claude-desktop, cursor, vscode, codex or gemini. ARGUMENTS are those of mcp, such as --tools
    evaluate. The configuration goes to standard output, the explanation to standard error.
    """
    from agentbrowser.cli.hosts import HOSTS, host_config, read_groups

    if host not in HOSTS:
        raise BadUsage(f"No host is called {host}: there are {', '.join(HOSTS)}.")
    # A host shows no error of what it starts.
    given = mcp.make_context("agentbrowser mcp", list(arguments)).params
    url = given.pop("url")
    read_groups(given.pop("groups"))
    config = _load(given, environ={}, defaults={"scope": "full"})
    if url is not None:
        check_server(url, config.token)
    found = host_config(host, arguments)
    if found.command is not None:
        click.echo(f"Run this once:\n\n{found.command}\n\nOr add this to {found.file}:\n", err=True)
    else:
        click.echo(f"Add this to {found.file}, then restart {host}:\n", err=True)
    if url is not None:
        click.echo('If the server takes a token, add AGENT_TOKEN to "env": hosts lack your variables.\n', err=True)
    click.echo(found.text)


@main.command(cls=LazyCommand, options=_setting_options)
@click.option(
    "--idle",
    "idle_s",
    default="1800",
    callback=read_seconds,
    metavar="SECONDS",
    envvar="AGENTBROWSER_IDLE",
    help="time without a verb after which it ends  [AGENTBROWSER_IDLE; 1800]",
)
@click.option("--directory", hidden=True)
@click.option("--ready", type=int, hidden=True)
def daemon(idle_s: float, directory: str | None, ready: int | None, **flags: Any) -> None:
    """Hold the browser for the verbs of shell agents, with settings of your own.

    The first verb starts it with the defaults, and with the AGENT_* variables of its environment. It takes the flags of
    serve; other than there, the scope is privileged, files of any folder can be uploaded, and a dialog waits a minute
    for its answer.
    """
    from agentbrowser.cli.logs import set_up_logging
    from agentbrowser.cli.verbs.daemon import CannotServe
    from agentbrowser.cli.verbs.runtime_dir import BadRuntimeDir, runtime_dir
    from agentbrowser.cli.verbs.service import DEFAULTS, notice_to
    from agentbrowser.cli.verbs.service import serve as serve_verbs
    from agentbrowser.cli.verbs.variables import StartSettings

    config = _load(flags, defaults=DEFAULTS)
    set_up_logging(config)
    try:
        started = StartSettings.of(flags, os.environ)
        run(serve_verbs, config, started, directory or runtime_dir(), idle_s, notice_to(ready))
    except (CannotServe, BadRuntimeDir) as refused:
        raise BadUsage(str(refused)) from None


for command in (deploy, live, skill, completion, show, replay, export):
    main.add_command(command)


@main.group()
def token() -> None:
    """Make tokens for a tokens file."""


@token.command(cls=LazyCommand, options=_token_options)
@click.option("--domains", metavar="LIST", help="the only hosts that it may visit: a.com,*.b.org")
@click.option("--expires", metavar="WHEN", help="expiry: days from now, as in 30d, or 2027-01-31T00:00:00Z")
def new(name: str, scope: str, domains: str | None, expires: str | None) -> None:
    """Print a new token, and its entry for the tokens file.

    The token is shown once, on standard error. The entry for the file of --tokens-file goes to standard output:
    agentbrowser token new --name ci >> tokens.toml
    """
    from agentbrowser.cli.readers import read_domains, read_expiry
    from agentbrowser.policy.credentials import entry_for, new_token

    secret = new_token()
    try:
        lines = entry_for(secret, name=name, scope=scope, domains=read_domains(domains), expires=read_expiry(expires))
    except ValueError as error:
        raise BadUsage(str(error)) from None
    click.echo(f"Token, for the client; it is not shown again:\n\n{secret}\n\nFor the tokens file:\n", err=True)
    click.echo(f"{lines}\n")


@main.command()
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default="agentbrowser-demo.png",
    show_default=True,
    help="file for the screenshot",
)
@click.option("--headed", is_flag=True, help="show the browser's window")
@click.option("--json", "as_json", is_flag=True, help="print JSON, a line for each request")
def demo(output: Path, headed: bool, as_json: bool) -> None:
    """Watch an agent work on a page that comes with the package."""
    config = _log_errors_only(_load({"headless": False if headed else None}))
    from agentbrowser.cli.demo.story import perform

    run(perform, config, output, (lambda chapter: _print_json(_fields(chapter))) if as_json else _show_chapter)


def _show_chapter(chapter: "Chapter") -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    head = Text.assemble((f"{chapter.method:<20}", "bold cyan"), (f"{chapter.duration_ms:>8.1f} ms  ", "dim"))
    console.print(head + Text(chapter.title), soft_wrap=True)
    for line in chapter.lines:
        console.print(Text(f"{'':33}{line}", style="dim"), soft_wrap=True)


def _fields(value: Any) -> dict[str, Any]:
    import attrs

    return attrs.asdict(value)


def _print_json(value: Any) -> None:
    from agentbrowser.protocol import wire

    click.echo(wire.dump(value))


def _given(flags: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in flags.items() if value != ()}


def _load(
    flags: Mapping[str, Any],
    *,
    for_server: bool = False,
    environ: Mapping[str, str] = os.environ,
    defaults: Mapping[str, Any] | None = None,
) -> "Config":
    from agentbrowser.cli.settings import BadSetting, load, load_for_server

    try:
        return load_for_server(_given(flags), environ) if for_server else load(_given(flags), environ, defaults)
    except BadSetting as bad:
        raise BadUsage(str(bad)) from None


def _log_errors_only(config: "Config") -> "Config":
    """Set up logging for a command that prints its own progress."""
    import attrs

    from agentbrowser.cli.logs import set_up_logging

    config = attrs.evolve(config, log_level="error")
    set_up_logging(config)
    return config
