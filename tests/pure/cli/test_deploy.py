"""The deployment files: what the command prints, and whether the programs that read them accept them."""

import json
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentbrowser.cli import serve
from agentbrowser.cli.commands import main
from agentbrowser.cli.deploy import FILES, FOLDER, text
from agentbrowser.cli.settings import SETTINGS
from tests.valkey import free_port


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["deploy", *arguments])


def test_every_file_of_the_folder_has_a_name() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(FILES.values())


def test_files_are_listed_with_a_sentence_each() -> None:
    lines = run("list").output.splitlines()
    assert [line.split()[0] for line in lines] == list(FILES)
    assert all(line.endswith(".") and "\n" not in line for line in lines)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_printed_as_it_is(name: str) -> None:
    assert run("print", name).output == (FOLDER / FILES[name]).read_text(encoding="utf-8")


def test_an_unknown_file_is_refused_with_the_known_ones() -> None:
    result = run("print", "nomad")
    assert result.exit_code == 2
    assert all(name in result.output for name in FILES)


@pytest.mark.parametrize("name", ["dockerfile", "compose", "systemd", "kubernetes"])
def test_files_set_only_settings_that_exist(name: str) -> None:
    known = {setting.variable for setting in SETTINGS} | {setting.flag for setting in SETTINGS} | {"--config"}
    named = set(re.findall(r"AGENT_[A-Z_]+", text(name)))
    named |= {flag for line in text(name).splitlines() if "serve " in line for flag in re.findall(r"--[a-z-]+", line)}
    assert named
    assert named <= known


@pytest.fixture
def haproxy() -> str:
    path = shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if path is None:
        pytest.skip("needs Debian's package haproxy, which .ci/run installs")
    return path


def test_the_proxy_accepts_its_configuration(haproxy: str, tmp_path: Path) -> None:
    file = tmp_path / "haproxy.cfg"
    file.write_text(text("haproxy"), encoding="utf-8")
    checked = subprocess.run([haproxy, "-c", "-f", file], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "warning" not in checked.stderr.casefold()


def test_the_proxy_starts_with_few_descriptors(haproxy: str, tmp_path: Path) -> None:
    port, file = free_port(), tmp_path / "haproxy.cfg"
    file.write_text(text("haproxy").replace("bind :80", f"bind 127.0.0.1:{port}"), encoding="utf-8")
    command = ["sh", "-c", 'ulimit -n 512; exec "$0" -db -f "$1"', haproxy, str(file)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not is_open(port):
            time.sleep(0.02)
        assert process.poll() is None
        process.kill()


def is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True


def test_the_dockerfile_follows_the_rules_of_its_linter() -> None:
    hadolint = Path(sys.executable).parent / "hadolint"
    if not hadolint.exists():
        pytest.skip("hadolint has no build for this system")
    checked = subprocess.run([hadolint, FOLDER / FILES["dockerfile"]], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, "")


def test_kubernetes_accepts_each_resource() -> None:
    validate = pytest.importorskip("kubernetes_validate")
    yaml = pytest.importorskip("yaml")
    resources = list(yaml.safe_load_all(text("kubernetes")))
    assert [one["kind"] for one in resources] == [
        "StatefulSet",
        "PodDisruptionBudget",
        "Service",
        "HorizontalPodAutoscaler",
    ]
    for resource in resources:
        validate.validate(resource, "1.30", strict=True)


def test_each_pod_has_a_live_url_that_the_proxy_leads_to_it() -> None:
    yaml = pytest.importorskip("yaml")
    pods, _, service, scaler = yaml.safe_load_all(text("kubernetes"))
    assert pods["spec"]["serviceName"] == service["metadata"]["name"]
    assert scaler["spec"]["scaleTargetRef"]["kind"] == pods["kind"]
    (container,) = pods["spec"]["template"]["spec"]["containers"]
    first, *others = container["env"]
    assert first == {"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
    settings = {one["name"]: one["value"].replace("$(POD_NAME)", "agentbrowser-12") for one in others}
    assert settings["AGENT_LIVE_URL"] == "https://agentbrowser-12.agents.example.org"
    host = settings["AGENT_LIVE_URL"].removeprefix("https://")
    assert host in settings["AGENT_ALLOWED_HOSTS"].split(",")
    (pattern,) = re.findall(r"req\.hdr\(host\) -m reg -i (\S+)", text("haproxy"))
    assert re.match(pattern, host)


def test_the_seccomp_profile_adds_the_sandbox_and_nothing_dangerous() -> None:
    profile = json.loads(text("seccomp"))
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    permitted = {name for rule in profile["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW" for name in rule["names"]}
    assert {"clone", "clone3", "unshare", "setns", "chroot", "execve", "openat"} <= permitted
    refused = {"bpf", "mount", "umount2", "pivot_root", "init_module", "kexec_load", "reboot", "swapon", "keyctl"}
    assert not permitted & (refused | {"perf_event_open", "userfaultfd", "open_by_handle_at", "io_uring_setup"})


def test_the_image_runs_without_privileges() -> None:
    assert re.search(r"^USER 10001:10001$", text("dockerfile"), re.MULTILINE)
    assert "libatomic1" in text("dockerfile")
    assert "cap_drop: [ALL]" in text("compose")
    assert "read_only: true" in text("compose")


def test_the_service_manager_is_notified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        serve._notify_service_manager("READY=1")
        assert manager.recv(100) == b"READY=1"


def test_a_missing_service_manager_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    serve._notify_service_manager("READY=1")
    monkeypatch.delenv("NOTIFY_SOCKET")
    serve._notify_service_manager("READY=1")
