"""Traces without the values of secret fields."""

import json
import zipfile
from pathlib import Path

import pytest

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
