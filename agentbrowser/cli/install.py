"""Installation of a browser: Playwright's download, else the system's package if that needs no password."""

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

from agentbrowser.browser.engine.chromium_flags import is_root
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
    "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000",  # ms; the default is 30 s for each of several hosts
}


@attrs.frozen
class InstallMethod:
    """Method to install a browser: commands to run in order, if it applies and the methods before it have failed."""

    title: str
    commands: tuple[Command, ...]
    applies: Callable[[], bool] = lambda: True


async def install(config: Config, console: Console, *, force: bool = False, full: bool = False) -> None:
    """Install a browser unless one starts already, and print the progress. [trio]

    Args:
      force: True to install even if a browser starts already.
      full: True to install a browser that can show windows.

    Raises:
      BrowserNotLaunched: no method succeeded; the hint describes a manual installation.
    """
    wanted = attrs.evolve(config, headless=config.headless and not full)
    works = partial(_works, wanted, console, headless=config.headless)
    if not force and await works():
        return
    for method in install_methods(wanted, force=force):
        if method.applies() and await _run_method(method, console) and await works():
            return
    raise BrowserNotLaunched("No browser could be installed.", retryable=False, hint=_advice(config))


def install_methods(config: Config, *, force: bool = False) -> Iterator[InstallMethod]:
    """Yield the methods to install the configured browser on this machine, best first; none needs a password."""
    name, playwright = config.browser, (sys.executable, "-m", "playwright")
    options = ("--force",) if force else ()
    yield InstallMethod(f"Downloading Playwright's {name}", ((*playwright, "install", *options, name),))
    if not (is_root() and shutil.which("apt-get")):
        return
    libraries = (*playwright, "install-deps", name)
    yield InstallMethod(
        f"Installing the libraries of Playwright's {name}", (libraries,), partial(_is_downloaded, config)
    )
    if name == "chromium" and not _is_ubuntu():
        for package in ("chromium-headless-shell", "chromium")[not config.headless :]:
            get = ("apt-get", "install", "-y", "--no-install-recommends", package, "fonts-liberation")
            yield InstallMethod(f"Installing the system's {package}", (("apt-get", "update"), get))


async def _works(config: Config, console: Console, *, headless: bool) -> bool:
    """Return True if a browser is installed and starts. [trio]"""
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


async def _run_method(method: InstallMethod, console: Console) -> bool:
    """Run the commands of a method, show their last line, and return True if all succeeded. [trio]"""
    lines: deque[str] = deque(maxlen=_SHOWN_LINES)
    with console.status(method.title) as status:
        for command in method.commands:
            if not await _run(command, partial(_show, status, method.title, lines)):
                console.print(Text(f"{method.title}: failed", style="yellow"))
                console.print(Text("".join(f"  {line}\n" for line in lines), style="dim"), end="", soft_wrap=True)
                return False
    console.print(Text(f"{method.title}: done"))
    return True


def _show(status: Status, title: str, lines: deque[str], line: str) -> None:
    plain = Text.from_ansi(line).plain
    if plain.startswith("at "):  # stack traces of Playwright's installer do not help users
        return
    lines.append(plain)
    shown = Text.assemble(title, "  ", (plain, "dim"))
    shown.truncate(status.console.width - _SPINNER_WIDTH, overflow="ellipsis")
    status.update(shown)


async def _run(command: Command, on_line: Callable[[str], None]) -> bool:
    """Run a command, pass on each line of its output, and return True if it succeeded in time. [trio]

    Cancel: the command and its child processes are stopped.
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
    """Pass on each line of a process's output; a progress bar's carriage return also ends a line. [trio]"""
    rest = ""
    async for chunk in stream:
        *lines, rest = (rest + chunk.decode(errors="replace")).replace("\r", "\n").split("\n")
        for line in filter(str.strip, lines):
            on_line(line.strip())
    if rest.strip():
        on_line(rest.strip())


async def _stop_group(process: trio.Process) -> None:
    """End a process and the process group that it leads. [trio]"""
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


def _is_ubuntu() -> bool:
    """Return True on Ubuntu: its package chromium installs a snap, whose confinement blocks the driver."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return False
    return "ubuntu" in f"{release.get('ID')} {release.get('ID_LIKE')}"


def _advice(config: Config) -> str:
    """Return the hint for a manual installation."""
    known = {
        "apt-get": "apt-get install chromium-headless-shell, as root",
        "dnf": "sudo dnf install chromium-headless",
        "brew": "brew install --cask google-chrome",
    }
    hints = [hint for program, hint in known.items() if config.browser == "chromium" and shutil.which(program)]
    return f"Install one by hand{f' ({hints[0]})' if hints else ''}, or name one with --executable-path."
