"""Checks of a machine for everything that a server needs, with a remedy for each problem."""

import errno
import http.client
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

import attrs
import trio

from agentbrowser.browser import faults
from agentbrowser.browser.engine.chromium_flags import is_root
from agentbrowser.browser.engine.engine import Engine
from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.browser.engine.launch_errors import DOCTOR_HINT
from agentbrowser.browser.portal import Portal
from agentbrowser.cli.readers import FileToken
from agentbrowser.cli.settings import in_effect, unavailable_scope, unknown_variables, unusable_certificate
from agentbrowser.config import Config, is_loopback
from agentbrowser.policy.credentials import TokenFile
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError, BrowserNotLaunched
from agentbrowser.server.gate.tls import client_refusal
from agentbrowser.server.sessions.store import BadStore, StoreUnavailable
from agentbrowser.server.watch.descriptors import hard_limit

State = Literal["ok", "warn", "fail"]

_OURS: Final = "agentbrowser-server"
"""Distribution on PyPI; "agentbrowser" there is an unrelated package."""
_PACKAGES: Final = ("playwright", "trio", "hypercorn", "wsproto", "trio-websocket")
_ENOUGH_BYTES: Final = 512 * 1024 * 1024
_ENOUGH_DESCRIPTORS: Final = 1024
_ANSWER_TIMEOUT_S: Final = 5.0
_LAUNCH_TIMEOUT_S: Final = 45.0
_CLOSE_TIMEOUT_S: Final = 8.0
_OTHER_BROWSER: Final = "Run agentbrowser install --force, or name another browser with --executable-path."
_NO_NAMESPACES: Final = {
    "/proc/sys/kernel/unprivileged_userns_clone": "0",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1",
    "/proc/sys/user/max_user_namespaces": "0",
}


@attrs.frozen
class Finding:
    """Result of one check."""

    name: str
    state: State
    what: str
    mend: str | None = None
    """Remedy of the problem."""


@attrs.frozen
class Launched:
    """Version and launch time of a browser that was started and closed."""

    version: str
    duration_s: float


async def examine(config: Config, environ: Mapping[str, str]) -> list[Finding]:
    """Check everything that a server with this configuration needs. [trio]"""
    findings = [check(config) for check in _CHECKS]
    findings += [*_check_variables(environ), *await _check_store(config)]
    if all(finding.state != "fail" for finding in findings if finding.name == "browser"):
        findings.append(await _check_launch(config))
    return findings


async def launch(config: Config) -> Launched:
    """Start the browser as a server does, open a page in it and close it. [trio]

    Raises:
      BrowserNotLaunched: no browser was found, or it did not start in time.
    """
    engine = Engine(config)
    began_s = time.perf_counter()
    with trio.move_on_after(_LAUNCH_TIMEOUT_S):
        async with Portal.open() as portal:
            try:
                await portal.run(_open_page, engine)
                return Launched(engine.version, time.perf_counter() - began_s)
            finally:
                with trio.move_on_after(_CLOSE_TIMEOUT_S, shield=True):
                    await portal.run(engine.close)
    raise BrowserNotLaunched(f"The browser did not open a page within {_LAUNCH_TIMEOUT_S:g} s.")


async def _open_page(engine: Engine) -> None:
    """Open a page, which also starts a renderer process. [asyncio]"""
    context = await engine.new_context()
    with faults.mapped():
        await context.new_page()


def _check_python(config: Config) -> Finding:
    return Finding("python", "ok", f"{platform.python_version()} on {platform.platform()}")


def _check_packages(config: Config) -> Finding:
    versions = [f"{name} {importlib.metadata.version(name)}" for name in _PACKAGES]
    return Finding("packages", "ok", ", ".join(versions))


def _check_names(config: Config) -> Finding:
    """Check that no other distribution installs a package called agentbrowser beside ours."""
    named = {one.metadata["Name"] for one in importlib.metadata.distributions(name="agentbrowser")}
    foreign = sorted((named | set(importlib.metadata.packages_distributions().get("agentbrowser", ()))) - {_OURS})
    if not foreign:
        return Finding("names", "ok", f"{_OURS} alone installs agentbrowser")
    mend = f"pip uninstall {' '.join(foreign)}, then pip install --force-reinstall {_OURS}"
    return Finding("names", "warn", f"unrelated, with the same import name: {', '.join(foreign)}", mend)


def _check_driver(config: Config) -> Finding:
    """Check that Playwright's Node runs: it drives every browser."""
    spec = importlib.util.find_spec("playwright")
    own = Path((spec and spec.origin) or "").parent / "driver" / ("node.exe" if sys.platform == "win32" else "node")
    node = os.environ.get("PLAYWRIGHT_NODEJS_PATH") or str(own)
    try:
        ran = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=_ANSWER_TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        mend = "Reinstall it: pip install --force-reinstall playwright"
        return Finding("driver", "fail", f"Playwright's Node does not run: {error}", mend)
    return Finding("driver", "ok", f"Node {ran.stdout.strip()}")


def _check_browser(config: Config) -> Finding:
    if config.browser_url is not None:
        return Finding("browser", "ok", f"{config.browser_url}, started by another program")
    try:
        found = find_browser(config.browser, config.executable_path, headless=config.headless)
    except BrowserNotLaunched as error:
        return Finding("browser", "fail", error.message, error.recovery_hint)
    return Finding("browser", "ok", f"{found.path} ({found.source})")


async def _check_launch(config: Config) -> Finding:
    try:
        launched = await launch(config)
    except AgentBrowserError as error:
        hint = None if error.recovery_hint == DOCTOR_HINT else error.recovery_hint  # this is doctor
        written = "; ".join(error.details.get("stderr") or ())
        what = f"{error.message} It wrote: {written}" if written else error.message
        return Finding("launch", "fail", what, hint or _OTHER_BROWSER)
    return Finding("launch", "ok", f"{config.browser} {launched.version} opened a page in {launched.duration_s:.1f} s")


def _check_sandbox(config: Config) -> Finding:
    if is_root():
        return Finding("sandbox", "warn", "off, since the browser runs as root", "Run as another user.")
    if config.no_sandbox:
        return Finding("sandbox", "warn", "off, as asked for", "Leave --no-sandbox out.")
    for path, value in _NO_NAMESPACES.items():
        if _read(path) == value:
            what = f"the system restricts user namespaces ({path} is {value})"
            return Finding("sandbox", "warn", what, "If the browser does not start, change that, or give --no-sandbox.")
    return Finding("sandbox", "ok", "on")


def _check_port(config: Config) -> Finding:
    """Check that a server could listen on the port."""
    name = f"{config.host} port {config.port}"
    try:
        family, *_, address = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM)[0]
        socket.create_server(address[:2], family=family).close()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            return Finding("port", "fail", f"{name}: {error.strerror}", "Use another --host or --port.")
        if (version := _running_version(config)) is not None:
            return Finding("port", "ok", f"{name}: agentbrowser {version} is running there")
        return Finding("port", "fail", f"{name} is in use", "Stop what listens there, or use another --port.")
    return Finding("port", "ok", f"{name} is free")


def _running_version(config: Config) -> str | None:
    connection = http.client.HTTPConnection(config.host, config.port, timeout=_ANSWER_TIMEOUT_S)
    if config.tls_cert is not None:  # the question is who listens there, and no secret is sent
        unverified = ssl.create_default_context()
        unverified.check_hostname, unverified.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(
            config.host, config.port, timeout=_ANSWER_TIMEOUT_S, context=unverified
        )
    try:
        connection.request("GET", "/health")
        return str(wire.load(connection.getresponse().read())["version"])
    except (OSError, http.client.HTTPException, ValueError, TypeError, KeyError):
        return None
    finally:
        connection.close()


def _check_memory(config: Config) -> Finding:
    lines = dict(line.split(":", 1) for line in (_read("/proc/meminfo") or "").splitlines())
    if "MemAvailable" not in lines:
        return Finding("memory", "ok", "unknown on this system")
    available = int(lines["MemAvailable"].split()[0]) * 1024
    limit = _read("/sys/fs/cgroup/memory.max") or "max"
    return _check_enough("memory", min(available, int(limit)) if limit.isdigit() else available)


def _check_temporary_files(config: Config) -> Finding:
    """Check the space for profiles and shared memory, which the browser keeps here and not in /dev/shm."""
    try:
        folder = tempfile.gettempdir()
        return _check_enough(f"space in {folder}", shutil.disk_usage(folder).free)
    except OSError as error:
        mend = "Free some space there, or name a directory that can be written to by TMPDIR."
        return Finding("space", "fail", f"no room for temporary files: {error.strerror}", mend)


def _check_descriptors(config: Config) -> Finding:
    """Check the hard limit of file descriptors, to which a server raises its own and that of its browsers."""
    limit = hard_limit()
    if limit is None:
        return Finding("descriptors", "ok", "without a limit")
    if limit >= _ENOUGH_DESCRIPTORS:
        return Finding("descriptors", "ok", f"at most {limit} for a process")
    mend = f"Raise the hard limit to {_ENOUGH_DESCRIPTORS} or more: ulimit -Hn, or LimitNOFILE= of systemd."
    return Finding("descriptors", "warn", f"at most {limit} for a process: too few for a busy browser", mend)


def _check_enough(name: str, size_bytes: int) -> Finding:
    what = f"{size_bytes / 1024**3:.1f} GB"
    if size_bytes >= _ENOUGH_BYTES:
        return Finding(name, "ok", what)
    return Finding(name, "warn", what, "Make more of it free: a few pages need half a gigabyte.")


def _check_token(config: Config) -> Finding:
    if (problem := unavailable_scope(config)) is not None:
        return Finding("token", "fail", problem, "Set AGENT_TOKEN or --token-file, or lower the scope.")
    if not config.has_tokens:
        mend = "Set AGENT_TOKEN or --token-file where others use this machine."
        return Finding("token", "warn", "none, so every program on this machine can connect", mend)
    if isinstance(config.token, FileToken) and config.token.exposed:
        return Finding("token", "warn", "every user can read or change the token's file", "Protect it: chmod 600.")
    if config.tokens is not None:
        return _check_tokens(config.tokens)
    return Finding("token", "ok", f"set, with scope {config.scope.word}")


def _check_tokens(tokens: TokenFile) -> Finding:
    if tokens.exposed:
        return Finding("token", "warn", "every user can read or change the file of tokens", "Protect it: chmod 600.")
    now = datetime.now(UTC)
    expired = [entry.name for entry in tokens.entries if entry.expires is not None and entry.expires <= now]
    if expired:
        return Finding("token", "warn", f"expired: {', '.join(expired)}", "Make new ones: agentbrowser token new.")
    return Finding("token", "ok", f"{len(tokens.entries)} in the file of tokens")


def _check_tls(config: Config) -> Finding:
    if (problem := unusable_certificate(config)) is not None:
        return Finding("tls", "fail", problem, "Name a certificate and its key in PEM, readable for this user.")
    if (why := client_refusal(config)) is not None:
        mend = "Clients refuse it: renew its file, then send a running server SIGHUP."
        return Finding("tls", "fail", f"certificate {config.tls_cert}: {why}", mend)
    if config.tls_cert is not None:
        return Finding("tls", "ok", f"certificate {config.tls_cert}")
    if is_loopback(config.host):
        return Finding("tls", "ok", "none, and none is needed on loopback")
    mend = "Set --tls-cert and --tls-key, or put a proxy with TLS before the port."
    return Finding("tls", "warn", f"none, so the network of {config.host} can read tokens and pages", mend)


async def _check_store(config: Config) -> list[Finding]:
    """Check that the store of a fleet answers to this node's password and certificates. [trio]"""
    if config.state_url is None:
        return []
    from agentbrowser.server.app import open_snapshots

    failure: object = None
    try:
        async with open_snapshots(config) as snapshots:
            try:
                if snapshots.store is not None:
                    await snapshots.store.refresh([])
            except StoreUnavailable as error:
                failure = error.details["cause"]
    except (BadStore, ValueError) as error:
        failure = error
    if failure is None:
        return [Finding("store", "ok", "the store of sessions answers")]
    mend = "Start it, or correct --state-url (redis:// or rediss://, password, port) and --state-key-file."
    return [Finding("store", "fail", f"the store of sessions can't be used: {failure}", mend)]


def _check_in_effect(config: Config) -> Finding:
    return Finding("in effect", "ok", "; ".join(f"{name} {value}" for name, value in in_effect(config).items()))


def _check_variables(environ: Mapping[str, str]) -> list[Finding]:
    mend = "Correct or unset it; agentbrowser serve --help lists those that there are."
    return [Finding("variable", "warn", f"{name} means nothing", mend) for name in unknown_variables(environ)]


def _read(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return None


_CHECKS: Final[tuple[Callable[[Config], Finding], ...]] = (
    _check_python,
    _check_packages,
    _check_names,
    _check_driver,
    _check_memory,
    _check_temporary_files,
    _check_descriptors,
    _check_port,
    _check_token,
    _check_tls,
    _check_in_effect,
    _check_sandbox,
    _check_browser,
)
