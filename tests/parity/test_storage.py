"""Parity of cookies and storage: after the titles of browsercontext-cookies, -add-cookies and -storage-state."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

from playwright.async_api import Page

from tests.parity.ours import OurPage
from tests.parity.pair import PairThread
from tests.parity.scenario import FRESH, Playwright, Scenario, in_turn
from tests.parity.verdict import every, judge

COOKIE = "document.cookie.split('; ').sort().join('; ')"
FAR = 4102444800


def plain(cookies: list[Any]) -> list[dict[str, Any]]:
    """Return cookies in the spelling of both sides, without the site's own host and the time of the end."""
    kept = ("name", "value", "path", "httpOnly", "secure", "sameSite")
    found = [
        {**{name: one[name] for name in kept}, "ends": one.get("expires") not in (None, -1), "host": one["domain"][:1]}
        for one in cookies
    ]
    return sorted(found, key=lambda one: (one["name"], one["path"]))


async def their_cookies(page: Page, *cookies: Mapping[str, Any], urls: str | None = None) -> object:
    here = urlsplit(page.url)
    site = {"url": f"{here.scheme}://{here.netloc}"}
    full = [{**({} if {"url", "domain"} & one.keys() else site), **one} for one in cookies]
    await page.context.add_cookies(full)  # type: ignore[arg-type]
    return plain(await page.context.cookies(urljoin(page.url, urls) if urls else None))


async def our_cookies(page: OurPage, *cookies: Mapping[str, Any], urls: str | None = None) -> object:
    here = urlsplit(page.base)
    site = {"url": f"{here.scheme}://{here.netloc}"}
    full = [{**({} if {"url", "domain"} & one.keys() else site), **one} for one in cookies]
    only = {"urls": [urljoin(page.base, urls)]} if urls else {}
    await page(("storage/setCookies", {"cookies": full}))
    return plain((await page(("storage/getCookies", only)))["cookies"])


def setting(*cookies: Mapping[str, Any], urls: str | None = None) -> Playwright:
    return lambda page: their_cookies(page, *cookies, urls=urls)


def our_setting(*cookies: Mapping[str, Any], urls: str | None = None) -> Callable[[OurPage], Any]:
    return lambda page: our_cookies(page, *cookies, urls=urls)


COOKIES: dict[str, tuple[dict[str, Any], ...]] = {
    "a cookie": ({"name": "a", "value": "1"},),
    "two cookies": ({"name": "a", "value": "1"}, {"name": "b", "value": "2"}),
    "the same cookie twice": ({"name": "a", "value": "1"}, {"name": "a", "value": "2"}),
    "a cookie that scripts can't read": ({"name": "a", "value": "1", "httpOnly": True},),
    "a cookie with an end": ({"name": "a", "value": "1", "expires": FAR},),
    "a cookie that is over": ({"name": "a", "value": "1", "expires": 1},),
    "a cookie of the session": ({"name": "a", "value": "1", "expires": -1},),
    "a strict cookie": ({"name": "a", "value": "1", "sameSite": "Strict"},),
    "a lax cookie": ({"name": "a", "value": "1", "sameSite": "Lax"},),
    "a secure cookie for all sites": (
        {"name": "a", "value": "1", "sameSite": "None", "secure": True, "domain": "localhost", "path": "/"},
    ),
    "a cookie of another host": ({"name": "a", "value": "1", "domain": "localhost", "path": "/"},),
    "a cookie of a path": ({"name": "a", "value": "1", "domain": "127.0.0.1", "path": "/other"},),
    "a cookie with an empty value": ({"name": "a", "value": ""},),
    "a cookie with signs": ({"name": "a", "value": "x=1&y=%20'\"{}"},),
}
INVALID_COOKIES: dict[str, dict[str, Any]] = {
    "a time before all time": {"name": "a", "value": "1", "expires": -2},
    "a prefix that asks for more": {"name": "__Secure-a", "value": "1"},
    "another scheme": {"name": "a", "value": "1", "url": "about:blank"},
}


async def their_storage(page: Page) -> object:
    state = await page.context.storage_state()
    return [plain(state["cookies"]), [one["localStorage"] for one in state["origins"]]]


async def our_storage(page: OurPage) -> object:
    state = await page(("storage/getState", {}))
    return [plain(state["cookies"]), [one["localStorage"] for one in state["origins"] if one["localStorage"]]]


async def their_set_storage(page: Page, items: dict[str, str]) -> None:
    local: list[Any] = [{"name": name, "value": value} for name, value in items.items()]
    origin = "/".join(page.url.split("/")[:3])
    await page.context.set_storage_state({"cookies": [], "origins": [{"origin": origin, "localStorage": local}]})
    await page.reload()


async def our_set_storage(page: OurPage, items: dict[str, str]) -> None:
    local = [{"name": name, "value": value} for name, value in items.items()]
    origin = "/".join(page.base.split("/")[:3])
    state = {"origins": [{"origin": origin, "localStorage": local}]}
    await page(("storage/setState", {"state": state}), ("page/reload", {}))


def storing(items: dict[str, str]) -> Playwright:
    return lambda page: their_set_storage(page, items)


def our_storing(items: dict[str, str]) -> Callable[[OurPage], Any]:
    return lambda page: our_set_storage(page, items)


BY_PATH = (
    {"name": "a", "value": "1", "domain": "127.0.0.1", "path": "/"},
    {"name": "b", "value": "2", "domain": "127.0.0.1", "path": "/p"},
    {"name": "c", "value": "3", "domain": "localhost", "path": "/"},
)
OLD = "<script>if (!performance.getEntriesByType('navigation').some(one => one.type === 'reload')) { localStorage.old = 'o'; document.cookie = 'o=1' }</script>"
NEW = {"a": "1", "é": "\n"}
STORED: dict[str, str] = {
    "nothing": "",
    "a cookie of a script": "<script>document.cookie = 'a=1; path=/'</script>",
    "a cookie with attributes": "<script>document.cookie = 'a=1; path=/; max-age=600; samesite=strict'</script>",
    "items": "<script>localStorage.a = 1; localStorage.b = 'two'</script>",
    "an empty item": "<script>localStorage.setItem('', ''); localStorage.x = ''</script>",
    "items of the session alone": "<script>sessionStorage.a = 1</script>",
    "characters of all kinds": "<script>localStorage['é 漢'] = '\\u{1f600}\\n\"'</script>",
}
ITEMS = "JSON.stringify(Object.entries(localStorage).sort())"

SCENARIOS = [
    *(
        Scenario(f"cookies: {name}", "", setting(*cookies), our_setting(*cookies), COOKIE, context=FRESH)
        for name, cookies in COOKIES.items()
    ),
    *(
        Scenario(
            f"cookies are refused: {name}",
            "",
            setting(cookie),
            our_setting(cookie),
            COOKIE,
            context=FRESH,
            error="InvalidParams",
        )
        for name, cookie in INVALID_COOKIES.items()
    ),
    Scenario(
        "cookies are refused: one of two, for all sites but not secure",
        "",
        setting({"name": "a", "value": "1", "sameSite": "None"}, {"name": "b", "value": "2"}),
        our_setting({"name": "a", "value": "1", "sameSite": "None"}, {"name": "b", "value": "2"}),
        COOKIE,
        context=FRESH,
        error="InvalidParams",
    ),
    *(
        Scenario(
            f"cookies for {name}",
            "",
            setting(*BY_PATH, urls=url),
            our_setting(*BY_PATH, urls=url),
            context=FRESH,
        )
        for name, url in {"the page": "", "another path": "/p/x", "the root": "/"}.items()
    ),
    *(
        Scenario(f"storage has {name}", html, their_storage, our_storage, context=FRESH)
        for name, html in STORED.items()
    ),
    *(
        Scenario(f"storage is set over {name}", html, storing(NEW), our_storing(NEW), ITEMS, context=FRESH)
        for name, html in {"nothing": "", "old items": OLD}.items()
    ),
    Scenario("storage is emptied", OLD, storing({}), our_storing({}), ITEMS, context=FRESH),
    Scenario(
        "cookies are cleared",
        "",
        lambda p: in_turn(their_cookies(p, *COOKIES["two cookies"]), p.context.clear_cookies()),
        [("storage/clearCookies", {})],
        COOKIE,
        context=FRESH,
    ),
]


@every(SCENARIOS)
def test_page_sees_the_same(pair: PairThread, scenario: Scenario) -> None:
    judge(pair, scenario)
