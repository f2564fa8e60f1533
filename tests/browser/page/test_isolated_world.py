"""Our scripts in a page: apart from it, sent once, and with typed errors."""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import CDPSession

from agentbrowser.browser.engine import vendor
from agentbrowser.protocol.errors import ExecutionContextDestroyed, TargetClosed
from agentbrowser.protocol.types.selector import Css
from tests.browser.watched_page import ALL, Watch, Watched, watching


@pytest.fixture(scope="module")
def watch() -> Iterator[Watch]:
    with watching() as watch:
        yield watch


def test_a_hostile_page_neither_sees_nor_spoils_the_script(watch: Watch) -> None:
    async def scene(tab: Watched) -> None:
        elements = await tab.see()
        assert {"@ok", "@inform"} <= set(elements)
        assert len(elements) == 10
        assert await tab.page.locator(f"css={await tab.refs.resolve('@ok')}").get_attribute("id") == "ok"
        asked = {"expression": "Symbol.for('agentbrowser') in globalThis"}
        assert (await (await tab.cdp()).send("Runtime.evaluate", asked))["result"]["value"] is False
        metadata = (await tab.refs.observe(ALL)).metadata
        assert metadata is not None
        assert metadata.title == "Hostile"

    watch.page("/observe_hostile.html", scene)


def test_the_script_is_sent_once_for_each_document(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(tab: Watched) -> None:
        async def counted(session: CDPSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
            sent.append(len(str(params)))
            return await send(session, method, params)

        sent: list[int] = []
        send = vendor.send
        monkeypatch.setattr(vendor, "send", counted)
        for _ in range(2):
            await tab.see()
            await tab.see()
            await tab.page.reload()
        assert len([size for size in sent if size > 10_000]) == 2

    watch.page("/observe.html", scene)


def test_works_without_an_isolated_world(watch: Watch) -> None:
    async def scene(tab: Watched) -> None:
        isolated = await tab.by_id()
        plain = await Watched(tab.page, is_chromium=False).by_id()
        assert plain == isolated

    watch.page("/observe.html", scene)


def test_calls_during_navigations_end_in_an_answer_or_a_typed_error(watch: Watch) -> None:
    async def scene(tab: Watched) -> None:
        async def look() -> None:
            with contextlib.suppress(ExecutionContextDestroyed):
                await tab.see()

        address = tab.page.url
        for n in range(5):
            await asyncio.gather(tab.page.goto(f"{address}?{n}"), *(look() for _ in range(5)))
        assert "@link" in await tab.see()

    watch.page("/observe.html", scene)


def test_a_closed_page_is_a_typed_error(watch: Watch) -> None:
    async def scene(tab: Watched) -> None:
        await tab.see()
        await tab.page.close()
        with pytest.raises(TargetClosed):
            await tab.see()

    watch.page("/observe.html", scene)


def test_half_characters_do_not_break_the_answer(watch: Watch) -> None:
    async def scene(tab: Watched) -> None:
        await tab.run("q.value = 'a\\ud800b'; b.textContent = '\\udc00 half'")
        found = await tab.by_id()
        assert (found["q"].value, found["b"].name) == ("a\ufffdb", "\ufffd half")
        assert found["b"].selector == Css("#b")

    watch.markup("<input id=q><button id=b></button>", scene)
