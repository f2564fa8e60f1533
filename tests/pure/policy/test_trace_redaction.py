"""Traces without the values of secret fields."""

import json
import zipfile
from pathlib import Path

import pytest

from agentbrowser.policy.redaction import REDACTED
from agentbrowser.policy.trace_redaction import redact_archive


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
    field = ["INPUT", {**attributes, "__playwright_value_": "c4n4ry"}]
    line = json.dumps({"type": "frame-snapshot", "snapshot": {"html": ["HTML", {}, field]}}, separators=(",", ":"))
    with zipfile.ZipFile(tmp_path / "trace.zip", "w") as archive:
        archive.writestr("trace.trace", line + "\n")
    redact_archive(tmp_path / "trace.zip", tmp_path / "shown.zip")
    with zipfile.ZipFile(tmp_path / "shown.zip") as archive:
        shown = json.loads(archive.read("trace.trace"))["snapshot"]["html"][2]
    assert shown == ["INPUT", {**attributes, "__playwright_value_": REDACTED if is_secret else "c4n4ry"}]
