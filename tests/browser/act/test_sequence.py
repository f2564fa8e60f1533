"""Sequences on a real page: section 12 of the protocol. Times of retries are tests/loop/corridor/test_sequence.py's."""

from typing import Any

import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.errors import (
    AgentBrowserError,
    DomainNotAllowed,
    InvalidParams,
    PageNotFound,
    ScopeDenied,
    SelectorAmbiguous,
)
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from tests.browser.site import Site

COUNTER = '<button id=add onclick="n.textContent = +n.textContent + 1">Add</button><p id=n>0</p>'


def click(css: str, **step: Any) -> dict[str, Any]:
    """Return a step that clicks what is there."""
    return {"action": "action/click", "params": {"selector": {"type": "css", "value": css}}, **step}


def miss(**step: Any) -> dict[str, Any]:
    """Return a step that looks for what is not there, and gives up soon."""
    params = {"selector": {"type": "css", "value": "#none"}, "options": {"timeout": 100}}
    return {"action": "action/click", "params": params, **step}


def when(css: str, state: str, timeout_ms: int = 5000) -> dict[str, Any]:
    return {"selector": {"type": "css", "value": css}, "state": state, "timeout": timeout_ms}


async def show(browser: Browser, site: Site, html: str = COUNTER) -> None:
    await browser.request("page/navigate", {"url": site.html("/", html)})


async def act(browser: Browser, *steps: dict[str, Any], **params: Any) -> Any:
    return await browser.request("agent/act", {"steps": list(steps), **params})


async def text(browser: Browser, css: str = "#n", page_id: str | None = None) -> str:
    params = {"selector": {"type": "css", "value": css}, "properties": ["text"], "pageId": page_id}
    return str((await browser.request("observe/element", params))["text"])


CONDITIONS = [
    ("", "document.body.insertAdjacentHTML('beforeend', '<i id=t>')", "!!document.querySelector('#t')", "exists"),
    ("<p id=t style='display:none'>x", "t.style.display = ''", "t.offsetWidth > 0", "visible"),
    ("<p id=t>x", "t.style.visibility = 'hidden'", "t.style.visibility == 'hidden'", "hidden"),
    ("<p id=t>x", "t.remove()", "!document.querySelector('#t')", "hidden"),
    ("<input id=t disabled>", "t.disabled = false", "!t.disabled", "enabled"),
    ("<input id=t>", "t.disabled = true", "t.disabled", "disabled"),
]


async def test_a_condition_is_waited_for(browser: Browser, site: Site) -> None:
    for target, change, holds, state in CONDITIONS:
        html = f"""<button id=go>Go</button><button id=look>Look</button><p id=n></p>{target}<script>
          const note = () => n.append(String({holds}) + ' ');
          go.onclick = () => {{ note(); setTimeout(() => {{ {change} }}, 150); }};
          look.onclick = note;
        </script>"""
        await show(browser, site, html)
        result = await act(browser, click("#go"), click("#look", condition=when("#t", state)))
        assert result["success"], (change, result)
        assert (await text(browser)).split() == ["false", "true"], change


UNMET = [
    ("#none", "exists", -32012),
    ("#none", "visible", -32012),
    ("#off", "visible", -32013),
    ("#off", "enabled", -32014),
    ("#n", "hidden", -32021),
    ("#n", "disabled", -32021),
]


async def test_a_condition_that_is_not_met_says_why_and_its_step_does_not_run(browser: Browser, site: Site) -> None:
    await show(browser, site, COUNTER + "<input id=off disabled style='display:none'>")
    steps = [click("#add", condition=when(css, state, 30)) for css, state, _ in UNMET]
    result = await act(browser, *steps, click("#add"), continueOnConditionFail=True)
    assert [step["error"]["code"] for step in result["results"][:-1]] == [code for _, _, code in UNMET]
    assert (result["completed"], result["total"], result["success"], result["failedAt"]) == (1, 7, False, 0)
    assert await text(browser) == "1"


async def test_a_failed_condition_ends_the_sequence_like_any_error(browser: Browser, site: Site) -> None:
    await show(browser, site)
    result = await act(browser, click("#add", condition=when("#none", "exists", 30)), click("#add"))
    assert (len(result["results"]), result["failedAt"], await text(browser)) == (1, 0, "0")


async def test_going_on_after_conditions_does_not_mean_after_errors(browser: Browser, site: Site) -> None:
    await show(browser, site)
    result = await act(browser, miss(), click("#add"), continueOnConditionFail=True)
    assert (len(result["results"]), result["failedAt"], await text(browser)) == (1, 0, "0")


async def test_what_a_failure_does(browser: Browser, site: Site) -> None:
    for on_error, stop_on_first_error, goes_on in (
        (None, True, False),
        (None, False, True),
        ("stop", True, False),
        ("stop", False, False),
        ("skip", True, True),
        ("skip", False, True),
        ("retry", True, False),
        ("retry", False, True),
    ):
        await show(browser, site)
        failing = miss(label="odd", onError=on_error, retryDelay=100)
        result = await act(browser, click("#add"), failing, click("#add"), stopOnFirstError=stop_on_first_error)
        assert await text(browser) == ("2" if goes_on else "1"), (on_error, stop_on_first_error)
        assert [step["success"] for step in result["results"]] == [True, False, True][: 3 if goes_on else 2]
        assert (result["completed"], result["total"]) == (2 if goes_on else 1, 3)
        assert (result["success"], result["failedAt"]) == (False, 1)
        failed = result["results"][1]
        assert (failed["step"], failed["label"], failed["error"]["code"]) == (1, "odd", -32012)
        assert failed.get("retries") == (1 if on_error == "retry" else None)


async def test_a_retry_sees_the_page_as_it_is_then(browser: Browser, site: Site) -> None:
    """What was ambiguous at first is looked up anew."""
    html = COUNTER + '<button id=go onclick="setTimeout(() => twin.remove(), 1000)">Go</button><b id=twin>Add</b>'
    await show(browser, site, html)
    selector = {"type": "text", "value": "Add"}
    step = {"action": "action/click", "params": {"selector": selector}, "onError": "retry", "maxRetries": 5}
    result = await act(browser, click("#go"), {**step, "retryDelay": 100})
    assert result["success"], result
    assert 1 <= result["results"][1]["retries"] <= 5
    assert await text(browser) == "1"


async def test_a_retry_finds_the_element_that_took_the_place_of_a_refs(browser: Browser, site: Site) -> None:
    html = """<p id=n>0</p><form id=f><button id=add type=button>Add</button></form><button id=go>Go</button><script>
      const count = () => n.textContent = +n.textContent + 1;
      go.onclick = () => { f.innerHTML = ''; setTimeout(() => {
        f.innerHTML = '<button id=add type=button>Add</button>'; f.firstChild.onclick = count;
      }, 150); };
    </script>"""
    await show(browser, site, html)
    seen = (await browser.request("agent/observe"))["interactiveElements"]
    (ref,) = [element["ref"] for element in seen if element["name"] == "Add"]
    params = {"selector": {"type": "ref", "value": ref}, "options": {"timeout": 100}}
    step = {"action": "action/click", "params": params, "onError": "retry", "maxRetries": 5, "retryDelay": 100}
    result = await act(browser, click("#go"), step)
    assert result["success"], result
    assert await text(browser) == "1"


async def test_a_step_fails_with_the_error_of_a_direct_request(browser: Browser, site: Site) -> None:
    await show(browser, site, "<i>x</i><i>x</i>")
    with pytest.raises(SelectorAmbiguous) as direct:
        await browser.request("action/click", click("i")["params"])
    result = await act(browser, click("i"))
    assert direct.value.recording is not None
    step = AgentBrowserError.from_wire(result["results"][0]["error"])
    assert step.recording is not None
    assert step.recording["id"] == direct.value.recording["id"]
    direct.value.recording = step.recording  # of another time
    assert step.to_wire() == direct.value.to_wire()


async def test_a_step_succeeds_with_the_result_of_a_direct_request(browser: Browser, site: Site) -> None:
    await show(browser, site, "<input id=i>")
    params = {"selector": {"type": "css", "value": "#i"}, "value": "Ada"}
    direct = await browser.request("action/fill", params)
    result = await act(browser, {"action": "action/fill", "params": params})
    assert direct["value"] == "Ada"
    assert result["results"][0]["result"] == direct


async def test_the_same_step_twice_is_done_twice(browser: Browser, site: Site) -> None:
    await show(browser, site)
    result = await act(browser, *[click("#add", label="again")] * 3)
    assert [(step["step"], step["label"]) for step in result["results"]] == [(0, "again"), (1, "again"), (2, "again")]
    assert "failedAt" not in result
    assert sum(step["duration"] for step in result["results"]) <= result["duration"] + 3
    assert await text(browser) == "3"


UNFIT: list[tuple[str, Any, str]] = [
    ("action", "no/such", "action"),
    ("action", "page/close", "action"),
    ("action", "script/evaluate", "action"),
    ("params", {}, "params.url"),
    ("onError", "pray", "onError"),
    ("maxRetries", 6, "maxRetries"),
    ("retryDelay", 99, "retryDelay"),
    ("condition", when("#n", "edible"), "condition.state"),
]


async def test_everything_is_checked_before_anything_runs(browser: Browser, site: Site) -> None:
    await show(browser, site)
    fit = {"action": "page/navigate", "params": {"url": site.url("/elsewhere")}}
    for part, unfit, path in UNFIT:
        with pytest.raises(InvalidParams) as caught:
            await act(browser, click("#add"), click("#add"), {**fit, part: unfit})
        assert caught.value.details["path"] == f"steps[2].{path}"
    for steps in ([], [click("#add")] * 51):
        with pytest.raises(InvalidParams) as caught:
            await act(browser, *steps)
        assert caught.value.details["path"] == "steps"
    for which in ("preObserve", "postObserve"):
        with pytest.raises(InvalidParams) as caught:
            await act(browser, click("#add"), **{which: {"maxElements": 0}})
        assert caught.value.details["path"] == f"{which}.maxElements"
    assert await text(browser) == "0"
    assert site.paths() == ["/"]


async def test_a_refused_step_is_a_step_error(site: Site) -> None:
    upload = {"action": "action/upload", "params": {"selector": {"type": "css", "value": "#n"}, "files": []}}
    with trio.fail_after(60):
        async with open_server(Config(port=0, scope=Scope.STANDARD)) as server, server.connect() as browser:
            await show(browser, site)
            result = await act(browser, click("#add"), upload, click("#add"))
            assert (result["completed"], result["failedAt"], len(result["results"])) == (1, 1, 2)
            error = result["results"][1]["error"]
            assert error["code"] == ScopeDenied.code
            assert error["data"]["details"]["method"] == "action/upload"
            assert error["data"]["details"]["required"] == "full"
            assert await text(browser) == "1"
            result = await act(browser, click("#add"), {**upload, "onError": "skip"}, click("#add"))
            assert [step["success"] for step in result["results"]] == [True, False, True]
            assert await text(browser) == "3"


async def test_a_step_at_a_refused_url_is_a_step_error(site: Site) -> None:
    away = {"action": "page/navigate", "params": {"url": "http://elsewhere.example/"}, "onError": "retry"}
    with trio.fail_after(60):
        config = Config(port=0, scope=Scope.STANDARD, allowed_domains=("127.0.0.1",))
        async with open_server(config) as server, server.connect() as browser:
            await show(browser, site)
            result = await act(browser, click("#add"), away)
            assert result["results"][1]["error"]["code"] == DomainNotAllowed.code
            assert "retries" not in result["results"][1]
            assert await text(browser) == "1"


async def test_a_step_at_a_url_of_no_page_or_of_metadata_is_a_step_error(browser: Browser, site: Site) -> None:
    await show(browser, site)
    for url, reason in (("javascript:alert(1)", "scheme"), ("http://169.254.169.254/", "metadata")):
        result = await act(
            browser, {"action": "page/navigate", "params": {"url": url}, "onError": "skip"}, click("#add")
        )
        assert [step["success"] for step in result["results"]] == [False, True]
        error = result["results"][0]["error"]
        assert (error["code"], error["data"]["details"]["reason"]) == (InvalidParams.code, reason)
    assert await text(browser) == "2"


async def test_the_page_goes_on_to_the_steps_that_name_none(browser: Browser, site: Site) -> None:
    url = site.html("/", COUNTER)
    first, second = [(await browser.request("page/create", {"url": url}))["id"] for _ in range(2)]
    elsewhere = click("#add")
    elsewhere["params"]["pageId"] = second
    result = await act(browser, click("#add"), elsewhere, click("#add"), pageId=first, postObserve=True)
    assert result["success"], result
    assert [await text(browser, page_id=page) for page in (first, second)] == ["2", "1"]
    assert (await browser.request("page/list"))["activePage"] == second


async def test_a_page_that_is_not_there(browser: Browser, site: Site) -> None:
    await show(browser, site)
    result = await act(browser, click("#add"), pageId="nowhere")
    assert result["results"][0]["error"]["code"] == PageNotFound.code
    assert await text(browser) == "0"


async def test_observations_before_and_after(browser: Browser, site: Site) -> None:
    await show(browser, site, "<button onclick=\"this.textContent = 'After'\">Before</button><a href=/>Other</a>")
    result = await act(browser, click("button"), preObserve=True, postObserve={"maxElements": 1})
    before, after = result["preObservation"], result["postObservation"]
    assert [element["name"] for element in before["interactiveElements"]] == ["Before", "Other"]
    assert [element["name"] for element in after["interactiveElements"]] == ["After"]
    assert not {"preObservation", "postObservation"} & set(await act(browser, click("button")))


async def test_its_timeout_interrupts_a_running_step(browser: Browser, site: Site) -> None:
    await show(browser, site)
    slow = {"action": "page/navigate", "params": {"url": site.hold("/held")}, "label": "slow"}
    with trio.fail_after(20):
        result = await act(browser, click("#add"), slow, click("#add"), timeout=2500)
    assert "/held" in site.paths()
    assert (result["completed"], result["total"], result["success"], result["failedAt"]) == (1, 3, False, 1)
    done, interrupted = result["results"]
    assert done["success"]
    assert (interrupted["label"], interrupted["error"]["code"]) == ("slow", -32016)
    assert interrupted["error"]["data"]["details"] == {"timeout": 2500, "method": "page/navigate"}
    assert await text(browser) == "1"
    await act(browser, click("#add"))
    assert await text(browser) == "2"


LONG = {"timeout": 30_000}
WAITING: list[tuple[dict[str, Any], str, str]] = [
    (
        {"action": "action/click", "params": {"selector": {"type": "css", "value": "#none"}, "options": LONG}},
        "1",
        "was",
    ),
    (click("#add", condition=when("#none", "visible", 30_000)), "1", "had not begun"),
    (click("#add", expect=when("#none", "visible", 30_000)), "2", "was done"),
]


@pytest.mark.parametrize(("step", "clicks", "had"), WAITING, ids=["a step", "a condition", "an expectation"])
async def test_its_timeout_interrupts_what_is_waited_for(
    browser: Browser, site: Site, step: dict[str, Any], clicks: str, had: str
) -> None:
    await show(browser, site)
    result = await act(browser, click("#add"), step, click("#add"), timeout=4000)
    assert (result["completed"], result["failedAt"], len(result["results"])) == (1, 1, 2)
    assert result["results"][1]["error"]["code"] == -32016
    assert f"action/click {had}" in result["results"][1]["error"]["message"]
    assert await text(browser) == clicks
    await act(browser, click("#add"))
    assert await text(browser) == str(int(clicks) + 1)


async def test_a_page_that_is_busy_can_be_used_after_its_sequence(browser: Browser, site: Site) -> None:
    await show(browser, site, COUNTER + '<button id=hang onclick="for (;;) n.className = Date.now()">Hang</button>')
    hang = click("#hang", expect=when("#none", "visible", 30_000))
    with trio.fail_after(60):
        result = await act(browser, hang, timeout=3000)
        assert result["results"][0]["error"]["code"] == -32016
        assert (await act(browser, click("#add")))["success"]
    assert await text(browser) == "1"


async def test_a_sequence_that_is_cancelled_does_no_further_step(browser: Browser, site: Site) -> None:
    await show(browser, site, COUNTER.replace('onclick="', "onclick=\"fetch('/added'); "))
    waiting = click("#add", condition=when("#none", "exists", 30_000))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: act(browser, click("#add"), waiting, click("#add")))
        with trio.fail_after(20):
            while "/added" not in site.paths():  # noqa: ASYNC110 - the site is another thread
                await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    assert await text(browser) == "1"


async def test_no_error_of_a_step_is_an_error_of_the_request(browser: Browser, site: Site) -> None:
    await show(browser, site)
    navigate = {"action": "page/navigate", "params": {"url": "http://127.0.0.1:1/"}}
    try:
        result = await act(browser, navigate, miss(), stopOnFirstError=False)
    except AgentBrowserError as error:
        pytest.fail(f"the request failed: {error}")
    assert [step["error"]["code"] for step in result["results"]] == [-32015, -32012]


async def test_a_repeat_under_the_same_key_clicks_no_more(browser: Browser, site: Site) -> None:
    await show(browser, site)
    for _ in range(2):
        direct = await browser.request("action/click", click("#add")["params"] | {"idempotencyKey": "click"})
        result = await act(browser, click("#add"), click("#add"), idempotencyKey="act")
    assert (result["completed"], direct["navigated"]) == (2, False)
    assert await text(browser) == "3"
    pages = [await browser.request("page/create", {"idempotencyKey": "page"}) for _ in range(2)]
    assert pages[0] == pages[1]
    listed = await browser.request("page/list")
    assert (len(listed["pages"]), listed["activePage"]) == (2, pages[0]["id"])
    assert await browser.request("browser/launch", {"idempotencyKey": "launch"})
