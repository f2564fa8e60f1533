"""Commands for recordings: show, and those that make tests of them."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentbrowser.cli.failures import read_seconds

if TYPE_CHECKING:
    from agentbrowser.config import Config

_FILE = click.argument("file", type=click.Path(exists=True, path_type=Path))


@click.command()
@_FILE
@click.option("--output", type=click.Path(path_type=Path), help="directory to write the viewer to; a temporary one")
@click.option("--open/--no-open", "opens", default=True, help="open the viewer in this machine's browser")
def show(file: Path, output: Path | None, opens: bool) -> None:
    """Show a recording: its timeline, pictures, looks, choices and results.

    FILE is the zip of recording/export, or a directory below --record-dir. The viewer needs no server.
    """
    import tempfile
    import webbrowser

    from agentbrowser.cli.failures import reported, writing
    from agentbrowser.recorder.archive import VIEWER, damage_reported, read_recording, unpack

    with reported(), damage_reported(file):
        recording = read_recording(file)
        folder = output or Path(tempfile.mkdtemp(prefix="agentbrowser-recording-"))
        with writing(folder):
            unpack(recording, folder)
    page = (folder / VIEWER).resolve()
    click.echo(page)
    if opens:
        webbrowser.open(page.as_uri())


@click.command()
@_FILE
@click.option("--against", metavar="URL", help="visit this site in place of the recorded one")
@click.option(
    "--max-wait", metavar="SECONDS", default="10", show_default=True, callback=read_seconds, help="longest pause"
)
@click.option("--masked", metavar="TEXT", help="text to type where the recording has none, as in password fields")
@click.option("--update", is_flag=True, help="accept divergences, and write the present answers into FILE")
@click.option("--scope", metavar="SCOPE", help="scope of the requests  [AGENT_SCOPE; standard]")
@click.option("--allowed-domains", metavar="LIST", help="the only hosts to contact  [AGENT_ALLOWED_DOMAINS]")
@click.option(
    "--private-network", metavar="RULE", help="private addresses, as in serve  [AGENT_PRIVATE_NETWORK; ask-first]"
)
def replay(
    file: Path, against: str | None, max_wait: float, masked: str | None, update: bool, **limits: str | None
) -> None:
    """Run a recording again, and report the first divergence.

    The pages get the recorded network, if the server recorded bodies (--record-bodies), else the live one. Clock and
    random numbers are pinned, and the waits are those of the recording. The exit code is 0 without a divergence, and 1
    with one.

    What the client was refused is not run. The scope, the hosts, the private network, the approval rules, the secrets
    and the browser are those of the options, of AGENT_* and of the file AGENT_CONFIG.
    """
    from agentbrowser.cli.failures import BadUsage, reported, run
    from agentbrowser.cli.logs import set_up_logging
    from agentbrowser.cli.readers import hide_variables
    from agentbrowser.cli.replay import ReplayOptions
    from agentbrowser.cli.replay import replay as run_again
    from agentbrowser.cli.settings import BadSetting
    from agentbrowser.protocol.unseen import visible
    from agentbrowser.recorder.archive import read_recording

    if update and file.is_dir():
        raise BadUsage("--update needs a zip of recording/export, not a directory")
    with reported():
        recording = read_recording(file)
    if against is None and not recording.meta.get("hasBodies"):
        click.echo("The recording has no bodies (--record-bodies): the pages come from the network.", err=True)
    try:
        config = replay_config(limits, os.environ)
    except BadSetting as bad:
        raise BadUsage(str(bad)) from None
    set_up_logging(config)
    hide_variables(config.secrets.variables if config.secrets else ())
    options = ReplayOptions(against=against, longest_pause_s=max_wait, masked=masked, accepts=update)
    report = run(run_again, recording, options, config)
    for divergence in report.divergences:
        page = divergence.step.event.get("page", "none")
        head = f"step {divergence.number} of {report.steps}, {divergence.step.method}, page {page}:"
        click.echo(visible("\n".join((head, *divergence.lines))))  # pages and the file wrote them
    for missing in report.missing:
        click.echo(visible(f"not in the recording: {missing}"), err=True)
    if update and report.divergences:
        with reported():
            _replace(file, report.recording.zipped())
        click.echo(f"{file} has the present answers of {len(report.divergences)} steps now.")
    elif report.divergences:
        raise SystemExit(1)
    else:
        click.echo(f"{report.steps} steps, no divergence.")


def _replace(file: Path, content: bytes) -> None:
    """Replace the content of a file, which stays as it was if the new one can't be written, as on a full disk."""
    target = file.resolve()
    fresh = target.with_name(f".{target.name}.new")
    try:
        fresh.write_bytes(content)
        shutil.copymode(target, fresh)
        os.replace(fresh, target)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def replay_config(limits: Mapping[str, str | None], environ: Mapping[str, str]) -> "Config":
    """Return the configuration of a replay: its own server, with the operator's restrictions, secrets and browser.

    Args:
      limits: settings by `Setting.key`; None for those that were not given.

    Raises:
      BadSetting: a setting is invalid.
    """
    from agentbrowser.cli.settings import BadSetting, load, with_flags
    from agentbrowser.config import Config, unusable_browser

    given = load(limits, environ)
    if (problem := unusable_browser(given)) is not None:
        raise BadSetting(with_flags(problem))
    return Config(
        port=0,
        scope=given.scope,
        allowed_domains=given.allowed_domains,
        private_network=given.private_network,
        readonly_navigation=given.readonly_navigation,
        approvals=given.approvals,
        secrets=given.secrets,
        browser=given.browser,
        headless=given.headless,
        executable_path=given.executable_path,
        browser_url=given.browser_url,
        no_sandbox=given.no_sandbox,
        isolation=given.isolation,
        recorder=False,
        log_level="error",
    )


@click.command()
@_FILE
@click.option(
    "--to",
    "language",
    required=True,
    type=click.Choice(["playwright-python", "playwright-ts", "agentbrowser-python"]),
    help="language and library of the test",
)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="file to write; standard output")
def export(file: Path, language: str, output: Path | None) -> None:
    """Write a test that runs, from a recording.

    The test repeats the actions, with the elements by role and name, and expects the URLs and the words that the looks
    showed. Values that a recording does not hold, such as passwords, are environment variables of the test; where an
    action cannot be repeated, the test fails with a TODO. BASE_URL names the site to test, CHROMIUM the browser's
    program for Playwright, AGENTBROWSER_URL the server for agentbrowser-python.
    """
    from agentbrowser.cli.failures import CommandFailed, reported, writing
    from agentbrowser.recorder.archive import damage_reported, read_recording
    from agentbrowser.recorder.export.blocking import agentbrowser_python
    from agentbrowser.recorder.export.plan import plan_of
    from agentbrowser.recorder.export.playwright import playwright_python, playwright_typescript

    writers = {
        "playwright-python": playwright_python,
        "playwright-ts": playwright_typescript,
        "agentbrowser-python": agentbrowser_python,
    }
    with reported(), damage_reported(file):
        plan = plan_of(read_recording(file))
        text = writers[language](plan)
    if not plan.items:
        raise CommandFailed(f"{file} has no request that can be repeated")
    if output is None:
        click.echo(text, nl=False)
    else:
        with reported(), writing(output):
            output.write_text(text, encoding="utf-8")
        click.echo(output)
    if plan.variables:
        click.echo(f"The test needs the environment variables {', '.join(plan.variables)}.", err=True)
    if todo := text.count("TODO: "):
        places = "1 place" if todo == 1 else f"{todo} places"
        click.echo(f"The test fails at {places} marked TODO, which you have to write.", err=True)
