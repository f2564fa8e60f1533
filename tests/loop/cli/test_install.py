"""Installation of a browser: methods, their order, and failures."""

import io
import os
import sys

import pytest
import trio
from rich.console import Console

from agentbrowser.browser.engine.find_browser import Executable
from agentbrowser.cli import install as installing
from agentbrowser.cli.doctor import Launched
from agentbrowser.cli.install import Command, InstallMethod, install, install_methods
from agentbrowser.config import Config
from agentbrowser.protocol.errors import BrowserNotLaunched

LIMIT_S = 20
SHELL = Executable("/usr/lib/chromium/chromium-headless-shell", "system")
MISSING = BrowserNotLaunched("There is no chromium browser.")


@pytest.fixture
def console() -> Console:
    return Console(file=io.StringIO(), width=200)


def said(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


class Machine:
    """A machine as the installer sees it: what programs there are, and what comes of commands."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.programs = {"apt-get"}
        self.root = True
        self.release = {"ID": "debian"}
        self.browser: Executable | None = None
        self.starts = True
        self.succeeds: dict[str, Executable] = {}
        """What the command that holds the word gets; other commands fail."""
        self.ran: list[Command] = []
        self.launched: Config | None = None
        monkeypatch.setattr("shutil.which", lambda name: name if name in self.programs else None)
        monkeypatch.setattr(installing, "is_root", lambda: self.root)
        monkeypatch.setattr("platform.freedesktop_os_release", lambda: self.release)
        monkeypatch.setattr(installing, "find_browser", self.find)
        monkeypatch.setattr(installing, "launch", self.launch)
        monkeypatch.setattr(installing, "_run", self.run)

    def find(self, *_: object, headless: bool = True) -> Executable:
        if self.browser is None or (self.browser.headless_only and not headless):
            raise MISSING
        return self.browser

    async def launch(self, config: Config) -> Launched:
        self.launched = config
        if not self.starts:
            raise BrowserNotLaunched("It lacks a library.")
        return Launched("1.2.3", 0.1)

    async def run(self, command: Command, on_line: object) -> bool:
        self.ran.append(command)
        for word, got in self.succeeds.items():
            if word in command:
                self.browser = got
                return True
        return command == ("apt-get", "update")


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def titles(**settings: bool) -> list[str]:
    return [method.title for method in install_methods(Config(**settings))]  # type: ignore[arg-type]


def test_the_ways_of_a_debian(machine: Machine) -> None:
    assert titles() == [
        "Downloading Playwright's chromium",
        "Installing the libraries of Playwright's chromium",
        "Installing the system's chromium-headless-shell",
        "Installing the system's chromium",
    ]
    assert titles(headless=False)[2:] == ["Installing the system's chromium"]


def test_who_is_not_root_is_not_asked_for_a_password(machine: Machine) -> None:
    machine.root = False
    assert titles() == ["Downloading Playwright's chromium"]
    assert not any("sudo" in command for method in install_methods(Config()) for command in method.commands)


@pytest.mark.parametrize("release", [{"ID": "ubuntu"}, {"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}])
def test_a_snap_is_not_a_browser(machine: Machine, release: dict[str, str]) -> None:
    machine.release = release
    assert not any("system's" in title for title in titles())


def test_firefox_is_playwrights_only(machine: Machine) -> None:
    commands = [command for method in install_methods(Config(browser="firefox")) for command in method.commands]
    assert [command[2:] for command in commands] == [
        ("playwright", "install", "firefox"),
        ("playwright", "install-deps", "firefox"),
    ]


async def test_a_browser_that_works_is_enough(machine: Machine, console: Console) -> None:
    machine.browser = SHELL
    await install(Config(), console)
    assert machine.ran == []
    assert said(console) == f"chromium 1.2.3 works: {SHELL.path}\n"


async def test_force_gets_one_all_the_same(machine: Machine, console: Console) -> None:
    machine.browser, machine.succeeds = SHELL, {"--force": SHELL}
    await install(Config(), console, force=True)
    assert [command[1:] for command in machine.ran] == [("-m", "playwright", "install", "--force", "chromium")]


async def test_a_full_one_is_got_beside_a_headless_shell_and_tried_without_windows(
    machine: Machine, console: Console
) -> None:
    full = Executable("/usr/lib/chromium/chromium", "system")
    machine.browser, machine.succeeds = SHELL, {"chromium": full}
    await install(Config(), console, full=True)
    assert said(console).splitlines()[-1] == f"chromium 1.2.3 works: {full.path}"
    assert machine.launched == Config(executable_path=full.path)
    machine.ran.clear()
    await install(Config(), console, full=True)
    assert machine.ran == []


async def test_the_systems_package_comes_after_a_failed_download(machine: Machine, console: Console) -> None:
    machine.succeeds = {"chromium-headless-shell": SHELL}
    await install(Config(), console)
    assert [command[:2] for command in machine.ran] == [
        (sys.executable, "-m"),
        ("apt-get", "update"),
        ("apt-get", "install"),
    ]
    assert said(console).splitlines() == [
        "There is no chromium browser.",
        "Downloading Playwright's chromium: failed",
        "Installing the system's chromium-headless-shell: done",
        f"chromium 1.2.3 works: {SHELL.path}",
    ]


async def test_a_download_that_does_not_start_gets_its_libraries(machine: Machine, console: Console) -> None:
    downloaded = Executable("/cache/chrome", "playwright")
    machine.starts, machine.succeeds = False, {"install": downloaded, "install-deps": downloaded}
    with pytest.raises(BrowserNotLaunched):
        await install(Config(), console)
    assert "install-deps" in machine.ran[1]
    assert "/cache/chrome does not start: It lacks a library." in said(console)


@pytest.mark.parametrize(
    ("program", "hint"),
    [("apt-get", "apt-get install"), ("dnf", "dnf install"), ("brew", "brew install"), ("", "by hand")],
)
async def test_when_nothing_works_it_says_what_to_do(
    program: str, hint: str, machine: Machine, console: Console
) -> None:
    machine.root, machine.programs = False, {program}
    with pytest.raises(BrowserNotLaunched) as failed:
        await install(Config(), console)
    assert hint in (failed.value.recovery_hint or "")
    assert "--executable-path" in (failed.value.recovery_hint or "")


async def test_a_command_shows_its_lines_and_its_success(console: Console) -> None:
    lines: list[str] = []
    program = r"print('one\n\ntwo', flush=True); import os; os.write(2, b'10%\r90%\rdone \xff')"
    with trio.fail_after(LIMIT_S):
        assert await installing._run((sys.executable, "-c", program), lines.append)
        assert not await installing._run((sys.executable, "-c", "raise SystemExit(3)"), lines.append)
    assert lines == ["one", "two", "10%", "90%", "done \ufffd"]


async def test_a_failed_command_shows_its_last_lines(console: Console) -> None:
    program = "print(*range(9), sep='\\n'); raise SystemExit(1)"
    with trio.fail_after(LIMIT_S):
        assert not await installing._run_method(InstallMethod("Trying", ((sys.executable, "-c", program),)), console)
    assert said(console).split() == ["Trying:", "failed", *"345678"]


async def test_a_command_that_hangs_is_stopped_with_its_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentbrowser.cli.install._LIMIT_S", 3.0)
    lines: list[str] = []
    watched: list[int] = []

    def note(line: str) -> None:
        lines.append(line)
        if line.isdigit():
            watched.append(os.pidfd_open(int(line)))

    with trio.fail_after(LIMIT_S):
        assert not await installing._run(("/bin/sh", "-c", "sleep 60 & echo $!; wait"), note)
        await trio.lowlevel.wait_readable(watched[0])  # the child has ended
    os.close(watched[0])
    assert "took longer" in lines[-1]
