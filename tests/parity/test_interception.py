"""Parity of interception: after the titles of page-route, page-request-fulfill and page-request-continue."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urljoin

import trio
from playwright.async_api import Page, Request, Route

from agentbrowser.protocol.types.event import NetworkEvent
from tests.parity.ours import OurPage
from tests.parity.pair import PairThread
from tests.parity.scenario import FRESH, Playwright, Scenario, goto
from tests.parity.verdict import every, judge

FETCH = """async init => {
  try {
    const got = await fetch(init.url ?? "data", init);
    return [got.status, got.headers.get("content-type"), got.headers.get("x-a"), got.redirected, await got.text()];
  } catch (error) { return error.name }
}"""
DATA = {"data": (b"from the site", {"Content-Type": "text/plain", "X-A": "site"})}
IMAGE = b"<svg xmlns='http://www.w3.org/2000/svg' width='3' height='3'/>"
Init = Mapping[str, Any]


# Interception by rules


def their_routes(init: Init, *routes: tuple[str, Callable[[Route, Request], Any]]) -> Playwright:
    async def act(page: Page) -> object:
        for glob, handler in routes:
            await page.route(glob, handler)
        return await page.evaluate(FETCH, init)

    return act


def our_rules(init: Init, *rules: Mapping[str, Any]) -> Callable[[OurPage], Any]:
    async def act(page: OurPage) -> object:
        for rule in rules:
            await page(("network/intercept", {"pageId": page.id, **rule}))
        return (await page(("script/evaluate", {"expression": FETCH, "arg": dict(init)})))["value"]

    return act


def rule(glob: str | None, handler: str, **response: Any) -> dict[str, Any]:
    pattern = {} if glob is None else {"urlPattern": glob}
    return {"patterns": [pattern], "handler": handler, **({"response": response} if handler == "respond" else {})}


async def aborted(route: Route, request: Request) -> None:
    await route.abort()


async def continued(route: Route, request: Request) -> None:
    await route.continue_()


def answered(**response: Any) -> Callable[[Route, Request], Any]:
    async def answer(route: Route, request: Request) -> None:
        await route.fulfill(**response)

    return answer


ANSWERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "text": ({"body": "mock"}, {"body": "mock"}),
    "a type": ({"body": "{}", "content_type": "application/json"}, {"body": "{}", "contentType": "application/json"}),
    "a status": ({"status": 404, "body": "no"}, {"status": 404, "body": "no"}),
    "a server's error": ({"status": 503, "body": ""}, {"status": 503, "body": ""}),
    "headers": ({"headers": {"X-A": "mock"}, "body": "b"}, {"headers": {"X-A": "mock"}, "body": "b"}),
    "a type in the headers": (
        {"headers": {"Content-Type": "text/css"}, "body": "b"},
        {"headers": {"Content-Type": "text/css"}, "body": "b"},
    ),
    "no body": ({"status": 200}, {"status": 200}),
    "bytes": ({"body": bytes([0xC3, 0xA9])}, {"body": "w6k=", "bodyEncoding": "base64"}),
    "text beyond ASCII": (
        {"body": "€ é 漢", "content_type": "text/plain; charset=utf-8"},
        {"body": "€ é 漢", "contentType": "text/plain; charset=utf-8"},
    ),
}
GLOBS = (
    "**/data",
    "**/data*",
    "**/*",
    "**",
    "http://127.0.0.1:*/**/data",
    "**/{data,other}",
    "**/dat?",
    "**/other",
    "*",
    "/data",
    "data",
)
INITS: dict[str, Init] = {
    "a GET": {},
    "a POST": {"method": "POST", "body": "a=1"},
    "a HEAD": {"method": "HEAD"},
    "a header": {"headers": {"X-B": "b"}},
    "a query": {"url": "data?a=1&b=2"},
    "a redirect": {"url": "away"},
    "nothing there": {"url": "nothing"},
}


# Interception by the client's own answers


def _paused(event: object, page_id: str) -> str | None:
    """Return the id of the request of the page that an event says is intercepted."""
    if isinstance(event, NetworkEvent) and (event.type, event.page_id) == ("intercepted", page_id):
        return event.request_id
    return None


def our_callback(init: Init, method: str, **params: Any) -> Callable[[OurPage], Any]:
    """Return an act that answers the intercepted request by a method; ``url`` of overrides is below the folder."""

    async def act(page: OurPage) -> object:
        result: list[object] = []

        async def fetch() -> None:
            result.append((await page(("script/evaluate", {"expression": FETCH, "arg": dict(init)})))["value"])

        async with page.browser.events("network") as events:
            await page(("network/intercept", {"pageId": page.id, **rule("**/data", "callback")}))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(fetch)
                paused = None
                while paused is None:
                    paused = _paused(await anext(events), page.id)
                overrides = dict(params.get("overrides", {}))
                if "url" in overrides:
                    overrides["url"] = urljoin(page.base, overrides["url"])
                changed = {**params, "overrides": overrides} if "overrides" in params else params
                await page((method, {"requestId": paused, **changed}))
        return result[0]

    return act


def their_callback(init: Init, handler: Callable[[Route, Request], Any]) -> Playwright:
    return their_routes(init, ("**/data", handler))


def overridden(**overrides: Any) -> Callable[[Route, Request], Any]:
    async def resume(route: Route, request: Request) -> None:
        changed = {**overrides, **({"url": urljoin(request.url, overrides["url"])} if "url" in overrides else {})}
        await route.continue_(**changed)

    return resume


POST = INITS["a POST"]
OVERRIDES: dict[str, tuple[Init, dict[str, Any], dict[str, Any]]] = {
    "nothing": ({}, {}, {}),
    "the URL": ({}, {"url": "other"}, {"url": "other"}),
    "the method": ({}, {"method": "PUT"}, {"method": "PUT"}),
    "the body": (POST, {"post_data": "b=22"}, {"postData": "b=22"}),
    "the body to none": (POST, {"post_data": ""}, {"postData": ""}),
    "the method and the body": ({}, {"method": "POST", "post_data": "c=3"}, {"method": "POST", "postData": "c=3"}),
}


# Parts of a page


PARTS: dict[str, tuple[str, str]] = {
    "an image": ("const part = new Image(); part.src = 'part.svg'", "image"),
    "a script": ("const part = document.createElement('script'); part.src = 'part.js'", "script"),
    "a style sheet": (
        "const part = document.createElement('link'); part.rel = 'stylesheet'; part.href = 'part.css'",
        "stylesheet",
    ),
}
PART_FILES = {
    "part.svg": (IMAGE, {"Content-Type": "image/svg+xml"}),
    "part.js": (b"window.ran = true", {"Content-Type": "text/javascript"}),
    "part.css": (b"p { color: red }", {"Content-Type": "text/css"}),
}
PART = """new Promise(done => { MAKE; part.onload = () => done("loaded"); part.onerror = () => done("failed");
document.body.append(part) })"""


def their_part(source: str, resource: str) -> Playwright:
    async def act(page: Page) -> object:
        async def stop(route: Route, request: Request) -> None:
            await (route.abort() if request.resource_type == resource else route.continue_())

        await page.route("**", stop)
        return await page.evaluate(PART.replace("MAKE", source))

    return act


def our_part(source: str, resource: str) -> Callable[[OurPage], Any]:
    async def act(page: OurPage) -> object:
        patterns = [{"resourceType": resource}]
        await page(("network/intercept", {"pageId": page.id, "patterns": patterns, "handler": "abort"}))
        return (await page(("script/evaluate", {"expression": PART.replace("MAKE", source)})))["value"]

    return act


async def their_mocked_page(page: Page) -> None:
    await page.route("**/next", answered(body="<title>Mock</title><p>mock", content_type="text/html"))
    await page.goto(urljoin(page.url, "next"))


async def our_mocked_page(page: OurPage) -> None:
    mock = rule("**/next", "respond", body="<title>Mock</title><p>mock", contentType="text/html")
    await page(("network/intercept", {"pageId": page.id, **mock}), goto("next"))


async def their_cleared(page: Page) -> object:
    await page.route("**/data", aborted)
    await page.unroute_all()
    return await page.evaluate(FETCH, {})


async def our_cleared(page: OurPage) -> object:
    made = await page(("network/intercept", {"pageId": page.id, **rule("**/data", "abort")}))
    await page(("network/clear", {"interceptId": made["interceptId"]}))
    return (await page(("script/evaluate", {"expression": FETCH, "arg": {}})))["value"]


SCENARIOS = [
    *(
        Scenario(
            f"route answers with {name}",
            "",
            their_routes({}, ("**/data", answered(**theirs))),
            our_rules({}, rule("**/data", "respond", **ours)),
            context=FRESH,
            files=DATA,
            wire=True,
        )
        for name, (theirs, ours) in ANSWERS.items()
    ),
    *(
        Scenario(
            f"route matches {glob}",
            "",
            their_routes({}, (glob, aborted)),
            our_rules({}, rule(glob, "abort")),
            context=FRESH,
            files=DATA,
            wire=True,
        )
        for glob in GLOBS
    ),
    *(
        Scenario(
            f"route continues {name}",
            "",
            their_routes(init, ("**", continued)),
            our_rules(init, rule(None, "continue")),
            context=FRESH,
            files={**DATA, "away": (b"", {"Location": "data"})},
            wire=True,
        )
        for name, init in INITS.items()
    ),
    Scenario(
        "route: the newest rule decides",
        "",
        their_routes({}, ("**", aborted), ("**/data", answered(body="new"))),
        our_rules({}, rule("**", "abort"), rule("**/data", "respond", body="new")),
        context=FRESH,
        files=DATA,
    ),
    Scenario("route is removed", "", their_cleared, our_cleared, context=FRESH, files=DATA, wire=True),
    *(
        Scenario(
            f"route changes {name}",
            "",
            their_callback(init, overridden(**theirs)),
            our_callback(init, "network/continue", overrides=ours),
            context=FRESH,
            files={**DATA, "other": (b"other", {"Content-Type": "text/plain"})},
            wire=True,
        )
        for name, (init, theirs, ours) in OVERRIDES.items()
    ),
    Scenario(
        "route: a decision to answer",
        "",
        their_callback({}, answered(status=201, body="made")),
        our_callback({}, "network/fulfill", response={"status": 201, "body": "made"}),
        context=FRESH,
        files=DATA,
        wire=True,
    ),
    Scenario(
        "route: a decision to abort",
        "",
        their_callback({}, aborted),
        our_callback({}, "network/abort"),
        context=FRESH,
        files=DATA,
        wire=True,
    ),
    *(
        Scenario(
            f"route blocks {name}",
            "<p id=b>x",
            their_part(*part),
            our_part(*part),
            "[window.ran ?? false, getComputedStyle(b).color]",
            context=FRESH,
            files=PART_FILES,
            wire=True,
        )
        for name, part in PARTS.items()
    ),
    Scenario(
        "route answers a document",
        "",
        their_mocked_page,
        our_mocked_page,
        "[document.title, document.body.textContent, location.pathname]",
        context=FRESH,
        wire=True,
    ),
]


@every(SCENARIOS)
def test_page_sees_the_same(pair: PairThread, scenario: Scenario) -> None:
    judge(pair, scenario)
