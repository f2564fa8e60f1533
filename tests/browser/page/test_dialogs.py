"""Dialogs: events, answers of the client, default answers, and timeouts."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import attrs
import pytest
import trio

from agentbrowser.browser.page import dialogs
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import dialog, page
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.action import ActionDialog
from agentbrowser.protocol.types.event import DialogEvent, PageEvent
from agentbrowser.protocol.types.page import Dialog, ListedPage
from agentbrowser.server.app import Server, open_server
from tests.browser.site import Site

TIMEOUT_S = 60.0
BRIEF_S = 1.5
"""After which a dialog is dismissed, in the tests of that."""
AT_ONCE_S = 20.0
"""A request that takes less did not wait until the dialog timed out."""
OVER_S = 30.0

briefly = pytest.mark.parametrize("dialog_timeout_s", [BRIEF_S], ids=[""])

ASKING = """
<button id=alert onclick="alert('Hi'); log('told')">a</button>
<button id=confirm onclick="log(confirm('Sure?'))">c</button>
<button id=prompt onclick="log(prompt('Who?', 'Ada'))">p</button>
<button id=chain onclick="log([confirm(1), confirm(2), confirm(3)])">h</button>
<button id=later onclick="setTimeout(() => log(confirm('Later?')))">l</button>
<button id=storm onclick="while (true) alert('!')">s</button>
<button id=plain onclick="log('plain')">n</button>
<script>const log = what => { document.title = `${document.title} ${what}`.trim() }</script>
"""
LEAVING = "<input><script>onbeforeunload = event => event.preventDefault()</script>"


@pytest.fixture
def dialog_timeout_s() -> float:
    return TIMEOUT_S


@pytest.fixture
def config(dialog_timeout_s: float) -> Config:
    return Config(port=0, scope=Scope.STANDARD, dialog_timeout_s=dialog_timeout_s, drain_timeout_s=1)


@pytest.fixture
async def browser(server: Server, site: Site) -> AsyncIterator[Browser]:
    async with server.connect() as browser:
        await browser.call(page.navigate, url=site.html("/", ASKING))
        yield browser


async def click(browser: Browser, name: str, **options: Any) -> dict[str, Any]:
    selector = {"type": "css", "value": f"#{name}"}
    result: dict[str, Any] = await browser.request("action/click", {"selector": selector, "options": options})
    return result


async def until(browser: Browser, holds: Callable[[list[ListedPage]], bool]) -> None:
    """Wait until the list of pages is as expected."""
    with trio.fail_after(OVER_S):
        while not holds((await browser.call(page.list_pages)).pages):  # noqa: ASYNC110 - a page is not ours to wait for
            await trio.sleep(0.02)


async def logs(browser: Browser, text: str) -> None:
    """Wait until the page has written exactly this."""
    await until(browser, lambda pages: pages[0].title == text)


async def ignore_dialogs(browser: Browser) -> None:
    await browser.request("events/unsubscribe", {"events": ["dialog"]})


async def test_a_dialog_is_dismissed_at_once_without_a_subscription(browser: Browser) -> None:
    await ignore_dialogs(browser)
    with trio.fail_after(AT_ONCE_S):
        result = await click(browser, "confirm")
        assert result["dialog"] == {"type": "confirm", "message": "Sure?", "answered": "dismissed"}
        await logs(browser, "false")
        assert (await click(browser, "alert"))["dialog"]["type"] == "alert"


async def test_a_click_returns_with_the_dialog_it_opened_and_the_client_answers_it(browser: Browser) -> None:
    with trio.fail_after(AT_ONCE_S):
        result = await click(browser, "prompt")
        assert result["dialog"] == {
            "type": "prompt",
            "message": "Who?",
            "defaultValue": "Ada",
            "answered": "open",
        }
        answered = await browser.call(dialog.handle, action="accept", prompt_text="Grace")
        assert answered.handled
        assert answered.dialog == Dialog(type="prompt", message="Who?", default_value="Ada")
        await logs(browser, "Grace")


@pytest.mark.parametrize(("action", "said"), [("accept", "Ada"), ("dismiss", "null")])
async def test_a_prompt_without_a_text_keeps_its_default(browser: Browser, action: Any, said: str) -> None:
    await click(browser, "prompt")
    await browser.call(dialog.handle, action=action)
    await logs(browser, said)


async def test_an_open_dialog_shows_in_the_list_and_in_observations(browser: Browser, site: Site) -> None:
    await click(browser, "confirm")
    with trio.fail_after(AT_ONCE_S):
        (listed,) = (await browser.call(page.list_pages)).pages
        assert listed.dialog == Dialog(type="confirm", message="Sure?")
        seen = await browser.request("agent/observe")
    assert seen["metadata"]["dialog"] == {"type": "confirm", "message": "Sure?"}
    assert seen["metadata"]["url"] == site.url("/")
    await browser.call(dialog.handle, action="accept")
    (listed,) = (await browser.call(page.list_pages)).pages
    assert listed.dialog is None


@briefly
async def test_an_unanswered_dialog_is_dismissed_and_waiting_requests_continue(browser: Browser) -> None:
    assert (await click(browser, "confirm"))["dialog"]["type"] == "confirm"
    (listed,) = (await browser.call(page.list_pages)).pages
    assert listed.dialog is not None
    with trio.fail_after(OVER_S):
        await click(browser, "plain")
    await logs(browser, "false plain")


@briefly
async def test_the_dialog_of_a_click_that_has_waited_for_another_dialog_is_the_clients(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The click comes within the time in which the next dialog counts as one of the same script."""
    monkeypatch.setattr(dialogs, "_SAME_SCRIPT_S", OVER_S)
    assert (await click(browser, "confirm"))["dialog"]["answered"] == "open"
    assert (await click(browser, "prompt"))["dialog"]["answered"] == "open"
    await browser.call(dialog.handle, action="accept", prompt_text="Lin")
    await logs(browser, "false Lin")


async def test_a_dialog_that_a_timer_opens_is_in_the_result_too(browser: Browser) -> None:
    assert (await click(browser, "later"))["dialog"]["message"] == "Later?"
    await browser.call(dialog.handle, action="accept")
    await logs(browser, "true")


@pytest.mark.parametrize("dialog_timeout_s", [6.0], ids=[""])
async def test_the_rest_of_a_chain_is_dismissed_at_once_when_its_first_is_ignored(
    browser: Browser, dialog_timeout_s: float
) -> None:
    with trio.fail_after(2 * dialog_timeout_s):  # less than each of the three has by itself
        await click(browser, "chain")
        await logs(browser, "false,false,false")


async def test_a_chain_can_be_answered_one_by_one(browser: Browser) -> None:
    await click(browser, "chain")
    answers = []
    for action in ("accept", "dismiss", "accept"):
        await until(browser, lambda pages: pages[0].dialog is not None)
        answers.append(await browser.call(dialog.handle, action=action))
    assert [answer.dialog and answer.dialog.message for answer in answers] == ["1", "2", "3"]
    await logs(browser, "true,false,true")


@briefly
async def test_an_answer_is_armed_for_the_next_dialog_and_no_further(browser: Browser) -> None:
    armed = await browser.call(dialog.handle, action="accept", prompt_text="Grace")
    assert not armed.handled
    with trio.fail_after(AT_ONCE_S):
        asked = (await click(browser, "prompt"))["dialog"]
        assert (asked["message"], asked["answered"]) == ("Who?", "accepted")
        await logs(browser, "Grace")
    await click(browser, "confirm")
    await logs(browser, "Grace false")


@briefly
async def test_an_answer_that_comes_too_late_is_not_armed_for_another_dialog(browser: Browser) -> None:
    await click(browser, "confirm")
    await logs(browser, "false")
    with pytest.raises(errors.ActionFailed, match='nobody answered the confirm "Sure\\?" in time'):
        await browser.call(dialog.handle, action="accept")
    await browser.request("events/subscribe", {"events": ["dialog"], "dialogTimeout": 60_000})
    assert (await click(browser, "prompt"))["dialog"]["answered"] == "open"
    await browser.call(dialog.handle, action="accept", prompt_text="Lin")
    await logs(browser, "false Lin")
    assert not (await browser.call(dialog.handle, action="dismiss")).handled


async def test_an_answer_is_armed_only_where_that_is_wanted_and_can_be_taken_back(browser: Browser) -> None:
    with pytest.raises(errors.ActionFailed, match="no dialog is open"):
        await browser.call(dialog.handle, action="accept", arm=False)
    assert (await click(browser, "confirm"))["dialog"]["answered"] == "open"
    assert not (await browser.call(dialog.handle, action="disarm")).handled
    assert (await browser.call(dialog.handle, action="accept", arm=False)).handled
    await browser.call(dialog.handle, action="accept")
    assert (await browser.call(dialog.handle, action="disarm")).handled
    assert (await click(browser, "confirm"))["dialog"]["answered"] == "open"


@briefly
async def test_a_client_may_ask_for_more_time_to_answer(browser: Browser, dialog_timeout_s: float) -> None:
    await browser.request("events/subscribe", {"events": ["dialog"], "dialogTimeout": 60_000})
    await click(browser, "confirm")
    await trio.sleep(dialog_timeout_s + 1)
    assert (await browser.call(dialog.handle, action="accept")).handled
    await logs(browser, "true")


async def test_a_request_that_times_out_behind_a_dialog_names_the_dialog(browser: Browser, server: Server) -> None:
    await click(browser, "confirm")
    with pytest.raises(errors.Timeout) as caught:
        await browser.request("observe/content", {"timeout": 400})
    assert caught.value.details["dialog"] == {"type": "confirm", "message": "Sure?"}
    assert "dialog/handle" in str(caught.value.recovery_hint)


async def test_a_request_does_not_wait_for_a_dialog_that_stays_open_longer_than_it(browser: Browser) -> None:
    await click(browser, "confirm")
    with trio.fail_after(AT_ONCE_S), pytest.raises(errors.Timeout) as caught:
        await browser.request("observe/content")
    assert caught.value.details["dialog"] == {"type": "confirm", "message": "Sure?"}


async def test_the_event_comes_before_the_result(browser: Browser) -> None:
    async with browser.events("dialog") as events:
        await click(browser, "prompt")
        with trio.fail_after(AT_ONCE_S):
            event = await anext(aiter(events))
    assert isinstance(event, DialogEvent)
    assert (event.type, event.default_value) == ("prompt", "Ada")


@briefly
async def test_leaving_waits_for_the_client_until_the_timeout(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/leaving", LEAVING))
    await browser.request("action/type", {"selector": {"type": "css", "value": "input"}, "text": "x"})
    async with browser.events("dialog") as events, trio.open_nursery() as nursery:
        nursery.start_soon(lambda: browser.call(page.navigate, url=site.url("/")))
        with trio.fail_after(OVER_S):
            event = await anext(aiter(events))
            assert isinstance(event, DialogEvent)
            assert event.type == "beforeunload"
    assert (await browser.call(page.list_pages)).pages[0].url == site.url("/")


async def test_leaving_can_be_refused(browser: Browser, site: Site) -> None:
    leaving = site.html("/leaving", LEAVING)
    await browser.call(page.navigate, url=leaving)
    await browser.request("action/type", {"selector": {"type": "css", "value": "input"}, "text": "x"})
    await browser.call(dialog.handle, action="dismiss")
    with pytest.raises(errors.NavigationFailed):
        await browser.call(page.navigate, url=site.url("/"))
    assert (await browser.call(page.list_pages)).pages[0].url == leaving


@briefly
async def test_a_page_answers_again_after_a_navigation_during_the_question_whether_to_leave(
    browser: Browser, site: Site
) -> None:
    """The page's own navigation asks first, and ours then waits behind that question."""
    html = f"<a id=a href='{site.url('/')}'>Leave</a>{LEAVING}"
    await browser.call(page.navigate, url=site.html("/leaving", html))
    await browser.request("action/type", {"selector": {"type": "css", "value": "input"}, "text": "x"})
    assert (await click(browser, "a"))["dialog"]["type"] == "beforeunload"
    other = site.html("/other", "<button id=other>o</button>")
    assert (await browser.call(page.navigate, url=other)).url == other
    await click(browser, "other")


async def test_a_page_closes_with_a_dialog_open_and_may_ask_first(browser: Browser, site: Site) -> None:
    first = (await browser.call(page.list_pages)).pages[0].id
    await click(browser, "alert")
    with trio.fail_after(AT_ONCE_S):
        await browser.call(page.close, page_id=first)
    second = await browser.call(page.create, url=site.html("/leaving", LEAVING))
    await browser.request("action/type", {"selector": {"type": "css", "value": "input"}, "text": "x"})
    await browser.call(dialog.handle, action="accept", page_id=second.id)
    await browser.call(page.close, page_id=second.id, run_before_unload=True)
    await until(browser, lambda pages: not pages)


@briefly
async def test_a_page_that_opens_dialogs_in_a_loop_is_closed(browser: Browser, site: Site) -> None:
    page_id = (await browser.call(page.list_pages)).pages[0].id
    async with browser.events("page") as events:
        await click(browser, "storm")
        with trio.fail_after(OVER_S):
            received = [event async for event in _until_close(events)]
    assert [event.type for event in received] == ["error", "close"]
    assert "20 dialogs in 1 s" in str(received[0].reason)
    with pytest.raises(errors.PageNotFound) as caught:
        await browser.request("observe/content", {"pageId": page_id})
    assert "20 dialogs" in caught.value.message
    assert (await browser.call(page.navigate, url=site.url("/"))).status == 200


async def _until_close(events: Any) -> AsyncIterator[PageEvent]:
    async for event in events:
        yield event
        if event.type == "close":
            return


async def test_handling_needs_a_page_and_the_scope(config: Config, site: Site) -> None:
    async with open_server(attrs.evolve(config, scope=Scope.READONLY)) as server, server.connect() as browser:
        with pytest.raises(errors.ScopeDenied):
            await browser.call(dialog.handle, action="accept")
    async with open_server(config) as server, server.connect() as browser:
        with pytest.raises(errors.PageNotFound):
            await browser.call(dialog.handle, action="accept")
        with pytest.raises(errors.InvalidParams) as caught:
            await browser.request("dialog/handle", {"action": "maybe"})
        assert caught.value.details["path"] == "action"


@pytest.mark.parametrize(
    "opens",
    ["window.open('').prompt('Who?', 'Ada')", "window.open('about:blank').prompt('Who?', 'Ada')"],
    ids=["empty", "about:blank"],
)
async def test_a_dialog_of_a_new_popup_waits_for_the_client(browser: Browser, site: Site, opens: str) -> None:
    await browser.call(page.navigate, url=site.html("/", f'<button id=b onclick="document.title = {opens}">x</button>'))
    async with browser.events("dialog") as events:
        with trio.fail_after(AT_ONCE_S):
            result = await click(browser, "b")
            event = await anext(aiter(events))
    assert result["dialog"] == {"type": "prompt", "message": "Who?", "defaultValue": "Ada", "answered": "open"}
    assert isinstance(event, DialogEvent)
    assert [opened["pageId"] for opened in result["newPages"]] == [event.page_id]
    asked = Dialog(type="prompt", message="Who?", default_value="Ada")
    opener, popup = (await browser.call(page.list_pages)).pages
    assert (opener.dialog, popup.id, popup.dialog) == (None, event.page_id, asked)
    answered = await browser.call(dialog.handle, action="accept", prompt_text="Grace", page_id=popup.id)
    assert answered.handled
    await logs(browser, "Grace")


async def test_an_opener_that_its_popup_blocks_shows_the_dialog_and_can_answer_it(browser: Browser, site: Site) -> None:
    button = "<button id=b onclick=\"document.title = window.open('').confirm('Sure?')\">x</button>"
    await browser.call(page.navigate, url=site.html("/", button))
    await click(browser, "b")
    with trio.fail_after(AT_ONCE_S):
        seen = await browser.request("agent/observe")
        assert seen["metadata"]["dialog"] == {"type": "confirm", "message": "Sure?"}
        assert (await browser.call(dialog.handle, action="accept")).handled
        await logs(browser, "true")
        await click(browser, "b")


async def test_an_opener_shows_the_dialog_of_a_popup_of_its_origin(browser: Browser, site: Site) -> None:
    """The two share a thread: looks at the opener took until their deadline, and named no dialog."""
    site.html("/popup", "<script>alert('Popup')</script>")
    with trio.fail_after(AT_ONCE_S):
        await browser.call(page.navigate, url=site.html("/opener", "<script>open('/popup')</script>"))
        await until(browser, lambda pages: pages[-1].dialog is not None)
        seen = await browser.request("agent/observe")
        assert seen["metadata"]["dialog"] == {"type": "alert", "message": "Popup"}
        assert (await browser.call(dialog.handle, action="accept")).handled
        assert (await browser.request("agent/observe"))["metadata"]["url"] == site.url("/opener")


async def test_a_dialog_of_a_popup_ends_the_wait_of_a_look_at_its_opener(browser: Browser, site: Site) -> None:
    opens = f"window.open('').setTimeout('alert(1)', 500); fetch('{site.hold('/held')}')"
    await browser.call(page.navigate, url=site.html("/", f'<button id=b onclick="{opens}">x</button>'))
    await browser.request("events/subscribe", {"events": ["dialog"], "dialogTimeout": 60_000})
    first = (await browser.call(page.list_pages)).pages[0]
    await click(browser, "b")
    with trio.fail_after(AT_ONCE_S):
        seen = await browser.request("agent/observe", {"pageId": first.id, "settle": {"timeout": 30_000}})
        assert seen["metadata"]["dialog"] == {"type": "alert", "message": "1"}
        await browser.call(dialog.handle, action="accept", page_id=first.id)


async def test_a_dialog_of_a_popup_without_a_document_is_its_openers(browser: Browser, site: Site) -> None:
    button = "<button id=b onclick=\"window.open('javascript:opener.document.title = prompt(1)')\">x</button>"
    await browser.call(page.navigate, url=site.html("/", button))
    async with browser.events("dialog") as events:
        with trio.fail_after(AT_ONCE_S):
            await click(browser, "b")
            event = await anext(aiter(events))
            assert isinstance(event, DialogEvent)
            assert event.page_id == (await browser.call(page.list_pages)).pages[0].id
            assert (await browser.call(dialog.handle, action="accept", prompt_text="Grace")).handled
            await logs(browser, "Grace")


ASKING_AS_IT_LOADS = "<script>document.title = confirm('Enter?')</script><p>Inside"


async def test_a_load_that_waits_behind_a_dialog_returns_with_the_dialog_and_goes_on(
    browser: Browser, site: Site
) -> None:
    """It waited for its deadline, and failed: a client whose requests follow each other can't answer meanwhile."""
    url = site.html("/asking", ASKING_AS_IT_LOADS, title="Asking")
    asked = ActionDialog(type="confirm", message="Enter?", answered="open")
    with trio.fail_after(AT_ONCE_S):
        loaded = await browser.call(page.navigate, url=url, observe="changes")
        assert (loaded.url, loaded.title, loaded.status, loaded.dialog) == (url, "Asking", None, asked)
        assert loaded.observation is not None
        assert 'dialog confirm "Enter?"' in (loaded.observation.text or "")
        await browser.call(dialog.handle, action="accept")
        await logs(browser, "true")
        assert (await browser.request("page/waitFor", {"text": "Inside"}))["outcome"] == "met"
        moved = await browser.call(page.reload)
        assert (moved.navigated, moved.dialog) == (True, asked)
        await browser.call(dialog.handle, action="dismiss")
        await logs(browser, "false")
        await browser.call(page.navigate, url=site.html("/next", "next"))
        moved = await browser.call(page.go_back)
        assert (moved.url, moved.navigated, moved.dialog) == (url, True, asked)
        await browser.call(dialog.handle, action="accept")
        opened = await browser.call(page.create, url=url)
        assert opened.dialog == Dialog(type="confirm", message="Enter?")


async def test_a_navigation_that_the_page_asks_about_goes_on_once_it_is_allowed(browser: Browser, site: Site) -> None:
    leaving, other = site.html("/leaving", LEAVING), site.html("/other", "other", title="Other")
    await browser.call(page.navigate, url=leaving)
    await browser.request("action/type", {"selector": {"type": "css", "value": "input"}, "text": "x"})
    with trio.fail_after(AT_ONCE_S):
        for answer in ("dismiss", "accept"):
            asked = await browser.call(page.navigate, url=other)
            assert asked.url == leaving
            assert asked.dialog is not None
            assert (asked.dialog.type, asked.dialog.answered) == ("beforeunload", "open")
            assert (await browser.request("dialog/handle", {"action": answer}))["handled"]
        await logs(browser, "Other")
