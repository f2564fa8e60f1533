"""Daemon of the verbs: its start, its end, and the races between them, with verbs that need no browser."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs
import pytest
import trio

from agentbrowser import __version__
from agentbrowser.cli.verbs import client, daemon, start
from agentbrowser.cli.verbs.client import DaemonLost, NoDaemon, ask, send
from agentbrowser.cli.verbs.daemon import CannotServe, Daemon, VerbRequest
from agentbrowser.cli.verbs.runtime_dir import VARIABLE

LIMIT_S = 60.0
FOREVER_S = 1000.0


@attrs.define
class Daemons:
    """Daemons of one directory, each in a thread, which number the verbs that they run."""

    directory: str
    idle_s: float = FOREVER_S
    ran: list[list[str]] = attrs.field(factory=list)
    variables: list[dict[str, str]] = attrs.field(factory=list)
    threads: list[threading.Thread] = attrs.field(factory=list)
    cancelled: threading.Event = attrs.field(factory=threading.Event)
    begun: threading.Event = attrs.field(factory=threading.Event)
    signs_read: threading.Event = attrs.field(factory=threading.Event)

    def spawn(self, directory: str) -> None:
        """Start a daemon, and wait until it listens."""
        listening = threading.Event()
        thread = threading.Thread(target=lambda: trio.run(self._serve, directory, listening.set))
        self.threads.append(thread)
        thread.start()
        assert listening.wait(LIMIT_S)

    def ask(self, *words: str) -> tuple[int, bytes]:
        return ask(["eval", *words], directory=self.directory, spawn=self.spawn)

    async def _serve(self, directory: str, on_listening: object) -> None:
        async def run(request: VerbRequest) -> tuple[int, bytes]:
            self.ran.append(request.words)
            self.variables.append(request.variables)
            self.begun.set()
            match request.words[1:]:
                case ["wait"]:
                    try:
                        await trio.sleep_forever()
                    finally:
                        self.cancelled.set()
                case ["long"]:
                    await trio.to_thread.run_sync(self.signs_read.wait, LIMIT_S)
                case ["end"]:
                    serving.end()
            return 3, " ".join(request.words[1:]).encode() + request.stdin

        serving = Daemon(directory, run, self.idle_s)
        await serving.serve(on_listening)  # type: ignore[arg-type]


@pytest.fixture
def daemons(tmp_path: Path) -> Iterator[Daemons]:
    daemons = Daemons(str(tmp_path / "run"))
    yield daemons
    if any(thread.is_alive() for thread in daemons.threads):
        daemons.ask("end")
    for thread in daemons.threads:
        thread.join(LIMIT_S)
        assert not thread.is_alive()


def test_a_verb_starts_the_daemon_and_the_next_one_uses_it(daemons: Daemons) -> None:
    assert daemons.ask("ä\nb") == (3, "ä\nb".encode())
    assert send(daemons.directory, ["eval", "c"], b"in") == (3, b"cin")
    assert len(daemons.threads) == 1
    assert {path.name: path.stat().st_mode & 0o077 for path in Path(daemons.directory).iterdir()} == {
        "daemon.lock": 0,
        "socket": 0,
        "start.lock": 0,
        "token": 0,
    }


def test_verbs_at_once_start_one_daemon(daemons: Daemons) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: daemons.ask(str(number)), range(8)))
    assert [output for _, output in answers] == [str(number).encode() for number in range(8)]
    assert len(daemons.threads) == 1


def test_each_verb_runs_once_while_daemons_keep_ending(daemons: Daemons, monkeypatch: pytest.MonkeyPatch) -> None:
    """A daemon that is idle at once ends whenever no verb runs; its successor starts while it closes."""
    daemons.idle_s = 0.0
    monkeypatch.setattr(client, "_ATTEMPTS", 10_000)  # another thread's verb may end each daemon first
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda number: daemons.ask(str(number)), range(40)))
    assert [output for _, output in answers] == [str(number).encode() for number in range(40)]
    assert sorted(int(words[1]) for words in daemons.ran) == list(range(40))
    daemons.threads[0].join(LIMIT_S)  # on a busy machine, one may have run all
    assert daemons.ask("last") == (3, b"last")
    assert len(daemons.threads) > 1


def test_the_socket_of_a_killed_daemon_is_replaced(daemons: Daemons) -> None:
    os.mkdir(daemons.directory, 0o700)
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(f"{daemons.directory}/socket")
    assert daemons.ask("a") == (3, b"a")


def test_a_stopped_daemon_is_not_waited_for(daemons: Daemons, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_SILENCE_S", 0.05)
    os.mkdir(daemons.directory, 0o700)
    Path(daemons.directory, "token").write_text("token")
    with socket.socket(socket.AF_UNIX) as stopped:
        stopped.bind(f"{daemons.directory}/socket")
        stopped.listen()
        remedy = rf"end it \(kill -9 {os.getpid()}\)"
        with pytest.raises(DaemonLost, match=rf"not accepted the verb in 0\.05 s: {remedy}"):
            send(daemons.directory, ["look"])
        accepted: list[socket.socket] = []

        def accept() -> None:
            for _ in range(2):  # the first client has gone
                connection, _ = stopped.accept()
                accepted.append(connection)
            connection.sendall(client.ACCEPTED)

        with ThreadPoolExecutor(1) as pool:
            accepting = pool.submit(accept)
            with pytest.raises(DaemonLost, match=rf"silent for 0\.05 s while the verb ran: {remedy}"):
                send(daemons.directory, ["look"])
            accepting.result()
        for connection in accepted:
            connection.close()


def test_a_client_waits_while_the_daemon_gives_signs_of_life(daemons: Daemons, monkeypatch: pytest.MonkeyPatch) -> None:
    daemons.ask("a")
    monkeypatch.setattr(daemon, "_SIGN_OF_LIFE_S", 0.001)
    received = client._received

    def read_signs_first(connection: socket.socket) -> bytes:
        signs = b"".join(connection.recv(1) for _ in range(3))
        daemons.signs_read.set()
        return signs + received(connection)

    monkeypatch.setattr(client, "_received", read_signs_first)
    assert send(daemons.directory, ["eval", "long"]) == (3, b"long")


def test_a_daemon_of_another_version_is_replaced(daemons: Daemons, monkeypatch: pytest.MonkeyPatch) -> None:
    daemons.ask("a")
    monkeypatch.setattr(client, "__version__", "9.9")
    with pytest.raises(NoDaemon):
        send(daemons.directory, ["eval", "b"])
    monkeypatch.setattr(daemon, "__version__", "9.9")
    assert daemons.ask("b") == (3, b"b")
    assert len(daemons.threads) == 2


def test_a_verb_is_cancelled_when_its_client_leaves(daemons: Daemons, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daemon, "_SIGN_OF_LIFE_S", 0.0)  # one is on its way when the client leaves
    daemons.ask("a")
    daemons.begun.clear()
    program = f"from agentbrowser.cli.verbs.client import send; send({daemons.directory!r}, ['eval', 'wait'])"
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL) as process:
        assert daemons.begun.wait(LIMIT_S)
        process.kill()
    assert daemons.cancelled.wait(LIMIT_S)


def test_a_client_that_sends_no_verb_is_dropped_alone(daemons: Daemons, monkeypatch: pytest.MonkeyPatch) -> None:
    daemons.ask("a")
    monkeypatch.setattr(daemon, "_READ_TIMEOUT_S", 0.05)
    silent = client.connect(daemons.directory)
    assert silent.recv(1) == b""
    silent.close()
    monkeypatch.undo()
    assert daemons.ask("b") == (3, b"b")
    assert len(daemons.threads) == 1


def test_a_client_that_leaves_within_its_output_is_dropped_alone(daemons: Daemons) -> None:
    daemons.ask("a")
    leaving, output = client.connect(daemons.directory), b"x" * 8_000_000
    token = Path(daemons.directory, "token").read_text()
    head = "\0".join([token, __version__, "", "/", "0", "eval"]).encode()
    leaving.sendall(b"%d %d\n" % (len(head), len(output)) + head + output)
    assert b"x" in leaving.recv(100) + leaving.recv(100)
    leaving.close()
    assert daemons.ask("b") == (3, b"b")
    assert [thread.is_alive() for thread in daemons.threads] == [True]


def test_a_wrong_token_is_rejected(daemons: Daemons) -> None:
    daemons.ask("a")
    token = Path(daemons.directory, "token")
    right = token.read_text()
    token.write_text("wrong")
    with pytest.raises(DaemonLost, match="rejects the token"):
        send(daemons.directory, ["eval", "b"])
    token.write_text(right)
    assert [words for words in daemons.ran if "b" in words] == []


def test_a_running_verb_is_answered_after_the_end_has_begun(daemons: Daemons) -> None:
    assert daemons.ask("end") == (3, b"end")
    with pytest.raises(NoDaemon):
        send(daemons.directory, ["eval", "b"])


def test_a_second_daemon_is_refused(daemons: Daemons, monkeypatch: pytest.MonkeyPatch) -> None:
    daemons.ask("a")
    monkeypatch.setattr(daemon, "_LOCK_TIMEOUT_S", 0.1)

    async def serve() -> None:
        async def run(request: VerbRequest) -> tuple[int, bytes]:
            raise AssertionError(request)

        await Daemon(daemons.directory, run, FOREVER_S).serve()

    with pytest.raises(CannotServe, match=f"runs already: .* kill {os.getpid()} if its socket is gone"):
        trio.run(serve)
    assert daemons.ask("b") == (3, b"b")


def test_the_variables_of_a_verb_arrive_beside_its_words(daemons: Daemons, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_SCOPE", "a=b\nc")
    monkeypatch.setenv("AGENTBROWSER_IDLE", "1")
    assert daemons.ask("AGENT_SCOPE=x") == (3, b"AGENT_SCOPE=x")
    assert daemons.variables[-1]["AGENT_SCOPE"] == "a=b\nc"
    assert all(name.startswith("AGENT_") for name in daemons.variables[-1])


def test_a_wrong_command_line_starts_no_daemon(daemons: Daemons) -> None:
    code, output = ask(["click"], directory=daemons.directory, spawn=daemons.spawn)
    assert (code, daemons.threads) == (2, [])
    assert b"required: ON" in output
    code, output = ask(["--json", "click"], directory=daemons.directory, spawn=daemons.spawn)
    assert (code, json.loads(output)["exit"]) == (2, 2)


def test_the_reason_why_a_daemon_does_not_start_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_BROWSER", "netscape")
    code, output = ask(["look"], directory=str(tmp_path / "run"))
    assert (code, output[:27]) == (2, b"agentbrowser: AGENT_BROWSER")


def test_a_daemon_that_fails_is_no_action_that_failed(tmp_path: Path) -> None:
    (tmp_path / "run" / "token").mkdir(parents=True)
    (tmp_path / "run").chmod(0o700)
    code, output = ask(["look", "--json"], directory=str(tmp_path / "run"))
    answer = json.loads(output)
    assert (code, answer["exit"], answer["error"]["class"]) == (70, 70, "NoDaemon")
    assert "token: Is a directory" in answer["text"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a file that is always full")
def test_a_full_disk_is_named_before_a_daemon_starts_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = os.path.realpath(tmp_path / "run")
    monkeypatch.setattr(start, "LOG", os.path.relpath("/dev/full", directory))
    code, output = ask(["look"], directory=directory)
    assert (code, b"no daemon could be started: " in output, b"No space left on device" in output) == (70, True, True)


def test_a_close_starts_no_daemon(daemons: Daemons) -> None:
    for words in (["close"], ["close", "--all"], ["-s", "work", "close"]):
        assert ask(words, directory=daemons.directory, spawn=daemons.spawn) == (0, b"nothing was open\n")
    assert daemons.threads == []
    assert not os.path.exists(daemons.directory)


def in_shell(directory: str, line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell, in which ``$AB`` runs a verb."""
    environ = {**os.environ, VARIABLE: directory, "AB": f"{sys.executable} -m agentbrowser"}
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, env=environ)


def test_a_verb_works_with_closed_streams(tmp_path: Path) -> None:
    ran = in_shell(str(tmp_path / "run"), "$AB close >&-; echo $?; $AB close <&- >&- 2>&-; echo $?")
    assert (ran.stdout, ran.stderr) == ("0\n0\n", "")
    ran = in_shell(str(tmp_path / "run"), "$AB run - --json <&-")
    assert (ran.returncode, json.loads(ran.stdout)["error"]["class"], ran.stderr) == (2, "BadUsage", "")


def test_a_verb_whose_output_nobody_reads_keeps_its_exit_code(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    environ = {**os.environ, VARIABLE: str(tmp_path / "run")}
    command = [sys.executable, "-m", "agentbrowser", "close"]
    ran = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, env=environ)
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a file that is always full")
def test_a_verb_whose_output_is_lost_has_failed(tmp_path: Path) -> None:
    ran = in_shell(str(tmp_path / "run"), "$AB close > /dev/full")
    reason = "the verb has ended with 0, and its output can't be written: No space left on device"
    assert (ran.returncode, ran.stderr) == (1, f"agentbrowser: {reason}\n")


def test_an_error_before_the_daemon_is_on_standard_output(tmp_path: Path) -> None:
    long = str(tmp_path / ("x" * 100))
    ran = in_shell(long, "$AB look")
    assert (ran.returncode, "too long for the address" in ran.stdout, ran.stderr) == (70, True, "")
    ran = in_shell(long, "$AB look --json")
    answer = json.loads(ran.stdout)
    assert (answer["exit"], answer["error"]["class"], ran.stderr) == (70, "BadRuntimeDir", "")


def test_a_hangup_ends_a_daemon_in_order(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    ready, notice = os.pipe()
    command = [sys.executable, "-m", "agentbrowser", "daemon", "--directory", str(directory), "--ready", str(notice)]
    # The tests may run under nohup, whose children ignore a hangup.
    heeding = "import os, sys; from signal import *; signal(SIGHUP, SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
    started = subprocess.Popen([sys.executable, "-c", heeding, *command], pass_fds=(notice,))
    os.close(notice)
    try:
        with open(ready, "rb") as notices:
            assert notices.read(5) == b"ready"
        started.send_signal(signal.SIGHUP)
        assert started.wait(LIMIT_S) == 0
    finally:
        started.kill()
        started.wait()
    assert not (directory / "socket").exists()
