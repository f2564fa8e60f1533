"""No request holds a loop: the largest accepted inputs, with the time of the loops' own threads measured."""

import contextlib
import gc
import json
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import page
from agentbrowser.policy.secrets import OriginPattern, Secret, SecretStore
from agentbrowser.protocol.errors import ElementNotFound, InvalidParams, SelectorAmbiguous, Timeout
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.extract import MAX_SCHEMA_BYTES, MAX_SCHEMA_PROPERTIES
from agentbrowser.protocol.types.selector import MAX_DESCRIPTION_LENGTH
from agentbrowser.server.app import Server
from tests.browser.site import Site

MAX_HOLD_S = 0.05
PASSWORD = "!open-Sesame"


@pytest.fixture
def config(site: Site) -> Config:
    secret = Secret(name="pw", value=PASSWORD, origins=(OriginPattern.parse(site.url("")),))
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, secrets=SecretStore((secret,)))


def words(count: int, seed: int = 3) -> list[str]:
    """Return made-up words, the same ones at each call."""
    letters = random.Random(seed)
    return ["".join(letters.choice("bcdfgklmnprst") + letters.choice("aeiou") for _ in range(4)) for _ in range(count)]


def largest_schema() -> dict[str, Any]:
    """Return a schema at its limits: as many properties as possible, described in as many words as possible."""
    names = words(MAX_SCHEMA_PROPERTIES)
    groups = [names[start : start + 50] for start in range(0, len(names), 50)]
    described = {
        name: {"type": "string", "description": " ".join(words(4, number))} for number, name in enumerate(names)
    }
    properties = {
        group[0]: {"type": "object", "properties": {name: described[name] for name in group[1:]}} for group in groups
    }
    schema = {"type": "object", "properties": properties}
    assert MAX_SCHEMA_BYTES * 0.7 < len(json.dumps(schema)) <= MAX_SCHEMA_BYTES
    return schema


async def longest_hold_s(server: Server, browser: Browser, method: str, params: dict[str, Any]) -> float:
    """Return the most time that one of the loops' threads has worked without a look for input, in one request."""
    holds = (server.hold, server.portal.hold)
    with frozen_objects():
        for hold in holds:
            hold.reset(time.thread_time)
        with contextlib.suppress(ElementNotFound, SelectorAmbiguous, Timeout):
            await browser.request(method, params)
        return max(hold.longest_s for hold in holds)


@contextlib.contextmanager
def frozen_objects() -> Iterator[None]:
    """Keep what exists out of collections, as `agentbrowser serve` does: the tests' objects take 100 ms to visit."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


async def test_the_largest_schema_holds_no_loop(server: Server, browser: Browser, site: Site) -> None:
    rows = "".join(f"<tr><td>{one}<td>{other}" for one, other in zip(words(100, 1), words(100, 2), strict=True))
    await browser.call(page.navigate, url=site.html("/", f"<table><tr><th>name<th>town{rows}</table>"))
    hold_s = await longest_hold_s(server, browser, "agent/extract", {"schema": largest_schema()})
    assert hold_s <= MAX_HOLD_S / 2  # it takes 45 ms on the loop, and 4 ms with the schema read in a thread


async def test_the_longest_description_holds_no_loop(server: Server, browser: Browser, site: Site) -> None:
    texts = iter(words(8000))
    buttons = "".join(f"<button>{one} {other}</button>" for one, other in zip(texts, texts, strict=True))
    await browser.call(page.navigate, url=site.html("/", buttons))
    description = " ".join(words(100))[:MAX_DESCRIPTION_LENGTH]
    selector = {"type": "semantic", "description": description}
    params = {"selector": selector, "options": {"timeout": 1000}}
    assert await longest_hold_s(server, browser, "action/click", params) <= MAX_HOLD_S


async def test_a_page_full_of_backslashes_holds_no_loop(server: Server, browser: Browser, site: Site) -> None:
    url = site.html("/", f"<input id=a><p>sesame {chr(92) * 60_000}</p>")
    await browser.call(page.navigate, url=url)
    await browser.request("action/fill", {"selector": {"type": "css", "value": "#a"}, "value": "{{secret:pw}}"})
    assert await longest_hold_s(server, browser, "observe/content", {"format": "text"}) <= MAX_HOLD_S


async def test_a_schema_of_seven_megabytes_is_refused_before_it_is_read(server: Server, browser: Browser) -> None:
    texts = " ".join(words(220))
    inner = {f"{name}{number}": {"type": "string", "description": texts} for number, name in enumerate(words(60))}
    schema = {"type": "object", "properties": {name: {"type": "object", "properties": inner} for name in words(60)}}
    with frozen_objects():
        server.portal.hold.reset(time.thread_time)
        with pytest.raises(InvalidParams, match="schema is too large") as refused:
            await browser.request("agent/extract", {"schema": schema})
        assert server.portal.hold.longest_s <= MAX_HOLD_S
    assert refused.value.details["expected"] == f"at most {MAX_SCHEMA_BYTES} bytes as JSON"


async def test_a_description_of_ten_thousand_characters_is_refused(browser: Browser) -> None:
    selector = {"type": "semantic", "description": " ".join(words(1100))}
    with pytest.raises(InvalidParams) as refused:
        await browser.request("action/click", {"selector": selector})
    assert refused.value.details["path"] == "selector.description"
