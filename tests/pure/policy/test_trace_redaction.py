"""Traces without the values of secret fields."""

import json
import zipfile
from pathlib import Path

import pytest

from agentbrowser.policy import trace_redaction
from agentbrowser.policy.redaction import REDACTED
from agentbrowser.policy.trace_redaction import redact_archive


def redacted(folder: Path, *fields: dict[str, str]) -> list[dict[str, str]]:
    """Return the attributes of fields as a trace shows them, of which each has a snapshot of its own."""
    lines = [
        json.dumps(
            {"type": "frame-snapshot", "snapshot": {"html": ["HTML", {}, ["INPUT", field]]}}, separators=(",", ":")
        )
        for field in fields
    ]
    with zipfile.ZipFile(folder / "trace.zip", "w") as archive:
        archive.writestr("trace.trace", "\n".join(lines) + "\n")
    redact_archive(folder / "trace.zip", folder / "shown.zip")
    with zipfile.ZipFile(folder / "shown.zip") as archive:
        shown = archive.read("trace.trace").splitlines()
    return [json.loads(line)["snapshot"]["html"][2][1] for line in shown]


@pytest.mark.parametrize(
    ("attributes", "is_secret"),
    [
        ({"type": "password"}, True),
        ({"type": "text", "name": "password"}, True),
        ({"type": "foo", "name": "password"}, True),  # browsers take an unknown type for text
        ({"type": "Email", "name": "password-hint"}, False),
        ({"type": "tel", "autocomplete": "one-time-code"}, True),
        ({"name": "city"}, False),
    ],
)
def test_the_value_of_a_secret_field_is_not_in_a_trace(
    tmp_path: Path, attributes: dict[str, str], is_secret: bool
) -> None:
    (shown,) = redacted(tmp_path, {**attributes, "__playwright_value_": "c4n4ry"})
    assert shown == {**attributes, "__playwright_value_": REDACTED if is_secret else "c4n4ry"}


def test_a_field_that_shows_its_password_in_another_snapshot_is_without_it_in_all(tmp_path: Path) -> None:
    values = [
        one["__playwright_value_"]
        for one in redacted(
            tmp_path,
            {"type": "text", "id": "x", "__playwright_value_": "c4n4"},
            {"type": "password", "id": "x", "__playwright_value_": "c4n4ry"},
            {"type": "text", "id": "x", "__playwright_value_": "c4n4ry7"},
            {"type": "text", "class": "other", "__playwright_value_": "c4n4ry"},
            {"type": "text", "id": "city", "__playwright_value_": "Rome"},
            {"type": "text", "__playwright_value_": "Oslo"},
        )
    ]
    assert values == [*[REDACTED] * 4, "Rome", "Oslo"]


def test_bodies_are_left_out_unless_one_of_them_draws_a_snapshot(tmp_path: Path) -> None:
    bodies = {"a.json": "application/json", "b.css": "text/css", "c.png": "text/plain"}
    kinds = [*bodies.items(), ("c.png", "image/png")]
    lines = [
        {"snapshot": {"request": {}, "response": {"content": {"mimeType": kind, "_file": f"resources/{name}"}}}}
        for name, kind in kinds
    ]
    with zipfile.ZipFile(tmp_path / "trace.zip", "w") as archive:
        archive.writestr("trace.network", "\n".join(map(json.dumps, lines)) + "\n")
        for name in (*bodies, "d.txt"):
            archive.writestr(f"resources/{name}", name)
    redact_archive(tmp_path / "trace.zip", tmp_path / "shown.zip")
    with zipfile.ZipFile(tmp_path / "shown.zip") as archive:
        assert set(archive.namelist()) == {"trace.network", "resources/b.css", "resources/c.png", "resources/d.txt"}


def test_a_long_snapshot_is_searched_in_steps_and_no_field_is_missed_between_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each search holds all threads until it is done, the loops of all owners among them."""
    searches = list[int]()
    monkeypatch.setattr(trace_redaction, "give_way", lambda: searches.append(1))
    monkeypatch.setattr(trace_redaction, "_STEP", 100)
    fields = [{"type": "password", "__playwright_value_": "c4n4ry", "class": "x" * length} for length in range(300)]
    html = json.dumps(["HTML", {}, *(["INPUT", field] for field in fields), "word " * 2000], separators=(",", ":"))
    with zipfile.ZipFile(tmp_path / "trace.zip", "w") as archive:
        archive.writestr("trace.trace", f'{{"type":"frame-snapshot","snapshot":{{"html":{html}}}}}\n')
    redact_archive(tmp_path / "trace.zip", tmp_path / "shown.zip")
    with zipfile.ZipFile(tmp_path / "shown.zip") as archive:
        shown = archive.read("trace.trace").decode()
    assert shown.count(REDACTED) == len(fields)
    assert "c4n4ry" not in shown
    assert len(searches) >= 2 * (len(fields) + 10_000 / 100)
