"""The TypeScript client, compiled, for tests that run it on Node against a server of ours."""

import fcntl
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
_STRIP_TYPES: Final = """
const [sdk, folder] = process.argv.slice(1);
const { transpileModule } = require(`${sdk}/node_modules/typescript`);
const { readFileSync, writeFileSync } = require("fs");
const { outputText } = transpileModule(readFileSync(`${folder}/program.ts`, "utf8"), {
  compilerOptions: { target: "es2022", module: "esnext" },
});
writeFileSync(`${folder}/program.js`, outputText);
"""
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
    """Compile the client and its tests, once for all workers; skips the test where that can't be done."""
    need_compiler()
    if SDK not in _built:
        with (SDK / "package.json").open() as one_at_a_time:
            await trio.to_thread.run_sync(fcntl.flock, one_at_a_time, fcntl.LOCK_EX)
            await _compile("--build", SDK)  # which does nothing where another worker has done it
        _built.add(SDK)


async def build_program(folder: Path, program: str, *, is_checked: bool = True) -> Path:
    """Compile a program of a project that has the client installed, and return what Node can run.

    Args:
      is_checked: check its types too, which takes four times as long.
    """
    await build()
    modules = folder / "node_modules"
    modules.mkdir()
    (modules / "agentbrowser").symlink_to(SDK)
    (modules / "zod").symlink_to(SDK / "node_modules" / "zod")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "program.ts").write_text(program)
    if is_checked:
        (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": _PROGRAM, "files": ["program.ts"]}))
        await _compile("--project", folder)
    else:
        code, said = await run(
            "node", "--input-type=commonjs", "--eval", _STRIP_TYPES, str(SDK), str(folder), json.dumps(_PROGRAM)
        )
        assert code == 0, said
    return folder / "program.js"


async def _compile(mode: str, folder: Path) -> None:
    code, said = await run(_TSC, mode, str(folder))
    assert code == 0, said


async def run(*command: str | Path, **environ: str) -> tuple[int, str]:
    """Run a command in the client's folder; return its exit code and what it says."""
    with trio.fail_after(LIMIT_S):
        done = await trio.run_process(
            command, cwd=SDK, env={**os.environ, **environ}, capture_stdout=True, stderr=STDOUT, check=False
        )
    return done.returncode, done.stdout.decode()
