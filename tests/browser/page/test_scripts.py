"""script/evaluate: results, errors, and cancellation."""

from typing import Any

import attrs
import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import page, script
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import METHODS, Scope
from agentbrowser.server.app import Server, open_server
from tests.browser.site import Site

STRICT = "default-src 'none'; require-trusted-types-for 'script'"


async def evaluate(browser: Browser, expression: str, arg: Any = None, **params: Any) -> Any:
    result = await browser.request("script/evaluate", {"expression": expression, "arg": arg, **params})
    assert list(result) == ["value"]
    return result["value"]


async def test_values_are_returned_as_json(browser: Browser) -> None:
    table: list[tuple[str, Any, Any]] = [
        ("1 + 1", None, 2),
        ("{a: [1, 'x', null]}", None, {"a": [1, "x", None]}),
        ("x => x.n * 2", {"n": 21}, 42),
        ("function (x) { return [x, typeof this] }", "é", ["é", "object"]),
        ("async () => 'done'", None, "done"),
        ("Promise.resolve(7)", None, 7),
        ("await Promise.resolve(8)", None, 8),
        ("let x = 1; x += 1; x", None, 2),
        ("let x = 5; x", None, 5),
        ("document.nodeType; // a comment", None, 9),
        ("undefined", None, None),
        ("void 0", None, None),
        ("NaN", None, None),
        ("[Infinity, undefined]", None, [None, None]),
        ("'\\ud800 \\ud800\\ud800 \\\\ud800'", None, "\ufffd \ufffd\ufffd \\ud800"),
        ("1e300", None, 1e300),
        ("2 ** 53 + 2", None, 2**53 + 2),
        ("({})", None, {}),
        ("Object.create(null)", None, {}),
        ("x => x", {"__proto__": {"deep": ["</script>", "\u2028"]}}, {"__proto__": {"deep": ["</script>", "\u2028"]}}),
    ]
    for expression, arg, expected in table:
        assert await evaluate(browser, expression, arg) == expected, expression


async def test_a_typed_call_returns_null_as_none(browser: Browser) -> None:
    assert (await browser.call(script.evaluate, expression="() => null")).value is None
    for expression, text in (("({ a: [1, 'b'] })", '{"a":[1,"b"]}'), ("'\"'", r'"\""'), ("undefined", "null")):
        assert await evaluate(browser, expression, asText=True) == text


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("null.x", "TypeError: Cannot read properties of null (reading 'x')"),
        ("Promise.reject(new RangeError('far'))", "RangeError: far"),
        ("() => { throw 'text' }", "text"),
        ("() => { throw Object.create(null) }", "something without a text was thrown"),
        ("1 +", "SyntaxError: Unexpected end of input"),
        ("JSON.parse('{')", "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)"),
        ("() => () => 1", "TypeError: the result is a function, which JSON can't hold"),
        ("document.body", "TypeError: the result is a HTMLBodyElement, which JSON can't hold"),
        ("(function* () {})()", "TypeError: the result is a host object, which JSON can't hold"),
        ("new Map([[1, 2]])", "TypeError: the result is a Map, which JSON can't hold"),
        ("10n", "TypeError: Do not know how to serialize a BigInt"),
    ],
)
async def test_thrown_errors_are_reported(browser: Browser, expression: str, reason: str) -> None:
    with pytest.raises(errors.ActionFailed) as caught:
        await evaluate(browser, expression)
    assert caught.value.details["action"] == "script/evaluate"
    assert caught.value.details["reason"] == reason


async def test_a_long_reason_and_a_circle(browser: Browser) -> None:
    with pytest.raises(errors.ActionFailed) as caught:
        await evaluate(browser, "() => { throw Error('x'.repeat(1e6)) }")
    assert len(caught.value.details["reason"]) == 1000
    with pytest.raises(errors.ActionFailed) as caught:
        await evaluate(browser, "() => { const a = {}; a.a = a; return a }")
    assert "circular structure" in caught.value.details["reason"]


@pytest.mark.parametrize("world", ["main", "isolated"])
async def test_a_deeply_nested_value_is_returned_or_refused(browser: Browser, world: str) -> None:
    source = "Array.from({ length: %s }).reduce((inner) => [inner], [])"
    value = await evaluate(browser, source % 500, world=world)
    for _ in range(500):
        (value,) = value
    with pytest.raises(errors.ActionFailed):
        await evaluate(browser, source % 20_000, world=world)


async def test_a_promise_need_not_be_awaited(browser: Browser) -> None:
    with pytest.raises(errors.ActionFailed) as caught:
        await evaluate(browser, "new Promise(() => {})", awaitPromise=False)
    assert "Promise" in caught.value.details["reason"]


async def test_isolated_and_main_world(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", "<p id=it>text</p><script>var secret = 5</script>"))
    assert await evaluate(browser, "[typeof secret, it.textContent]") == ["undefined", "text"]
    for source in ("secret", "window.app.state", "document.app()"):
        with pytest.raises(errors.ActionFailed) as caught:
            await evaluate(browser, source)
        assert 'world "main"' in str(caught.value.recovery_hint)
    assert await evaluate(browser, "secret += 1", world="main") == 6
    await evaluate(browser, "globalThis.mine = it.textContent = 'changed'")
    assert await evaluate(browser, "[typeof mine, secret, it.textContent]", world="main") == ["undefined", 6, "changed"]
    assert await evaluate(browser, "mine") == "changed"
    await browser.call(page.reload)
    assert await evaluate(browser, "typeof mine") == "undefined"


SPOILT = """<script>JSON.stringify = JSON.parse = () => 'spoilt'; Object.keys = () => []; Array.isArray = () => false;
for (const one of [Object, Array, String, BigInt]) one.prototype.toJSON = () => 'spoilt';
String.prototype.replace = String.prototype.charCodeAt = () => 'spoilt'; TextEncoder = null</script>"""


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("given => given", {"a": [1, {"toJSON": 2}], "ä": "\u00e9"}),
        ("[new Date(0), new URL('http://a.test')]", ["1970-01-01T00:00:00.000Z", "http://a.test/"]),
        ("[undefined, 1 / 0, '\\ud800', () => 1]", [None, None, "\ufffd", None]),
    ],
)
async def test_page_does_not_spoil_results_of_its_main_world(
    browser: Browser, site: Site, source: str, value: Any
) -> None:
    await browser.call(page.navigate, url=site.html("/", SPOILT))
    given = value if source.startswith("given") else None
    assert await evaluate(browser, source, given, world="main") == value


@pytest.mark.parametrize(
    ("source", "reason"), [("let it = []; it.push(it); it", "circular"), ("[1n]", "BigInt"), ("new Map()", "Map")]
)
async def test_value_without_json_is_refused_in_the_main_world(
    browser: Browser, site: Site, source: str, reason: str
) -> None:
    await browser.call(page.navigate, url=site.html("/", SPOILT))
    with pytest.raises(errors.ActionFailed) as caught:
        await evaluate(browser, source, world="main")
    assert reason in caught.value.details["reason"]
    assert await evaluate(browser, "Object.getOwnPropertyNames(window).filter(n => n.includes('agentbrowser'))") == []


@pytest.mark.parametrize("world", ["isolated", "main"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_script_runs_in_the_selected_frame(browser: Browser, site: Site, world: str, host: str) -> None:
    """Covers frames in the page's process and in another one, two with the same URL, and a nested one."""
    site.html("/deep", "<b>deep</b>")
    inner = site.html("/inner", "<iframe src=/deep></iframe>", Content_Security_Policy="script-src 'none'")
    inner = inner.replace("127.0.0.1", host)
    await browser.call(page.navigate, url=site.html("/", f"<iframe src={inner}></iframe><iframe src={inner}></iframe>"))
    frames = (await browser.request("frame/list"))["frames"]
    inners = [frame["frameId"] for frame in frames if frame["url"] == inner]
    deep = next(frame["frameId"] for frame in frames if frame.get("parentFrameId") == inners[1])
    for frame_id, mark in ((inners[0], "first"), (inners[1], "second"), (deep, "third")):
        await browser.request("frame/switch", {"frameId": frame_id})
        await evaluate(browser, "mark => { document.body.dataset.mark = mark }", mark, world=world)
    for frame_id, mark in ((inners[0], "first"), (inners[1], "second"), (deep, "third")):
        await browser.request("frame/switch", {"frameId": frame_id})
        assert await evaluate(browser, "[document.body.dataset.mark, self === top]", world=world) == [mark, False]
    await browser.request("frame/main")
    assert await evaluate(browser, "[document.body.dataset.mark, self === top]", world=world) == [None, True]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_script_without_end_in_a_frame_is_ended(browser: Browser, site: Site, host: str) -> None:
    inner = site.html("/inner", "<p>inner").replace("127.0.0.1", host)
    await browser.call(page.navigate, url=site.html("/", f"<iframe src={inner}></iframe>"))
    await browser.request("frame/switch", {"url": inner})
    with pytest.raises(errors.Timeout):
        await evaluate(browser, "for (;;);", timeout=300)
    with trio.fail_after(20):
        assert await evaluate(browser, "document.body.textContent") == "inner"


@pytest.mark.parametrize("world", ["isolated", "main"])
async def test_a_content_security_policy_does_not_block_scripts(browser: Browser, site: Site, world: str) -> None:
    await browser.call(page.navigate, url=site.html("/", "x", Content_Security_Policy=STRICT))
    assert await evaluate(browser, "document.body.textContent", world=world) == "x"
    assert await evaluate(browser, "let x = 3; x", world=world) == 3


@pytest.mark.slow
async def test_a_value_is_measured_in_the_page(browser: Browser, server: Server) -> None:
    megabytes_8 = 8 * 1024 * 1024
    assert len(await evaluate(browser, "n => 'x'.repeat(n)", megabytes_8 - 2)) == megabytes_8 - 2
    for expression in ("'x'.repeat(n - 1)", "'é'.repeat(n / 2)", "'x'.repeat(3e8)"):
        with pytest.raises(errors.ResourceLimitExceeded) as caught:
            await evaluate(browser, f"n => {expression}", megabytes_8)
        assert caught.value.details["limit"] == megabytes_8
        assert caught.value.details["current"] > megabytes_8
    assert await evaluate(browser, "1") == 1


@pytest.mark.parametrize("world", ["isolated", "main"])
async def test_a_script_without_end_is_ended_at_its_deadline(browser: Browser, site: Site, world: str) -> None:
    await browser.call(page.navigate, url=site.html("/", "<p>there</p>"))
    with trio.fail_after(10), pytest.raises(errors.Timeout):
        await evaluate(browser, "while (true);", timeout=500, world=world)
    with trio.fail_after(10):
        assert await evaluate(browser, "document.body.innerText") == "there"


async def test_a_promise_without_end_leaves_the_page_as_it_is(browser: Browser) -> None:
    await browser.call(page.create)
    with pytest.raises(errors.Timeout):
        await evaluate(browser, "ticks = 0; setInterval(() => ticks++, 1); new Promise(() => {})", timeout=300)
    before = await evaluate(browser, "ticks")
    assert await evaluate(browser, "new Promise(done => setTimeout(() => done(ticks), 50))") > before


async def test_a_cancelled_script_is_ended(browser: Browser) -> None:
    await browser.call(page.create)
    with trio.move_on_after(0.3) as scope:
        await evaluate(browser, "for (;;);")
    assert scope.cancelled_caught
    with trio.fail_after(20):
        assert await evaluate(browser, "1") == 1


async def test_a_script_may_navigate(browser: Browser, site: Site) -> None:
    url = site.html("/next", "next")
    await browser.request("page/navigate", {"url": site.html("/", "first")})  # a script alone opens no private space
    with pytest.raises(errors.ExecutionContextDestroyed):
        await evaluate(browser, "url => { location = url; return new Promise(() => {}) }", url)
    with trio.fail_after(20):  # the document may be there before its text is
        while await evaluate(browser, "document.body?.textContent") != "next":
            pass


@pytest.mark.parametrize("world", ["isolated", "main"])
async def test_a_script_has_a_user_gesture(browser: Browser, site: Site, world: str) -> None:
    await browser.request("page/navigate", {"url": site.html("/", "<input id=it value=copied>")})
    script = "it.select(); [navigator.userActivation.isActive, document.execCommand('copy')]"
    assert await browser.request("script/evaluate", {"expression": script, "world": world}) == {"value": [True, True]}


async def test_an_alert_in_a_script_is_answered(config: Config) -> None:
    async with open_server(attrs.evolve(config, dialog_timeout_s=0.3)) as server, server.connect() as browser:
        with trio.fail_after(10):
            assert await evaluate(browser, "[alert(1), confirm(2)]") == [None, False]


async def test_the_scope_and_the_params(config: Config) -> None:
    assert not METHODS["script/evaluate"].step
    async with open_server(attrs.evolve(config, scope=Scope.FULL)) as server, server.connect() as browser:
        with pytest.raises(errors.ScopeDenied):
            await evaluate(browser, "1")
    async with open_server(config) as server, server.connect() as browser:
        for wrong in ({"expression": ""}, {"expression": "x" * 100_001}, {"expression": "1", "world": "other"}):
            with pytest.raises(errors.InvalidParams):
                await browser.request("script/evaluate", wrong)
