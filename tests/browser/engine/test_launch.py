"""The shared browser: how it is found, launched and kept apart, and what a failed launch says."""

import asyncio
import os
import shutil
import stat
import sys
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import async_playwright

from agentbrowser.browser.engine import chromium_flags, driver, find_browser, watchdog
from agentbrowser.browser.engine.engine import Engine
from agentbrowser.config import Config
from agentbrowser.protocol.errors import AgentBrowserError, BrowserNotLaunched
from tests.browser.fault_helpers import living_in
from tests.browser.processes import (
    alive,
    arguments,
    children,
    driver_dirs,
    driver_pid,
    nothing_left,
    play,
    process_file,
    running,
    script,
    until,
    works,
)
from tests.pure.logbook import logged

pytestmark = pytest.mark.slow
temporary = pytest.fixture(autouse=True)(nothing_left)


def kernel_schedules_by_sessions() -> bool:
    """Return True if this kernel groups processes by sessions; in a control group, the file is there, but empty."""
    try:
        return bool(Path("/proc/self/autogroup").read_text(encoding="ascii"))
    except OSError:
        return False


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
            given = arguments(engine.pid)
            assert {*chromium_flags.FEATURES, *chromium_flags.PROXY} <= set(given)
            settings = [set(one.partition("=")[2].split(",")) for one in given if one.startswith("--blink-settings=")]
            assert all(one <= settings[-1] for one in settings)  # the last switch counts: it repeats Playwright's own
            quiet = {
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            }
            assert quiet <= set(arguments(engine.pid))

    play(scene)


def test_features_of_playwright_are_kept() -> None:
    async def scene() -> None:
        async with running() as engine:
            await engine.new_context()
            for switch in ("--enable-features=", "--disable-features="):
                asked = [one.removeprefix(switch).split(",") for one in arguments(engine.pid) if one.startswith(switch)]
                assert len(asked) > 1
                assert set().union(*asked) == set(asked[-1])

    play(scene)


PRESSED = """<button>press</button><script>
const firsts = [];
document.querySelector("button").onclick = ({ target }) => {
  let first = null;
  target.textContent += ".";
  requestAnimationFrame(() => firsts.push(first ??= "frame"));
  setTimeout(() => (first ??= "timer"));
};
</script>"""


def test_timers_need_not_wait_for_a_frame_behind_a_click() -> None:
    async def scene() -> None:
        async with running() as engine:
            page = await (await engine.new_context()).new_page()
            await page.set_content(PRESSED)
            for count in range(1, 9):
                await page.mouse.click(20, 20)
                await page.wait_for_function(f"firsts.length === {count}")
            assert "timer" in await page.evaluate("firsts")  # but where a frame was due at once

    play(scene)


def test_browser_does_not_see_the_token_or_the_key_of_telemetry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_TOKEN", "canary-of-the-launch")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=canary-of-the-launch")

    async def scene() -> None:
        async with running() as engine:
            await engine.new_context()
            assert len(engine.pids) == 2  # the driver's, and the browser's
            assert not any("canary" in process_file(pid, "environ") for pid in engine.pids)

    play(scene)


def test_full_chromium_serves_as_well_where_there_is_one() -> None:
    try:
        full = find_browser.find_browser("chromium", headless=False)
    except BrowserNotLaunched:
        return

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
                folder = find_browser._downloads() / f"{name}-{find_browser._revisions()[name]}"
                assert expected.startswith(f"{folder}{os.sep}")

    play(scene)


# Files and signals


def test_temporary_files_are_in_a_directory_of_our_own(temporary: Path) -> None:
    async def scene() -> None:
        async with running() as engine:
            await engine.new_context()
            (folder,) = driver_dirs(temporary)
            assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
            profile = next(argument for argument in arguments(engine.pid) if argument.startswith("--user-data-dir="))
            assert profile.startswith(f"--user-data-dir={folder}/")

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
from agentbrowser.browser.engine.engine import Engine
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
from agentbrowser.browser.engine.engine import Engine
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
        await until(lambda: not any(map(alive, family)) and not living_in(temporary))
        shutil.rmtree(driver_dirs(temporary)[0])

    play(scene)


@pytest.mark.parametrize("missing", ["setsid", "wrapper"])
def test_engine_works_without_setsid_or_the_node_wrapper(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing == "setsid":
        monkeypatch.setattr(shutil, "which", lambda _, path=None: None)
    else:
        monkeypatch.setattr(driver, "_write_node_wrapper", lambda _: None)

    async def scene() -> None:
        async with running() as engine:
            assert await works(engine)
            assert engine._driver
            assert bool(engine._driver.pid) == (missing == "setsid")

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


# Failed launches


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
        assert (error.message, error.retryable) == (f"There is no chromium at {plain} that may be run.", False)

    play(scene)


def test_a_failed_launch_is_logged_with_its_reason(tmp_path: Path) -> None:
    async def scene() -> None:
        await failure(str(tmp_path / "none"))

    with logged(Config()) as lines:
        play(scene)
    assert [
        line for line in lines.getvalue().splitlines() if "launch_failed" in line and "There is no chromium" in line
    ]


@pytest.mark.parametrize("method", ["start", "new_context"])
def test_missing_browser_is_reported_at_once(method: str, tmp_path: Path) -> None:
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
            path.symlink_to(find_browser.find_browser("chromium").path)
            assert await works(engine)

    play(scene)


@pytest.mark.skipif(not kernel_schedules_by_sessions(), reason="this kernel does not schedule by sessions")
def test_a_browser_yields_to_the_server_while_others_run_and_more_while_it_floods(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watchdog, "_CALM_S", 0.5)
    monkeypatch.setattr(watchdog, "_LOOK_INTERVAL_S", 0.05)

    async def scene() -> None:
        async with running() as engine:
            assert await works(engine)
            await until(lambda: nice_of(engine) == {0})
            engine.pipe.is_shared = lambda: True
            await until(lambda: nice_of(engine) == {5})
            engine.pipe.note_work(0.5)  # the loop's time for the events of a flood
            working = asyncio.create_task(works(engine))
            await until(lambda: nice_of(engine) == {10})  # which may be over when a slow machine has done the work
            assert await working
            await until(lambda: nice_of(engine) == {5})
            engine.pipe.is_shared = lambda: False
            await until(lambda: nice_of(engine) == {0})
            assert session_nice(os.getpid()) == own

    def nice_of(engine: Engine) -> set[int]:
        return {session_nice(pid) for pid in (engine.pid, driver_pid(engine))}

    own = session_nice(os.getpid())
    play(scene)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the processors of a process chosen by another")
def test_a_browser_that_floods_beside_others_gets_half_of_the_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "_CALM_S", 0.5)
    monkeypatch.setattr(watchdog, "_LOOK_INTERVAL_S", 0.05)
    usable = os.sched_getaffinity(0)

    async def scene() -> None:
        async with running() as engine:
            assert await works(engine)
            engine.pipe.is_shared = lambda: True
            await until(lambda: processors_of(engine) == {frozenset(usable)})
            engine.pipe.note_work(0.5)  # the loop's time for the events of a flood
            working = asyncio.create_task(works(engine))
            await until(lambda: processors_of(engine) == {frozenset(sorted(usable)[len(usable) // 2 :])})
            assert await working
            await until(lambda: processors_of(engine) == {frozenset(usable)})
            assert os.sched_getaffinity(0) == usable

    def processors_of(engine: Engine) -> set[frozenset[int]]:
        found = set()
        for pid in (engine.pid, driver_pid(engine)):
            assert pid is not None
            found.add(frozenset(os.sched_getaffinity(pid)))
        return found

    play(scene)


def session_nice(pid: int | None) -> int:
    return int(Path(f"/proc/{pid}/autogroup").read_text(encoding="ascii").split()[-1])
