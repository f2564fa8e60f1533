"""The TypeScript client, compiled, for tests that run it on Node against a server of ours."""

import json
import os
import shutil
from pathlib import Path
from subprocess import STDOUT
from typing import Final

import pytest
import trio

SDK = Path(__file__).parents[2] / "agentbrowser" / "sdk" / "typescript"
LIMIT_S = 120

_TSC: Final = str(SDK / "node_modules" / ".bin" / "tsc")
_built: Final[set[Path]] = set()
_PROGRAM: Final = {"target": "es2022", "module": "nodenext", "strict": True, "types": [], "lib": ["es2023", "dom"]}


def need_node() -> None:
    """Skip the test where there is no Node."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")


def need_compiler() -> None:
    """Skip the test where the client can't be compiled."""
    need_node()
    if not Path(_TSC).exists():
        pytest.skip("npm ci --prefix agentbrowser/sdk/typescript has not been run")


async def with_websocket() -> list[str]:
    """Return the flags with which Node has the WebSocket that browsers have; 22 and later need none."""
    _, version = await run("node", "--version")
    return ["--experimental-websocket", "--no-warnings"] if int(version[1:].partition(".")[0]) < 22 else []


async def build() -> None:
    """Compile the client and its tests, once for all tests; skips the test where that can't be done."""
    need_compiler()
    if SDK not in _built:
        await _compile(SDK)
        _built.add(SDK)


async def build_program(folder: Path, program: str) -> Path:
    """Compile a program of a project that has the client installed, and return what Node can run."""
    await build()
    modules = folder / "node_modules"
    modules.mkdir()
    (modules / "agentbrowser").symlink_to(SDK)
    (modules / "zod").symlink_to(SDK / "node_modules" / "zod")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": _PROGRAM, "files": ["program.ts"]}))
    (folder / "program.ts").write_text(program)
    await _compile(folder)
    return folder / "program.js"


async def _compile(folder: Path) -> None:
    code, said = await run(_TSC, "--project", str(folder))
    assert code == 0, said


async def run(*command: str | Path, **environ: str) -> tuple[int, str]:
    """Run a command in the client's folder; return its exit code and what it says."""
    with trio.fail_after(LIMIT_S):
        done = await trio.run_process(
            command, cwd=SDK, env={**os.environ, **environ}, capture_stdout=True, stderr=STDOUT, check=False
        )
    return done.returncode, done.stdout.decode()
