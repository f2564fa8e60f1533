"""Conformance suite and inspector of the protocol, against the endpoint behind the gate, in both eras.

Each revision is run twice. With the vocabulary of the suite, all that the revision requires must pass. Without it, the
scenarios remain that need none, such as the handshake, headers, sessions and lists. The counts are pinned, since some
scenarios pass where nothing answers. ``npm ci --prefix .ci/mcp`` installs them, and the Node
that they need.
"""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import attrs
import pytest
import trio

from agentbrowser.mcp.server import ToolServer
from tests.loop.mcp.conformance_server import ConformanceServer
from tests.loop.mcp.endpoint_server import served

MODULES: Final = Path(__file__).parents[3] / ".ci" / "mcp" / "node_modules"
NODE: Final = MODULES / ".bin" / "node"
SUITE: Final = MODULES / "@modelcontextprotocol" / "conformance"
INSPECTOR: Final = MODULES / ".bin" / "mcp-inspector"
LIMIT_S: Final = 280
NEEDS_MORE: Final = re.compile(r"SKIPPED |FAILURE \S+ Not testable: ")
"""Results of checks that need the vocabulary of the suite, or a capability that we don't have."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SUITE.exists(), reason="npm ci --prefix .ci/mcp has not been run"),
    # The suite still calls what a later revision deprecates.
    pytest.mark.filterwarnings("ignore:The (sampling|logging) capability is deprecated"),
]


@attrs.frozen
class Pinned:
    """Numbers of checks that pass."""

    required: int
    """All that the revision requires, with the vocabulary of the suite."""
    unaided: Mapping[str, int]
    """What passes without it, by scenario."""


PINNED: Final = {
    "2025-11-25": Pinned(
        required=70,
        unaided={
            "dns-rebinding-protection": 2,
            "ping": 2,
            "prompts-list": 2,
            "resources-list": 2,
            "server-initialize": 3,
            "server-session-lifecycle": 3,
            "server-sse-multiple-streams": 2,
            "tools-list": 3,
        },
    ),
    "2026-07-28": Pinned(
        required=120,
        unaided={
            "caching": 7,
            "dns-rebinding-protection": 2,
            "http-header-validation": 14,
            "input-required-result-unsupported-methods": 2,
            "prompts-list": 2,
            "resources-list": 2,
            "sep-2164-resource-not-found": 4,
            "server-sse-multiple-streams": 1,
            "server-stateless": 21,
            "tools-list": 4,
        },
    ),
}


def required_by(revision: str) -> set[str]:
    """Return the scenarios for servers that a revision requires."""
    lines = (SUITE / "requirements" / f"{revision}.yaml").read_text()
    return set(re.findall(r"  - (\S+)", lines.partition("\nserver:\n")[2].partition("\nclient:")[0]))


async def run_suite(tools: type[ToolServer], revision: str, folder: Path) -> dict[str, list[str]]:
    """Run what a revision requires; return the failures of each scenario, with an empty text for each passed check."""
    async with served(tools) as port:
        command = [str(NODE), str(SUITE / "dist" / "index.js"), "server", "--url", f"http://127.0.0.1:{port}/mcp"]
        command += ["--requirements", revision, "--output-dir", str(folder)]
        await trio.run_process(command, capture_stdout=True, capture_stderr=True, check=False)
    return await trio.to_thread.run_sync(read_checks, folder)


def read_checks(folder: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in folder.glob("server-*/checks.json"):
        scenario = re.sub(r"^server-|-\d{4}-\d\d-\d\dT[\w-]+$", "", path.parent.name)
        checks = [check for check in json.loads(path.read_text()) if check["status"] != "INFO"]
        found[scenario] = [
            "" if check["status"] == "SUCCESS" else f"{check['status']} {check['id']}: {check.get('errorMessage')}"
            for check in checks
        ]
    return found


@pytest.mark.parametrize("revision", PINNED)
async def test_the_suite_passes(revision: str, tmp_path: Path) -> None:
    with trio.fail_after(LIMIT_S):
        checks = await run_suite(ConformanceServer, revision, tmp_path)
    required = required_by(revision)
    assert checks.keys() >= required
    failed = {name: failures for name in required if (failures := [one for one in checks[name] if one])}
    assert failed == {}
    assert sum(len(checks[name]) for name in required) == PINNED[revision].required


@pytest.mark.parametrize("revision", PINNED)
async def test_the_tools_for_users_pass_what_needs_no_vocabulary(revision: str, tmp_path: Path) -> None:
    with trio.fail_after(LIMIT_S):
        checks = await run_suite(ToolServer, revision, tmp_path)
    unaided = PINNED[revision].unaided
    assert {name: checks[name].count("") for name in unaided} == unaided
    failed = [one for name in unaided for one in checks[name] if one]
    assert [one for one in failed if not NEEDS_MORE.match(one)] == []


async def inspected(era: str, *target: str) -> int:
    """Return the number of tools, of which the inspector must have nothing to complain."""
    command = [str(NODE), str(INSPECTOR), "--cli", "--method", "tools/list", "--strict", "--format", "json", "--quiet"]
    done = await trio.run_process(
        [*command, "--protocol-era", era, *target], capture_stdout=True, capture_stderr=True, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")  # it prints no JSON if it fails
    return len(json.loads(done.stdout)["result"]["tools"])


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_the_inspector_finds_no_fault_in_the_definitions(era: str) -> None:
    with trio.fail_after(LIMIT_S):
        async with served(ToolServer) as port:
            assert await inspected(era, f"http://127.0.0.1:{port}/mcp?tools=evaluate,state,emulate") == 10
        stdio = (sys.executable, "-m", "agentbrowser", "mcp", "--log-level", "error")
        assert await inspected(era, *stdio) == 7
