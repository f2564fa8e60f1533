"""page/waitFor: one condition is waited for, and named if it is not met."""

from collections.abc import Iterator
from typing import Any

import pytest

from agentbrowser.client import Browser
from agentbrowser.protocol.errors import ElementNotFound, InvalidParams, Timeout
from tests.browser.settle.slow_site import SlowSite, open_slow_site
from tests.each import in_parts


@pytest.fixture(scope="module")
def slow() -> Iterator[SlowSite]:
    with open_slow_site() as site:
        site.show(
            "/frame", "<p id=late></p><script>setTimeout(() => { late.textContent = 'Inner words' }, 300)</script>"
        )
        site.show(
            "/",
            """<h1>Orders</h1><p id=busy>Loading…</p><button id=b disabled>Pay</button><p id=out></p><div id=host></div>
            <p style="opacity: 0">Ghost</p><div hidden>Hidden words</div>
            <form><input name=children><input name=textContent><p>Ready to sail <b hidden>Ready to sail</b></p></form>
            <p>Only <b hidden>half said</b></p>
            <input type=submit value="Place it"><input type=submit value="No button" hidden>
            <input id=typed value="Typed words"><input type=password disabled value="Secret words">
            <textarea id=shown disabled></textarea><input readonly value="Only to be read">
            <iframe src=/frame></iframe><iframe src=/frame hidden></iframe><script>
              host.attachShadow({ mode: 'open' });
              setTimeout(() => { busy.remove(); out.innerHTML = 'Your <b>order</b>\\n  is saved'; b.disabled = false;
                shown.value = 'What came of it';
                host.shadowRoot.innerHTML = '<em>In the shadow</em>'; history.pushState(0, '', '/orders/7') }, 200);
            </script>""",
        )
        yield site


MET: list[dict[str, Any]] = [
    {"text": "your ORDER is saved"},
    {"text": "Orders"},
    {"text": "in the shadow"},
    {"text": "Inner words"},
    {"text": "ready to sail"},
    {"text": "place it"},
    {"text": "what came of it"},
    {"text": "Only to be read"},
    {"textGone": "No button"},
    {"textGone": "Typed words"},
    {"textGone": "Secret words"},
    {"textGone": "Only half said"},
    {"textGone": "Loading"},
    {"textGone": "Hidden words"},
    {"url": "/orders/"},
    {"url": "http://*/orders/7"},
    {"selector": {"type": "css", "value": "#b"}, "state": "enabled"},
    {"selector": {"type": "css", "value": "b"}},  # three, two of which stay hidden
    {"selector": {"type": "css", "value": "#busy"}, "state": "hidden"},
    {"selector": {"type": "css", "value": "#busy"}, "state": "detached"},
    {"selector": {"type": "css", "value": "#out b"}, "state": "attached"},
    {"idle": True},
    {"duration": 1},
]


@pytest.mark.parametrize("conditions", in_parts(MET, 2))
async def test_each_condition_is_waited_for(browser: Browser, slow: SlowSite, conditions: list[dict[str, Any]]) -> None:
    for condition in conditions:
        await browser.request("page/navigate", {"url": slow.url("/")})
        result = await browser.request("page/waitFor", condition)
        assert result["outcome"] == "met", condition
        assert result["elapsed"] >= 0
        if "idle" in condition:
            assert "is saved" in (await browser.request("observe/content", {"format": "text"}))["content"]


UNMET: list[tuple[dict[str, Any], Any]] = [
    ({"text": "Ghost"}, "/orders/7"),
    ({"text": "Hidden words"}, "/orders/7"),
    ({"textGone": "Orders"}, "/orders/7"),
    ({"url": "/nowhere"}, "/orders/7"),
    ({"selector": {"type": "css", "value": "#none"}}, "absent"),
    ({"selector": {"type": "css", "value": "#b"}, "state": "detached"}, "attached"),
    ({"selector": {"type": "css", "value": "#b"}, "state": "disabled"}, "enabled"),
]


async def test_a_condition_that_is_not_met_is_named_with_what_was_there(browser: Browser, slow: SlowSite) -> None:
    await browser.request("page/navigate", {"url": slow.url("/")})
    await browser.request("page/waitFor", {"text": "is saved"})
    for condition, seen in UNMET:
        for timeout_ms in (150, 1500, 15_000):  # on a busy machine, a page may not answer in the shorter ones
            with pytest.raises(Timeout) as caught:
                await browser.request("page/waitFor", {**condition, "timeout": timeout_ms})
            if caught.value.details["seen"] != "the page does not answer":
                break
        assert str(caught.value.details["seen"]).endswith(seen)
        (name, *_) = condition
        assert caught.value.details["condition"][name] == condition[name]


async def test_a_ref_that_was_never_observed_is_not_awaited(browser: Browser, slow: SlowSite) -> None:
    await browser.request("page/navigate", {"url": slow.url("/")})
    pay = (await browser.request("agent/observe", {}))["interactiveElements"][0]["ref"]
    for state in ("hidden", "detached", "visible"):
        wait = {"selector": {"type": "ref", "value": "@typo"}, "state": state}
        with pytest.raises(ElementNotFound, match="No element was observed as @typo"):
            await browser.request("page/waitFor", wait)
    await browser.request("page/navigate", {"url": slow.url("/frame")})
    await browser.request("agent/observe", {})  # the second document is known, the ref is one of the first
    wait = {"selector": {"type": "ref", "value": pay}, "state": "hidden"}
    assert (await browser.request("page/waitFor", wait))["outcome"] == "met"
    with pytest.raises(ElementNotFound, match=f"gone to another document since {pay} was observed"):
        await browser.request("action/click", {"selector": wait["selector"]})


@pytest.mark.parametrize("params", [{}, {"text": "a", "idle": True}, {"text": "a", "state": "visible"}], ids=str)
async def test_exactly_one_condition_is_accepted(browser: Browser, params: dict[str, Any]) -> None:
    with pytest.raises(InvalidParams):
        await browser.request("page/waitFor", params)


async def test_a_wait_is_a_step_of_a_sequence(browser: Browser, slow: SlowSite) -> None:
    steps = [
        {"action": "page/navigate", "params": {"url": slow.url("/")}},
        {"action": "page/waitFor", "params": {"text": "is saved"}},
        {"action": "action/click", "params": {"selector": {"type": "css", "value": "#b"}, "options": {"timeout": 1}}},
    ]
    result = await browser.request("agent/act", {"steps": steps})
    assert result["success"], result


async def test_a_navigation_during_the_wait_is_survived(browser: Browser, slow: SlowSite) -> None:
    url = slow.show("/go", "<script>setTimeout(() => { location = '/' }, 100)</script>")
    await browser.request("page/navigate", {"url": url})
    result = await browser.page.wait_for("is saved")
    assert result.outcome == "met"
