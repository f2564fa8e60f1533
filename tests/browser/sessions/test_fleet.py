"""Nodes of a fleet as programs, with real browsers and a real store: what survives a killed and a stopped node."""

import contextlib
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import trio

from agentbrowser.client.connection.connection import ClientConnection
from agentbrowser.client.connection.dial import make_connection, run_connection
from agentbrowser.client.connection.handshake import SessionKey
from agentbrowser.client.connection.reconnect import NEVER
from agentbrowser.server.sessions.sealing import CannotUnseal, SealingKeys
from tests.browser.server.test_cli_serve import Program, program
from tests.browser.site import Site
from tests.loop.fleet.conftest import new_key, write_keys
from tests.valkey import Valkey, open_valkey

pytestmark = pytest.mark.slow

LIMIT_S = 240
TOKEN = "token-of-the-fleet-7531"
STORING = """<button>Save</button><script>document.querySelector("button").onclick = () => {
  localStorage.a = sessionStorage.b = "clicked";
  document.cookie = "c=clicked; max-age=9999";
}</script>"""
STORED = "[location.pathname, localStorage.a, sessionStorage.b, document.cookie].join(' ')"


@contextlib.asynccontextmanager
async def node(valkey: Valkey, key_file: str) -> AsyncIterator[Program]:
    async with program(
        *("--scope", "privileged", "--drain-timeout", "1", "--state-key-file", key_file),
        AGENT_STATE_URL=valkey.url,
        AGENT_TOKEN=TOKEN,
    ) as running:
        yield running


@contextlib.asynccontextmanager
async def sessions(of: Program, keys: Sequence[SessionKey]) -> AsyncIterator[list[ClientConnection]]:
    """Connect a client for each session, and leave the sessions open."""
    async with contextlib.AsyncExitStack() as stack:
        url = f"ws://127.0.0.1:{of.port}"
        made = [make_connection(url, token=TOKEN, session=key, reconnect=NEVER) for key in keys]
        yield [await stack.enter_async_context(run_connection(connection)) for connection in made]


async def ask(client: ClientConnection, method: str, **params: Any) -> Any:
    return await client.request(method, params)


async def check_restored(clients: list[ClientConnection]) -> None:
    for number, client in enumerate(clients):
        assert client.server_info["restored"] == "cold"
        evaluated = await ask(client, "script/evaluate", expression=STORED)
        assert evaluated["value"] == f"/{number} clicked clicked c=clicked"


async def until_saved(valkey: Valkey, key_file: str, text: bytes, count: int) -> None:
    """Wait until so many snapshots hold a text."""
    keys = SealingKeys.read(key_file)

    def holding() -> int:
        rows = [name for name in valkey.names() if name.count(":") == 3]
        return sum(text in unsealed(keys, valkey, row) for row in rows)

    while await trio.to_thread.run_sync(holding) < count:  # noqa: ASYNC110 - the store's event
        await trio.sleep(0.1)


def unsealed(keys: SealingKeys, valkey: Valkey, row: str) -> bytes:
    _, _, sealed = valkey.text(f"HGET {row} picture").encode("latin-1").partition(b"\r\n")
    try:
        return keys.unseal(sealed.removesuffix(b"+OK\r\n").removesuffix(b"\r\n"), row.encode())
    except CannotUnseal:
        return b""


async def test_sessions_survive_a_killed_node_and_a_rolling_restart(tmp_path: Path, site: Site) -> None:
    key_file = write_keys(tmp_path / "keys", new_key())
    urls = [site.html(f"/{number}", STORING) for number in range(3)]
    keys = [SessionKey() for _ in urls]
    with trio.fail_after(LIMIT_S), open_valkey(tmp_path) as valkey:
        async with node(valkey, key_file) as second:
            async with node(valkey, key_file) as first, sessions(first, keys) as clients:
                for client, url in zip(clients, urls, strict=True):
                    await ask(client, "page/navigate", url=url)
                    await ask(client, "action/click", selector={"type": "css", "value": "button"})
                await until_saved(valkey, key_file, b"clicked", len(keys))
                first.process.kill()
                await first.process.wait()
            async with sessions(second, keys) as clients:
                await check_restored(clients)
                assert await second.end() == 0
                lines = [line for line in second.lines() if line["event"] == "sessions_not_saved"]
                assert lines == []
        async with node(valkey, key_file) as third, sessions(third, keys) as clients:
            await check_restored(clients)
            held = valkey.dump()
            assert b"clicked" not in held
            assert all(key.secret is not None and key.secret.encode() not in held for key in keys)


async def test_a_server_with_a_bad_file_of_keys_does_not_start(tmp_path: Path) -> None:
    path = write_keys(tmp_path / "keys", "no key")
    async with program("--state-url", "redis://127.0.0.1:1", "--state-key-file", path, starts=False) as failed:
        await failed.read_log()
        assert await failed.process.wait() == 2
        assert "--state-key-file" in failed.log
        assert "Traceback" not in failed.log


@pytest.fixture(autouse=True)
def _without_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("AGENT_STATE")]:
        monkeypatch.delenv(name)
