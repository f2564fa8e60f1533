"""Restrictions, browser and secrets of a replay: the operator's. What the client was refused is not run."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentbrowser.cli.commands import main
from agentbrowser.cli.failures import BadUsage
from agentbrowser.cli.recordings import replay_config
from agentbrowser.cli.replay import Divergence, ReplayReport, with_substitutes
from agentbrowser.cli.settings import BadSetting
from agentbrowser.config import Config
from agentbrowser.policy.secrets import OriginPattern, Secret, SecretStore
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.recorder.archive import Recording
from agentbrowser.recorder.steps import Step, Substitutions, differences, permitted, without_cancelled

REFUSALS = [
    errors.ScopeDenied,
    errors.ApprovalDenied,
    errors.ApprovalTimeout,
    errors.ApprovalRequired,
    errors.DomainNotAllowed,
    errors.InvalidParams,
]


def step(method: str, params: Any, **answer: Any) -> Step:
    return Step(event={"kind": "request", "t": 0, "ms": 1, "method": method, "params": params, **answer})


def failed(kind: type[errors.AgentBrowserError]) -> dict[str, Any]:
    return {"code": kind.code, "message": "no"}


def sequence(*outcomes: Any) -> Step:
    steps = [{"action": "page/navigate", "params": {"url": f"http://a.test/{number}"}} for number in range(4)]
    results = [
        {"step": number, "success": kind is None, **({"error": failed(kind)} if kind else {})}
        for number, kind in enumerate(outcomes)
    ]
    return step("agent/act", {"steps": steps}, result={"results": results, "success": False, "failedAt": 1, "url": "u"})


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_refused_request_is_not_run(kind: type[errors.AgentBrowserError]) -> None:
    refused = step("page/navigate", {"url": "http://10.0.0.1/"}, error=failed(kind))
    missed = step("action/click", {"selector": "#a"}, error=failed(errors.ElementNotFound))
    assert permitted([refused, missed]) == [missed]


@pytest.mark.parametrize("kind", REFUSALS)
def test_refused_steps_of_a_sequence_are_not_run_nor_those_that_the_refusal_kept_from_running(
    kind: type[errors.AgentBrowserError],
) -> None:
    (stopped,) = permitted([sequence(None, kind)])
    assert [one["params"]["url"] for one in stopped.params["steps"]] == ["http://a.test/0"]
    (gone_on,) = permitted([sequence(None, kind, errors.ElementNotFound, None)])
    assert [one["params"]["url"][-1] for one in gone_on.params["steps"]] == ["0", "2", "3"]
    assert permitted([sequence(kind)]) == []
    assert differences(stopped, {"success": True, "url": "u"}, None) == []
    assert differences(stopped, {"success": True, "url": "v"}, None)


def test_a_sequence_without_a_refusal_is_run_as_it_was() -> None:
    whole = sequence(None, errors.ElementNotFound)
    assert permitted([whole]) == [whole]
    assert len(whole.params["steps"]) == 4


@pytest.mark.parametrize("answer", [{"error": failed(errors.Cancelled)}, {"result": {"omitted": 300_000}}, {}])
def test_a_sequence_of_unknown_results_is_not_run(answer: dict[str, Any]) -> None:
    assert permitted([step("agent/act", {"steps": [{"action": "page/reload"}]}, **answer)]) == []


def test_the_answer_of_a_cancelled_request_is_not_compared() -> None:
    cancelled = step("page/navigate", {"url": "http://a.test/"}, error=failed(errors.Cancelled))
    assert permitted([cancelled]) == [cancelled]
    assert differences(cancelled, None, failed(errors.NavigationFailed)) == []
    assert differences(cancelled, {"url": "http://a.test/"}, None) == []
    missed = step("page/navigate", {"url": "http://a.test/"}, error=failed(errors.NavigationFailed))
    assert differences(missed, None, failed(errors.Cancelled)) != []
    look = step("agent/observe", {"format": "text"}, error=failed(errors.Cancelled))
    assert not look.can_look_again


def test_what_a_page_requested_for_a_cancelled_request_gets_no_answer() -> None:
    def exchange(time_ms: int, error: str = "net::ERR_ABORTED", **more: Any) -> dict[str, Any]:
        return {"request": {"t": time_ms}, "failed": {"t": 140, "error": error}, **more}

    cancelled = Step(event={"t": 100, "ms": 40, "method": "page/navigate", "error": failed(errors.Cancelled)})
    kept = [exchange(99), exchange(141), exchange(110, "net::ERR_FAILED"), exchange(110, response={"status": 200})]
    assert list(without_cancelled([*kept, exchange(110)], [cancelled])) == [*kept, {"request": {"t": 110}}]
    assert list(without_cancelled([exchange(110)], [step("page/reload", {})])) == [exchange(110)]


def test_a_replay_is_as_restricted_as_a_server_by_default() -> None:
    config = replay_config({}, {})
    assert (config.scope, config.private_network, config.allowed_domains) == (Scope.STANDARD, "ask-first", None)


def test_a_replay_has_the_restrictions_of_the_variables_and_of_its_options() -> None:
    environ = {"AGENT_PRIVATE_NETWORK": "deny", "AGENT_ALLOWED_DOMAINS": "a.test,b.test", "AGENT_SCOPE": "readonly"}
    config = replay_config({"scope": None, "private_network": None, "allowed_domains": None}, environ)
    assert (config.scope, config.private_network) == (Scope.READONLY, "deny")
    assert config.allowed_domains == ("a.test", "b.test")
    config = replay_config({"scope": "full", "private_network": "allow", "allowed_domains": "c.test"}, environ)
    assert (config.scope, config.private_network, config.allowed_domains) == (Scope.FULL, "allow", ("c.test",))


def test_a_replay_has_the_browser_of_the_variables() -> None:
    environ = {"AGENT_BROWSER_EXECUTABLE": "/opt/x", "AGENT_HEADLESS": "no", "AGENT_NO_SANDBOX": "yes"}
    config = replay_config({}, environ)
    assert (config.executable_path, config.headless, config.no_sandbox) == ("/opt/x", False, True)
    assert replay_config({}, {"AGENT_BROWSER": "firefox"}).browser == "firefox"
    joined = {"AGENT_BROWSER_URL": "http://127.0.0.1:9333"}
    assert replay_config({}, {**joined, "AGENT_ISOLATION": "shared"}).browser_url == joined["AGENT_BROWSER_URL"]
    with pytest.raises(BadSetting, match="isolation shared"):
        replay_config({}, joined)


def test_a_replay_without_its_browser_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def without_browser(*args: Any) -> None:
        raise errors.BrowserNotLaunched("There is no chromium at /opt/x.")

    monkeypatch.setattr("agentbrowser.cli.replay.replay", without_browser)
    monkeypatch.setattr("agentbrowser.cli.logs.set_up_logging", lambda config: None)
    file = tmp_path / "run.zip"
    file.write_bytes(Recording({"format": 1, "id": "rec-1"}, [], {}).zipped())
    ran = CliRunner().invoke(main, ["replay", str(file)])
    assert (ran.exit_code, "agentbrowser: There is no chromium at /opt/x." in ran.stderr) == (69, True)


def test_a_replay_has_the_operators_secrets(tmp_path: Path) -> None:
    file = tmp_path / "secrets.toml"
    file.write_text('[bank]\nvalue = "hunter2-hunter2"\norigins = ["https://bank.test"]')
    secrets = replay_config({}, {"AGENT_SECRETS_FILE": str(file)}).secrets
    assert secrets is not None
    assert [one.name for one in secrets.secrets] == ["bank"]


def test_a_text_is_typed_for_secrets_that_the_operator_does_not_have() -> None:
    bank = Secret(name="bank", value="hunter2-hunter2", origins=(OriginPattern.parse("https://bank.test"),))
    inner = {"action": "action/type", "params": {"selector": "#b", "text": "{{secret:bank}}{{secret:pin}}"}}
    steps = [step("action/fill", {"selector": "#a", "value": "{{secret:shop}}"}), step("agent/act", {"steps": [inner]})]
    secrets = with_substitutes(Config(secrets=SecretStore((bank,))), steps, "some text").secrets
    assert secrets is not None
    assert [(one.name, one.value) for one in secrets.secrets] == [
        ("bank", "hunter2-hunter2"),
        ("shop", "some text"),
        ("pin", "some text"),
    ]
    assert [one.is_for("http://elsewhere.test") for one in secrets.secrets] == [False, True, True]
    with pytest.raises(BadUsage, match="'shop'"):
        with_substitutes(Config(), steps, "abc")
    assert with_substitutes(Config(), [], "abc").secrets == SecretStore()


def test_a_replay_refuses_an_invalid_restriction(tmp_path: Path) -> None:
    with pytest.raises(BadSetting):
        replay_config({}, {"AGENT_PRIVATE_NETWORK": "maybe"})
    file = tmp_path / "run.zip"
    file.write_bytes(Recording({"format": 1, "id": "rec-1"}, [], {}).zipped())
    for option, value in (("--private-network", "maybe"), ("--max-wait", "-1"), ("--max-wait", "nan")):
        ran = CliRunner().invoke(main, ["replay", str(file), option, value])
        assert (ran.exit_code, option in ran.stderr) == (2, True)


def test_a_key_that_was_not_recorded_is_pressed_as_a_key_and_other_masked_text_is_typed_as_given() -> None:
    steps = [
        {"action": "action/press", "params": {"key": "[REDACTED]"}},
        {"action": "action/fill", "params": {"value": "[REDACTED]"}},
        {"action": "action/press", "params": {"key": "Enter"}},
    ]
    applied = Substitutions(masked="hunter2").apply({"steps": steps})["steps"]
    assert [one["params"] for one in applied] == [{"key": "x"}, {"value": "hunter2"}, {"key": "Enter"}]


def test_a_divergence_is_printed_without_what_a_terminal_obeys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = Recording({}, [], {})
    found = Divergence(number=1, step=step("page/reload", {}), lines=["- title: Shop", "+ title: \x9b2J\u202eShop"])

    async def replay(*given: Any) -> ReplayReport:
        return ReplayReport(steps=1, divergences=[found], missing=["GET http://a.test/\x1b"], recording=recording)

    monkeypatch.setattr("agentbrowser.cli.replay.replay", replay)
    monkeypatch.setattr("agentbrowser.recorder.archive.read_recording", lambda file: recording)
    monkeypatch.setattr("agentbrowser.cli.logs.set_up_logging", lambda config: None)
    shown = CliRunner().invoke(main, ["replay", str(tmp_path)])
    assert shown.exit_code == 1
    assert r"+ title: \u009b2J\u202eShop" in shown.output
    assert r"http://a.test/\u001b" in shown.output
