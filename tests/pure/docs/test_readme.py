"""The tables of the documentation that nothing generates: limits, values, close codes, statuses."""

import re
from pathlib import Path

import pytest

from agentbrowser.browser.downloads import downloads, trace_files
from agentbrowser.browser.page import intercept, scripts, tracing
from agentbrowser.cli.readers import choices
from agentbrowser.cli.settings import SETTINGS
from agentbrowser.policy import urls
from agentbrowser.protocol import wire
from agentbrowser.protocol.reference import anchor
from agentbrowser.protocol.types import extract, fields, selector, storage
from agentbrowser.server.corridor import connection, outbox
from agentbrowser.server.egress import proxy
from agentbrowser.server.gate import auth, frame_meter, head
from agentbrowser.server.sessions import event_backlog, idempotency_records, sessions, sqlite_store

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "agentbrowser" / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPERATIONS, PROTOCOL = ((DOCS / name).read_text(encoding="utf-8") for name in ("operations.md", "protocol.md"))
MAX_README_LINES = 250
SERVER = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "agentbrowser/server").rglob("*.py")))
KIB, MIB, GIB = 1024, 1024**2, 1024**3


def rows(page: str, section: str, head_cell: str) -> list[tuple[str, ...]]:
    """Return the cells of the table of a section that begins with this cell."""
    body = re.split(r"^## ", page.split(f"\n## {section}\n")[1], flags=re.MULTILINE)[0]
    lines = body.split(f"| {head_cell} |")[1].split("\n\n")[0].splitlines()[2:]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]


LIMITS = {
    "saved sessions of a token, with `--state-dir`": (
        f"{sqlite_store.MAX_KEPT_OF_OWNER}, of {sqlite_store.MAX_BYTES_OF_OWNER // MIB} MiB together; "
        f"{sqlite_store.MAX_KEPT:,} of all tokens"
    ),
    "saved sessions of a token, with `--state-url`": "what they leave free in the store",
    "a request's head": f"{head.HEAD_BYTES // KIB} KiB",
    "wrong tokens of an address in a minute": f"{auth.FAILURES_PER_MINUTE}",
    "a message": (
        f"{wire.MAX_DEPTH} levels, {wire.MAX_STRUCTURE:,} parts, ids and keys of {wire.MAX_KEY_LENGTH} characters"
    ),
    "a text for a field; a URL": f"{fields.MAX_TYPED_TEXT:,}; {urls.MAX_URL_LENGTH:,} characters",
    "invalid messages in a row": f"{connection.MAX_BAD_IN_A_ROW}",
    "fragments of a message; control frames in a second": (
        f"{frame_meter.FRAGMENTS:,}; {frame_meter.CONTROL_FRAMES_PER_SECOND}"
    ),
    "what waits to be sent to a client": (
        f"{outbox.MAX_BYTES // MIB} MiB, {outbox.MAX_MESSAGES} answers, {outbox.MAX_EVENTS:,} events"
    ),
    "what waits to be sent to all clients of a token": f"{outbox.MAX_OWNER_BYTES // MIB} MiB",
    "events kept for a client that is away": f"{event_backlog.MAX_KEPT:,}, or {event_backlog.MAX_BYTES // MIB} MiB",
    "answers kept for repeats": (
        f"{idempotency_records.MAX_REMEMBERED}, or {idempotency_records.MAX_BYTES // MIB} MiB; 1 MiB each; "
        f"{idempotency_records.MAX_OWNER_BYTES // MIB} MiB of a token"
    ),
    "a selector": f"{selector.MAX_SELECTOR_LENGTH:,} characters",
    "a description of an element, or of a property to extract": f"{selector.MAX_DESCRIPTION_LENGTH} characters",
    "a schema to extract by": (
        f"{extract.MAX_SCHEMA_PROPERTIES} properties, {extract.MAX_PROPERTIES} of one object; "
        f"{extract.MAX_SCHEMA_BYTES:,} bytes as JSON"
    ),
    "a script; its value": f"100,000 characters; {scripts.MAX_RESULT_BYTES // MIB} MiB",
    "downloads of a client": f"{downloads.MAX_FILES}, of {downloads.MAX_BYTES // MIB} MiB together",
    "files of the traces of a browser": f"{trace_files.MAX_BYTES // MIB} MiB",
    "a trace": f"{tracing.MAX_TRACE_BYTES // MIB} MiB",
    "intercept rules; intercepted requests that wait": f"{intercept.MAX_RULES}; {intercept.MAX_PAUSED}",
    "responses of all intercept rules of a client": f"{intercept.MAX_RESPONSES // MIB} MiB",
    "cookies; origins; items of storage; an origin's storage": (
        f"{storage.MAX_COOKIES:,}; {storage.MAX_ORIGINS}; {storage.MAX_ITEMS:,}; 5 MB"
    ),
    "bytes through the wall": f"{proxy.EgressLimits().connection_bytes // GIB} GiB a connection, "
    f"{proxy.EgressLimits().session_bytes // GIB} GiB a session",
}


@pytest.mark.parametrize("what", LIMITS)
def test_a_limit_is_what_the_code_says(what: str) -> None:
    (shown,) = (limit for name, limit, _ in rows(OPERATIONS, "Limits", "what") if name == what)
    assert shown == LIMITS[what]


def test_each_http_refusal_is_explained() -> None:
    explained = {int(code) for status, _ in rows(PROTOCOL, "1. Transport", "status") for code in status.split(", ")}
    assert explained == {int(code) for code in re.findall(r"Refusal\(\s*(\d{3})", SERVER)}


def test_each_close_code_of_ours_is_explained() -> None:
    cells = (codes for codes, _ in rows(PROTOCOL, "1. Transport", "code | why"))
    explained = {int(code) for cell in cells for code in re.findall(r"\d{4}", cell)}
    assert {connection.POLICY_CLOSE, sessions.REPLACED_CLOSE} <= explained
    assert {int(code) for code in re.findall(r"\b(?:Fault\(|close\(|code = )(\d{4})\b", SERVER)} <= explained


def test_each_value_of_a_setting_that_is_a_word_is_explained() -> None:
    explained = [
        (flag.strip("`"), value.strip("`")) for flag, value, _ in rows(OPERATIONS, "Values", "setting | value")
    ]
    accepted = [(setting.flag, word) for setting in SETTINGS for word in choices(setting.kind)]
    assert sorted(explained) == sorted(accepted)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= MAX_README_LINES


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted(DOCS.glob("*.md"))], ids=lambda page: page.name)
def test_each_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        name, _, heading = target.partition("#")
        path = page.parent / name if name else page
        assert path.is_file(), target
        if heading:
            headings = re.findall(r"^##+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert f"#{heading}" in map(anchor, headings), target
