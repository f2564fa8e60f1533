"""Helpers of the tests of the shared browser: an engine that leaves nothing behind, and a look at its processes."""

import asyncio
import contextlib
import os
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from agentbrowser.browser.engine.engine import Engine
from agentbrowser.config import Config

LIMIT_S: Final = 30.0


def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a directory for temporary files, and check that no process and no file is left behind."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = children(os.getpid())
    yield tmp_path
    end_s = time.monotonic() + LIMIT_S
    while not children(os.getpid()) <= before and time.monotonic() < end_s:
        time.sleep(0.02)  # until the system has reaped what has ended
    assert children(os.getpid()) <= before
    assert driver_dirs(tmp_path) == []


@contextlib.asynccontextmanager
async def running(**settings: Any) -> AsyncIterator[Engine]:
    engine = Engine(Config(**settings))
    try:
        async with asyncio.timeout(LIMIT_S):
            yield engine
    finally:
        family = descendants(engine)
        await engine.close()
        await until(lambda: not any(map(alive, family)))


def play(scene: Callable[[], Awaitable[None]]) -> None:
    async def timed() -> None:
        async with asyncio.timeout(2 * LIMIT_S):
            await scene()

    asyncio.run(timed())


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT_S):
        while not condition():  # noqa: ASYNC110 - processes give no event
            await asyncio.sleep(0.01)


def children(pid: int) -> set[int]:
    """Return the children of a process; it, and any thread of it, may end meanwhile."""
    found = set[int]()
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                found |= {int(child) for child in process_file(pid, f"task/{thread}/children").split()}
    return found


def descendants(engine: Engine) -> set[int]:
    """Return the driver, the browser and all its processes; none if the driver's pid is not known."""
    found, fresh = set[int](), {driver_pid(engine)} if engine._driver and engine._driver.pid else set[int]()
    while fresh:
        found |= fresh
        fresh = {child for pid in fresh for child in children(pid)} - found
    return found


def browser_pid(engine: Engine) -> int:
    """Return the browser's pid, which must run: a signal to the pid 0 would go to the process group of the tests."""
    assert engine.pid
    return engine.pid


def driver_pid(engine: Engine) -> int:
    """Return the driver's pid, which must run."""
    assert engine._driver
    assert engine._driver.pid
    return engine._driver.pid


def alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def driver_dirs(folder: Path) -> list[Path]:
    return list(folder.glob("agentbrowser-*"))


def process_file(pid: int | None, name: str) -> str:
    return Path(f"/proc/{pid}/{name}").read_text()


def arguments(pid: int | None) -> list[str]:
    return process_file(pid, "cmdline").split("\0")


async def works(engine: Engine) -> bool:
    context = await engine.new_context()
    page = await context.new_page()
    await page.set_content("<title>here</title>")
    title = await page.title()
    await context.close()
    return title == "here"


def script(folder: Path, line: str) -> str:
    path = folder / "fake-chromium"
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o700)
    return str(path)
