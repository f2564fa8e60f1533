"""Where a browser is looked for, and in which order."""

import sys
from pathlib import Path
from typing import Any

import pytest
import structlog

from agentbrowser.browser.engine import find_browser as finding
from agentbrowser.browser.engine.find_browser import Executable, find_browser
from agentbrowser.protocol.errors import BrowserNotLaunched


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser: system paths under ``system``, Playwright's downloads under ``downloads``."""
    names = ("chromium-headless-shell", "chromium", "chrome")
    places = tuple(str(tmp_path / "system" / name) for name in names)
    monkeypatch.setattr(finding, "_SYSTEM", {sys.platform: places})
    monkeypatch.setattr(finding, "_SNAP_PATH", tmp_path / "snap")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "downloads"))
    return tmp_path


def put(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return str(path)


def download(machine: Path, kind: str, executable: str, *, whole: bool = True) -> str:
    folder = machine / "downloads" / f"{kind.replace('-', '_')}-{finding._revisions()[kind]}"
    path = put(folder / executable)
    if whole:
        put(folder / "INSTALLATION_COMPLETE")
    return path


def test_configured_browser_is_the_only_one_considered(machine: Path) -> None:
    put(machine / "system" / "chromium")
    mine = put(machine / "mine")
    assert find_browser("chromium", mine) == Executable(mine, "configured")


def test_configured_browser_that_is_missing_is_not_replaced(machine: Path) -> None:
    put(machine / "system" / "chromium")
    with pytest.raises(BrowserNotLaunched) as caught:
        find_browser("chromium", str(machine / "mine"))
    assert caught.value.message == f"There is no chromium at {machine / 'mine'}."
    assert caught.value.details["tried"] == [str(machine / "mine")]
    (machine / "mine").touch(mode=0o644)
    with pytest.raises(BrowserNotLaunched, match="mine that may be run"):
        find_browser("chromium", str(machine / "mine"))


def test_downloads_in_a_home_of_another_user_are_passed_over(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = put(machine / "system" / "chromium")
    download(machine, "chromium", "chrome-linux64/chrome")
    stat = Path.stat

    def refused(path: Path, **options: Any) -> Any:
        if machine / "downloads" in path.parents:
            raise PermissionError
        return stat(path, **options)

    monkeypatch.setattr(Path, "stat", refused)
    monkeypatch.setattr("os.access", lambda path, mode: path != machine / "downloads")
    monkeypatch.setattr("os.path.isfile", lambda path: path == system)
    assert find_browser("chromium") == Executable(system, "system")


def test_directory_is_no_browser(machine: Path) -> None:
    with pytest.raises(BrowserNotLaunched):
        find_browser("chromium", str(machine))


def test_playwrights_own_comes_before_the_systems(machine: Path) -> None:
    put(machine / "system" / "chromium-headless-shell")
    own = download(machine, "chromium", "chrome-linux64/chrome")
    assert find_browser("chromium") == Executable(own, "playwright")


def test_headless_shell_is_preferred(machine: Path) -> None:
    download(machine, "chromium", "chrome-linux64/chrome")
    shell = download(machine, "chromium-headless-shell", "chrome-headless-shell-linux64/chrome-headless-shell")
    found = find_browser("chromium")
    assert found == Executable(shell, "playwright")
    assert found.headless_only


def test_window_needs_a_browser_that_has_windows(machine: Path) -> None:
    put(machine / "system" / "chromium-headless-shell")
    full = put(machine / "system" / "chromium")
    found = find_browser("chromium", headless=False)
    assert found == Executable(full, "system")
    assert not found.headless_only


def test_configured_shell_can_show_no_window(machine: Path) -> None:
    shell = put(machine / "chromium-headless-shell")
    with pytest.raises(BrowserNotLaunched, match=r"There is no chromium with windows at .*shell"):
        find_browser("chromium", shell, headless=False)


def test_half_a_download_is_passed_over(machine: Path) -> None:
    download(machine, "chromium", "chrome-linux64/chrome", whole=False)
    chrome = put(machine / "system" / "chrome")
    assert find_browser("chromium") == Executable(chrome, "system")


def test_download_for_another_playwright_is_passed_over(machine: Path) -> None:
    put(machine / "downloads" / "chromium-1" / "chrome-linux64" / "chrome")
    put(machine / "downloads" / "chromium-1" / "INSTALLATION_COMPLETE")
    with pytest.raises(BrowserNotLaunched):
        find_browser("chromium")


def test_download_for_one_system_only_is_found(machine: Path) -> None:
    folder = machine / "downloads" / "webkit_mac14_arm64_special-2251"
    put(folder / "INSTALLATION_COMPLETE")
    own = put(folder / "pw_run.sh")
    assert find_browser("webkit") == Executable(own, "playwright")


def test_firefox_of_the_system_is_no_use(machine: Path) -> None:
    put(machine / "system" / "chromium")
    with pytest.raises(BrowserNotLaunched) as caught:
        find_browser("firefox")
    assert "agentbrowser install --browser firefox" in (caught.value.recovery_hint or "")
    own = download(machine, "firefox", "firefox/firefox")
    assert find_browser("firefox") == Executable(own, "playwright")


def test_error_for_a_missing_browser_lists_paths_and_a_hint(machine: Path) -> None:
    with pytest.raises(BrowserNotLaunched) as caught:
        find_browser("chromium")
    error = caught.value
    folders = [
        f"{kind.replace('-', '_')}-{finding._revisions()[kind]}" for kind in ("chromium-headless-shell", "chromium")
    ]
    own = [str(machine / "downloads" / folder) for folder in folders]
    system = [str(machine / "system" / name) for name in ("chromium-headless-shell", "chromium", "chrome")]
    assert error.details["tried"] == own + system
    assert not error.retryable
    assert "agentbrowser install," in (error.recovery_hint or "")
    with pytest.raises(BrowserNotLaunched) as caught:
        find_browser("chromium", headless=False)
    assert "agentbrowser install --full," in (caught.value.recovery_hint or "")


def test_snap_is_named_as_the_reason(machine: Path) -> None:
    put(machine / "snap")
    with structlog.testing.capture_logs() as logs, pytest.raises(BrowserNotLaunched) as caught:
        find_browser("chromium")
    assert "snap" in (caught.value.recovery_hint or "")
    assert [entry["event"] for entry in logs] == ["snap_browser_ignored"]


@pytest.mark.parametrize(
    ("variable", "expected"), [("XDG_CACHE_HOME", "/cache/ms-playwright"), ("PLAYWRIGHT_BROWSERS_PATH", "/cache")]
)
def test_downloads_are_where_playwright_puts_them(
    variable: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    monkeypatch.setenv(variable, "/cache")
    assert str(finding._downloads()) == expected


def test_downloads_within_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", "0")
    assert finding._downloads().parent.joinpath("browsers.json").is_file()
