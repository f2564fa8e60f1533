"""The audit log: who did what, without values, and a file that logrotate may move."""

import errno
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
import trio

from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from agentbrowser.server.watch.audit_log import AuditLog, BadAuditLog
from tests.browser.sessions.test_sessions import visit
from tests.browser.site import Site
from tests.pure.logbook import logged

LINE: Any = {"token": "t", "session": "1", "method": "page/list", "duration_s": 0.0, "error": None}


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


async def test_requests_and_steps_are_recorded_without_values(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    config = Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, audit_log=str(file))
    with trio.fail_after(120):
        async with open_server(config) as server, visit(server) as client:
            tail = "<script>document.title = 'T'.repeat(7e4); b.ariaLabel = 'Pay' + 'y'.repeat(7e4)</script>"
            await client.ask(
                "page/navigate", url=site.html("/", f"<input aria-label=Code><button id=b></button>{tail}")
            )
            steps = [
                {"action": "action/fill", "params": {"selector": "input", "value": "kanari77"}},
                {"action": "action/click", "params": {"selector": "button"}},
            ]
            await client.ask("agent/act", steps=steps)
            await client.answer(await client.send("page/close", pageId=7))
            await client.answer(await client.send("kanari77"))
            await client.ask("shutdown")
    assert file.stat().st_mode & 0o777 == 0o600
    assert "kanari77" not in file.read_text()
    lines = lines_of(file)
    assert [(one["method"], one["outcome"]) for one in lines] == [
        ("initialize", "ok"),
        ("page/navigate", "ok"),
        ("action/fill", "ok"),
        ("action/click", "ok"),
        ("agent/act", "ok"),
        ("page/close", "InvalidParams"),
        ("unknown", "MethodNotFound"),
        ("shutdown", "ok"),
    ]
    assert [one["target"] for one in lines if "target" in one] == [
        {"role": "textbox", "name": "Code"},
        {"role": "button", "name": "Pay".ljust(1000, "y")},  # whatever a page makes too long for an answer
    ]
    assert {(one["token"], one["session"]) for one in lines[1:]} == {("memory", "s")}
    assert all({"time", "durationMs"} <= one.keys() for one in lines)
    assert all("page" in one for one in lines[1:5])


def test_a_reopened_log_leaves_the_moved_file(tmp_path: Path) -> None:
    file, moved = tmp_path / "audit.jsonl", tmp_path / "audit.1"
    audit = AuditLog.open(str(file))
    audit.record(**LINE)
    audit.close()
    file.rename(moved)
    audit = AuditLog.open(str(file))
    file.rename(tmp_path / "audit.0")
    audit.reopen()
    audit.record(**LINE, page="p", target={"name": "Zurück\x9b2J\u202e"})
    audit.close()
    assert lines_of(file)[0]["target"]["name"] == "Zurück\x9b2J\u202e"
    assert r"Zurück\u009b2J\u202e" in file.read_text()  # no terminal obeys it
    assert [len(lines_of(one)) for one in (file, moved, tmp_path / "audit.0")] == [1, 1, 0]


def test_lines_that_a_full_disk_loses_are_one_error_and_are_counted_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, outcomes = os.write, iter(("all", "half", "none", "all", "all"))

    def written(file: int, line: bytes) -> int:
        if threading.current_thread().name != "audit-log":  # the pipe to the driver of another test's server
            return write(file, line)
        if (outcome := next(outcomes)) == "none":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, line[: len(line) // 2] if outcome == "half" else line)

    file = tmp_path / "audit.jsonl"
    with logged(Config()) as log:
        audit = AuditLog.open(str(file))
        with monkeypatch.context() as full:
            full.setattr("agentbrowser.server.watch.audit_log.os.write", written)
            for page in "abcde":
                audit.record(**LINE, page=page)
            audit.close()
    assert [(one["page"], one.get("dropped")) for one in lines_of(file)] == [("a", None), ("d", 2), ("e", None)]
    assert log.getvalue().count("audit_log_not_written") == 1


def test_a_log_that_can_not_be_opened_anew_goes_on_in_the_moved_file(tmp_path: Path) -> None:
    folder, moved = tmp_path / "logs", tmp_path / "moved"
    folder.mkdir()
    with logged(Config()) as log:
        audit = AuditLog.open(str(folder / "audit.jsonl"))
        folder.rename(moved)
        audit.reopen()
        for page in "ab":
            audit.record(**LINE, page=page)
        while (moved / "audit.jsonl").read_text().count("\n") < 2:
            threading.Event().wait(0.001)
        folder.mkdir()
        audit.record(**LINE, page="c")
        audit.close()
    there = [[one["page"] for one in lines_of(path / "audit.jsonl")] for path in (moved, folder)]
    assert there == [["a", "b"], ["c"]]
    assert log.getvalue().count("audit_log_not_reopened") == 1


def test_a_log_that_can_not_be_written_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(BadAuditLog, match="can't be written"):
        AuditLog.open(str(tmp_path / "missing" / "audit.jsonl"))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(BadAuditLog, match="can't be written"):  # it does not wait for a reader
        AuditLog.open(str(pipe))
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)) as reader:
        audit = AuditLog.open(str(pipe))
        audit.record(**LINE, page="a")
        audit.close()
        assert json.loads(reader.read())["page"] == "a"
