"""SIGHUP: the server as a program reads its tokens, secrets and approval rules again, and no client is dropped."""

import hashlib
import json
import signal
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.browser.server.test_cli_serve import Program, answer, program
from tests.browser.site import Site
from tests.loop.raw_websocket import Wire

APPROVALS = 'mode = "required"\n[[rules]]\nname = "no-drags"\nmatch = { actions = ["action/drag"] }\naction = "deny"\n'
DENY = """
[[rules]]
name = "no-keys"
match = { actions = ["action/press"] }
action = "deny"
"""


def tokens(*names: str) -> str:
    digests = {name: hashlib.sha256(f"the-token-of-{name}".encode()).hexdigest() for name in names}
    return "".join(f'[[tokens]]\nname = "{name}"\nsha256 = "{digest}"\n' for name, digest in digests.items())


def write(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o600)
    return str(path)


async def reload(server: Program, until: str) -> None:
    server.log = ""
    server.process.send_signal(signal.SIGHUP)
    with trio.fail_after(30):
        await server.read_log(until=until)


async def ask(wire: Wire, method: str, **params: Any) -> Any:
    await wire.say(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))


@pytest.mark.slow
async def test_a_reload_drops_only_those_whose_token_is_gone(site: Site, tmp_path: Path) -> None:
    url = site.html("/", "<input id=a>")
    origin = site.url("")
    secret = f'[%s]\nvalue_from_env = "SHOP"\norigins = ["{origin}"]\n'
    files = {
        "tokens-file": write(tmp_path / "tokens.toml", tokens("kept", "gone")),
        "secrets-file": write(tmp_path / "secrets.toml", secret % "first"),
        "approvals": write(tmp_path / "approvals.toml", APPROVALS),
    }
    words = [word for name, path in files.items() for word in (f"--{name}", path)]
    audit, moved = tmp_path / "audit.jsonl", tmp_path / "audit.1"
    async with (
        program(*words, "--audit-log", str(audit), SHOP="c4n4ry-of-the-shop") as server,
        server.dial("X-AGENT-Token: the-token-of-kept") as kept,
        server.dial("X-AGENT-Token: the-token-of-gone") as gone,
    ):
        for wire in (kept, gone):
            assert (await wire.head()).startswith(b"HTTP/1.1 101 ")
        await ask(kept, "page/navigate", url=url)
        await answer(kept)

        while not audit.read_text():  # noqa: ASYNC110 - written by another process, after its answer
            await trio.sleep(0.02)
        audit.rename(moved)
        write(tmp_path / "tokens.toml", "not a file of tokens")
        await reload(server, "reload_failed")
        write(tmp_path / "tokens.toml", tokens("kept", "late"))
        write(tmp_path / "secrets.toml", secret % "second")
        write(tmp_path / "approvals.toml", APPROVALS + DENY)
        await reload(server, "reloaded")

        assert await gone.hear_close() == 1008
        await ask(kept, "action/fill", selector={"type": "css", "value": "#a"}, value="{{secret:second}}")
        await answer(kept)
        await ask(kept, "action/press", key="Enter")
        assert "no-keys" in (await error(kept))["message"]
        for token, status in (("late", b"101"), ("gone", b"401")):
            async with server.dial(f"X-AGENT-Token: the-token-of-{token}") as wire:
                assert (await wire.head()).startswith(b"HTTP/1.1 " + status)
        assert await server.end() == 0
    lines = [[json.loads(line) for line in file.read_text().splitlines()] for file in (moved, audit)]
    assert [[(one["token"], one["method"], one["outcome"]) for one in file] for file in lines] == [
        [("kept", "page/navigate", "ok")],
        [("kept", "action/fill", "ok"), ("kept", "action/press", "ApprovalDenied")],
    ]
    assert lines[1][1]["approval"] == {"rule": "no-keys", "action": "deny"}


async def test_a_reload_names_the_settings_that_need_a_restart(tmp_path: Path) -> None:
    settings = f'max-pages = 3\ntokens-file = "{write(tmp_path / "tokens.toml", tokens("kept"))}"\n'
    file = write(tmp_path / "settings.toml", settings)
    async with program("--config", file) as server:
        write(tmp_path / "tokens.toml", tokens("late"))
        await reload(server, "reloaded")
        assert "restart_needed" not in server.log
        other = settings.replace("max-pages = 3", "max-pages = 5")
        write(tmp_path / "settings.toml", other + 'allowed-domains = ["a.com"]\n')
        await reload(server, "reloaded")
        (line,) = (line for line in server.log.splitlines() if "restart_needed" in line)
        assert json.loads(line)["settings"] == "--allowed-domains, --max-pages"
        assert await server.end() == 0


async def error(wire: Wire) -> Any:
    """Return the error of the request."""
    while "id" not in (message := json.loads((await wire.hear())[1])):
        pass  # an event
    return message["error"]
