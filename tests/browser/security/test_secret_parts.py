"""Parts of a secret, which no mask finds: a client leaves none in a field that the page would show or send."""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.policy.secrets import OriginPattern, Secret, SecretStore
from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.registry import Scope
from tests.browser.site import Site, open_site

VALUE: Final = "correct-Horse-42"
USE: Final = "{{secret:pw}}"
FORMS: Final = (
    "<form><input id=i name=i></form><form><input id=short name=short maxlength=6></form><textarea id=area></textarea>"
)
Step = tuple[str, dict[str, Any]]


def keys(*pressed: str, on: str = "#i") -> list[Step]:
    return [("action/press", {"selector": on, "key": key}) for key in pressed]


def fill(text: str) -> list[Step]:
    return [("action/fill", {"selector": "#i", "value": text})]


def type_(text: str, **options: Any) -> list[Step]:
    return [("action/type", {"selector": "#i", "text": text, "options": options})]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with open_site() as site:
        site.html("/", FORMS)
        yield site


@pytest.fixture(scope="module")
def config(site: Site) -> Config:
    origins = (OriginPattern.parse(f"http://127.0.0.1:{site.port}"),)
    secrets = SecretStore((Secret(name="pw", value=VALUE, origins=origins),))
    return Config(port=0, scope=Scope.STANDARD, drain_timeout_s=1, secrets=secrets)


async def sent_by(browser: Browser, site: Site, field: str = "i") -> str:
    """Send the form of a field by a key, and return what the site gets of it."""
    await browser.request("action/press", {"selector": f"#{field}", "key": "Enter"})
    query = next(path for path in reversed(site.paths()) if path.startswith("/?"))
    return "".join(parse_qs(urlsplit(query).query).get(field, []))


@pytest.mark.parametrize(
    ("steps", "sent"),
    [
        (fill(USE) + keys("Home", "Delete"), ""),
        (fill(USE) + keys("ArrowLeft", "x"), ""),
        (fill(USE) + type_("x") + keys("Home", "Delete"), ""),
        (fill(USE) + fill("x") + keys("Control+Z", "Home", "Delete"), ""),
        (fill(USE) + fill("x") + keys("Control+Z", on="#area") + keys("Home", "Delete"), ""),
        (type_(USE) + keys("Control+Z"), ""),
        (fill(USE) + type_("x"), f"{VALUE}x"),
        (type_(f"a{USE}b"), f"a{VALUE}b"),
        (fill(USE) + fill("other"), "other"),
        (fill(USE) + type_("other", clear=True), "other"),
        (fill(USE) + keys("Control+A", "o"), "o"),
    ],
)
async def test_an_edit_of_a_part_of_a_secret_empties_the_field(
    browser: Browser, site: Site, steps: list[Step], sent: str
) -> None:
    await browser.request("page/navigate", {"url": site.url("/")})
    for method, params in steps:
        await browser.request(method, params)
    assert await sent_by(browser, site) == sent


@pytest.mark.parametrize("method", ["fill", "type"])
async def test_a_field_too_short_for_a_secret_keeps_no_part_of_it(browser: Browser, site: Site, method: str) -> None:
    await browser.request("page/navigate", {"url": site.url("/")})
    text = "value" if method == "fill" else "text"
    with pytest.raises(ActionFailed, match="the value did not land"):
        await browser.request(f"action/{method}", {"selector": "#short", text: USE})
    assert await sent_by(browser, site, "short") == ""


async def test_a_field_that_shows_dots_keeps_them(browser: Browser, site: Site) -> None:
    script = "<script>i.oninput = () => { i.dataset.held = i.value; i.value = '•'.repeat(i.value.length) }</script>"
    await browser.request("page/navigate", {"url": site.html("/dots", f"<form><input id=i name=i></form>{script}")})
    with pytest.raises(ActionFailed, match="the value did not land"):
        await browser.request("action/fill", {"selector": "#i", "value": USE})
    site.html("/dots", "sent")
    await browser.request("action/press", {"selector": "#i", "key": "Enter"})
    query = next(path for path in reversed(site.paths()) if path.startswith("/dots?"))
    assert parse_qs(urlsplit(query).query)["i"] == ["•" * len(VALUE)]


async def test_a_client_that_stops_typing_a_secret_leaves_no_part_of_it(browser: Browser, site: Site) -> None:
    await browser.request("page/navigate", {"url": site.url("/")})
    with trio.move_on_after(1.5):
        await browser.request("action/type", {"selector": "#i", "text": USE, "options": {"delay": 500}})
    assert await sent_by(browser, site) == ""
