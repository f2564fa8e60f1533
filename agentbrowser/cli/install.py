"""Getting a browser: Playwright's own download, or else the system's package where that can be had without asking."""

import contextlib
import os
import platform
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import attrs
import trio
from rich.console import Console
from rich.status import Status
from rich.text import Text

from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.cli.doctor import launch
from agentbrowser.config import Config
from agentbrowser.protocol.errors import BrowserNotLaunched

Command = tuple[str, ...]

_LIMIT_S: Final = 1800.0
_KILL_AFTER_S: Final = 5.0
_SHOWN_LINES: Final = 6
_SPINNER_WIDTH: Final = 3
_ENVIRONMENT: Final = {
    "DEBIAN_FRONTEND": "noninteractive",
    "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000",  # ms; it tries several hosts, for 30 s each by default
}


@attrs.frozen
class Way:
    """A way to get a browser: commands to run in order, if it applies once the ways before it have failed."""

    title: str
    commands: tuple[Command, ...]
    applies: Callable[[], bool] = lambda: True


async def install(config: Config, console: Console, *, force: bool = False, full: bool = False) -> None:
    """Make sure that there is a browser that starts, and say what was done for it. [trio]

    Args:
      force: also when there is one already.
      full: one that could show windows, whether it is to show them or not.

    Raises:
      BrowserNotLaunched: none could be had; the hint says what to do by hand.
    """
    wanted = attrs.evolve(config, headless=config.headless and not full)
    works = partial(_works, wanted, console, headless=config.headless)
    if not force and await works():
        return
    for way in ways(wanted, force=force):
        if way.applies() and await _follow(way, console) and await works():
            return
    raise BrowserNotLaunched("No browser could be installed.", retryable=False, hint=_advice(config))


def ways(config: Config, *, force: bool = False) -> Iterator[Way]:
    """Yield the ways to get the configured browser on this machine, the best first; none asks for a password."""
    name, playwright = config.browser, (sys.executable, "-m", "playwright")
    options = ("--force",) if force else ()
    yield Way(f"Downloading Playwright's {name}", ((*playwright, "install", *options, name),))
    if not (_is_root() and shutil.which("apt-get")):
        return
    libraries = (*playwright, "install-deps", name)
    yield Way(f"Installing the libraries of Playwright's {name}", (libraries,), partial(_is_downloaded, config))
    if name == "chromium" and not _is_ubuntu():
        for package in ("chromium-headless-shell", "chromium")[not config.headless :]:
            get = ("apt-get", "install", "-y", "--no-install-recommends", package, "fonts-liberation")
            yield Way(f"Installing the system's {package}", (("apt-get", "update"), get))


async def _works(config: Config, console: Console, *, headless: bool) -> bool:
    """Tell whether there is a browser and it starts, without windows if so. [trio]"""
    try:
        found = find_browser(config.browser, config.executable_path, headless=config.headless)
    except BrowserNotLaunched as error:
        console.print(Text(error.message))
        return False
    try:
        with console.status("Starting the browser"):
            launched = await launch(attrs.evolve(config, headless=headless, executable_path=found.path))
    except BrowserNotLaunched as error:
        console.print(Text(f"{found.path} does not start: {error.message}"))
        return False
    console.print(Text(f"{config.browser} {launched.version} works: {found.path}", style="green"))
    return True


async def _follow(way: Way, console: Console) -> bool:
    """Run the commands of a way, showing the last line that they print; tell whether all went well. [trio]"""
    lines: deque[str] = deque(maxlen=_SHOWN_LINES)
    with console.status(way.title) as status:
        for command in way.commands:
            if not await _run(command, partial(_show, status, way.title, lines)):
                console.print(Text(f"{way.title}: failed", style="yellow"))
                console.print(Text("".join(f"  {line}\n" for line in lines), style="dim"), end="", soft_wrap=True)
                return False
    console.print(Text(f"{way.title}: done"))
    return True


def _show(status: Status, title: str, lines: deque[str], line: str) -> None:
    plain = Text.from_ansi(line).plain
    if plain.startswith("at "):  # the stack traces of Playwright's installer help nobody
        return
    lines.append(plain)
    shown = Text.assemble(title, "  ", (plain, "dim"))
    shown.truncate(status.console.width - _SPINNER_WIDTH, overflow="ellipsis")
    status.update(shown)


async def _run(command: Command, on_line: Callable[[str], None]) -> bool:
    """Run a command, giving on each line that it prints; tell whether it succeeded in time. [trio]

    Cancel: it is stopped, with all that it has started.
    """
    start = partial(
        trio.run_process,
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        env=os.environ | _ENVIRONMENT,
        start_new_session=True,
        deliver_cancel=_stop_group,
    )
    with trio.move_on_after(_LIMIT_S):
        async with trio.open_nursery() as nursery:
            process: trio.Process = await nursery.start(start)
            if process.stdout is not None:
                await _read_lines(process.stdout, on_line)
            return await process.wait() == 0
    on_line(f"{command[0]} took longer than {_LIMIT_S:g} s")
    return False


async def _read_lines(stream: trio.abc.ReceiveStream, on_line: Callable[[str], None]) -> None:
    """Give on what a process prints; a progress bar's carriage return ends a line too. [trio]"""
    rest = ""
    async for chunk in stream:
        *lines, rest = (rest + chunk.decode(errors="replace")).replace("\r", "\n").split("\n")
        for line in filter(str.strip, lines):
            on_line(line.strip())
    if rest.strip():
        on_line(rest.strip())


async def _stop_group(process: trio.Process) -> None:
    """End a process that leads its group, and the group. [trio]"""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with trio.move_on_after(_KILL_AFTER_S):
            await process.wait()
            return


def _is_downloaded(config: Config) -> bool:
    try:
        return find_browser(config.browser, headless=config.headless).source == "playwright"
    except BrowserNotLaunched:
        return False


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _is_ubuntu() -> bool:
    """Tell whether the package chromium only fetches a snap, whose confinement shuts the driver out."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return False
    return "ubuntu" in f"{release.get('ID')} {release.get('ID_LIKE')}"


def _advice(config: Config) -> str:
    """Say what a person can do where we could not."""
    known = {
        "apt-get": "apt-get install chromium-headless-shell, as root",
        "dnf": "sudo dnf install chromium-headless",
        "brew": "brew install --cask google-chrome",
    }
    hints = [hint for program, hint in known.items() if config.browser == "chromium" and shutil.which(program)]
    return f"Install one by hand{f' ({hints[0]})' if hints else ''}, or name one with --executable-path."
