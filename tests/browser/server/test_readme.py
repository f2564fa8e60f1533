"""README and the page on clients: the session by hand and the programs run as they stand, on a page of our own."""

import json
import re
from pathlib import Path

import pytest
import trio

from agentbrowser.server.app import Server
from tests.browser import npm
from tests.browser.site import Site
from tests.loop.raw_websocket import Wire, upgrade

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text()
CLIENTS = (ROOT / "agentbrowser/docs/clients.md").read_text()
OPERATIONS = (ROOT / "agentbrowser/docs/operations.md").read_text()
EXAMPLE = "https://example.com/"
LIMIT_S = 60
WORDS = "This domain is for use in documents."
LOOK = f'page "Example Domain" {{}}\n# "Example Domain"\n"{WORDS}"\n@learnmore link "Learn more"\n'


@pytest.fixture
def example(site: Site) -> str:
    """A page like the one at example.com; its URL."""
    site.html("/more", "<p>So much for that.")
    return site.html("/", f'<h1>Example Domain</h1><p>{WORDS}<p><a href="/more">Learn more</a>', title="Example Domain")


def blocks(kind: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", README + CLIENTS, re.DOTALL | re.MULTILINE)
    return [text for its_kind, text in found if its_kind == kind]


def exchanges() -> list[tuple[str, str]]:
    """Return what is typed and what comes back, from the session by hand."""
    (session,) = [block for block in blocks("") if block.startswith("> ")]
    found = re.findall(r"^> (.*)\n< (.*)$", session, re.MULTILINE)
    assert len(found) * 2 == len(session.splitlines())
    return found


async def next_answer(wire: Wire) -> str:
    while "id" not in json.loads(text := (await wire.hear())[1].decode()):
        pass  # an event
    return text


async def test_the_session_by_hand(server: Server, example: str) -> None:
    async with await trio.open_tcp_stream("127.0.0.1", server.port) as stream:
        wire = Wire(stream)
        await wire.send(upgrade(server.port))
        await wire.head()
        for typed, expected in exchanges():
            await wire.say(typed.replace(EXAMPLE, example))
            pattern = re.escape(expected.replace(EXAMPLE, example)).replace("…", ".*")
            answer = await next_answer(wire)
            assert re.fullmatch(pattern, answer), answer[:500]


PROGRAMS = ["trio", "asyncio", "blocking", "typed calls", "a server within"]
FIRST_AGENTS = PROGRAMS[:3]
MAX_LINES = 15


def run_as_it_stands(program: str) -> None:
    exec(compile(program, "README.md", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize(("name", "program"), [*zip(PROGRAMS, blocks("python"), strict=True)], ids=PROGRAMS)
async def test_the_programs(
    name: str, program: str, server: Server, example: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program = program.replace(EXAMPLE, example).replace("ws://127.0.0.1:9222", server.url)
    with trio.fail_after(LIMIT_S):
        await trio.to_thread.run_sync(run_as_it_stands, program)
    printed = capsys.readouterr().out
    if name in FIRST_AGENTS:
        assert LOOK.format(example) in printed
    else:
        assert "@learnmore link Learn more" in printed or "Example Domain\n" in printed


@pytest.mark.parametrize("program", blocks("python")[: len(FIRST_AGENTS)], ids=FIRST_AGENTS)
def test_a_first_agent_is_short(program: str) -> None:
    assert len(program.splitlines()) <= MAX_LINES


async def test_the_program_without_a_client(server: Server, example: str, tmp_path: Path) -> None:
    npm.need_node()
    (program,) = blocks("js")
    assert len(program.splitlines()) <= MAX_LINES
    path = tmp_path / "program.mjs"
    path.write_text(program.replace(EXAMPLE, example).replace("ws://127.0.0.1:9222", server.url))
    code, said = await npm.run("node", *await npm.with_websocket(), path)
    assert code == 0, said
    assert said.startswith(LOOK.format(example))
    assert f"{{ url: '{example}more', navigated: true, status: 200 }}" in said


@pytest.mark.slow
async def test_the_typescript_program(server: Server, example: str, tmp_path: Path) -> None:
    (program,) = blocks("ts")
    assert len(program.splitlines()) <= MAX_LINES
    program = program.replace(EXAMPLE, example).replace("ws://127.0.0.1:9222", server.url)
    code, said = await npm.run("node", await npm.build_program(tmp_path, program))
    assert (code, said) == (0, f"{LOOK.format(example)}Example Domain {example}more\n"), said


async def test_the_page_on_operations_lists_every_metric(server: Server) -> None:
    shown = re.findall(r"^\| `(agentbrowser_\w+)` \| (\w+) \|", OPERATIONS, re.MULTILINE)
    told = re.findall(r"^# TYPE (\w+) (\w+)$", server.metrics.text(), re.MULTILINE)
    families = {(name.removesuffix("_total"), kind) for name, kind in told if not name.endswith("_created")}
    assert sorted(shown) == sorted(families)
