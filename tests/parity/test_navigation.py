"""Parity of navigation: after the titles of page-goto, page-history, page-wait-for-*, popup and browsercontext-page-event."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urljoin

from playwright.async_api import Page

from tests.parity.ours import OurPage
from tests.parity.pair import PairThread
from tests.parity.scenario import BRIEF_MS, FRESH, Playwright, Scenario, click, goto, in_turn, press, wait_for
from tests.parity.verdict import every, judge

HERE = "[location.pathname + location.search + location.hash, document.title, document.referrer, history.length]"
NEXT = {"next": "<title>Next</title><p id=n>next</p>", "third": "<title>Third</title>"}
LINK = "<title>First</title><a id=b href=next>link</a>"
BACK, FORWARD, RELOAD = ("page/goBack", {}), ("page/goForward", {}), ("page/reload", {})  # type: ignore[var-annotated]


async def to(page: Page, path: str, **options: Any) -> None:
    """Load a path relative to the page's folder on Playwright's side."""
    await page.goto(urljoin(page.url, path), **options)


def waiting(event: Any) -> Playwright:
    return lambda page: to(page, "next", wait_until=event)


def reporting(path: str) -> Playwright:
    async def report(page: Page) -> list[Any]:
        response = await page.goto(urljoin(page.url, path))
        return [response.status if response else None, page.url, await page.title()]

    return report


def our_report(path: str) -> Callable[[OurPage], Awaitable[object]]:
    async def report(page: OurPage) -> list[Any]:
        result = await page(goto(path))
        return [result.get("status"), result["url"], result["title"]]

    return report


async def referred(page: OurPage) -> None:
    await page(goto("next", referer=urljoin(page.base, "from")))


LOADS: dict[str, tuple[str, dict[str, Any]]] = {
    "a page": ("next", NEXT),
    "a page with a query": ("next?a=1&b=2", NEXT),
    "a page with a hash": ("next#part", NEXT),
    "a redirect": ("away", {**NEXT, "away": (b"", {"Location": "next"})}),
    "a chain of redirects": ("one", {**NEXT, "one": (b"", {"Location": "two"}), "two": (b"", {"Location": "next"})}),
    "a redirect to another origin": ("away", {**NEXT, "away": (b"", {"Location": "{other}next"})}),
    "a page that is not there": ("nothing", {}),
    "an image": ("i.svg", {"i.svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", {"Content-Type": "image/svg+xml"})}),
    "plain text": ("t.txt", {"t.txt": (b"text", {"Content-Type": "text/plain"})}),
    "JSON": ("t.json", {"t.json": (b'{"a": 1}', {"Content-Type": "application/json"})}),
    "a page that changes its URL": (
        "push",
        {"push": "<title>P</title><script>history.replaceState(0, '', 'replaced')</script>"},
    ),
    "a page that sets its title late": (
        "late",
        {"late": "<title>A</title><script>onload = () => document.title = 'B'</script>"},
    ),
    "a page with frames": (
        "frames",
        {**NEXT, "frames": "<title>F</title><iframe src=next></iframe><iframe src=third></iframe>"},
    ),
    "a page with umlauts in its URL": ("ä%20b", {"%C3%A4%20b": "<title>U</title>"}),
    "a page with a slow image": ("img", {"img": "<title>I</title><img src=nothing.png>"}),
    "a page with a script that fails": ("bad", {"bad": "<title>E</title><script>throw new Error('x')</script>"}),
    "a page under opener isolation": (
        "coop",
        {"coop": (b"<title>C</title>", {"Cross-Origin-Opener-Policy": "same-origin"})},
    ),
    "an empty page": ("empty", {"empty": (b"", {})}),
    "a page with a meta refresh to itself": ("hash", {"hash": "<title>H</title><script>location.hash = 'x'</script>"}),
}
WAITS = ("load", "domcontentloaded", "networkidle", "commit")
MOVES: dict[str, tuple[str, Callable[[Page], Awaitable[object]], list[Any], str]] = {
    "back": (LINK, lambda p: in_turn(to(p, "next"), p.go_back()), [goto("next"), BACK], HERE),
    "back and forward": (
        LINK,
        lambda p: in_turn(to(p, "next"), p.go_back(), p.go_forward()),
        [goto("next"), BACK, FORWARD],
        HERE,
    ),
    "reload": (
        LINK,
        lambda p: in_turn(p.evaluate("window.mark = 1"), p.reload()),
        [("script/evaluate", {"expression": "window.mark = 1", "world": "main"}), RELOAD],
        "window.mark",
    ),
    "reload with a hash": (LINK, lambda p: in_turn(to(p, "next#x"), p.reload()), [goto("next#x"), RELOAD], HERE),
    "back over the history API": (
        "<script>history.pushState(1, '', 'a'); history.pushState(2, '', 'b')</script>",
        lambda p: p.go_back(),
        [BACK],
        "[location.pathname, history.state]",
    ),
    "forward over the history API": (
        "<script>history.pushState(1, '', 'a'); history.pushState(2, '', 'b')</script>",
        lambda p: in_turn(p.go_back(), p.go_forward()),
        [BACK, FORWARD],
        "[location.pathname, history.state]",
    ),
    "forward without a history": (LINK, lambda p: p.go_forward(), [FORWARD], HERE),
    "back after a link": (
        LINK,
        lambda p: in_turn(p.click("#b"), p.wait_for_url("**/next"), p.go_back()),
        [click("#b"), BACK],
        HERE,
    ),
    "back after a hash link": (
        "<a id=b href=#x>x</a>",
        lambda p: in_turn(p.click("#b"), p.go_back()),
        [click("#b"), BACK],
        HERE,
    ),
    "the scroll position after back": (
        "<p style='height:4000px'></p>" + LINK,
        lambda p: in_turn(p.click("#b"), p.wait_for_url("**/next"), p.go_back()),
        [click("#b"), BACK],
        "scrollY > 0",
    ),
    "a form after back": (
        "<input id=i>" + LINK,
        lambda p: in_turn(p.fill("#i", "x"), to(p, "next"), p.go_back()),
        [("action/fill", {"selector": "#i", "value": "x"}), goto("next"), BACK],
        "i.value",
    ),
}
FOLLOWED = {
    "a link": LINK,
    "a link that opens by script": "<a id=b href=# onclick=\"location = 'next'; return false\">x</a>",
    "a button with location": "<button id=b onclick=\"location.assign('next')\">x</button>",
    "a replaced location": "<button id=b onclick=\"location.replace('next')\">x</button>",
    "a form by GET": "<form action=next><input name=a value='1 &amp; 2'><button id=b>x</button></form>",
    "a form by POST": "<form action=next method=post><input name=a value='1 &amp; 2'><button id=b name=c value=d>x</button></form>",
    "a form in parts": "<form action=next method=post enctype=text/plain><input name=a value=1><button id=b>x</button></form>",
    "a submit by script": "<form id=f action=next><input name=a value=1></form><button id=b onclick='f.submit()'>x</button>",
    "a requested submit": "<form id=f action=next><input name=a value=1></form><button id=b onclick='f.requestSubmit()'>x</button>",
    "a link with a base": "<base href=sub/><a id=b href=../next>x</a>",
    "a link without a referrer": "<a id=b rel=noreferrer href=next>x</a>",
    "a meta refresh": "<button id=b onclick=\"document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content=\\'0;next\\'>')\">x</button>",
    "a delayed navigation": "<button id=b onclick=\"setTimeout(() => location = 'next', 50)\">x</button>",
    "a link with a redirect": "<a id=b href=away>x</a>",
    "a link with a ping": "<a id=b href=next ping=pinged>x</a>",
}
HISTORY = {
    "pushState": ("<button id=b onclick=\"history.pushState(1, '', 'pushed')\">x</button>", HERE),
    "replaceState": ("<button id=b onclick=\"history.replaceState(1, '', 'replaced')\">x</button>", HERE),
    "a hash": ("<a id=b href=#part>x</a><p style='height:3000px'></p><i id=part>p</i>", "[location.hash, scrollY > 0]"),
    "the navigation API": (
        "<button id=b>x</button><script>navigation.onnavigate = e => e.intercept(); b.onclick = () => navigation.navigate('spa')</script>",
        "location.pathname",
    ),
    "history.back": (
        "<script>history.pushState(1, '', 'a')</script><button id=b onclick='history.back()'>x</button>",
        "location.pathname",
    ),
}
POPUPS = {
    "a link with a target": "<a id=b target=_blank href=next>x</a>",
    "a link with a target and an opener": "<a id=b target=_blank rel=opener href=next>x</a>",
    "a link with a named target": "<a id=b target=win href=next>x</a>",
    "window.open": "<button id=b onclick=\"window.open('next')\">x</button>",
    "window.open without an opener": "<button id=b onclick=\"window.open('next', '_blank', 'noopener')\">x</button>",
    "window.open with features": "<button id=b onclick=\"window.open('next', '_blank', 'width=600,height=300')\">x</button>",
    "window.open of another origin": "<button id=b onclick=\"window.open('{other}next')\">x</button>",
    "a form with a target": "<form target=_blank action=next><button id=b>x</button></form>",
}
PROBE = "<title>Next</title><script>fetch('seen?' + [!!opener, innerWidth, document.referrer.length > 0, name].join('|'))</script>"


async def popup(page: Page, modifiers: Any = None) -> object:
    async with page.context.expect_page() as info:
        await page.click("#b", modifiers=modifiers)
    made = await info.value
    await made.wait_for_load_state("networkidle")
    return [made.url, await made.title()]


def our_popup(**options: Any) -> Callable[[OurPage], Awaitable[object]]:
    async def act(page: OurPage) -> object:
        return await page.popup(click("#b", **options))

    return act


CONDITIONS: dict[str, tuple[str, Callable[[Page], Awaitable[object]], Any]] = {
    "visible": (
        "<p id=b hidden>x</p><script>LATER(() => b.hidden = false)</script>",
        lambda p: p.wait_for_selector("#b"),
        wait_for(selector="#b", state="visible"),
    ),
    "visible in a parent": (
        "<div id=d style='display:none'><p id=b>x</p></div><script>LATER(() => d.style.display = '')</script>",
        lambda p: p.wait_for_selector("#b"),
        wait_for(selector="#b", state="visible"),
    ),
    "attached": (
        "<script>LATER(() => document.body.append(Object.assign(document.createElement('p'), {id: 'b', hidden: true})))</script>",
        lambda p: p.wait_for_selector("#b", state="attached"),
        wait_for(selector="#b", state="attached"),
    ),
    "attached in a shadow root": (
        "<div id=h></div><script>h.attachShadow({mode:'open'}); LATER(() => h.shadowRoot.innerHTML = '<p id=b>x</p>')</script>",
        lambda p: p.wait_for_selector("#b"),
        wait_for(selector="#b", state="visible"),
    ),
    "hidden": (
        "<p id=b>x</p><script>LATER(() => b.hidden = true)</script>",
        lambda p: p.wait_for_selector("#b", state="hidden"),
        wait_for(selector="#b", state="hidden"),
    ),
    "hidden by visibility": (
        "<p id=b>x</p><script>LATER(() => b.style.visibility = 'hidden')</script>",
        lambda p: p.wait_for_selector("#b", state="hidden"),
        wait_for(selector="#b", state="hidden"),
    ),
    "hidden by removal": (
        "<p id=b>x</p><script>LATER(() => b.remove())</script>",
        lambda p: p.wait_for_selector("#b", state="hidden"),
        wait_for(selector="#b", state="hidden"),
    ),
    "hidden where nothing is": (
        "",
        lambda p: p.wait_for_selector("#b", state="hidden"),
        wait_for(selector="#b", state="hidden"),
    ),
    "detached": (
        "<p id=b>x</p><script>LATER(() => b.remove())</script>",
        lambda p: p.wait_for_selector("#b", state="detached"),
        wait_for(selector="#b", state="detached"),
    ),
    "an attribute": (
        "<p id=b>x</p><script>LATER(() => b.className = 'ready')</script>",
        lambda p: p.wait_for_selector("#b.ready"),
        wait_for(selector="#b.ready", state="visible"),
    ),
    "enabled": (
        "<button id=b disabled>x</button><script>LATER(() => b.disabled = false)</script>",
        lambda p: p.wait_for_function("!b.disabled"),
        wait_for(selector="#b", state="enabled"),
    ),
    "a URL": (
        "<script>LATER(() => history.pushState(0, '', 'pushed'))</script>",
        lambda p: p.wait_for_url("**/pushed"),
        wait_for(url="**/pushed"),
    ),
    "a URL of the next document": (
        "<script>LATER(() => location = 'next')</script>",
        lambda p: p.wait_for_url("**/next"),
        wait_for(url="**/next"),
    ),
    "a text": (
        "<p id=b></p><script>LATER(() => b.textContent = 'Ready now')</script>",
        lambda p: p.get_by_text("ready").wait_for(),
        wait_for(text="ready"),
    ),
    "a text that goes": (
        "<p id=b>Loading</p><script>LATER(() => b.textContent = '')</script>",
        lambda p: p.get_by_text("loading").wait_for(state="hidden"),
        wait_for(textGone="loading"),
    ),
    "an element of the next document": (
        "<script>LATER(() => location = 'next')</script>",
        lambda p: p.wait_for_selector("#n"),
        wait_for(selector="#n", state="visible"),
    ),
}
UNMET: dict[str, tuple[str, Callable[[Page], Awaitable[object]], Any]] = {
    "visible": (
        "<p id=b hidden>x</p>",
        lambda p: p.wait_for_selector("#b", timeout=BRIEF_MS),
        wait_for(selector="#b", state="visible", timeout=BRIEF_MS),
    ),
    "visible without a size": (
        "<div id=b></div>",
        lambda p: p.wait_for_selector("#b", timeout=BRIEF_MS),
        wait_for(selector="#b", state="visible", timeout=BRIEF_MS),
    ),
    "hidden": (
        "<p id=b>x</p>",
        lambda p: p.wait_for_selector("#b", state="hidden", timeout=BRIEF_MS),
        wait_for(selector="#b", state="hidden", timeout=BRIEF_MS),
    ),
    "detached": (
        "<p id=b hidden>x</p>",
        lambda p: p.wait_for_selector("#b", state="detached", timeout=BRIEF_MS),
        wait_for(selector="#b", state="detached", timeout=BRIEF_MS),
    ),
    "attached": (
        "",
        lambda p: p.wait_for_selector("#b", state="attached", timeout=BRIEF_MS),
        wait_for(selector="#b", state="attached", timeout=BRIEF_MS),
    ),
    "a URL": ("", lambda p: p.wait_for_url("**/x", timeout=BRIEF_MS), wait_for(url="**/x", timeout=BRIEF_MS)),
}


def later(html: str) -> str:
    return html.replace("LATER(", "((then) => setTimeout(then, 120))(")


SCENARIOS = [
    *(
        Scenario(f"goto: {name}", LINK, reporting(path), our_report(path), HERE, files=files, wire=True)
        for name, (path, files) in LOADS.items()
    ),
    *(
        Scenario(
            f"goto: until {event}",
            LINK,
            waiting(event),
            goto("next", waitUntil=event),
            "document.title",
            until="document.title == 'Next'",
            files=NEXT,
        )
        for event in WAITS
    ),
    Scenario(
        "goto: with a referrer",
        LINK,
        lambda p: to(p, "next", referer=urljoin(p.url, "from")),
        referred,
        "document.referrer",
        files=NEXT,
    ),
    Scenario("goto: about:blank", LINK, lambda p: p.goto("about:blank"), goto("about:blank"), "location.href"),
    Scenario(
        "goto: a hash of the same page",
        LINK + "<script>window.mark = 1</script>",
        lambda p: to(p, "#x"),
        goto("#x"),
        "[window.mark, location.hash]",
    ),
    Scenario(
        "goto: the page guards its leaving",
        LINK + "<script>onbeforeunload = () => 'stay'</script>",
        lambda p: to(p, "next"),
        goto("next"),
        HERE,
        files=NEXT,
    ),
    Scenario(
        "goto: the page uses history in beforeunload",
        LINK + "<script>onbeforeunload = () => history.replaceState(0, '', 'left')</script>",
        lambda p: to(p, "next"),
        goto("next"),
        "document.title",
        files=NEXT,
    ),
    Scenario(
        "goto is refused: no server",
        LINK,
        lambda p: p.goto("http://127.0.0.1:1/"),
        goto("http://127.0.0.1:1/"),
        error="NavigationFailed",
    ),
    *(
        Scenario(f"history: {name}", html, theirs, ours, read, files=NEXT)
        for name, (html, theirs, ours, read) in MOVES.items()
    ),
    *(
        Scenario(
            f"click follows {name}",
            html,
            lambda p: p.click("#b"),
            click("#b"),
            HERE,
            until="document.title == 'Next'",
            files={**NEXT, "away": (b"", {"Location": "next"})},
            wire=True,
        )
        for name, html in FOLLOWED.items()
    ),
    *(
        Scenario(f"click changes the URL by {name}", html, lambda p: p.click("#b"), click("#b"), read)
        for name, (html, read) in HISTORY.items()
    ),
    Scenario(
        "press follows a form",
        "<form action=next><input id=b name=a value=1></form>",
        lambda p: p.press("#b", "Enter"),
        press("Enter", "#b"),
        HERE,
        until="document.title == 'Next'",
        files=NEXT,
        ignores="^keyup",  # it may reach the old document or the new one
        wire=True,
    ),
    *(
        Scenario(f"popup: {name}", html, popup, our_popup(), files={"next": PROBE}, context=FRESH, wire=True)
        for name, html in POPUPS.items()
    ),
    Scenario(
        "popup: a link with Control",
        "<a id=b href=next>x</a>",
        lambda p: popup(p, ["Control"]),
        our_popup(modifiers=["Control"]),
        files={"next": PROBE},
        context=FRESH,
        wire=True,
    ),
    Scenario(
        "popup: a link with Shift",
        "<a id=b href=next>x</a>",
        lambda p: popup(p, ["Shift"]),
        our_popup(modifiers=["Shift"]),
        files={"next": PROBE},
        context=FRESH,
        wire=True,
    ),
    *(
        Scenario(f"wait: {name}", later(html), theirs, ours, "[window.b?.hidden, location.pathname]", files=NEXT)
        for name, (html, theirs, ours) in CONDITIONS.items()
    ),
    *(
        Scenario(f"wait is not met: {name}", html, theirs, ours, error="Timeout")
        for name, (html, theirs, ours) in UNMET.items()
    ),
]


@every(SCENARIOS)
def test_page_sees_the_same(pair: PairThread, scenario: Scenario) -> None:
    judge(pair, scenario)
