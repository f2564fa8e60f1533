"""What doctor finds on machines in good health and in bad."""

import errno
import socket
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
import trio

from agentbrowser import __version__
from agentbrowser.browser.engine.find_browser import Executable
from agentbrowser.browser.engine.launch_errors import DOCTOR_HINT
from agentbrowser.cli import doctor as doctoring
from agentbrowser.cli.doctor import Finding, Launched, examine
from agentbrowser.config import Config
from agentbrowser.protocol.errors import BrowserNotLaunched
from agentbrowser.protocol.registry import Scope
from tests.certificates import make_certificate
from tests.loop.raw_websocket import open_gate

LIMIT_S = 20
CHROMIUM = Executable("/usr/lib/chromium/chromium", "system")


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a browser that starts."""

    async def launch(config: Config) -> Launched:
        return Launched("1.2.3", 0.5)

    monkeypatch.setattr(doctoring, "launch", launch)
    monkeypatch.setattr(doctoring, "find_browser", lambda *_, **__: CHROMIUM)


async def finding(name: str, config: Config | None = None, environ: Mapping[str, str] | None = None) -> Finding | None:
    """Return what doctor finds under that name, or None."""
    with trio.fail_after(LIMIT_S):
        found = await examine(config or Config(port=0), environ or {})
    return next((one for one in found if one.name == name), None)


async def mended(name: str, config: Config | None = None, environ: Mapping[str, str] | None = None) -> tuple[str, str]:
    """Return state and text of a finding that says how to mend it."""
    found = await finding(name, config, environ)
    assert found is not None
    assert found.mend
    return found.state, found.what


@pytest.mark.usefixtures("starts")
async def test_a_machine_in_good_health() -> None:
    found = await examine(Config(port=0, token="a long enough token"), {})
    assert {one.name for one in found} >= {"python", "packages", "driver", "port", "token", "browser", "launch"}
    assert {one.state for one in found if one.name != "sandbox"} == {"ok"}
    assert found[-1] == Finding("launch", "ok", "chromium 1.2.3 opened a page in 0.5 s")


@pytest.mark.usefixtures("starts")
async def test_a_foreign_package_with_our_import_name_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "agentbrowser-9.9.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: agentbrowser\nVersion: 9.9\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = await finding("names")
    assert found is not None
    assert (found.state, found.what) == ("warn", "unrelated, with the same import name: agentbrowser")
    assert found.mend == "pip uninstall agentbrowser, then pip install --force-reinstall agentbrowser-server"


async def test_without_a_browser_nothing_is_launched(monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(port=0, executable_path="/does/not/exist")
    assert (await mended("browser", config))[0] == "fail"
    assert await finding("launch", config) is None


@pytest.mark.usefixtures("starts")
async def test_a_browser_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    async def launch(config: Config) -> Launched:
        raise BrowserNotLaunched("It lacks a library.")

    monkeypatch.setattr(doctoring, "launch", launch)
    assert await mended("launch") == ("fail", "It lacks a library.")


@pytest.mark.usefixtures("starts")
async def test_a_browser_that_ends_at_once_is_quoted_and_doctor_is_not_the_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def launch(config: Config) -> Launched:
        raise BrowserNotLaunched("It ended at once.", hint=DOCTOR_HINT, stderr=["libnss3.so: cannot open", "boom"])

    monkeypatch.setattr(doctoring, "launch", launch)
    found = await finding("launch")
    assert found is not None
    assert (found.state, found.what) == ("fail", "It ended at once. It wrote: libnss3.so: cannot open; boom")
    assert "install --force" in (found.mend or "")


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which something listens that never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.mark.usefixtures("starts")
async def test_a_port_that_another_program_has(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctoring, "_ANSWER_TIMEOUT_S", 0.2)
    assert await mended("port", Config(port=taken)) == ("fail", f"127.0.0.1 port {taken} is in use")


@pytest.mark.usefixtures("starts")
async def test_an_address_that_is_not_ours() -> None:
    state, what = await mended("port", Config(host="192.0.2.1", token="a token that is long enough"))
    assert state == "fail"
    assert what.startswith("192.0.2.1 port 9222: ")


async def test_a_port_that_a_server_of_ours_has() -> None:
    async with open_gate() as knocker:
        config = Config(port=knocker.port)
        found = await trio.to_thread.run_sync(doctoring._check_port, config)
    assert found == Finding("port", "ok", f"127.0.0.1 port {knocker.port}: agentbrowser {__version__} is running there")


@pytest.mark.usefixtures("starts")
async def test_a_missing_token_fails_above_the_scope_standard_and_warns_below() -> None:
    assert (await mended("token", Config(port=0, scope=Scope.FULL)))[0] == "fail"
    assert (await mended("token"))[0] == "warn"


@pytest.mark.usefixtures("starts")
async def test_a_slip_in_a_variables_name() -> None:
    assert await mended("variable", environ={"AGENT_TOKN": "x"}) == ("warn", "AGENT_TOKN means nothing")


@pytest.mark.usefixtures("starts")
@pytest.mark.parametrize(
    ("root", "config", "files", "state", "said"),
    [
        (True, Config(port=0), {}, "warn", "root"),
        (False, Config(port=0, no_sandbox=True), {}, "warn", "as asked for"),
        (False, Config(port=0), {"/proc/sys/user/max_user_namespaces": "0"}, "warn", "max_user_namespaces is 0"),
        (False, Config(port=0), {"/proc/sys/user/max_user_namespaces": "9"}, "ok", "on"),
    ],
)
async def test_the_sandbox_finding_follows_user_setting_and_kernel(
    root: bool, config: Config, files: dict[str, str], state: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0 if root else 1000)
    monkeypatch.setattr(doctoring, "_read", files.get)
    found = await finding("sandbox", config)
    assert found is not None
    assert found.state == state
    assert said in found.what


@pytest.mark.usefixtures("starts")
@pytest.mark.parametrize(
    ("files", "state", "what"),
    [
        ({"/proc/meminfo": "MemTotal: 9 kB\nMemAvailable:  4194304 kB"}, "ok", "4.0 GB"),
        ({"/proc/meminfo": "MemAvailable: 409600 kB"}, "warn", "0.4 GB"),
        ({"/proc/meminfo": "MemAvailable: 4194304 kB", "/sys/fs/cgroup/memory.max": "268435456"}, "warn", "0.2 GB"),
        ({"/proc/meminfo": "MemAvailable: 4194304 kB", "/sys/fs/cgroup/memory.max": "max"}, "ok", "4.0 GB"),
        ({}, "ok", "unknown on this system"),
    ],
)
async def test_available_memory_is_the_least_of_system_and_cgroup(
    files: dict[str, str], state: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctoring, "_read", files.get)
    found = await finding("memory")
    assert found is not None
    assert (found.state, found.what) == (state, what)


@pytest.mark.usefixtures("starts")
async def test_a_full_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=1024**2))
    assert await mended(f"space in {tmp_path}") == ("warn", "0.0 GB")


@pytest.mark.usefixtures("starts")
async def test_no_temporary_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    def gettempdir() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr("tempfile.gettempdir", gettempdir)
    what = "no room for temporary files: No usable temporary directory found in ['/tmp']"
    assert await mended("space") == ("fail", what)


@pytest.mark.usefixtures("starts")
async def test_few_file_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctoring, "hard_limit", lambda: 64)
    assert await mended("descriptors") == ("warn", "at most 64 for a process: too few for a busy browser")


@pytest.mark.usefixtures("starts")
@pytest.mark.parametrize("node", ["/does/not/exist", sys.executable + "x", "/bin/false"])
async def test_a_driver_that_does_not_run(node: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", node)
    state, what = await mended("driver")
    assert state == "fail"
    assert what.startswith("Playwright's Node does not run: ")


@pytest.mark.usefixtures("starts")
async def test_a_certificate_that_clients_refuse_is_reported(tmp_path: Path) -> None:
    made = make_certificate(tmp_path, "old", age_days=3)
    state, what = await mended("tls", Config(port=0, tls_cert=made.cert, tls_key=made.key))
    assert state == "fail"
    assert what == f"certificate {made.cert}: certificate has expired"
