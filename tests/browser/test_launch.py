"""The shared browser: started once, lost and started again, and gone without a trace after close."""

import asyncio
import contextlib
import os
import shutil
import signal
import stat
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Error, async_playwright

from agentbrowser.browser import discover, driver, launch
from agentbrowser.browser.launch import Engine, Lost
from agentbrowser.config import Config
from agentbrowser.errors import AgentBrowserError, BrowserNotLaunched, TargetClosed

LIMIT_S: Final = 20.0


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory for temporary files, and the check that no process and no file is left behind."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = children(os.getpid())
    yield tmp_path
    assert children(os.getpid()) <= before
    assert homes(tmp_path) == []


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
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - processes give no event
            await asyncio.sleep(0.01)


def children(pid: int) -> set[int]:
    found = set()
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found |= {int(child) for child in listed.read_text().split()}
    return found


def descendants(engine: Engine) -> set[int]:
    """Return the driver, the browser and all its processes."""
    found, fresh = set[int](), {driver_pid(engine)} - {0}
    while fresh:
        found |= fresh
        fresh = {child for pid in fresh for child in children(pid)} - found
    return found


def driver_pid(engine: Engine) -> int:
    return (engine._driver and engine._driver.pid) or 0


def alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def homes(folder: Path) -> list[Path]:
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


# Launching


def test_nothing_is_launched_before_it_is_needed() -> None:
    async def scene() -> None:
        async with running() as engine:
            await engine.start()
            assert children(driver_pid(engine)) == set()
            assert (engine.pid, engine.version) == (None, "")
            assert await works(engine)
            assert children(driver_pid(engine)) == {engine.pid}
            assert engine.version.split(".")[0].isdigit()

    play(scene)


def test_contexts_asked_for_at_once_share_one_browser() -> None:
    async def scene() -> None:
        async with running() as engine:
            contexts = await asyncio.gather(*(engine.new_context() for _ in range(5)))
            assert len(set(contexts)) == 5
            assert len({context.browser for context in contexts}) == 1
            assert children(driver_pid(engine)) == {engine.pid}

    play(scene)


def test_options_reach_the_context() -> None:
    async def scene() -> None:
        async with running() as engine:
            context = await engine.new_context(viewport={"width": 321, "height": 123})
            assert (await context.new_page()).viewport_size == {"width": 321, "height": 123}

    play(scene)


@pytest.mark.parametrize(("uid", "asked", "sandboxed"), [(1000, False, True), (1000, True, False), (0, False, False)])
def test_sandbox_is_given_up_only_by_root_or_when_asked(
    uid: int, asked: bool, sandboxed: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    noted = tmp_path / "arguments"
    fake = script(tmp_path, f'echo "$@" > {noted}')

    async def scene() -> None:
        async with running(executable_path=fake, no_sandbox=asked) as engine:
            with pytest.raises(BrowserNotLaunched):
                await engine.new_context()

    play(scene)
    assert ("--no-sandbox" not in noted.read_text().split()) == sandboxed


def test_arguments_keep_traffic_within_reach_of_a_proxy() -> None:
    async def scene() -> None:
        async with running() as engine:
            await engine.new_context()
            assert set(launch._CHROMIUM_ARGS) <= set(arguments(engine.pid))
            quiet = {
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            }
            assert quiet <= set(arguments(engine.pid))

    play(scene)


def test_browser_does_not_see_our_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_TOKEN", "canary")

    async def scene() -> None:
        async with running() as engine:
            await engine.new_context()
            assert "AGENT_" not in process_file(engine.pid, "environ")

    play(scene)


def test_full_chromium_serves_as_well_where_there_is_one() -> None:
    full = discover.find_browser("chromium", headless=False)

    async def scene() -> None:
        async with running(executable_path=full.path) as engine:
            assert await works(engine)
            assert arguments(engine.pid)[0] == full.path

    play(scene)


def test_downloads_of_playwright_are_looked_for_where_it_puts_them() -> None:
    async def scene() -> None:
        async with async_playwright() as playwright:
            for name in ("chromium", "firefox", "webkit"):
                expected = getattr(playwright, name).executable_path
                folder = discover._downloads() / f"{name}-{discover._revisions()[name]}"
                assert expected.startswith(f"{folder}{os.sep}")

    play(scene)


# Files and signals


def test_temporary_files_are_in_a_directory_of_our_own(temporary: Path) -> None:
    async def scene() -> None:
        async with running() as engine:
            await engine.new_context()
            (home,) = homes(temporary)
            assert stat.S_IMODE(os.stat(home).st_mode) == 0o700
            profile = next(argument for argument in arguments(engine.pid) if argument.startswith("--user-data-dir="))
            assert profile.startswith(f"--user-data-dir={home}/")

    play(scene)


def test_environment_is_as_it_was() -> None:
    before = dict(os.environ)

    async def scene() -> None:
        async with running() as engine:
            await engine.start()
            assert dict(os.environ) == before

    play(scene)


SURVIVOR: Final = """
import asyncio, os, signal
from agentbrowser.browser.launch import Engine
from agentbrowser.config import Config

async def main():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    engine = Engine(Config())
    page = await (await engine.new_context()).new_page()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.killpg(0, number)
        await asyncio.sleep(0.1)
        print(await page.title() == "", flush=True)
    await engine.close()

asyncio.run(main())
"""


def test_driver_survives_a_signal_to_our_whole_group() -> None:
    async def scene() -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", SURVIVOR, stdout=asyncio.subprocess.PIPE, start_new_session=True
        )
        said, _ = await process.communicate()
        assert [line for line in said.decode().split() if line in ("True", "False")] == ["True"] * 3
        assert process.returncode == 0

    play(scene)


ORPHAN: Final = """
import asyncio
from agentbrowser.browser.launch import Engine
from agentbrowser.config import Config

async def main():
    engine = Engine(Config())
    await (await engine.new_context()).new_page()
    print("family", engine._driver.pid, engine.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def test_nothing_outlives_us_when_we_are_killed(temporary: Path) -> None:
    async def scene() -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", ORPHAN, stdout=asyncio.subprocess.PIPE, env={**os.environ, "TMPDIR": str(temporary)}
        )
        assert process.stdout is not None
        await process.stdout.readuntil(b"family ")
        said = await process.stdout.readline()
        roots = {int(pid) for pid in said.split()}
        family = roots | {child for pid in roots for child in children(pid)}
        process.kill()
        await process.wait()
        await until(lambda: not any(map(alive, family)))
        shutil.rmtree(homes(temporary)[0])

    play(scene)


@pytest.mark.parametrize("missing", ["setsid", "starter"])
def test_engine_works_without_the_starter_too(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing == "setsid":
        monkeypatch.setattr(shutil, "which", lambda _: None)
    else:
        monkeypatch.setattr(driver, "_write_starter", lambda _: None)

    async def scene() -> None:
        async with running() as engine:
            assert await works(engine)
            assert (driver_pid(engine) > 0) == (missing == "setsid")

    play(scene)


def test_two_engines_in_two_threads_start_at_once() -> None:
    async def scene() -> None:
        async def other() -> int:
            async with running() as engine:
                await engine.start()
                return driver_pid(engine)

        pids = await asyncio.gather(*(asyncio.to_thread(asyncio.run, other()) for _ in range(2)))
        assert len(set(pids)) == 2

    play(scene)


# Losses


def test_browser_that_dies_is_reported_and_replaced() -> None:
    async def scene() -> None:
        async with running() as engine:
            lost: list[Lost] = []
            engine.on_lost(lost.append)
            page = await (await engine.new_context()).new_page()
            first = engine.pid or 0
            os.kill(first, signal.SIGKILL)
            with pytest.raises(Error):
                await page.evaluate("new Promise(() => {})")
            await until(lambda: lost == ["browser"])
            assert engine.pid is None
            assert await works(engine)
            assert engine.pid not in (None, first)
            assert lost == ["browser"]

    play(scene)


def test_driver_that_dies_is_reported_and_replaced() -> None:
    async def scene() -> None:
        async with running() as engine:
            lost: list[Lost] = []
            engine.on_lost(lost.append)
            await engine.new_context()
            family, first = descendants(engine), driver_pid(engine)
            os.kill(first, signal.SIGKILL)
            await until(lambda: lost == ["driver"])
            await until(lambda: not any(map(alive, family)))
            assert await works(engine)
            assert driver_pid(engine) != first

    play(scene)


def test_driver_that_dies_takes_a_stopped_browser_along() -> None:
    async def scene() -> None:
        async with running() as engine:
            await engine.new_context()
            family = descendants(engine)
            os.killpg(engine.pid or 0, signal.SIGSTOP)
            os.kill(driver_pid(engine), signal.SIGKILL)
            await until(lambda: not any(map(alive, family)))

    play(scene)


@pytest.mark.parametrize("victim", ["driver", "browser"])
def test_loss_that_nobody_has_heard_of_is_found_by_the_next_call(victim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver.Driver, "_watch", lambda *_: None)

    async def scene() -> None:
        async with running() as engine:
            lost: list[Lost] = []
            engine.on_lost(lost.append)
            await engine.new_context()
            os.kill(driver_pid(engine) if victim == "driver" else engine.pid or 0, signal.SIGKILL)
            assert await works(engine)
            assert lost in (["driver"], ["browser"])

    play(scene)


def test_listener_that_raises_hurts_nobody() -> None:
    async def scene() -> None:
        async with running() as engine:
            lost: list[Lost] = []
            engine.on_lost(lambda _: [][1])
            engine.on_lost(lost.append)
            await engine.new_context()
            os.kill(engine.pid or 0, signal.SIGKILL)
            await until(lambda: lost == ["browser"])
            assert await works(engine)

    play(scene)


def test_listener_that_has_left_hears_nothing() -> None:
    async def scene() -> None:
        async with running() as engine:
            gone: list[Lost] = []
            here: list[Lost] = []
            leave = engine.on_lost(gone.append)
            engine.on_lost(here.append)
            leave()
            await engine.new_context()
            os.kill(engine.pid or 0, signal.SIGKILL)
            await until(lambda: here == ["browser"])
            assert gone == []

    play(scene)


# Failed launches


def script(folder: Path, line: str) -> str:
    path = folder / "fake-chromium"
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o700)
    return str(path)


async def failure(path: str) -> AgentBrowserError:
    async with running(executable_path=path) as engine:
        with pytest.raises(BrowserNotLaunched) as caught:
            await engine.new_context()
    return caught.value


def test_browser_that_ends_at_once_leaves_its_last_words(tmp_path: Path) -> None:
    async def scene() -> None:
        path = script(tmp_path, "echo no display today >&2; exit 3")
        error = await failure(path)
        assert error.message == "The browser ended at once with exit code 3."
        assert (error.retryable, error.details) == (False, {"path": path, "stderr": ["no display today"]})

    play(scene)


def test_browser_without_words() -> None:
    async def scene() -> None:
        error = await failure("/bin/false")
        assert (error.message, error.retryable) == ("The browser ended at once with exit code 1.", False)
        assert error.details == {"path": "/bin/false"}

    play(scene)


def test_browser_that_is_not_executable(tmp_path: Path) -> None:
    async def scene() -> None:
        plain = tmp_path / "plain"
        plain.write_text("text")
        error = await failure(str(plain))
        assert (error.message, error.retryable) == ("The browser is not an executable file.", False)

    play(scene)


@pytest.mark.parametrize("method", ["start", "new_context"])
def test_missing_browser_is_told_at_once(method: str, tmp_path: Path) -> None:
    async def scene() -> None:
        async with running(executable_path=str(tmp_path / "none")) as engine:
            with pytest.raises(BrowserNotLaunched, match="There is no chromium at"):
                await getattr(engine, method)()

    play(scene)


def test_browser_that_comes_later_is_launched(tmp_path: Path) -> None:
    async def scene() -> None:
        path = tmp_path / "chromium-headless-shell"
        async with running(executable_path=str(path)) as engine:
            with pytest.raises(BrowserNotLaunched):
                await engine.new_context()
            path.symlink_to(discover.find_browser("chromium").path)
            assert await works(engine)

    play(scene)


# Cancellation and the end


@pytest.mark.parametrize("after_ms", [0, 1, 5, 50, 200])
def test_cancelled_launch_leaves_nothing(after_ms: int) -> None:
    async def scene() -> None:
        async with running() as engine:
            task = asyncio.create_task(engine.new_context())
            await asyncio.sleep(after_ms / 1000)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await until(lambda: not engine._work)
            if engine._browser is not None:
                assert engine._browser.contexts == []

    play(scene)


def test_one_cancelled_caller_does_not_spoil_the_launch_for_another() -> None:
    async def scene() -> None:
        async with running() as engine:
            first, second = (asyncio.create_task(engine.new_context()) for _ in range(2))
            await asyncio.sleep(0.01)
            first.cancel()
            context = await second
            assert first.cancelled() or first.cancelling()
            await until(lambda: context.browser is not None and context.browser.contexts == [context])

    play(scene)


def test_closing_twice_at_once_and_again_is_fine() -> None:
    async def scene() -> None:
        engine = Engine(Config())
        await engine.new_context()
        family = descendants(engine)
        await asyncio.gather(engine.close(), engine.close())
        await engine.close()
        assert not any(map(alive, family))
        assert len(family) > 2

    play(scene)


def test_engine_that_was_never_started_can_be_closed() -> None:
    play(lambda: Engine(Config()).close())


def test_closed_engine_launches_nothing() -> None:
    async def scene() -> None:
        async with running() as engine:
            await engine.start()
        with pytest.raises(TargetClosed):
            await engine.new_context()

    play(scene)


def test_close_is_not_a_loss() -> None:
    async def scene() -> None:
        lost: list[Lost] = []
        async with running() as engine:
            engine.on_lost(lost.append)
            await engine.new_context()
        assert lost == []

    play(scene)


def test_close_whose_caller_goes_away_goes_on() -> None:
    async def scene() -> None:
        engine = Engine(Config())
        await engine.new_context()
        family = descendants(engine)
        task = asyncio.create_task(engine.close())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        await engine.close()
        assert not any(map(alive, family))

    play(scene)


@pytest.mark.parametrize("stopped", ["browser", "driver", "both"])
def test_close_kills_what_is_stopped(stopped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_CLOSE_TIMEOUT_S", 0.5)

    async def scene() -> None:
        engine = Engine(Config())
        await (await engine.new_context()).new_page()
        family = descendants(engine)
        if stopped != "driver":
            os.killpg(engine.pid or 0, signal.SIGSTOP)
        if stopped != "browser":
            os.kill(driver_pid(engine), signal.SIGSTOP)
        began_s = time.monotonic()
        await engine.close()
        assert time.monotonic() - began_s < 4
        await until(lambda: not any(map(alive, family)))

    play(scene)


def test_close_ends_a_launch_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_CLOSE_TIMEOUT_S", 0.5)

    async def scene() -> None:
        engine = Engine(Config(executable_path=script(tmp_path, "exec sleep 600")))
        task = asyncio.create_task(engine.new_context())
        await until(lambda: len(children(driver_pid(engine))) == 1)
        family = descendants(engine)
        await engine.close()
        with pytest.raises(BrowserNotLaunched, match="SIGKILL"):
            await task
        await until(lambda: not any(map(alive, family)))

    play(scene)


def test_close_ends_a_driver_that_hangs_at_its_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_CLOSE_TIMEOUT_S", 0.5)
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", script(tmp_path, "exec sleep 600"))

    async def scene() -> None:
        before = children(os.getpid())
        engine = Engine(Config())
        task = asyncio.create_task(engine.start())
        await until(lambda: len(children(os.getpid()) - before) == 1)
        await engine.close()
        await asyncio.wait({task})
        assert task.cancelled()
        await until(lambda: children(os.getpid()) == before)

    play(scene)


def test_no_descriptor_is_left() -> None:
    async def scene() -> None:
        counts = []
        for _ in range(3):
            async with running() as engine:
                await engine.new_context()
            counts.append(len(os.listdir("/proc/self/fd")))
        assert counts[0] == counts[2]

    play(scene)
