"""Looks in the same request as an action: ``observe`` of actions and of page/navigate."""

from typing import Any

import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.protocol.errors import ElementNotFound, InvalidParams
from tests.browser.site import Site

ADD = "document.body.insertAdjacentHTML('beforeend', '<button>Undo</button>')"


async def show(browser: Browser, site: Site, onclick: str, **params: Any) -> None:
    """Open a page with one button, and look at it."""
    url = site.html("/", f'<button id=go onclick="{onclick}">Go</button>', title="Start")
    await browser.request("page/navigate", {"url": url, "observe": {"format": "text"}, **params})


async def click(browser: Browser, css: str = "#go", **params: Any) -> dict[str, Any]:
    return dict(await browser.request("action/click", {"selector": css, "observe": "changes", **params}))


async def test_an_action_reports_what_it_has_changed(browser: Browser, site: Site) -> None:
    await show(browser, site, f"setTimeout(() => {{ {ADD.replace(chr(34), chr(39))} }}, 100)")
    assert (await click(browser))["observation"] == {"text": 'changes\n+ @undo button "Undo"'}
    hovered = await browser.request("action/hover", {"selector": "#go", "observe": "changes"})
    assert hovered["observation"]["text"] == "no changes"


async def test_a_late_effect_is_not_denied_by_the_result(browser: Browser, site: Site) -> None:
    late = "setTimeout(() => document.querySelector('p').textContent += 'x', 200)"
    url = site.html("/", f'<div id=go onclick="{late}">Go</div><div id=no onclick="0">No</div><p>a</p>')
    await browser.request("page/navigate", {"url": url, "observe": {"format": "text"}})
    assert "noEffect" not in await click(browser)
    assert (await click(browser, "#no"))["noEffect"]
    step, nothing = ({"action": "action/click", "params": {"selector": one}} for one in ("#go", "#no"))
    for look in ("changes", {"incremental": True}):
        done = await browser.request("agent/act", {"steps": [step], "postObserve": look})
        assert "noEffect" not in done["results"][0]["result"]
        done = await browser.request("agent/act", {"steps": [nothing], "postObserve": look})
        assert done["results"][0]["result"]["noEffect"]


async def test_words_that_are_back_after_others_are_reported(browser: Browser, site: Site) -> None:
    slow = "const say = (words) => document.querySelector('p').textContent = words; say('Saving…'); "
    done = slow + "setTimeout(() => say('All changes saved'), 200)"
    url = site.html("/", f'<button id=go onclick="{done}">Go</button><p>All changes saved</p><p>Other</p>')
    await browser.request("page/navigate", {"url": url, "observe": {"format": "text"}})
    assert (await click(browser))["observation"]["text"] == 'changes\n+ "All changes saved" again'
    seen = (await click(browser, observe={"incremental": True}))["observation"]["changes"]["words"]
    assert [(one["kind"], one["block"]["parts"][0]["text"]) for one in seen] == [("repeated", "All changes saved")]
    hovered = await browser.request("action/hover", {"selector": "#go", "observe": "changes"})
    assert hovered["observation"]["text"] == "no changes"


async def test_the_look_of_an_action_takes_the_params_of_a_look(browser: Browser, site: Site) -> None:
    await show(browser, site, ADD)
    seen = (await click(browser, observe={"incremental": True}))["observation"]
    assert [one["name"] for one in seen["changes"]["added"]] == ["Undo"]
    full = (await click(browser, observe={"maxElements": 1}))["observation"]
    assert [one["name"] for one in full["interactiveElements"]] == ["Go"]
    with pytest.raises(InvalidParams) as caught:
        await click(browser, observe={"maxElements": 0})
    assert caught.value.details["path"] == "observe.maxElements"


async def test_the_look_after_a_link_is_a_full_one_of_the_next_document(browser: Browser, site: Site) -> None:
    next_url = site.html("/next", "<button>There</button>", title="Next")
    await show(browser, site, f"location.href = '{next_url}'")
    seen = (await click(browser))["observation"]
    assert (seen["full"], seen["text"].splitlines()[1:]) == ("document", ['@there button "There"'])


async def test_the_look_at_a_page_that_is_loaded_again_leaves_out_what_is_as_before(
    browser: Browser, site: Site
) -> None:
    links = "".join(f"<p><a href='#{n}'>Chapter {n} of the handbook</a></p>" for n in range(12))
    add = "document.querySelector('main').prepend(location.search.slice(1) || 'Welcome')"
    form = "<form><input type=hidden name=saved value=1><input aria-label=Name><button id=go>Save</button></form>"
    url = site.html("/", f"<main>{links}{form}<p id=old>Draft</p><script>{add}</script></main>", title="Users")
    await browser.request("page/navigate", {"url": url, "observe": {"format": "text"}})
    for name in ("Ada", "Eve"):
        await browser.request("action/fill", {"selector": "input[aria-label]", "value": name})
    await browser.request("script/evaluate", {"expression": "old.textContent = 'Changed'", "world": "main"})
    await browser.request("agent/observe", {"incremental": True, "format": "text"})
    seen = (await click(browser))["observation"]
    page, *lines = seen["text"].splitlines()
    assert (seen["full"], page.split()[1]) == ("document", '"Users"')
    assert lines == [
        "main",
        '"saved=1"',
        "... 1 line as before",
        '@name textbox "Name" @go button "Save"',
        '"Draft"',
        "gone",
        '"Welcome"',
        '"Changed"',
    ]
    left_out = {"type": "ref", "value": "@chapter0ofthe"}
    assert "#0" in (await browser.request("action/click", {"selector": left_out}))["url"]


async def test_an_open_dialog_is_in_the_look(browser: Browser, site: Site) -> None:
    await browser.request("events/subscribe", {"events": ["dialog"]})
    await show(browser, site, "setTimeout(() => alert('Stop'))")
    result = await click(browser)
    assert result["dialog"]["message"] == "Stop"
    assert "observationError" not in result
    await browser.request("dialog/handle", {"action": "dismiss"})


async def test_the_result_of_an_action_that_closes_its_page_is_not_lost(browser: Browser, site: Site) -> None:
    url = site.html("/popup", "<button onclick='window.close()'>Close</button>")
    await show(browser, site, f"window.open('{url}')")
    opened = (await click(browser))["newPages"]
    page_id = opened[0]["pageId"]
    await browser.request("page/waitFor", {"pageId": page_id, "idle": True})
    result = await click(browser, "button", pageId=page_id)
    assert "navigated" in result
    assert result["observationError"]["message"]


async def test_the_result_is_not_lost_when_the_time_is_over(browser: Browser, site: Site) -> None:
    await show(browser, site, "setTimeout(() => { for (;;); }, 800)")
    result = await click(browser, options={"timeout": 1})
    assert "observation" not in result
    assert "no time left" in result["observationError"]["message"]


async def test_a_failed_action_has_no_look(browser: Browser, site: Site) -> None:
    await show(browser, site, ADD)
    with pytest.raises(ElementNotFound):
        await click(browser, "#none", options={"timeout": 50})


async def test_steps_report_their_changes(browser: Browser, site: Site) -> None:
    await show(browser, site, ADD)
    step = {"action": "action/click", "params": {"selector": "#go", "observe": "changes"}}
    plain = {"action": "action/click", "params": {"selector": "#go"}}
    done = await browser.request("agent/act", {"steps": [step, plain, plain], "postObserve": "changes"})
    assert done["results"][0]["result"]["observation"]["text"] == 'changes\n+ @undo button "Undo"'
    assert "observation" not in done["results"][1]["result"]
    assert done["postObservation"]["text"].splitlines() == [
        "changes", '+ @undo2 button "Undo"', '+ @undo3 button "Undo"',
    ]  # fmt: skip


async def test_a_navigation_reports_a_full_look_or_why_there_is_none(browser: Browser, site: Site) -> None:
    url = site.html("/", "<button>Go</button>")
    loaded = await browser.request("page/navigate", {"url": url, "observe": "changes"})
    assert loaded["observation"]["full"] == "first"
    assert loaded["observation"]["text"].splitlines()[1:] == ['@go button "Go"']
    again = await browser.request("page/navigate", {"url": f"{url}#part", "observe": "changes"})
    assert again["observation"]["text"].startswith("changes\npage ")
    wrong = await browser.request("page/navigate", {"url": url, "observe": {"cursor": "1@none"}})
    assert "cursor" in wrong["observationError"]["message"]


async def test_a_download_that_begins_while_the_look_waits_is_in_the_result(browser: Browser, site: Site) -> None:
    file = site.serve("/report.csv", b"a,b", Content_Disposition="attachment")
    held = site.hold("/report.csv")
    await show(browser, site, f"document.querySelector('iframe').src = '{held}'")
    await browser.request("script/evaluate", {"expression": "document.body.append(document.createElement('iframe'))"})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(release_when_asked, site, "/report.csv")
        clicked = await click(browser)
    download = clicked["download"]
    assert (download["suggestedName"], download["url"]) == ("report.csv", file)
    hovered = await browser.request("action/hover", {"selector": "#go", "observe": "changes"})
    assert "download" not in hovered


async def release_when_asked(site: Site, path: str) -> None:
    while path not in site.paths():  # noqa: ASYNC110 - it comes in a thread
        await trio.sleep(0.01)
    await trio.sleep(0.2)  # longer than a click takes: the look waits
    site.held.pop(path).set()
