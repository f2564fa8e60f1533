"""What README says in tables that nothing generates: limits, close codes, statuses."""

import re
from pathlib import Path

import pytest

from agentbrowser.browser.page import downloads, intercept, scripts, tracing
from agentbrowser.protocol import wire
from agentbrowser.protocol.types import selector, storage
from agentbrowser.server.corridor import connection, idempotency_records, outbox
from agentbrowser.server.egress import proxy
from agentbrowser.server.gate import auth, frame_meter, head
from agentbrowser.server.sessions import binding, event_backlog

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SERVER = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "agentbrowser/server").rglob("*.py")))
KIB, MIB, GIB = 1024, 1024**2, 1024**3


def rows(section: str, head_cell: str) -> list[tuple[str, ...]]:
    """Return the cells of the table of a section that begins with this cell."""
    body = re.split(r"^## ", README.split(f"\n## {section}\n")[1], flags=re.MULTILINE)[0]
    lines = body.split(f"| {head_cell} |")[1].split("\n\n")[0].splitlines()[2:]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]


LIMITS = {
    "a request's head": f"{head.HEAD_BYTES // KIB} KiB",
    "wrong tokens of an address in a minute": f"{auth.FAILURES_PER_MINUTE}",
    "a message": f"{wire.MAX_DEPTH} levels, {wire.MAX_STRUCTURE:,} parts, ids of {wire.MAX_ID_LENGTH} characters",
    "invalid messages in a row": f"{connection.MAX_BAD_IN_A_ROW}",
    "fragments of a message; control frames in a second": (
        f"{frame_meter.FRAGMENTS:,}; {frame_meter.CONTROL_FRAMES_PER_SECOND}"
    ),
    "what waits to be sent to a client": f"{outbox.MAX_BYTES // MIB} MiB",
    "events kept for a client that is away": f"{event_backlog.MAX_KEPT:,}, or {event_backlog.MAX_BYTES // MIB} MiB",
    "answers kept for repeats": (
        f"{idempotency_records.MAX_REMEMBERED}, or {idempotency_records.MAX_BYTES // MIB} MiB; 1 MiB each"
    ),
    "a selector": f"{selector.MAX_SELECTOR_LENGTH:,} characters",
    "a script; its value": f"100,000 characters; {scripts.MAX_RESULT_BYTES // MIB} MiB",
    "downloads of a client": f"{downloads.MAX_FILES}, of {downloads.MAX_BYTES // MIB} MiB together",
    "a trace": f"{tracing.MAX_TRACE_BYTES // MIB} MiB",
    "intercept rules; intercepted requests that wait": f"{intercept.MAX_RULES}; {intercept.MAX_WAITING}",
    "cookies; origins; an origin's storage": f"{storage.MAX_COOKIES:,}; {storage.MAX_ORIGINS}; 5 MB",
    "bytes through the wall": f"{proxy.Limits().connection_bytes // GIB} GiB a connection, "
    f"{proxy.Limits().session_bytes // GIB} GiB a session",
}


@pytest.mark.parametrize("what", LIMITS)
def test_a_limit_is_what_the_code_says(what: str) -> None:
    (shown,) = (limit for name, limit, _ in rows("Limits", "what") if name == what)
    assert shown == LIMITS[what]


def test_each_http_refusal_is_explained() -> None:
    explained = {int(code) for status, _ in rows("Errors", "status") for code in status.split(", ")}
    assert explained == {int(code) for code in re.findall(r"Refusal\(\s*(\d{3})", SERVER)}


def test_each_close_code_of_ours_is_explained() -> None:
    explained = {int(code) for codes, _ in rows("Errors", "code | why") for code in codes.split(", ")}
    assert {connection.POLICY_CLOSE, binding.REPLACED_CLOSE} <= explained
    assert {int(code) for code in re.findall(r"\b(?:Fault\(|close\(|code = )(\d{4})\b", SERVER)} <= explained
