"""Search for the browser: the configured one, else Playwright's own, else the system's Chrome or Chromium."""

import functools
import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import attrs
import structlog

from agentbrowser.config import BrowserName
from agentbrowser.protocol.errors import BrowserNotLaunched

Source = Literal["configured", "playwright", "system"]

log = structlog.get_logger("agentbrowser.browser")

_SNAP_HINT: Final = "The Chromium of snap can't be used, since its confinement shuts the driver out. "
_SNAP_PATH: Final = Path("/snap/bin/chromium")

# The binaries: the commands of the same names in /usr/bin are shell scripts, which would stay between driver and
# browser (Debian's does not exec). Headless shells come first: they are smaller and start faster.
_SYSTEM: Final[dict[str, tuple[str, ...]]] = {
    "linux": (
        "/usr/lib/chromium/chromium-headless-shell",
        "/usr/lib64/chromium-browser/headless_shell",
        "/usr/lib/chromium/chromium",
        "/usr/lib64/chromium-browser/chromium-browser",
        "/usr/lib64/chromium/chromium",
        "/usr/lib/chromium-browser/chromium-browser",
        "/opt/google/chrome/chrome",
        "/opt/chromium.org/chromium/chrome",
        "/opt/microsoft/msedge/msedge",
    ),
    "darwin": (
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "~/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ),
    "win32": (
        "${PROGRAMFILES}/Google/Chrome/Application/chrome.exe",
        "${PROGRAMFILES(X86)}/Google/Chrome/Application/chrome.exe",
        "${LOCALAPPDATA}/Google/Chrome/Application/chrome.exe",
        "${PROGRAMFILES}/Chromium/Application/chrome.exe",
        "${PROGRAMFILES(X86)}/Microsoft/Edge/Application/msedge.exe",
    ),
}

# Playwright's names for its downloads, and patterns for the executables in them, on any system.
_DOWNLOADS: Final[dict[str, tuple[str, ...]]] = {
    "chromium-headless-shell": ("*/chrome-headless-shell", "*/chrome-headless-shell.exe"),
    "chromium": ("*/chrome", "*/*.app/Contents/MacOS/Google Chrome for Testing", "*/chrome.exe"),
    "firefox": ("*/firefox", "*/*.app/Contents/MacOS/firefox", "*/firefox.exe"),
    "webkit": ("pw_run.sh", "Playwright.exe"),
}


@attrs.frozen
class Executable:
    """A browser that can be started."""

    path: str
    source: Source

    @property
    def headless_only(self) -> bool:
        """True if the binary can't show windows."""
        return "headless" in Path(self.path).name


def find_browser(name: BrowserName, executable_path: str | None = None, *, headless: bool = True) -> Executable:
    """Return the browser to start.

    Args:
      executable_path: the only one to consider, if given.
      headless: accept a binary without windows, and prefer it.

    Raises:
      BrowserNotLaunched: there is none; the details list the paths that were tried.
    """
    tried = []
    for found in _candidates(name, executable_path):
        if _may_run(found.path) and (headless or not found.headless_only):
            return found
        tried.append(found.path)
    raise _missing(name, headless, tried)


def _may_run(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _candidates(name: BrowserName, executable_path: str | None) -> Iterator[Executable]:
    if executable_path:
        yield Executable(executable_path, "configured")
        return
    for path in _downloaded(name):
        yield Executable(str(path), "playwright")
    if name == "chromium":  # Playwright drives only its own patched Firefox and WebKit
        for path_text in _SYSTEM.get(sys.platform, ()):
            yield Executable(os.path.expanduser(os.path.expandvars(path_text)), "system")


def _downloaded(name: BrowserName) -> Iterator[Path]:
    """Yield the executables that Playwright has downloaded, without starting its driver."""
    kinds = ("chromium-headless-shell", "chromium") if name == "chromium" else (name,)
    is_readable = os.access(_downloads(), os.R_OK | os.X_OK)  # not in the home of another user, which sudo may leave
    for kind in kinds:
        plain = kind.replace("-", "_")
        usual = _downloads() / f"{plain}-{_revisions().get(kind)}"
        if not is_readable:
            yield usual
            continue
        for folder in (usual, *_downloads().glob(f"{plain}_*_special-*")):  # special: built for one release of macOS
            executables = [path for pattern in _DOWNLOADS[kind] for path in folder.glob(pattern)]
            is_complete = executables and (folder / "INSTALLATION_COMPLETE").exists()
            yield from executables if is_complete else [folder]


def _downloads() -> Path:
    """Return Playwright's directory of browsers."""
    configured = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if configured == "0":
        return _package() / "driver" / "package" / ".local-browsers"
    return Path(configured) if configured else _cache() / "ms-playwright"


def _cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _package() -> Path:
    """Return the directory of the package playwright; importing it would take a third of a second."""
    spec = importlib.util.find_spec("playwright")
    return Path((spec and spec.origin) or "playwright/__init__.py").parent


@functools.cache
def _revisions() -> dict[str, str]:
    """Return the revisions of the browsers that this version of Playwright supports."""
    browsers = _package() / "driver" / "package" / "browsers.json"
    return {browser["name"]: browser["revision"] for browser in json.loads(browsers.read_bytes())["browsers"]}


def _missing(name: str, headless: bool, tried: list[str]) -> BrowserNotLaunched:
    wanted = name if headless else f"{name} with windows"
    flag = f" --browser {name}" if name != "chromium" else "" if headless else " --full"
    hint = f"Run agentbrowser install{flag}, or name a browser with --executable-path."
    if name == "chromium" and _SNAP_PATH.exists():
        log.warning("snap_browser_ignored", path=str(_SNAP_PATH))
        hint = _SNAP_HINT + hint
    where = f" at {tried[0]}" if len(tried) == 1 else ""
    where += " that may be run" if where and os.path.isfile(tried[0]) else ""
    return BrowserNotLaunched(f"There is no {wanted}{where}.", retryable=False, hint=hint, tried=tried)
