"""What type checkers let pass, and what they refuse: each line that ends in ``refused``. Nobody runs this."""

from typing import Any, assert_type

import attrs

from agentbrowser.client import (
    ActionOutcome,
    Browser,
    Extracted,
    Image,
    Page,
    StepOutcome,
    TextObservation,
    at,
    blocking,
    step,
)
from agentbrowser.methods import action, agent_observe, emulate, events, page, script
from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.protocol.types.event import ConsoleEvent, NetworkEvent
from agentbrowser.protocol.types.navigation import NavigateResult
from agentbrowser.protocol.types.selector import Css


@attrs.frozen
class Boat:
    name: str


async def trio_and_asyncio(browser: Browser) -> None:
    there = await browser.new_page("https://example.com/", locale="de")
    assert_type(there, Page)
    assert_type(await there.goto("https://example.com/"), NavigateResult)
    assert_type(await there.observe(max_elements=5), TextObservation)
    assert_type((await there.observe(format="text")).text, str)
    assert_type(await there.observe(format="json"), AgentObserveResult)
    assert_type(await there["@submit"].click(timeout_ms=100), ActionOutcome)
    assert_type(await there.extract(Boat), Extracted[Boat])
    assert_type((await there.extract(list[Boat])).data, list[Boat])
    plain = await there.extract({"type": "object", "properties": {"name": {"type": "string"}}})
    assert_type(plain, Extracted[Any])
    assert_type(await there.screenshot(full_page=True), Image)
    assert_type((await there.act([])).results, list[StepOutcome])
    assert_type((await there["@submit"].click()).new_pages, list[Page] | None)
    await there["@submit"].click(observe="changes", idempotency_key="once")
    await there["@file"].upload("plan.txt", ("plan.txt", b"hull"))
    assert_type(await browser.call(page.navigate, url="https://example.com/"), NavigateResult)
    await there.act([step(action.fill, selector=at("@name"), value="Ada"), {"action": "action/click"}])
    str(await browser.call(emulate.set_offline, offline=True))
    str(await there.call(script.evaluate, expression="1"))
    async for event in browser.events("console", "network"):
        assert event.kind
        event.kin  # refused
    async for request in browser.events("network"):
        assert_type(request, NetworkEvent)

    await browser.new_pag()  # refused
    await browser.new_page("https://example.com/", local="de")  # refused
    await there.gotoo("https://example.com/")  # refused
    await there.goto(uri="https://example.com/")  # refused
    await there.goto("https://example.com/", wait_until="loaded")  # refused
    await there.observe(max_element=5)  # refused
    await there.observe(format="xml")  # refused
    await there["@submit"].clik()  # refused
    await there["@submit"].click(timeout=100)  # refused
    await there["@submit"].click(button="centre")  # refused
    await there["@submit"].click(observe="all")  # refused
    await there["@file"].upload(b"hull")  # refused
    await there["@name"].fill()  # refused
    await there["@name"].fill(7)  # refused
    await there.screenshot(fullpage=True)  # refused
    there.extract(Boat).name  # refused
    browser.events("consle")  # refused
    await browser.call(page.navigat, url="https://example.com/")  # refused
    await browser.call(page.navigate, uri="https://example.com/")  # refused
    await browser.call(agent_observe.observe, max_elements="5")  # refused
    await browser.call(page.navigate)  # refused
    await browser.call(action.fill, selector=at("@name"))  # refused
    await browser.call(action.press)  # refused
    await browser.call(events.subscribe)  # refused
    step(action.fill, selector=at("@name"), valu="Ada")  # refused
    step(action.fill, selector=at("@name"))  # refused
    Css()  # refused


def scripts(browser: blocking.Browser) -> None:
    there = browser.new_page("https://example.com/")
    assert_type(there, blocking.Page)
    assert_type(there.goto("https://example.com/"), NavigateResult)
    assert_type(there["@submit"].click(timeout_ms=100), blocking.ActionOutcome)
    assert_type(there["@submit"].click().new_pages, list[blocking.Page] | None)
    assert_type(there.extract(list[Boat]).data, list[Boat])
    assert_type(browser.call(page.navigate, url="https://example.com/"), NavigateResult)
    str(browser.call(page.navigate, url="https://example.com/"))
    for event in browser.events("console"):
        assert_type(event, ConsoleEvent)

    browser.new_pag()  # refused
    there.observe(max_element=5)  # refused
    there["@submit"].clik()  # refused
    there["@submit"].click(timeout=100)  # refused
    browser.call(page.navigate, uri="https://example.com/")  # refused
