"""Size of an observation for a language model: characters and tokens, as JSON and as text, with and without folds.

Run: python -m bench.tokens
"""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, async_playwright

from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.browser.observe.token_count import estimate
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import unstructure
from tests.browser.watched_page import WatchedTab

_PAGES: Final = Path(__file__).parents[1] / "tests" / "browser" / "pages"
_KINDS: Final = ("form", "shop", "table", "article")
_FORMS: Final = {
    "JSON, full": ObserveParams(max_elements=2000),
    "JSON, minimal, not folded": ObserveParams(max_elements=2000, response_tier="minimal", fold=False),
    "JSON, minimal": ObserveParams(max_elements=2000, response_tier="minimal"),
    "text, not folded": ObserveParams(max_elements=2000, format="text"),
    "text, folded": ObserveParams(max_elements=2000, format="text", fold=True),
}


async def answers(browser: Browser, kind: str) -> list[tuple[str, str]]:
    """Return the observation of a page in each form. [asyncio]"""
    page = await browser.new_page(viewport={"width": 1280, "height": 720})
    await page.goto((_PAGES / f"fold_{kind}.html").as_uri())
    tab = WatchedTab(page)
    results = [(form, await tab.refs.observe(params)) for form, params in _FORMS.items()]
    await page.close()
    return [(form, one.text or wire.dump(unstructure(one)).decode()) for form, one in results]


def rows(kind: str, texts: list[tuple[str, str]]) -> Iterator[str]:
    """Yield the table rows of one page."""
    for form, text in texts:
        yield f"  {kind:10}{form:28}{len(text):9,}{estimate(text):9,}{len(text) / 4:12,.0f}"


async def main() -> None:
    """Print the table. [asyncio]"""
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    print(f"  {'page':10}{'form':28}{'chars':>9}{'tokens':>9}{'chars / 4':>12}   (tokens: estimate of o200k_base)")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_browser("chromium").path, args=arguments)
        for kind in _KINDS:
            print(*rows(kind, await answers(browser, kind)), sep="\n")
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
