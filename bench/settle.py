"""Share of asynchronous outcomes that the first look shows, by a fetch, a timer or both.

A click whose outcome comes after 50 to 2,000 ms, by timers of at most 1,000 ms, and one look. What the wait costs where
nothing is pending, `bench.loop` measures.

Run: python -m bench.settle [--smoke]
"""

import sys
import threading
from collections.abc import Sequence
from typing import Any, Final

import trio

from agentbrowser.client import connect
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from tests.browser.settle.slow_site import SlowSite, open_slow_site

_CLICK: Final = {"selector": {"type": "css", "value": "#go"}}
_DELAYS_MS: Final = (50, 100, 200, 400, 700, 1000, 1500, 2000)
_LONGEST_TIMER_MS: Final = 1000
_FORMS: Final = {
    "fetch": "fetch('/{ms}/data').then(r => r.json()).then(() => show(n))",
    "timer": "setTimeout(show, {ms}, n)",
    "both": "setTimeout(() => fetch('/{half}/data').then(() => setTimeout(show, {quarter}, n)), {quarter})",
}
_PAGE: Final = """<button id=go>Go</button><p id=out></p><ul id=list></ul><script>
  for (let i = 0; i < 40; i++) list.innerHTML += `<li>Row ${{i}} <a href=#r${{i}}>Open</a>`;
  const show = n => {{ const b = document.createElement('button'); b.textContent = `Done ${{n}}`;
    out.replaceChildren(b) }};
  let count = 0;
  go.onclick = () => {{ const n = ++count; {effect} }};
</script>"""


def _page(site: SlowSite, effect: str) -> str:
    return site.show("/", _PAGE.format(effect=effect))


async def _shown(browser: Any) -> list[str]:
    look = await browser.request("agent/observe")
    return [element.get("name", "") for element in look["interactiveElements"]]


async def _outcomes(browser: Any, site: SlowSite, rounds: int, delays_ms: Sequence[int]) -> None:
    """Print the share of first looks that show the outcome, by the form of its delay."""
    for form, effect in _FORMS.items():
        seen = total = 0
        for ms in delays_ms:
            if form == "timer" and ms > _LONGEST_TIMER_MS:
                continue  # a look does not wait for longer ones
            source = effect.format(ms=ms, half=ms // 2, quarter=ms // 4)
            await browser.request("page/navigate", {"url": _page(site, source)})
            for round_ in range(rounds):
                await browser.request("action/click", _CLICK)
                seen += f"Done {round_ + 1}" in await _shown(browser)
                total += 1
        print(f"outcome by {form}: {seen} of {total} in the first look")


async def _main(rounds: int, delays_ms: Sequence[int]) -> None:
    with open_slow_site() as site:
        async with open_server(Config(port=0, scope=Scope.PRIVILEGED)) as server, connect(server.url) as browser:
            await _outcomes(browser, site, rounds, delays_ms)


if __name__ == "__main__":
    threading.stack_size(512 * 1024)
    trio.run(_main, *((1, _DELAYS_MS[:2]) if "--smoke" in sys.argv else (5, _DELAYS_MS)))
