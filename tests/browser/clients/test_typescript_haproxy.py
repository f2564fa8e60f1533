"""The TypeScript client on Node behind a real HAProxy: it keeps the proxy's cookie, and so comes back to its node."""

import shutil
from pathlib import Path

import pytest
import trio

from tests.browser import npm
from tests.loop.fleet.test_haproxy import leaving_nodes, until_at_the_other_node

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("haproxy") is None, reason="needs Debian's haproxy: .ci/run installs it"),
]

PROGRAM = """
import { connect } from "agentbrowser";

await connect("URL", { reconnect: { baseMs: 1, maxAttempts: 12 }, waitMs: 60_000 });
setInterval(() => undefined, 1000); // until the test ends the process
"""


async def run(program: Path) -> None:
    _, said = await npm.run("node", program)
    raise AssertionError(f"the client has ended: {said}")


async def test_the_client_returns_to_its_node_until_that_drains(tmp_path: Path) -> None:
    folder = tmp_path / "program"
    folder.mkdir()
    async with leaving_nodes(tmp_path) as (url, visits), trio.open_nursery() as nursery:
        path = await npm.build_program(folder, PROGRAM.replace("URL", url), is_checked=False)
        nursery.start_soon(run, path)
        await until_at_the_other_node(visits)
        nursery.cancel_scope.cancel()
