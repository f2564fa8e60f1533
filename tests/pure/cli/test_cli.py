"""The command line: its words, its one-line failures and its exit codes. What the commands do is tested elsewhere."""

import json
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from click.testing import CliRunner, Result

import agentbrowser
from agentbrowser import forced_exit
from agentbrowser.cli import commands, failures
from agentbrowser.cli import docs as documentation
from agentbrowser.cli.demo import Chapter, DemoFailed
from agentbrowser.cli.doctor import Finding
from agentbrowser.cli.serve import CannotListen
from agentbrowser.cli.settings import SETTINGS
from agentbrowser.config import Config
from agentbrowser.protocol.errors import BrowserNotLaunched, ElementNotFound
from agentbrowser.protocol.registry import Scope
from agentbrowser.recorder.record_dir import BadRecordDir
from agentbrowser.server.sessions.sqlite_store import BadStateDir, StateDirInUse
from agentbrowser.server.sessions.store import BadStore
from agentbrowser.server.watch.audit_log import BadAuditLog
from tests.pure.logbook import logging_restored


@pytest.fixture(autouse=True)
def logging_undone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    with logging_restored():
        yield


def run(*words: str, environ: dict[str, str] | None = None) -> Result:
    return CliRunner(env=environ or {}).invoke(commands.main, words, prog_name="agentbrowser")


def replace(monkeypatch: pytest.MonkeyPatch, name: str, outcome: Any = None) -> list[tuple[Any, ...]]:
    """Replace a function of `agentbrowser.cli` that a command calls; return the list of its calls."""
    calls: list[tuple[Any, ...]] = []

    async def work(*args: Any, **kwargs: Any) -> Any:
        calls.append((*args, kwargs) if kwargs else args)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    monkeypatch.setattr(f"agentbrowser.cli.{name}", work)
    return calls


def test_version() -> None:
    assert run("--version").output == f"agentbrowser, version {agentbrowser.__version__}\n"


def test_help_names_every_flag_and_variable() -> None:
    said = run("serve", "--help").output
    for setting in SETTINGS:
        assert f"{setting.flag} " in said
        assert setting.variable in said
        assert setting.opposite is None or setting.opposite in said


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        (("--port", "1"), "port", 1),
        (("--headed",), "headless", False),
        (("--headless",), "headless", True),
        (("--no-sandbox",), "no_sandbox", True),
        (("--readonly-navigation",), "readonly_navigation", True),
        (("--scope", "full", "--token", "s3cret-of-the-tests"), "scope", Scope.FULL),
        (("--allowed-domains", "a.a,*.b.b", "--allowed-domains", "c.c"), "allowed_domains", ("a.a", "*.b.b", "c.c")),
        (("--max-message-size=4096",), "max_message_bytes", 4096),
        (("--request-timeout", "2.5"), "request_timeout_s", 2.5),
    ],
)
def test_flags_reach_the_server(
    words: tuple[str, ...], field: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = replace(monkeypatch, "serve.serve")
    assert run("serve", *words).exit_code == 0
    ((config, _),) = served
    assert getattr(config, field) == value


def test_a_flag_that_says_no_beats_a_variable_that_says_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    served = replace(monkeypatch, "serve.serve")
    assert run("serve", "--sandbox", environ={"AGENT_NO_SANDBOX": "true", "AGENT_PORT": "7"}).exit_code == 0
    assert (served[0][0].no_sandbox, served[0][0].port) == (False, 7)


@pytest.mark.parametrize(
    ("words", "environ", "line"),
    [
        (("--port", "http"), {}, "--port must be a whole number, not 'http'"),
        ((), {"AGENT_PORT": "http"}, "AGENT_PORT must be a whole number, not 'http'"),
        ((), {"AGENT_TOKEN": ""}, "AGENT_TOKEN must be 16 characters at least"),
        ((), {"AGENT_TOKEN": "fifteen letters"}, "AGENT_TOKEN must be 16 characters at least"),
        (("--config", "/no/file"), {}, "--config /no/file: No such file or directory"),
        (("--config", ""), {}, "--config must be a file, not ''"),
        ((), {"AGENT_CONFIG": ""}, "AGENT_CONFIG must be a file, not ''"),
        (
            ("--host", "0.0.0.0"),
            {},
            "host 0.0.0.0 can be reached by others, so it needs a token (AGENT_TOKEN or --token-file)",
        ),
        (("--allowed-domains=",), {}, "--allowed-domains must not be an empty list, which would allow nothing"),
    ],
)
@pytest.mark.parametrize("command", ["serve", "doctor"])
def test_a_bad_setting_is_one_line_and_exit_code_2(
    command: str, words: tuple[str, ...], environ: dict[str, str], line: str
) -> None:
    result = run(command, *words, environ=environ)
    assert (result.exit_code, result.stderr, result.stdout) == (2, f"agentbrowser: {line}\n", "")


@pytest.mark.parametrize("seconds", ["x", "", "nan", "inf", "-1"])
@pytest.mark.parametrize("words", [("daemon", "--idle"), ("replay", __file__, "--max-wait")])
def test_a_command_waits_for_a_time_that_there_is(words: tuple[str, ...], seconds: str) -> None:
    result = run(*words, seconds)
    line = f"agentbrowser: {words[-1]} must be a number of seconds, at least 0, not {seconds!r}\n"
    assert (result.exit_code, result.stderr) == (2, line)


def test_a_time_of_a_variable_names_it() -> None:
    result = run("daemon", environ={"AGENTBROWSER_IDLE": "x"})
    line = "agentbrowser: AGENTBROWSER_IDLE must be a number of seconds, at least 0, not 'x'\n"
    assert (result.exit_code, result.stderr) == (2, line)


@pytest.mark.parametrize("words", [("serve", "--prot", "1"), ("serve", "--port"), ("serve", "extra"), ("sevre",)])
def test_a_misspelt_command_is_exit_code_2(words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 2


def test_a_file_that_the_disk_has_no_room_for_is_named_and_removed(tmp_path: Path) -> None:
    (tmp_path / "half").write_bytes(b"hal")
    with pytest.raises(failures.CommandFailed) as failed, failures.reported(), failures.writing(tmp_path / "half"):
        raise OSError(28, "No space left on device")
    assert failed.value.message == f"{tmp_path / 'half'}: No space left on device"
    assert not list(tmp_path.iterdir())


IN_USE = CannotListen(Config(), OSError(98, "Address already in use"))
NO_BROWSER = BrowserNotLaunched("There is none.", hint="Get one.")


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (NO_BROWSER, 69, "There is none. Get one."),
        (ExceptionGroup("", [ExceptionGroup("", [NO_BROWSER])]), 69, "There is none. Get one."),
        (IN_USE, 1, "port 9222 of 127.0.0.1 is in use; stop what listens there, or choose another --port"),
        (
            CannotListen(Config(port=80), PermissionError(13, "Permission denied")),
            1,
            "can't listen on port 80 of 127.0.0.1: Permission denied",
        ),
        (
            CannotListen(
                Config(host="box", token="s3cret-of-the-tests"), socket.gaierror(-2, "Name or service not known")
            ),
            1,
            "can't listen on port 9222 of box: Name or service not known",
        ),
        (PermissionError(13, "Permission denied", "/x.png"), 1, "/x.png: Permission denied"),
        (BadStateDir("state_dir /p/state_dir: No such file"), 2, "--state-dir /p/state_dir: No such file"),
        (StateDirInUse("state_dir /p: another server uses it"), 1, "--state-dir /p: another server uses it"),
        (BadStore("state_key_file /k: chmod 600"), 2, "--state-key-file /k: chmod 600"),
        (BadRecordDir("record_dir /p can't be made"), 2, "--record-dir /p can't be made"),
        (BadAuditLog("audit_log /p can't be written"), 2, "--audit-log /p can't be written"),
        (ElementNotFound("No such thing."), 1, "No such thing."),
        (DemoFailed("the title should be so"), 1, "the demonstration failed: the title should be so"),
        (trio.TooSlowError(), 1, "it took too long"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_what_can_go_wrong_is_one_line(
    error: BaseException, code: int, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace(monkeypatch, "serve.serve", error)
    result = run("serve")
    assert (result.exit_code, result.stderr) == (code, f"agentbrowser: {line}\n")


def test_signals_within_a_second_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """GNU timeout signals the server and then its process group."""
    handlers: dict[int, Any] = {}
    now_s = [100.0]
    ended: list[float] = []
    monkeypatch.setattr(forced_exit, "signal", SimpleNamespace(signal=handlers.__setitem__))
    monkeypatch.setattr(
        forced_exit, "threading", SimpleNamespace(Timer=lambda limit_s, end: SimpleNamespace(start=int))
    )
    monkeypatch.setattr(forced_exit, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    monkeypatch.setattr(forced_exit, "_exit_now", lambda: ended.append(now_s[0]))
    forced_exit.exit_within(60)
    for now_s[0] in (100.001, 100.99, 101.0):
        handlers[signal.SIGTERM](signal.SIGTERM, None)
    handlers[signal.SIGINT](signal.SIGINT, None)
    assert ended == [101.0, 101.0]


def test_a_fault_of_our_own_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = ExceptionGroup("", [ZeroDivisionError(), KeyError()])
    replace(monkeypatch, "serve.serve", faults)
    result = run("serve")
    assert result.exit_code == 1
    assert result.exception is faults


@pytest.mark.parametrize(
    "error",
    [KeyboardInterrupt(), BaseExceptionGroup("", [BaseExceptionGroup("", [KeyboardInterrupt()]), ValueError()])],
)
def test_ctrl_c_leaves_no_traceback(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    replace(monkeypatch, "demo.story.perform", error)
    result = run("demo")
    assert (result.exit_code, result.stderr.strip()) == (130, "")


@pytest.mark.parametrize("words", [("--token", "s3cret-of-the-tests"), ()])
def test_a_token_in_sight_is_warned_of(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    replace(monkeypatch, "serve.serve")
    result = run("serve", *words, environ={} if words else {"AGENT_TOKEN": "s3cret-of-the-tests"})
    assert ("token_on_command_line" in result.stderr) == bool(words)
    assert "s3cret-of-the-tests" not in result.output


def test_a_scope_that_no_client_can_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = replace(monkeypatch, "serve.serve")
    result = run("serve", "--scope", "full")
    assert result.exit_code == 2
    assert result.stderr.startswith("agentbrowser: --scope full needs a token (AGENT_TOKEN or --token-file)")
    assert not calls
    for words in (("--scope", "standard"), ("--scope", "full", "--token", "s3cret-of-the-tests")):
        assert run("serve", *words).exit_code == 0
    assert len(calls) == 2


def test_a_slip_in_a_variables_name_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    replace(monkeypatch, "serve.serve")
    assert "AGENT_ALOWED_DOMAINS" in run("serve", environ={"AGENT_ALOWED_DOMAINS": "a.com"}).stderr


def test_install_takes_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = replace(monkeypatch, "install.install")
    assert run("install").exit_code == run("install", "--force", "--full", "--browser", "firefox").exit_code == 0
    assert [(call[0].browser, call[-1]) for call in asked] == [
        ("chromium", {"force": False, "full": False}),
        ("firefox", {"force": True, "full": True}),
    ]


OK = Finding("python", "ok", "3.11")
WARNING = Finding("token", "warn", "none", "Set one.")
NO_PORT = Finding("port", "fail", "in use", "Stop it.")
MISSING = Finding("browser", "fail", "none", "Get one.")


@pytest.mark.parametrize(
    ("findings", "code"), [([OK, WARNING], 0), ([OK, NO_PORT], 1), ([OK, MISSING], 69), ([NO_PORT, MISSING], 1)]
)
def test_doctor_tells_by_its_exit_code(findings: list[Finding], code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    replace(monkeypatch, "doctor.examine", findings)
    shown, plain = run("doctor"), run("doctor", "--json")
    assert shown.exit_code == plain.exit_code == code
    for finding in findings:
        assert finding.what in shown.output
        assert (finding.mend or "") in shown.output
    assert [Finding(**found) for found in json.loads(plain.output)["findings"]] == findings


def test_demo_tells_the_story(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told: list[tuple[Config, Path]] = []

    async def perform(config: Config, output: Path, say: Callable[[Chapter], None]) -> None:
        told.append((config, output))
        say(Chapter("page/navigate", "somewhere [bold]", 1.5, ["a line"]))

    monkeypatch.setattr("agentbrowser.cli.demo.story.perform", perform)
    shown = run("demo", "--headed", "--output", str(tmp_path / "x.png"))
    assert shown.output.split() == ["page/navigate", "1.5", "ms", "somewhere", "[bold]", "a", "line"]
    assert json.loads(run("demo", "--json").output)["title"] == "somewhere [bold]"
    assert [(config.headless, str(output)) for config, output in told] == [
        (False, str(tmp_path / "x.png")),
        (True, "agentbrowser-demo.png"),
    ]


def test_docs_lists_its_topics_with_a_sentence_each() -> None:
    lines = run("docs").output.splitlines()
    assert [line.split()[0] for line in lines] == sorted(documentation.topics())
    pages = {"architecture", "clients", "contributing", "glossary", "methods", "operations", "protocol", "security"}
    assert pages <= documentation.topics().keys()
    assert "protocol      The specification of the wire, for authors of clients." in lines
    assert [line for line in lines if not line.endswith(".")] == []


@pytest.mark.parametrize("topic", sorted(documentation.topics()))
def test_docs_prints_a_page_as_it_is_where_there_is_no_terminal(topic: str) -> None:
    assert run("docs", topic).output == documentation.topics()[topic].path.read_text(encoding="utf-8")


def test_docs_formats_a_page_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_is_terminal", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    result = run("docs", "glossary")
    assert result.exit_code == 0
    assert "Glossary" in result.output
    assert "# Glossary" not in result.output


@pytest.mark.parametrize(("topic", "hint"), [("protocoll", "; did you mean protocol?"), ("nonsense", "")])
def test_docs_names_its_topics_where_there_is_none_of_the_name(topic: str, hint: str) -> None:
    result = run("docs", topic)
    known = ", ".join(sorted(documentation.topics()))
    assert result.exit_code == 2
    assert result.stderr == f"agentbrowser: there is no topic {topic!r}; the topics are {known}{hint}\n"
