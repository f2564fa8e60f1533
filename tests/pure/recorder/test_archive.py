"""Archive of a recording: its files, HAR 1.2, the viewer's data, the record directory, and bad files."""

import io
import json
import re
import stat
import weakref
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentbrowser.cli import commands
from agentbrowser.protocol import wire
from agentbrowser.protocol.types.event import NetworkEvent
from agentbrowser.recorder import archive as archives
from agentbrowser.recorder.archive import BadRecording, Recording, read_recording, unpack, zip_of
from agentbrowser.recorder.record_dir import RecordDir
from agentbrowser.recorder.session_recorder import SessionRecorder

HOSTILE = "</script><!--data--><script>alert(1)</script>"


def answered(recorder: SessionRecorder, method: str, params: dict[str, Any], result: dict[str, Any]) -> None:
    reply = wire.Reply(1, result)
    recorder.answered(
        method,
        params,
        request_id=1,
        page_id="page-1",
        duration_s=0.01,
        size=100,
        reply=reply,
        message=wire.encode(reply),
        is_accepted=True,
        approval=None,
    )


def network(type_: Any, request_id: str, **facts: Any) -> NetworkEvent:
    described = {"url": "http://a/x?q=1", "method": "GET", "resource_type": "fetch", "page_id": "page-1", **facts}
    return NetworkEvent(type=type_, request_id=request_id, **described)


def recorded(recorder: SessionRecorder) -> SessionRecorder:
    answered(recorder, "agent/observe", {"format": "text"}, {"text": HOSTILE})
    timing = {"startTime": 1000.0, "requestStart": 1.0, "responseStart": 5.0}
    recorder.event(network("request", "request-1", headers={"accept": "*/*"}))
    recorder.event(network("response", "request-1", status=200, headers={"content-type": "text/css"}, timing=timing))
    recorder.body("request-1", b"a {}")
    recorder.event(network("request", "request-2", method="POST", post_data="[REDACTED]"))
    recorder.event(network("failed", "request-2", error="ERR_FAILED"))
    recorder.picture("page-1", b"jpeg", recorder.started_ms)
    recorder.note("person", page="page-1")
    return recorder


@pytest.fixture
def archive() -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(zip_of(recorded(SessionRecorder()))))


def test_an_archive_holds_entries_pictures_bodies_viewer_and_har(archive: zipfile.ZipFile) -> None:
    assert {name.partition("/")[0] for name in archive.namelist()} == {
        *("recording.json", "events.jsonl", "network.har", "viewer.html", "pictures", "bodies")
    }
    events = [json.loads(line) for line in archive.read("events.jsonl").splitlines()]
    assert {event["kind"] for event in events} == {"request", "network", "body", "picture", "person"}
    (picture,) = [event["file"] for event in events if event["kind"] == "picture"]
    assert archive.read(picture) == b"jpeg"


def test_the_har_has_what_the_standard_demands(archive: zipfile.ZipFile) -> None:
    log = json.loads(archive.read("network.har"))["log"]
    assert (log["version"], log["creator"]["name"]) == ("1.2", "agentbrowser")
    assert {page["id"] for page in log["pages"]} == {entry["pageref"] for entry in log["entries"]}
    for entry in log["entries"]:
        assert {"startedDateTime", "time", "request", "response", "cache", "timings"} <= entry.keys()
        assert {"method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"} <= (
            entry["request"].keys()
        )
        assert {"status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL"} <= (
            entry["response"].keys()
        )
        assert all(entry["timings"][name] >= 0 for name in ("send", "wait", "receive"))
        assert re.fullmatch(r"[\d-]+T[\d:.]+Z", entry["startedDateTime"])
    first, second = log["entries"]
    assert first["response"]["content"] == {"size": 4, "mimeType": "text/css", "text": "a {}"}
    assert first["timings"]["wait"] == 4
    assert first["request"]["queryString"] == [{"name": "q", "value": "1"}]
    assert (second["response"]["status"], second["response"]["_error"]) == (0, "ERR_FAILED")


def test_no_word_of_a_page_ends_the_script_of_the_viewer(archive: zipfile.ZipFile) -> None:
    page = archive.read("viewer.html").decode()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    (look,) = [event for event in json.loads(data[1])["events"] if event["kind"] == "request"]
    assert look["result"]["text"] == HOSTILE
    assert "http-equiv" in page
    assert "default-src 'none'" in page


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    first, folder, again = tmp_path / "run.zip", tmp_path / "folder", tmp_path / "again.zip"
    first.write_bytes(zip_of(recorded(SessionRecorder())))
    recording = read_recording(first)
    unpack(recording, folder)
    again.write_bytes(recording.zipped())
    assert len(recording.events) == 8
    for path in (folder, again):
        read = read_recording(path)
        assert read.events == recording.events
        assert read.meta == recording.meta
        assert read.blobs == recording.blobs
    with zipfile.ZipFile(first) as before, zipfile.ZipFile(again) as after:
        assert before.namelist() == after.namelist()
        assert all(before.read(name) == after.read(name) for name in before.namelist())


class Plain(dict[str, Any]):
    """An entry as objects, to which there can be weak references."""


def test_an_export_holds_one_entry_as_objects_at_a_time() -> None:
    """JSON of small lists takes twenty times its length as objects: 20 MiB of a recording took 0.5 GB."""
    made, most = list[weakref.ref[Plain]](), 0

    def mask(value: dict[str, Any]) -> Plain:
        nonlocal most
        plain = Plain(value)
        made.append(weakref.ref(plain))
        most = max(most, sum(one() is not None for one in made))
        return plain

    recorder = SessionRecorder(mask=mask)
    for _ in range(40):
        answered(recorder, "page/list", {"z": [[]]}, {})
    archive = zipfile.ZipFile(io.BytesIO(zip_of(recorder)))
    assert len(archive.read("events.jsonl").splitlines()) == len(made) == 40
    assert most == 2  # the one before is still in its variable


def test_only_names_of_ours_are_unpacked(tmp_path: Path) -> None:
    blobs = {"../evil.json": b"", "/tmp/evil.json": b"", "pictures/../../evil.jpg": b"", "pictures/00001.jpg": b"jpeg"}
    unpack(Recording({"format": 1, "id": "rec-1"}, [], blobs), tmp_path / "inner")
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    names = ("recording.json", "events.jsonl", "network.har", "viewer.html", "pictures/00001.jpg")
    assert written == {f"inner/{name}" for name in names}


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04"])
def test_other_files_are_no_recordings(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.zip").write_bytes(content)
    with pytest.raises(BadRecording, match=r"run\.zip is no recording"):
        read_recording(tmp_path / "run.zip")


@pytest.mark.parametrize("event", ['{"t": 1}', '{"kind": "page"}', "[1]"])
def test_entries_without_a_kind_and_a_time_are_no_recording(tmp_path: Path, event: str) -> None:
    (tmp_path / "recording.json").write_text('{"format": 1}')
    (tmp_path / "events.jsonl").write_text(event)
    with pytest.raises(BadRecording, match="is no recording"):
        read_recording(tmp_path)


PAGE = {"t": 1, "kind": "request", "method": "page/navigate", "ms": 1, "page": "p", "params": {"url": "http://a.test/"}}
SENT = {"t": 1, "kind": "network", "type": "request", "requestId": "r", "pageId": "p", "resourceType": "fetch"}
SENT |= {"url": "http://a.test/", "method": "GET"}
DAMAGED = {
    "export": [
        {**PAGE, "method": None},
        {**PAGE, "params": [1]},
        {**PAGE, "result": "text"},
        {"t": 1, "kind": "request"},
        {**PAGE, "ms": None},
    ],
    "show": [
        {**SENT, "url": "http://["},
        {name: SENT[name] for name in SENT if name != "requestId"},
        {**SENT, "t": []},
    ],
    "replay": [{**PAGE, "method": None}, {**PAGE, "ms": "long"}, {**PAGE, "params": 1}],
}
MORE = {"export": ["--to", "playwright-python"], "show": ["--no-open"], "replay": []}


@pytest.mark.parametrize(("command", "event"), [(name, event) for name in DAMAGED for event in DAMAGED[name]])
def test_an_entry_that_is_not_as_recorded_is_one_line(tmp_path: Path, command: str, event: dict[str, Any]) -> None:
    (tmp_path / "recording.json").write_text('{"format": 1}')
    (tmp_path / "events.jsonl").write_text(json.dumps(event))
    output = ["--output", str(tmp_path / "out")] if command == "show" else []
    result = CliRunner().invoke(commands.main, [command, str(tmp_path), *MORE[command], *output])
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert re.search(
        r"agentbrowser: .* (is damaged: an entry is not as it was recorded|is no recording)", result.output
    )


def test_of_a_server_that_was_killed_half_a_line_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "recording.json").write_text('{"format": 1}')
    line = json.dumps(PAGE)
    (tmp_path / "events.jsonl").write_text(f"{line}\n{line[:20]}")
    assert len(read_recording(tmp_path).events) == 1
    (tmp_path / "events.jsonl").write_text(f"{line}\n{line}")
    assert len(read_recording(tmp_path).events) == 2
    (tmp_path / "events.jsonl").write_text(f"{line[:20]}\n{line}\n")
    with pytest.raises(BadRecording):
        read_recording(tmp_path)


@pytest.mark.parametrize("flag", [0x1, 0x0])
def test_a_zip_that_can_not_be_unpacked_is_no_recording(tmp_path: Path, flag: int) -> None:
    recording = bytearray(Recording({"format": 1, "id": "rec-1"}, [], {}).zipped())
    entry = recording.rindex(b"PK\x01\x02", 0, recording.index(b"recording.json", 40))
    recording[entry + 8] |= flag  # with a password; else by a method that nobody knows
    recording[entry + 10 : entry + 12] = bytes([99, 0]) if not flag else recording[entry + 10 : entry + 12]
    (tmp_path / "run.zip").write_bytes(recording)
    with pytest.raises(BadRecording):
        read_recording(tmp_path / "run.zip")


@pytest.mark.parametrize("is_zip", [True, False])
@pytest.mark.parametrize(
    ("limit", "reason"),
    [("MAX_READ_BYTES", "its files have more than 1 MiB"), ("MAX_JSON_BYTES", "its events.jsonl has more than 1 MiB")],
)
def test_a_recording_that_would_take_too_much_memory_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_zip: bool, limit: str, reason: str
) -> None:
    monkeypatch.setattr(archives, limit, 2**20)
    recording = Recording({"format": 1, "id": "rec-1"}, [{**PAGE, "long": "a" * 2**20}], {})
    file = tmp_path / "run"
    if is_zip:
        file.write_bytes(recording.zipped())
        assert file.stat().st_size < 2**15
    else:
        unpack(recording, file)
    result = CliRunner().invoke(commands.main, ["show", str(file), "--no-open"])
    assert (result.exit_code, result.output) == (1, f"agentbrowser: {file} is not read: {reason}\n")


def test_a_zip_that_is_packed_by_another_method_is_no_recording(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "run.zip", "w", zipfile.ZIP_BZIP2) as written:
        written.writestr("recording.json", '{"format": 1}')
        written.writestr("events.jsonl", "")
    with pytest.raises(BadRecording, match="is no recording"):
        read_recording(tmp_path / "run.zip")


@pytest.mark.parametrize("command", [["show", "--no-open"], ["export", "--to", "playwright-python"]])
def test_a_file_that_can_not_be_written_is_one_line(tmp_path: Path, command: list[str]) -> None:
    page: dict[str, Any] = {"t": 1, "kind": "request", "method": "page/navigate", "ms": 1, "page": "p"}
    page |= {"params": {"url": "http://a.test/"}, "result": {"url": "http://a.test/"}}
    (tmp_path / "run.zip").write_bytes(Recording({"format": 1, "id": "rec-1"}, [page], {}).zipped())
    target = tmp_path / "run.zip" / "inside"
    result = CliRunner().invoke(commands.main, [*command, str(tmp_path / "run.zip"), "--output", str(target)])
    assert (result.exit_code, result.output) == (1, f"agentbrowser: {target}: Not a directory\n")


def test_a_recording_of_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "recording.json").write_text('{"format": 99}')
    (tmp_path / "events.jsonl").write_text("")
    with pytest.raises(BadRecording, match="format 99"):
        read_recording(tmp_path)


def test_a_record_directory_keeps_what_has_left_the_memory(tmp_path: Path) -> None:
    record_dir = RecordDir.open(str(tmp_path / "kept"))
    recorder = SessionRecorder()
    record_dir.add(recorder)
    recorded(recorder)
    recorder.journal.clear()
    recorder.end()
    record_dir.close()
    (folder,) = (tmp_path / "kept").iterdir()
    read = read_recording(folder)
    assert (read.meta["id"], read.meta["stopped"]) == (recorder.id, recorder.stopped_ms)
    assert len(read.events) == 8
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}
    assert modes == {0o600}
