"""Results and errors of the client's objects, from a server that is scripted."""

import json
import math
import traceback
from collections.abc import AsyncIterator, Callable
from typing import Any, cast

import attrs
import pytest
import trio
import trio.testing

from agentbrowser.client import Browser, ConnectionLost, ExtractionFailed, Page, SequenceFailed, connect, step
from agentbrowser.protocol.errors import AgentBrowserError, ElementNotFound, InvalidParams, Timeout
from tests.loop.scripted_peer import Call, Switchboard

NOT_FOUND = {"code": -32012, "message": "Nothing matches.", "data": {"retryable": True, "recoveryHint": "Look again."}}
CLICKED = {"url": "http://a/", "navigated": False}


@attrs.define(eq=False)
class Scene:
    """A client, and the server's side of its connection."""

    browser: Browser
    call: Call
    asked: list[dict[str, Any]] = attrs.field(factory=list)

    async def play(self, work: Any, *answers: dict[str, Any]) -> Any:
        """Run a call of the client, answer its requests in order, and return what it returns."""
        result: list[Any] = []

        async def run() -> None:
            result.append(await work())

        with trio.fail_after(5):
            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(run)
                    for answer in answers:
                        request = await self.call.hear()
                        self.asked.append(request)
                        await self.call.say(id=request["id"], **answer)
            except* AgentBrowserError as group:
                raise group.exceptions[0] from None
        return result[0]


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    async with Switchboard().client() as (browser, call):
        yield Scene(browser, call)


def result(**fields: Any) -> dict[str, Any]:
    return {"result": fields}


async def test_an_action_carries_its_key_and_the_look_only_where_given(scene: Scene) -> None:
    element = Page(scene.browser, "p")["@a"]
    look = {"text": "no changes"}
    done = await scene.play(
        lambda: element.click(observe="changes", idempotency_key="once", timeout_ms=5),
        result(**CLICKED, observation=look),
    )
    assert done.observation.text == "no changes"
    await scene.play(lambda: element.fill("x"), result(**CLICKED))
    first, second = (request["params"] for request in scene.asked)
    assert (first["observe"], first["idempotencyKey"], first["options"]["timeout"]) == ("changes", "once", 5)
    assert "observe" not in second
    assert second["idempotencyKey"] not in (None, "once")


@pytest.mark.parametrize("opened", ["q", {"pageId": "q", "url": "http://b/", "title": "B"}])
async def test_opened_pages_are_pages(scene: Scene, opened: Any) -> None:
    page = Page(scene.browser, "p")
    done = await scene.play(lambda: page["@a"].click(), result(**CLICKED, newPages=[opened]))
    assert done.new_pages == [Page(scene.browser, "q")]
    assert (await scene.play(lambda: page["@a"].click(), result(**CLICKED))).new_pages is None


@pytest.mark.parametrize(
    "download",
    [{"url": "http://a/f", "suggestedFilename": "f"}, {"downloadId": "d", "suggestedName": "f", "state": "started"}],
)
async def test_a_download_is_read_in_parts_once_it_is_over(
    scene: Scene, download: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    done = await scene.play(lambda: Page(scene.browser)["@a"].click(), result(**CLICKED, download=download))
    event = {"downloadId": "d", "pageId": "p", "url": "http://a/f", "suggestedFilename": "f", "timestamp": 0}
    path = tmp_path_factory.mktemp("d") / "mine"
    with trio.fail_after(5):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(done.download.save_as, path)
            await scene.call.answer(await scene.call.hear_call("events/subscribe"), subscribed=["download"])
            await scene.call.answer(
                await scene.call.hear_call("download/list"), downloads=[{**event, "state": "started"}]
            )
            await scene.call.tell("notifications/download", **event, state="completed", size=2)
            await scene.call.answer(await scene.call.hear_call("events/unsubscribe"))
            for offset, data, is_last in [(0, "YQ==", False), (1, "Yg==", True)]:
                request = await scene.call.hear_call("download/read")
                assert (request["params"]["downloadId"], request["params"].get("offset", 0)) == ("d", offset)
                part = {"data": data, "offset": offset, "size": 2, "eof": is_last, "suggestedFilename": "f"}
                await scene.call.answer(request, **part)
    assert path.read_bytes() == b"ab"


def act_result(*steps: dict[str, Any]) -> dict[str, Any]:
    completed = sum(step["success"] for step in steps)
    facts = {"completed": completed, "total": len(steps), "success": completed == len(steps), "duration": 1}
    return result(**facts, results=[{"step": index, "duration": 1, **step} for index, step in enumerate(steps)])


CLICK = {"action": "action/click", "params": {"selector": {"type": "ref", "value": "@a"}}}
DONE = {"success": True, "result": {**CLICKED, "newPages": ["q"]}}
UNMET = {"code": -32016, "message": "The step's condition was not met: not in time.", "data": {"retryable": True}}


async def test_a_failed_step_is_raised_with_the_results_so_far(scene: Scene) -> None:
    answer = act_result(DONE, {"success": False, "label": "buy", "error": NOT_FOUND})
    page = Page(scene.browser, "p")
    with pytest.raises(SequenceFailed) as caught:
        await scene.play(lambda: page.act([CLICK, {**CLICK, "label": "buy"}], idempotency_key="once"), answer)
    failed = caught.value
    assert str(failed) == "Step 1 (buy), action/click, failed: Nothing matches."
    assert (failed.step, failed.label, failed.code, failed.retryable) == (1, "buy", -32012, True)
    assert isinstance(failed.error, ElementNotFound)
    assert failed.results[0].result.new_pages == [Page(scene.browser, "q")]
    assert scene.asked[0]["params"]["idempotencyKey"] == "once"
    reported = await scene.play(lambda: page.act([CLICK, CLICK], check=False), answer)
    assert (reported.success, type(reported.results[1].exception)) == (False, ElementNotFound)


async def test_a_failure_that_the_sequence_allows_is_not_raised(scene: Scene) -> None:
    page = Page(scene.browser, "p")
    skipped = act_result({"success": False, "error": NOT_FOUND}, DONE)
    assert (await scene.play(lambda: page.act([{**CLICK, "onError": "skip"}, CLICK]), skipped)).completed == 1
    unmet = act_result({"success": False, "error": UNMET}, DONE)
    done = await scene.play(lambda: page.act([CLICK, CLICK], continue_on_condition_fail=True), unmet)
    assert done.completed == 1
    with pytest.raises(SequenceFailed):
        await scene.play(lambda: page.act([CLICK, CLICK], stop_on_first_error=False), unmet)


@attrs.frozen
class Boat:
    name: str


async def test_extracted_data_has_its_confidence(scene: Scene) -> None:
    page = Page(scene.browser, "p")
    found = await scene.play(
        lambda: page.extract(list[Boat]),
        result(success=True, data=[{"name": "Ada"}], confidence=0.9, nextCursor="1"),
        result(success=True, data=[{"name": "Bob"}], confidence=0.8, dropped=2),
    )
    assert (found.data, found.confidence, found.dropped) == ([Boat("Ada"), Boat("Bob")], 0.8, 2)


async def test_sources_say_where_in_the_whole_list_their_values_are(scene: Scene) -> None:
    def part(name: str, **fields: Any) -> dict[str, Any]:
        source = {"ref": "@a", "selector": {"type": "css", "value": "b"}, "text": name, "path": "/0/name"}
        return result(success=True, data=[{"name": name}], sources=[source], **fields)

    page = Page(scene.browser, "p")
    answers = part("Ada", nextCursor="1"), part("Bob")
    found = await scene.play(lambda: page.extract(list[Boat], include_source_refs=True), *answers)
    assert [(one.path, one.text) for one in found.sources] == [("/0/name", "Ada"), ("/1/name", "Bob")]
    assert {request["params"]["includeSourceRefs"] for request in scene.asked} == {True}
    assert (await scene.play(lambda: page.extract(Boat), result(success=True, data={"name": "Ada"}))).sources == []


async def test_a_fork_has_the_timeout_of_its_call(scene: Scene) -> None:
    answer = result(pageId="q", contextId="c", url="http://a/", notCloned=[])
    fork = await scene.play(lambda: Page(scene.browser, "p").fork(timeout_ms=9), answer)
    assert (fork.id, scene.asked[0]["params"]["timeout"]) == ("q", 9)


async def test_a_script_and_a_recording_have_the_params_of_their_methods(scene: Scene) -> None:
    page = Page(scene.browser, "p")
    await scene.play(lambda: page.evaluate("1", await_promise=False), result(value=1))
    exported = result(id="r", data="YQ==", size=1)
    assert await scene.play(lambda: scene.browser.recording(timeout_ms=9), exported) == b"a"
    script, recording = (request["params"] for request in scene.asked)
    assert (script["awaitPromise"], recording["timeout"]) == (False, 9)


@pytest.mark.parametrize("kind", [Boat, list[Boat]])
async def test_a_failed_extraction_raises_its_reason(scene: Scene, kind: Any) -> None:
    with pytest.raises(ExtractionFailed, match=r"^No boats here") as caught:
        await scene.play(
            lambda: Page(scene.browser, "p").extract(kind),
            result(success=False, error="No boats here.", confidence=0.1, fields={"name": {"confidence": 0.3}}),
        )
    assert json.loads(json.dumps(caught.value.details)) == {"confidence": 0.1, "fields": {"name": {"confidence": 0.3}}}
    assert caught.value.fields["name"].confidence == 0.3


async def test_hints_show_in_tracebacks(scene: Scene) -> None:
    with pytest.raises(ElementNotFound) as caught:
        await scene.play(lambda: Page(scene.browser)["@a"].click(), {"error": NOT_FOUND})
    assert "Hint: Look again." in "".join(traceback.format_exception(caught.value))
    bare = {**NOT_FOUND, "data": {"retryable": True}}
    with pytest.raises(ElementNotFound) as without:
        await scene.play(lambda: Page(scene.browser)["@a"].click(), {"error": bare})
    assert "Hint" not in "".join(traceback.format_exception(without.value))
    lost = ConnectionLost("No server.", hint="Start one.")
    assert "Hint: Start one." in "".join(traceback.format_exception(lost.copy()))


async def test_tracebacks_show_what_was_requested_and_what_was_there(scene: Scene) -> None:
    details = {"method": "page/waitFor", "condition": {"text": "Größe\u202e"}, "seen": "https://a.example/"}
    error = {"code": Timeout.code, "message": "Not met.", "data": {"retryable": True, "details": details}}
    with pytest.raises(Timeout) as caught:
        await scene.play(lambda: Page(scene.browser).wait_for("Größe\u202e"), {"error": error})
    shown = "\nDetails: condition {'text': 'Größe\\u202e'}, seen 'https://a.example/'\n"
    assert shown in "".join(traceback.format_exception(caught.value))


def test_a_detail_that_the_message_has_is_not_repeated_in_the_traceback() -> None:
    error = AgentBrowserError.from_wire(InvalidParams.at("url", "of type string", "integer").to_wire())
    assert error.details["expected"] == "of type string"
    assert "Details" not in "".join(traceback.format_exception(error))


async def test_a_client_timeout_cancels_the_request(autojump_clock: trio.testing.MockClock) -> None:
    async with Switchboard().client() as (browser, call):
        with pytest.raises(Timeout, match="No answer came in 300 ms") as caught:
            await browser.pages(timeout_ms=300)
        asked, cancelled = await call.hear_call("page/list"), await call.hear_call("$/cancelRequest")
        assert cancelled["params"] == {"id": asked["id"]}
        assert caught.value.details == {"timeout": 300, "method": "page/list"}


async def test_a_client_timeout_says_that_an_action_may_have_acted(autojump_clock: trio.testing.MockClock) -> None:
    async with Switchboard().client() as (browser, _):
        with pytest.raises(Timeout, match="and page/create may have acted") as caught:
            await browser.request("page/create", timeout_ms=300)
    assert not caught.value.retryable
    assert caught.value.details == {"timeout": 300, "method": "page/create", "mayHaveActed": True}


@pytest.mark.parametrize("timeout", ["5", -1, math.nan, True])
async def test_a_client_timeout_that_is_none_is_refused(scene: Scene, timeout: Any) -> None:
    with pytest.raises(InvalidParams, match="timeout_ms must be a number of milliseconds, 0 or more") as caught:
        await scene.browser.pages(timeout_ms=timeout)
    assert caught.value.details["path"] == "timeout_ms"


@pytest.mark.parametrize("params", [[], "url", 5])
async def test_params_that_are_no_mapping_are_refused(scene: Scene, params: Any) -> None:
    with pytest.raises(InvalidParams, match="params must be a mapping of names to values, got "):
        await scene.browser.request("page/list", params)


async def _open(feed: Any) -> None:
    async with feed:
        pytest.fail("subscribed")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda page: _open(page.browser.events(5)), "kinds must be at least one of page, console, .*, got 5"),
        (lambda page: _open(page.browser.events(["page"])), r"kinds must be .*, got \['page'\]"),
        (lambda page: page.browser.call("page/list"), "method must be one of agentbrowser.methods, .*, got str"),
        (lambda page: page.call(None), "method must be one of agentbrowser.methods, .*, got NoneType"),
        (lambda page: step(cast("Any", None)), "method must be one of agentbrowser.methods"),
        (lambda page: page.browser.request(None), "method must be a name such as page/navigate, got NoneType"),
        (lambda page: page.browser.notify("a", [1]), "params must be a mapping of names to values, got list"),
        (lambda page: page.browser.download(None), "event must be a DownloadEvent, got NoneType"),
        (lambda page: page.act(None), "steps must be a list of steps, got NoneType"),
        (lambda page: page.act(CLICK), "steps must be a list of steps, got dict"),
        (lambda page: page.ask_human("a", choices="ab"), "choices must be a list of texts, got str"),
        (lambda page: page.extract({"type": "string"}, max_items="5"), "max_items must be a number of items, got str"),
        (lambda page: page.evaluate("a", {"b": [1, 1j]}), r"arg\.b\[1\] must be plain data: .*, got complex"),
        (lambda page: page["#a"].click(timeout_ms=object()), "options.timeout must be plain data: .*, got object"),
        (
            lambda page: connect(wait_s=cast("Any", "5")).__aenter__(),
            "wait_s must be a number of seconds, 0 or more, got str",
        ),
        (lambda page: connect(reconnect=cast("Any", 5)).__aenter__(), "reconnect must be a Reconnect, got int"),
    ],
)
async def test_an_argument_of_a_wrong_type_is_named(scene: Scene, call: Callable[[Any], Any], message: str) -> None:
    with trio.fail_after(5), pytest.raises(InvalidParams, match=message):
        await call(Page(scene.browser, "p"))


async def test_text_is_no_list_of_masks(scene: Scene) -> None:
    image = result(data="", format="png", width=0, height=0)
    await scene.play(lambda: Page(scene.browser).screenshot(mask=cast("Any", "#a")), image)
    assert scene.asked[0]["params"]["options"]["mask"] == "#a"  # which the server refuses; it was the masks "#" and "a"
