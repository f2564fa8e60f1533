"""Clock of the pages of a replay: timers fire by it, however slow or fast the machine is."""

from playwright.async_api import Page

from agentbrowser.browser.recording.page_clock import PageClock
from tests.browser.watched_page import Scenarios, WatchedTab

NOON = 1_800_000_000_000
TIMERS = """data:text/html,<p id=log></p><script>
  const log = (what) => { document.getElementById("log").textContent += `${what}=${Date.now()} ` };
  log("start");
  const start = Date.now();
  setTimeout(() => log("soon"), 1);
  setTimeout(() => { log("late"); setTimeout(() => log("later"), 4000) }, 61000);
  const each = setInterval(() => { log("each"); if (Date.now() - start > 70000) clearInterval(each) }, 30000);
  clearTimeout(setTimeout(() => log("never"), 10));
</script>"""


async def logged(page: Page) -> tuple[list[str], list[int]]:
    """Return what the timers have written, and when on the clock, in seconds since the first one."""
    pairs = [one.split("=") for one in (await page.locator("#log").text_content() or "").split()]
    return [name for name, _ in pairs], [round((int(time) - int(pairs[0][1])) / 1000) for _, time in pairs]


async def set_clock(clock: PageClock, from_ms: int, until_ms: int) -> None:
    clock.run(from_ms, until_ms)
    await clock.share()


def test_timers_wait_for_the_clock_and_are_passed_in_their_order(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        clock = PageClock()
        clock.run(NOON, NOON + 25_000)
        await clock.install(tab.page.context)
        page = await tab.page.context.new_page()
        await page.goto(TIMERS)
        await page.wait_for_function("document.getElementById('log').textContent.includes('soon')")
        await set_clock(clock, NOON + 25_000, NOON + 25_000)
        assert (await logged(page))[0] == ["start", "soon"]
        await set_clock(clock, NOON + 100_000, NOON + 100_000)
        await page.wait_for_function("document.getElementById('log').textContent.split('each').length > 3")
        names, times = await logged(page)
        assert names == ["start", "soon", "each", "each", "late", "later", "each"]
        assert times[2:] == [30, 60, 61, 65, 90]
        await set_clock(clock, NOON, NOON)
        assert await page.evaluate("[Date.now(), new Date().getTime()]") == [NOON + 100_000] * 2, "it never turns back"

    scenarios.page("/nowhere", scenario)
