"""Two clients with different tokens on one server, in a real browser."""

import contextlib
import hashlib
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
import trio

import agentbrowser
from agentbrowser.client import Browser, ConnectionLost, over
from agentbrowser.config import Config
from agentbrowser.methods import action, page, script
from agentbrowser.policy.credentials import Credential, TokenFile, TokenLimits
from agentbrowser.protocol.errors import DomainNotAllowed, ResourceLimitExceeded, ScopeDenied, ServerBusy
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.selector import Css
from agentbrowser.server.app import Server, _close_at_expiry
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.memory_transport import memory_pair
from tests.browser.site import Site
from tests.loop.raw_websocket import CLOSE, frame, socket_pair


def secret_of(name: str) -> str:
    return f"the-token-of-{name}"


def token(name: str, **said: Any) -> Credential:
    return Credential(name=name, sha256=hashlib.sha256(secret_of(name).encode()).hexdigest(), **said)


@pytest.fixture
def config(site: Site) -> Config:
    here = (f"127.0.0.1:{site.port}",)
    return Config(
        port=0,
        scope=Scope.READONLY,
        drain_timeout_s=1,
        tokens=TokenFile(
            (
                token("wide", scope_word="privileged"),
                token("narrow", scope_word="privileged", allowed_domains=here),
                token("look", scope_word="readonly"),
                token("small", scope_word="full", limits=TokenLimits(max_pages=1, max_contexts=1)),
                token("shared", scope_word="full", limits=TokenLimits(max_total_pages=2)),
                token("slow", limits=TokenLimits(requests_per_minute=4)),
                token("old", expires=datetime(2001, 1, 1, tzinfo=UTC)),
            )
        ),
    )


@contextlib.asynccontextmanager
async def client(server: Server, token: str) -> AsyncIterator[Browser]:
    async with agentbrowser.connect(server.url, token=secret_of(token)) as browser:
        yield browser


FETCH = "async url => { try { await fetch(url, {mode: 'no-cors'}); return true } catch { return false } }"


@pytest.mark.slow
async def test_a_token_s_domains_hold_for_requests_and_for_the_pages(server: Server, site: Site) -> None:
    home, elsewhere = site.html("/home", "<p>hi"), f"http://localhost:{site.port}/elsewhere"
    async with client(server, "narrow") as narrow, client(server, "wide") as wide:
        for browser, may in ((narrow, False), (wide, True)):
            await browser.call(page.navigate, url=home)
            reached = await browser.call(script.evaluate, expression=FETCH, arg=elsewhere)
            assert reached.value is may
            assert ("/elsewhere" in site.paths()) is may
        with pytest.raises(DomainNotAllowed) as refused:
            await narrow.call(page.navigate, url=elsewhere)
        assert refused.value.details["domain"] == "localhost"
        assert (await wide.call(page.navigate, url=elsewhere)).url == elsewhere


async def test_a_page_stays_where_it_is_when_its_token_forbids_the_navigation(server: Server, site: Site) -> None:
    next_url = site.html("/next", "here")
    elsewhere = f"http://localhost:{site.port}/elsewhere"
    home = site.html("/home", f"<a id=out href={elsewhere}>out</a> <a id=on href={next_url}>on</a>")
    async with client(server, "narrow") as browser:
        await browser.call(page.navigate, url=home)
        with pytest.raises(DomainNotAllowed) as refused:
            await browser.call(action.click, selector=Css("#out"))
        assert refused.value.details["domain"] == "localhost"
        assert (await browser.call(page.list_pages)).pages[0].url == home
        assert (await browser.call(action.click, selector=Css("#on"))).url == next_url
    assert "/elsewhere" not in site.paths()


async def test_each_token_has_its_scope(server: Server, site: Site) -> None:
    url = site.html("/", "")
    async with client(server, "look") as look, client(server, "slow") as slow:
        with pytest.raises(ScopeDenied) as refused:
            await look.call(page.navigate, url=url)
        assert refused.value.details == {"method": "page/navigate", "required": "standard", "granted": "readonly"}
        assert (await slow.call(page.navigate, url=url)).url == url


async def test_a_token_s_limits_are_announced_and_hold(server: Server) -> None:
    async with client(server, "small") as browser:
        reported = browser.server
        assert reported is not None
        assert (reported.capabilities.limits.max_pages, reported.capabilities.limits.max_contexts) == (1, 1)
        await browser.call(page.create)
        for name, resource in (("page/create", "pages"), ("context/create", "contexts")):
            with pytest.raises(ResourceLimitExceeded) as refused:
                await browser.request(name)
            assert refused.value.details == {"resource": resource, "limit": 1, "current": 1}


@pytest.mark.slow
async def test_all_clients_of_a_token_share_its_pages(server: Server) -> None:
    async with client(server, "shared") as one, client(server, "wide") as wide:
        async with client(server, "shared") as other:
            await one.call(page.create)
            await other.call(page.create)
            for browser in (one, other):
                with pytest.raises(
                    ResourceLimitExceeded, match="clients of this token already have 2 pages"
                ) as refused:
                    await browser.call(page.create)
                assert refused.value.details == {"resource": "pages", "limit": 2, "current": 2}
            await wide.call(page.create)
        await one.call(page.create)  # the pages of the other client are closed with it


async def test_the_rate_of_a_token_is_that_of_all_its_clients(server: Server) -> None:
    async with client(server, "slow") as one, client(server, "slow") as other, client(server, "wide") as wide:
        await one.call(page.list_pages)  # the third: each has said hello
        await other.call(page.list_pages)
        for browser in (one, other):
            with pytest.raises(ServerBusy) as busy:
                await browser.call(page.list_pages)
            assert busy.value.details == {"limit": 4, "current": 4}
            assert 0 < (busy.value.retry_after_ms or 0) <= 60_000
        await wide.call(page.list_pages)


async def test_a_client_and_its_pages_end_with_its_token(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    expired = trio.Event()
    monkeypatch.setattr(Grant, "wait_expired", lambda grant: expired.wait())
    peer, transport = memory_pair()
    async with trio.open_nursery() as nursery, over(transport) as browser:
        nursery.start_soon(server.serve, peer, Grant(Scope.STANDARD, "short", expires_s=time.time() + 3600))
        created = await browser.call(page.create)
        (connection,) = server.connections
        assert connection.session.has(created.id)
        expired.set()
    assert not server.connections
    assert not connection.session.has(created.id)


async def test_the_close_frame_reports_the_expired_token() -> None:
    socket, wire = socket_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_close_at_expiry, Grant(Scope.STANDARD, "short", expires_s=time.time()), socket)
        opcode, payload = await wire.hear()
        assert (opcode, payload) == (CLOSE, b"\x03\xf0the token has expired")
        await wire.send(frame(CLOSE, payload))


@pytest.mark.parametrize("token", ["old", "unknown"])
async def test_an_expired_token_opens_no_connection(server: Server, token: str) -> None:
    with pytest.raises(ConnectionLost) as refused:
        async with client(server, token):
            pass
    assert refused.value.details == {"status": 401}
