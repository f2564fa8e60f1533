"""Playwright's texts, as recorded from 1.65.2 with Chromium 156, become our errors."""

import errno
import re
from pathlib import Path
from typing import Any

import playwright
import pytest
import structlog
from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from agentbrowser.browser import faults
from agentbrowser.browser.engine.launch_errors import translate as translate_launch
from agentbrowser.protocol.errors import (
    ActionFailed,
    AgentBrowserError,
    ElementNotEnabled,
    ElementNotFound,
    ElementNotVisible,
    ExecutionContextDestroyed,
    FrameNotFound,
    InternalError,
    InvalidParams,
    NavigationFailed,
    PageNotFound,
    ResourceLimitExceeded,
    SelectorAmbiguous,
    TargetClosed,
    Timeout,
)

SELECTOR: dict[str, object] = {"type": "css", "value": "#it"}
WAITING = 'Locator.click: Timeout 400ms exceeded.\nCall log:\n  - waiting for locator("#it")\n'
RESOLVED = WAITING + '    - locator resolved to <button id="it">go</button>\n  - attempting click action\n'
CHECKS = "    2 × waiting for element to be visible, enabled and stable\n"
VISIBLE = (
    "      - element is visible, enabled and stable\n      - scrolling into view if needed\n      - done scrolling\n"
)
RETRY = "    - retrying click action\n      - waiting 100ms\n"


class TargetClosedError(Error):
    """Stands for Playwright's class of this name, which it does not export."""


def translated(error: BaseException, **facts: Any) -> dict[str, Any]:
    ours = faults.translate(error, **facts)
    return {"kind": type(ours), **ours.details}


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (WAITING, {"kind": ElementNotFound, "waitedMs": 400}),
        (
            WAITING.replace('locator("#it")', 'get_by_role("button", name="go")'),
            {"kind": ElementNotFound, "waitedMs": 400},
        ),
        (
            RESOLVED + "    - element was detached from the DOM, retrying\n",
            {"kind": ElementNotFound, "waitedMs": 400},
        ),
        (RESOLVED + CHECKS + "      - element is not visible\n" + RETRY, {"kind": ElementNotVisible}),
        (RESOLVED + CHECKS + VISIBLE + "      - element is outside of the viewport\n", {"kind": ElementNotVisible}),
        (
            RESOLVED + CHECKS + VISIBLE + '      - <div id="ov">…</div> intercepts pointer events\n' + RETRY,
            {"kind": ElementNotVisible, "coverHtml": '<div id="ov">…</div>'},
        ),
        (
            RESOLVED + CHECKS + VISIBLE + "      - <b>a</b> from <div>…</div> subtree intercepts pointer events\n",
            {"kind": ElementNotVisible, "coverHtml": "<b>a</b> from <div>…</div> subtree"},
        ),
        (RESOLVED + CHECKS + "      - element is not enabled\n" + RETRY, {"kind": ElementNotEnabled}),
        (RESOLVED + CHECKS + "      - element is not editable\n" + RETRY, {"kind": ElementNotEnabled}),
        (RESOLVED + CHECKS + "      - element is inert\n" + RETRY, {"kind": ElementNotEnabled}),
        (RESOLVED + CHECKS + "      - option being selected is not enabled\n", {"kind": ElementNotEnabled}),
        (
            RESOLVED + CHECKS + "      - element is not stable\n" + RETRY,
            {"kind": ActionFailed, "action": "click", "reason": "The element does not stop moving."},
        ),
        (
            RESOLVED + CHECKS + "      - did not find some options\n",
            {"kind": ActionFailed, "action": "click", "reason": "The element has no such option."},
        ),
        (RESOLVED, {"kind": Timeout, "timeout": 400}),
    ],
)
def test_call_log_of_a_timeout_tells_what_was_missing(log: str, expected: dict[str, Any]) -> None:
    found = translated(PlaywrightTimeoutError(log), action="click", selector=SELECTOR)
    assert found == {"selector": SELECTOR, **expected}


def test_last_state_in_the_log_decides() -> None:
    log = RESOLVED + CHECKS + "      - element is not visible\n" + CHECKS + "      - element is not enabled\n" + RETRY
    assert translated(PlaywrightTimeoutError(log))["kind"] is ElementNotEnabled


def test_state_of_an_element_that_was_clicked_is_past() -> None:
    log = RESOLVED + CHECKS + "      - element is not visible\n" + VISIBLE + "    - performing click action\n"
    fault = faults.translate(PlaywrightTimeoutError(log), action="click")
    assert (type(fault), fault.retryable, fault.details.get("mayHaveActed")) == (Timeout, False, True)


def test_a_click_that_has_replaced_its_element_was_done() -> None:
    log = "\nCall log:\n  - performing click action\n"
    done = f"{log}  - click action done\n  - waiting for scheduled navigations to finish\n"
    for kind, body, is_done in (
        (Error, "Element is not attached to the DOM", True),
        (PlaywrightTimeoutError, "Timeout 400ms exceeded.", True),
        (Error, "Clicking the checkbox did not change its state", False),
    ):
        assert faults.has_acted(kind(f"ElementHandle.set_checked: {body}{done}")) is is_done
        assert not faults.has_acted(kind(f"ElementHandle.set_checked: {body}{log}"))
    left = "Element is not attached to the DOM"
    assert (faults.has_left(Error(left + log)), faults.has_left(Error(left + done))) == (True, False)


def test_page_cannot_fake_a_state_by_its_text() -> None:
    log = WAITING + "    - locator resolved to <p>- element is not visible - <i> intercepts pointer events</p>\n"
    assert translated(PlaywrightTimeoutError(log))["kind"] is Timeout


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Page.goto: net::ERR_EMPTY_RESPONSE at http://a/", {"kind": NavigationFailed, "reason": "ERR_EMPTY_RESPONSE"}),
        ("Page.goto: NS_ERROR_UNKNOWN_HOST", {"kind": NavigationFailed, "reason": "NS_ERROR_UNKNOWN_HOST"}),
        ("Page.goto: Download is starting\nCall log:\n  - x\n", {"kind": NavigationFailed, "reason": "download"}),
        (
            'Page.goto: Navigation to "http://a/" is interrupted by another navigation to "about:blank"',
            {"kind": NavigationFailed, "reason": "ERR_ABORTED"},
        ),
        (
            "Page.goto: Protocol error (Page.navigate): Cannot navigate to invalid URL",
            {"kind": NavigationFailed, "reason": "ERR_INVALID_URL"},
        ),
    ],
)
def test_a_failed_load_has_its_reason_and_url(text: str, expected: dict[str, Any]) -> None:
    assert translated(Error(text), url="http://a/") == {"url": "http://a/", **expected}


def test_only_a_load_that_may_go_better_is_retryable() -> None:
    assert faults.translate(Error("Page.goto: net::ERR_CONNECTION_REFUSED at http://a/")).retryable
    download = faults.translate(Error("Page.goto: Download is starting"))
    assert not download.retryable
    assert "among the downloads" in (download.recovery_hint or "")


def test_navigation_that_takes_too_long() -> None:
    text = 'Page.goto: Timeout 300ms exceeded.\nCall log:\n  - navigating to "http://a/", waiting until "load"\n'
    ours = faults.translate(PlaywrightTimeoutError(text), url="http://a/")
    assert isinstance(ours, Timeout)
    assert (ours.message, ours.details["timeout"]) == ("The page did not load within 300 ms.", 300)


@pytest.mark.parametrize(
    "text",
    [
        *(f"Tracing.stop: {code}: no space left on device, write" for code in ("ENOSPC", "EDQUOT", "EROFS")),
        "Page.pdf: Protocol error (IO.read): Read failed",
    ],
)
def test_no_room_for_files(text: str) -> None:
    assert translated(Error(text)) == {"kind": ResourceLimitExceeded, "resource": "disk"}


@pytest.mark.parametrize(
    "error",
    [OSError(errno.EMFILE, "Too many open files"), Error("Tracing.stop: EMFILE: too many open files, open '/tmp/a'")],
)
def test_no_file_descriptor(error: Exception) -> None:
    assert translated(error) == {"kind": ResourceLimitExceeded, "resource": "descriptors"}


@pytest.mark.parametrize("error", [TimeoutError(), PlaywrightTimeoutError("Page.wait_for_url: it took too long")])
def test_timeout_without_words(error: Exception) -> None:
    assert translated(error) == {"kind": Timeout}


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("Locator.click: Target page, context or browser has been closed", "page"),
        ("BrowserContext.new_page: Target page, context or browser has been closed", "context"),
        ("Browser.new_context: Target page, context or browser has been closed", "browser"),
        ("Page.goto: Page crashed\nCall log:\n  - navigating\n", "page"),
    ],
)
def test_a_closed_target_is_named(text: str, target: str) -> None:
    assert translated(TargetClosedError(text)) == {"kind": TargetClosed, "target": target}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Page.evaluate: Target crashed ", {"kind": TargetClosed, "target": "page"}),
        (
            "BrowserContext.cookies: Protocol error (Storage.getCookies): Failed to find browser context for id A3F",
            {"kind": TargetClosed, "target": "context"},
        ),
        (
            "BrowserContext.new_cdp_session: page: no object with guid page@1f",
            {"kind": TargetClosed, "target": "page"},
        ),
        (
            "BrowserContext.new_cdp_session: Protocol error (Target.attachToTarget): No target with given id found",
            {"kind": TargetClosed, "target": "page"},
        ),
        ("Tracing.stop: tracing: no object with guid tracing@1f", {"kind": TargetClosed, "target": "context"}),
        (
            "BrowserContext.new_page: Protocol error (Target.createTarget): browserContextId",
            {"kind": TargetClosed, "target": "context"},
        ),
        (
            "Page.evaluate: Execution context was destroyed, most likely because of a navigation.",
            {"kind": ExecutionContextDestroyed},
        ),
        ("Locator.click: Frame was detached\nCall log:\n  - waiting\n", {"kind": FrameNotFound}),
    ],
)
def test_a_target_that_crashed_or_vanished_is_named(text: str, expected: dict[str, Any]) -> None:
    assert translated(Error(text)) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Locator.click: Element is not visible\nCall log:\n", ElementNotVisible),
        ("Locator.click: Element is outside of the viewport\nCall log:\n", ElementNotVisible),
        ("ElementHandle.click: Element is not attached to the DOM", ElementNotFound),
    ],
)
def test_errors_of_a_forced_action_have_their_kind(text: str, kind: type[AgentBrowserError]) -> None:
    assert translated(Error(text), selector=SELECTOR) == {"kind": kind, "selector": SELECTOR}


def test_ambiguous_selector_names_five_candidates() -> None:
    lines = "".join(f'    {n}) <p class="m">{n} aka x</p> aka get_by_text("{n}")\n' for n in range(1, 8))
    text = f'Locator.click: Error: strict mode violation: locator(".m") resolved to 7 elements:\n{lines}\nCall log:\n'
    found = translated(Error(text), selector=SELECTOR)
    candidates = [f'<p class="m">{n} aka x</p>' for n in range(1, 6)]
    assert found == {"kind": SelectorAmbiguous, "selector": SELECTOR, "count": 7, "candidates": candidates}


@pytest.mark.parametrize(
    "text",
    [
        'Unexpected token "" while parsing css selector "a[". Did you mean to CSS.escape it?',
        'Unsupported token "{" while parsing css selector "a{". Did you mean to CSS.escape it?',
        'Error while parsing css selector "123". Did you mean to CSS.escape it?',
        "SyntaxError: Failed to execute 'querySelectorAll' on 'Document': 'a:nope' is not a valid selector.\n    at q",
        "SyntaxError: Invalid regular expression: /(/: Unterminated group\n    at new RegExp (<anonymous>)",
        'Error: "nth-match" engine expects non-empty selector list and an index argument\n    at Object.query',
    ],
)
def test_malformed_css(text: str) -> None:
    found = translated(
        Error(f"Locator.click: {text}\nCall log:\n  - waiting\n"), selector={"type": "css", "value": "a["}
    )
    assert found == {"kind": InvalidParams, "path": "selector.value", "expected": "a CSS selector", "got": "a["}


@pytest.mark.parametrize(
    "text",
    [
        "SyntaxError: Failed to execute 'evaluate' on 'Document': The string '//[' is not a valid XPath expression.\n",
        "TypeError: Failed to execute 'evaluate' on 'Document': The result is not a node set, and therefore …\n",
    ],
)
def test_malformed_xpath(text: str) -> None:
    found = translated(Error(f"Locator.click: {text}"), selector={"type": "xpath", "value": "//["})
    assert (found["kind"], found["expected"]) == (InvalidParams, "an XPath expression for elements")


@pytest.mark.parametrize(
    "text",
    [
        "element.matches is not a function\n    at SelectorEvaluatorImpl._matchesCSS (<anonymous>:5862:20)\n",
        "root.querySelectorAll is not a function or its return value is not iterable\n    at query (<anonymous>:1:41)\n"
        "    at <anonymous>:5878:7\n    at SelectorEvaluatorImpl._cached (<anonymous>:5655:20)\n",
        "Cannot read properties of undefined (reading 'getComputedStyle')\n    at InjectedScript.a (<anonymous>:1:2)\n",
    ],
)
def test_names_in_a_page_that_hide_properties_of_the_dom(text: str) -> None:
    assert translated(Error(f"Locator.count: TypeError: {text}"))["kind"] is ActionFailed
    own = "Locator.evaluate: TypeError: a.b is not a function\n    at eval (eval at evaluate (:3:30), <anonymous>:8:91)"
    with structlog.testing.capture_logs():
        assert translated(Error(own))["kind"] is InternalError  # of our own script


def test_unknown_key() -> None:
    found = translated(Error('Locator.press: Unknown key: "Foo"\nCall log:\n'))
    assert (found["kind"], found["path"], found["got"]) == (InvalidParams, "key", "Foo")
    assert "nearest" not in found
    for given, named in (("Ctrl", "Control"), ("arrow down", "ArrowDown"), ("esc", "Escape"), ("enter", "Enter")):
        assert translated(Error(f'Keyboard.press: Unknown key: "{given}"'))["nearest"] == named


@pytest.mark.parametrize(
    "reason",
    [
        "Element is not an <input>, <textarea>, <select> or [contenteditable] and does not have a role",
        "Element is not a <select> element",
        "Not a checkbox or radio button",
        "Node is not an HTMLInputElement",
        'Input of type "checkbox" cannot be filled',
        "Cannot type text into input[type=number]",
        "Clicking the checkbox did not change its state",
        "Non-multiple file input can only accept single file",
    ],
)
def test_an_element_that_the_action_is_not_for_fails_with_the_reason(reason: str) -> None:
    error = Error(f"Locator.fill: Error: {reason}\nCall log:\n  - waiting\n")
    expected = {"kind": ActionFailed, "action": "fill", "selector": SELECTOR, "reason": reason + "."}
    assert translated(error, action="fill", selector=SELECTOR) == expected


def test_unknown_text_goes_to_the_log_and_not_to_the_wire() -> None:
    secret = Error("Page.evaluate: Error: canary-4711\n    at eval")
    with structlog.testing.capture_logs() as logs:
        ours = faults.translate(secret, action="click")
    assert isinstance(ours, InternalError)
    assert re.fullmatch(r"[0-9a-f]{8}", ours.details["incident"])
    assert "canary" not in repr(ours.to_wire())
    assert [entry["incident"] for entry in logs] == [ours.details["incident"]]
    assert "canary-4711" in logs[0]["trace"]


def test_bug_of_ours_becomes_an_internal_error() -> None:
    with structlog.testing.capture_logs():
        assert translated(KeyError("x"))["kind"] is InternalError


def test_colours_and_halves_of_characters_do_not_pass() -> None:
    line = "      - <b>\x1b[2mred\x1b[22m \ud800</b> intercepts pointer events\n"
    found = translated(PlaywrightTimeoutError(RESOLVED + line))
    assert found["coverHtml"] == "<b>red \ufffd</b>"


def test_text_of_the_page_is_cut() -> None:
    line = f"      - <b>{'x' * 5000}</b> intercepts pointer events\n"
    assert len(translated(PlaywrightTimeoutError(RESOLVED + line))["coverHtml"]) == 200


def test_mapped_raises_ours_from_theirs() -> None:
    theirs = PlaywrightTimeoutError(WAITING)
    with pytest.raises(ElementNotFound) as caught, faults.mapped(selector=SELECTOR):
        raise theirs
    assert caught.value.__cause__ is theirs
    assert caught.value.message == "Nothing matched within 400 ms."


def test_mapped_lets_our_own_errors_pass() -> None:
    ours = PageNotFound("gone")
    with pytest.raises(PageNotFound) as caught, faults.mapped():
        raise ours
    assert caught.value is ours


LAUNCHING = "BrowserType.launch: Target page, context or browser has been closed\nBrowser logs:\n\n<launching> /x --a\n"


@pytest.mark.parametrize(
    ("error", "message", "retryable"),
    [
        (
            Error("BrowserType.launch: Failed to launch chromium because executable doesn't exist at /x"),
            "The browser is not at this path.",
            False,
        ),
        (
            Error("BrowserType.launch: Failed to launch: Error: spawn /x EACCES"),
            "The browser is not an executable file.",
            False,
        ),
        (
            TargetClosedError(LAUNCHING + "  - [pid=7] <process did exit: exitCode=1, signal=null>\n"),
            "The browser ended at once with exit code 1.",
            False,
        ),
        (
            TargetClosedError(LAUNCHING + "  - [pid=7] <process did exit: exitCode=null, signal=SIGSEGV>\n"),
            "The browser ended at once by SIGSEGV.",
            False,
        ),
        (
            TargetClosedError("BrowserType.launch: …\nBrowser logs:\nChromium sandboxing failed!\n"),
            "The browser can't set up its sandbox here.",
            False,
        ),
        (TargetClosedError(LAUNCHING), "The browser did not start.", False),
        (
            PlaywrightTimeoutError("BrowserType.launch: Timeout 30000ms exceeded."),
            "The browser did not start in time.",
            True,
        ),
        (TargetClosedError("BrowserType.launch: …"), "The browser was lost while it started.", True),
    ],
)
def test_failed_launch(error: Error, message: str, retryable: bool) -> None:
    ours = translate_launch(error, "/x")
    assert (ours.message, ours.retryable, ours.details) == (message, retryable, {"path": "/x"})
    if "ended at once" in message:  # any program can be given for the browser: --executable-path /bin/true
        assert "agentbrowser doctor" in (ours.recovery_hint or "")


def test_last_words_of_the_browser_are_kept_once_and_plain() -> None:
    words = "".join(f"  - [pid=7][err] \x1b[31mline {n}\x1b[0m\n" for n in range(20))
    ours = translate_launch(TargetClosedError(LAUNCHING + words + "\nCall log:\n" + words), "/x")
    assert ours.details["stderr"] == [f"line {n}" for n in range(12, 20)]


@pytest.mark.parametrize(
    "text",
    [
        "Protocol error (Runtime.evaluate): Inspected target navigated or closed",
        "CDPSession.send: Protocol error (Page.getNavigationHistory): Not attached to an active page",
        "Protocol error (Runtime.callFunctionOn): Cannot find context with specified id",
        "Protocol error (Runtime.addBinding): Cannot find execution context with given executionContextId",
        "Protocol error (Runtime.evaluate): Cannot find default execution context",
        "Protocol error (Runtime.callFunctionOn): Execution context is detached.",
        "Protocol error (Runtime.awaitPromise): Promise was collected",
        "Protocol error (Runtime.callFunctionOn): Could not find object with given id",
        "Protocol error (DOM.describeNode): Could not find node with given id",
        "Protocol error (DOM.describeNode): No node found for given backend id",
        "Protocol error (DOM.resolveNode): Node with given id does not belong to the document",
        "Protocol error (DOM.getFrameOwner): Frame with the given id was not found.",
        "Protocol error (DOM.getFrameOwner): Frame with the given id does not belong to the target.",
        "Protocol error (Page.createIsolatedWorld): No frame for given id found in this target",
        "Protocol error (Page.captureScreenshot): Detached while handling command.",
        "Protocol error (DOM.getFrameOwner): No frame for given id found",
        "Page.evaluate: Execution context was destroyed, most likely because of a navigation.",
    ],
)
def test_a_document_that_went_away_under_a_command_is_no_failure_of_the_browser(text: str) -> None:
    assert translated(Error(text))["kind"] is ExecutionContextDestroyed


def test_every_message_of_the_installed_driver_on_gone_documents_is_known() -> None:
    (bundle,) = Path(playwright.__file__).parent.glob("driver/package/lib/coreBundle.js")
    literals = re.findall(r'"([A-Z][^"\\\n]{8,200})"', bundle.read_text(encoding="utf-8"))
    gone = re.compile(
        r"context was destroyed|frame (?:was|has been) detached|because of a navigation|navigated or closed", re.I
    )
    messages = {text for text in literals if gone.search(text)}
    assert len(messages) >= 4
    for text in messages:
        assert translated(Error(text))["kind"] in (ExecutionContextDestroyed, FrameNotFound), text
