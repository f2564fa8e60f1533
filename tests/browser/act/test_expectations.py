"""Expected outcomes of steps, on a real page; and conditions and observations where pages are difficult."""

from typing import Any

import pytest

from agentbrowser.client import Browser
from agentbrowser.protocol.errors import InvalidParams
from tests.browser.site import Site
from tests.each import in_parts

SOON = {"timeout": 300}


def css(value: str) -> dict[str, Any]:
    return {"type": "css", "value": value}


def click(value: str = "#go", **step: Any) -> dict[str, Any]:
    return {"action": "action/click", "params": {"selector": css(value)}, **step}


def fill(value: str, text: str, **step: Any) -> dict[str, Any]:
    return {"action": "action/fill", "params": {"selector": css(value), "value": text}, **step}


async def act(browser: Browser, *steps: dict[str, Any], **params: Any) -> Any:
    return await browser.request("agent/act", {"steps": list(steps), **params})


async def show(browser: Browser, site: Site, html: str) -> None:
    await browser.request("page/navigate", {"url": site.html("/", html)})


async def text(browser: Browser, value: str) -> str:
    params = {"selector": css(value), "properties": ["text"]}
    return str((await browser.request("observe/element", params))["text"])


def button(script: str, *, after_ms: int = 0) -> str:
    """Return a button that counts its clicks and then, perhaps later, does what the script says."""
    later = f"setTimeout(() => {{ {script} }}, {after_ms})" if after_ms else script
    return f'<p id=n>0</p><button id=go onclick="n.textContent = +n.textContent + 1; {later}">Go</button>'


LEADS_TO: list[tuple[str, str, dict[str, Any]]] = [
    ("<p id=t style='display:none'>x</p>", "t.style.display = ''", {"selector": css("#t"), "state": "visible"}),
    ("<p id=t>x</p>", "t.remove()", {"selector": css("#t"), "state": "hidden"}),
    ("<input id=t disabled>", "t.disabled = false", {"selector": css("#t"), "state": "enabled"}),
    ("<input id=t>", "t.disabled = true", {"selector": css("#t"), "state": "disabled"}),
    ("<p id=t></p>", "t.append('Thank  you')", {"text": "thank you"}),
    ("", "history.pushState(0, '', '/done?step=2')", {"url": "/done?step"}),
    ("", "history.pushState(0, '', '/done/2')", {"url": "http://*/done/*"}),
    ("<input id=t>", "t.value = 'Paris'", {"selector": css("#t"), "value": "Paris"}),
    ("<textarea id=t></textarea>", "t.value = 'a\\nb'", {"selector": css("#t"), "value": "a\r\nb"}),
    ("<div id=t contenteditable></div>", "t.textContent = 'Hello'", {"selector": css("#t"), "value": "Hello"}),
    ("<input id=t type=checkbox>", "t.checked = true", {"selector": css("#t"), "value": True}),
    (
        "<label id=l><input id=t type=checkbox checked>x</label>",
        "t.checked = 0",
        {"selector": css("#l"), "value": False},
    ),
    ("<i id=t role=switch aria-checked=false>x</i>", "t.ariaChecked = 'true'", {"selector": css("#t"), "value": True}),
    ("<select id=t><option>a<option>b</select>", "t.value = 'b'", {"selector": css("#t"), "value": "b"}),
    (
        "<select id=t multiple><option>a<option>b<option>c</select>",
        "t.options[0].selected = t.options[2].selected = true",
        {"selector": css("#t"), "value": ["c", "a"]},
    ),
    (
        "<input id=t><p id=u hidden>Saved</p>",
        "t.value = 'x'; setTimeout(() => u.hidden = false, 60)",
        {"selector": css("#t"), "value": "x", "state": "enabled", "text": "Saved", "url": "/"},
    ),
]


@pytest.mark.parametrize("cases", in_parts(LEADS_TO, 2))
async def test_what_is_expected_is_waited_for(
    browser: Browser, site: Site, cases: list[tuple[str, str, dict[str, Any]]]
) -> None:
    for html, script, expect in cases:
        await show(browser, site, html + button(script, after_ms=120))
        result = await act(browser, click(expect=expect))
        assert result["success"], (html, result)
        assert await text(browser, "#n") == "1"


NOT_THERE: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("<p id=t style='visibility:hidden'>x</p>", {"selector": css("#t"), "state": "visible"}, {"state": "hidden"}),
    ("<p id=t>x</p>", {"selector": css("#t"), "state": "hidden"}, {"state": "visible"}),
    ("<p>x</p><p>x</p>", {"selector": css("p"), "state": "hidden"}, {"state": "visible"}),
    ("", {"selector": css("#t"), "state": "exists"}, {"state": "absent"}),
    ("", {"selector": {"type": "ref", "value": "@none"}, "state": "hidden"}, {"state": "never observed"}),
    ("<input id=t>", {"selector": css("#t"), "state": "disabled"}, {"state": "enabled"}),
    ("<p hidden>Thank you</p>", {"text": "Thank you"}, {"text": None}),
    ("<p>Hello <i hidden>you</i></p>", {"text": "you"}, {"text": None}),
    ("<input id=t value=Rome>", {"selector": css("#t"), "value": "Paris"}, {"value": "Rome"}),
    ("<input id=t type=checkbox>", {"selector": css("#t"), "value": True}, {"value": False}),
    ("<input id=t type=checkbox>", {"selector": css("#t"), "value": "on"}, {"value": False}),
    ("<p id=t>x</p>", {"selector": css("#t"), "value": "x"}, {"value": None}),
    ("<input id=t value=1>", {"selector": css("#t"), "value": "2", "text": "Go"}, {"value": "1"}),
    ("", {"selector": css("#t"), "value": "x"}, {"value": None}),
]


@pytest.mark.parametrize("cases", in_parts(NOT_THERE, 2))
async def test_what_is_not_there_is_an_error_that_says_what_is(
    browser: Browser, site: Site, cases: list[tuple[str, dict[str, Any], dict[str, Any]]]
) -> None:
    for html, expect, got in cases:
        await show(browser, site, html + button(""))
        result = await act(browser, click(expect=expect | SOON), click())
        (step,) = result["results"]
        assert (result["completed"], result["failedAt"], step["success"]) == (0, 0, False), html
        assert step["error"]["code"] == -32021
        assert step["error"]["data"]["retryable"] is False
        details = step["error"]["data"]["details"]
        assert (details["action"], details["reason"], details["got"]) == ("action/click", "not as expected", got)
        about = {"selector"} if "text" not in got else set()
        assert details["expected"] == {name: expect[name] for name in {*got, *about}}
        named = [f'{name} "{expect[name]}"' if name in ("text", "url", "state") else name for name in got]
        assert step["error"]["message"].endswith(f" ms: {', '.join(named)}.")
        assert step["result"]["url"] == site.url("/")
        assert await text(browser, "#n") == "1"


async def test_a_url_that_is_not_the_expected_one_is_told_without_its_secrets(browser: Browser, site: Site) -> None:
    await show(browser, site, button("history.pushState(0, '', '/in?token=s3cr3t-t0ken')"))
    result = await act(browser, click(expect={"url": "http://*/welcome", **SOON}))
    details = result["results"][0]["error"]["data"]["details"]
    assert details["expected"] == {"url": "http://*/welcome"}
    assert "/in" in details["got"]["url"]
    assert "s3cr3t" not in str(details)


async def test_a_glob_is_for_all_of_the_url_and_other_text_for_a_part(browser: Browser, site: Site) -> None:
    await show(browser, site, button("history.pushState(0, '', '/a/b')"))
    for url, holds in [("/a/", True), ("**/a/*", True), ("*/a", False), ("/b/", False)]:
        result = await act(browser, click(expect={"url": url, "timeout": 1}))
        assert result["success"] is holds, url


async def test_the_value_is_that_of_the_steps_own_element(browser: Browser, site: Site) -> None:
    await show(browser, site, '<input id=t><input id=u oninput="this.value = this.value.toUpperCase()">')
    kept = fill("#t", "Ada", expect={"value": "Ada"})
    changed = fill("#t", "Grace", expect={"value": "Ada", **SOON})
    result = await act(browser, kept, changed, stopOnFirstError=False)
    assert [step["success"] for step in result["results"]] == [True, False]
    assert result["results"][1]["error"]["data"]["details"]["got"] == {"value": "Grace"}


async def test_the_value_may_be_that_of_an_element_in_a_frame(browser: Browser, site: Site) -> None:
    inner = site.html("/inner", "<input id=name aria-label=Name><input id=other value=x>")
    await show(browser, site, f"<iframe src='{inner}'></iframe><iframe src='about:blank'></iframe>")
    seen = (await browser.request("agent/observe"))["interactiveElements"]
    name, other = ({"type": "ref", "value": one["ref"]} for one in seen)
    step = {"action": "action/fill", "params": {"selector": name, "value": "Ada"}}
    for expect, holds in [({"value": "Ada"}, True), ({"selector": other, "value": "y", "timeout": 50}, False)]:
        result = await act(browser, {**step, "expect": expect})
        assert result["success"] is holds, result
    assert result["results"][0]["error"]["data"]["details"]["got"] == {"value": "x"}


async def test_the_text_may_be_in_any_visible_frame(browser: Browser, site: Site) -> None:
    deep = site.html("/deep", "<button id=b onclick='o.textContent = \"Request sent\"'>Send</button><p id=o></p>")
    inner = site.html("/inner", f"<iframe src='{deep}'></iframe>")
    hidden = site.html("/hidden", "<p>Never shown</p>")
    await show(browser, site, f"<iframe src='{inner}'></iframe><iframe src='{hidden}' style='display: none'></iframe>")
    (send,) = (await browser.request("agent/observe"))["interactiveElements"]
    step = {"action": "action/click", "params": {"selector": {"type": "ref", "value": send["ref"]}}}
    for expected, holds in [("Request sent", True), ("Never shown", False)]:
        result = await act(browser, {**step, "expect": {"text": expected, **SOON}})
        assert result["success"] is holds, result


async def test_what_a_field_for_secrets_holds_is_neither_told_nor_guessed(browser: Browser, site: Site) -> None:
    await show(browser, site, "<input id=t type=password value=hunter2>")
    for guess in ("hunter2", "hunter3"):
        result = await act(browser, {**click("#t"), "expect": {"value": guess}})
        error = result["results"][0]["error"]
        assert error["data"]["details"]["reason"] == "the value is a secret"
        assert "hunter" not in str(error)


async def test_the_page_may_go_on_to_another_document(browser: Browser, site: Site) -> None:
    there = site.html("/there", "<script>setTimeout(() => document.body.append('Welcome'), 100)</script>")
    await show(browser, site, button(f"setTimeout(() => location.href = '{there}', 100)"))
    result = await act(browser, click(expect={"url": "/there", "text": "Welcome"}))
    assert result["success"], result


async def test_a_condition_is_waited_for_across_documents(browser: Browser, site: Site) -> None:
    there = site.html("/there", "<script>setTimeout(() => document.body.innerHTML = '<b id=b>x</b>', 100)</script>")
    await show(browser, site, button(f"setTimeout(() => location.href = '{there}', 100)"))
    condition = {"selector": css("#b"), "state": "visible"}
    result = await act(browser, click(), click("#b", condition=condition))
    assert result["success"], result


async def test_a_retry_does_the_action_again(browser: Browser, site: Site) -> None:
    await show(browser, site, button(""))
    retried = click(onError="retry", maxRetries=3, retryDelay=100, expect={"selector": css("#n"), "state": "hidden"})
    retried["expect"] |= {"timeout": 50}
    result = await act(browser, retried)
    assert (result["results"][0]["retries"], await text(browser, "#n")) == (3, "4")
    retried["expect"] = {"text": "6", "timeout": 50}
    result = await act(browser, retried)
    assert result["success"], result
    assert (result["results"][0]["retries"], await text(browser, "#n")) == (1, "6")


@pytest.mark.parametrize(("on_error", "clicks"), [("stop", "1"), ("skip", "2")])
async def test_the_rules_for_errors_are_those_of_any_error(
    browser: Browser, site: Site, on_error: str, clicks: str
) -> None:
    await show(browser, site, button(""))
    result = await act(browser, click(onError=on_error, expect={"text": "nowhere", "timeout": 50}), click())
    assert (result["failedAt"], await text(browser, "#n")) == (0, clicks)


async def test_a_dialog_that_was_not_expected_is_named(browser: Browser, site: Site) -> None:
    await show(browser, site, button("confirm('Sure?')"))
    result = await act(browser, click(expect={"text": "Saved", "url": "/nowhere", **SOON}))
    (step,) = result["results"]
    assert step["error"]["data"]["details"]["got"] == {"url": site.url("/"), "dialog": "confirm"}
    assert "the page has a dialog open (confirm)" in step["error"]["message"]
    assert step["error"]["data"]["recoveryHint"].startswith("Answer the dialog")
    assert step["error"]["data"]["details"]["expected"] == {"url": "/nowhere", "text": "Saved"}
    assert step["result"]["dialog"]["message"] == "Sure?"
    await browser.request("dialog/handle", {"action": "accept"})


async def test_a_condition_behind_a_dialog_is_given_up_in_its_own_time(browser: Browser, site: Site) -> None:
    await show(browser, site, button("confirm('Sure?')"))
    condition = {"selector": css("#go"), "state": "visible", **SOON}
    result = await act(browser, click(), click(condition=condition))
    assert [step["success"] for step in result["results"]] == [True, False]
    details = result["results"][1]["error"]["data"]["details"]
    assert (details["reason"], details["dialog"]["message"]) == ("a dialog is open", "Sure?")
    await browser.request("dialog/handle", {"action": "accept"})


UNFIT: list[tuple[dict[str, Any], str]] = [
    ({}, "expect"),
    ({"timeout": 10}, "expect"),
    ({"state": "visible"}, "expect.selector"),
    ({"selector": css("p")}, "expect.state"),
    ({"selector": css("p"), "url": "/"}, "expect.state"),
    ({"selector": css("p"), "state": "edible"}, "expect.state"),
    ({"url": ""}, "expect.url"),
    ({"url": "*{a"}, "expect.url"),
    ({"url": 7}, "expect.url"),
    ({"text": ""}, "expect.text"),
    ({"value": 7}, "expect.value"),
    ({"text": "x", "timeout": 0}, "expect.timeout"),
    ({"txt": "x"}, "expect.txt"),
]


async def test_an_expectation_that_means_nothing_is_refused_before_anything_runs(browser: Browser, site: Site) -> None:
    await show(browser, site, button(""))
    for expect, path in UNFIT:
        with pytest.raises(InvalidParams) as caught:
            await act(browser, click(), click(expect=expect))
        assert caught.value.details["path"] == f"steps[1].{path}"
    with pytest.raises(InvalidParams) as caught:
        await act(browser, click(), {"action": "page/reload", "expect": {"value": "x"}})
    assert caught.value.details["path"] == "steps[1].expect.selector"
    with pytest.raises(InvalidParams) as caught:
        await act(browser, {"action": "action/click", "params": {"selctor": css("#n")}})
    details = caught.value.details
    assert (details["path"], details["nearest"]) == ("steps[0].params.selctor", "steps[0].params.selector")
    assert await text(browser, "#n") == "0"
