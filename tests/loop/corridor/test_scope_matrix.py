"""Every method with every scope, over the wire: refused below its scope, let through to the handler from there on."""

from typing import Any

import pytest
import trio

from agentbrowser.config import Config
from agentbrowser.methods import METHODS
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.corridor import dispatch
from agentbrowser.server.corridor.job import Job
from tests.loop.memory_client import Client, FakeTabs, dialogue

PAIRS = [(name, scope) for name in sorted(METHODS) for scope in Scope]


@pytest.fixture
def handled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have every handler answer nothing; return the methods that have come that far."""
    came: list[str] = []

    async def handle(session: Any, job: Job, clocks: Any) -> None:
        await trio.lowlevel.checkpoint()
        came.append(job.method.name)

    monkeypatch.setattr(dispatch, "_handle", handle)
    return came


async def answer(client: Client, name: str, **params: Any) -> dict[str, Any]:
    await client.ask(1, name, **params)
    return await client.hear()


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize(("name", "scope"), PAIRS, ids=lambda value: getattr(value, "word", value))
async def test_a_method_takes_its_scope(name: str, scope: Scope, handled: list[str]) -> None:
    required = METHODS[name].scope
    async with dialogue(scope=scope) as client:
        said = await answer(client, name)
    if scope >= required:
        code = said.get("error", {}).get("code")
        assert (code, handled) in ((None, [name]), (-32602, []))
    else:
        assert handled == []
        assert said["error"]["code"] == -32003
        assert said["error"]["data"]["details"] == {
            "method": name,
            "required": required.word,
            "granted": scope.word,
        }


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize("scope", Scope)
async def test_what_initialize_announces_is_what_the_scope_allows(scope: Scope) -> None:
    async with dialogue(scope=scope) as client:
        told = (await answer(client, "initialize"))["result"]["capabilities"]
    assert told["scope"] == scope.word
    assert told["methods"] == sorted(name for name, method in METHODS.items() if method.scope <= scope)


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize("name", sorted(METHODS))
async def test_the_only_method_that_the_operator_can_lower_is_navigation(name: str, handled: list[str]) -> None:
    async with dialogue(Config(readonly_navigation=True), scope=Scope.READONLY) as client:
        said = await answer(client, name)
    refused = said.get("error", {}).get("code") == -32003
    assert refused == (METHODS[name].scope > Scope.READONLY and name != "page/navigate")


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize("name", sorted(name for name, method in METHODS.items() if method.step))
async def test_a_step_takes_its_own_scope(name: str) -> None:
    lower = [scope for scope in Scope if Scope.STANDARD <= scope < METHODS[name].scope]
    ran: list[str] = []
    for scope in lower:
        async with dialogue(scope=scope) as client:
            harmless = {"action": "action/press", "params": {"key": "a"}}
            said = await answer(client, "agent/act", steps=[{"action": name, "params": {}}, harmless])
            ran += client.tabs.opened
        (refused,) = said["result"]["results"]
        assert refused["error"]["code"] == -32003
        assert refused["error"]["data"]["details"]["method"] == name
    assert ran == []
    assert len(lower) == max(0, METHODS[name].scope - Scope.STANDARD)


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize("scope", Scope)
async def test_an_unknown_method_is_unknown_to_all(scope: Scope) -> None:
    async with dialogue(scope=scope) as client:
        assert (await answer(client, "browser/exec"))["error"]["code"] == -32601


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize("params", [{"scope": "privileged"}, {"capabilities": {"scope": "privileged"}}])
async def test_a_client_can_not_raise_its_scope(params: dict[str, Any]) -> None:
    async with dialogue(scope=Scope.READONLY) as client:
        assert (await answer(client, "initialize", **params))["error"]["code"] == -32602
        told = await answer(client, "initialize", clientInfo={"name": "bap-client"}, **params)
        assert told["result"]["capabilities"]["scope"] == "readonly"
        assert (await answer(client, "page/create"))["error"]["code"] == -32003


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize(
    ("given", "method"),
    [
        ({"permissions": ["camera"]}, "context/create"),
        ({"storageState": {"cookies": [], "origins": []}}, "storage/setState"),
    ],
)
async def test_a_page_gets_nothing_for_its_context_below_the_scope_for_that(
    given: dict[str, Any], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = {"id": "page-1", "url": "about:blank", "title": "", "viewport": None, "status": "ready"}
    made: list[str] = []

    async def create(_: FakeTabs, page_id: str, *args: object, **options: object) -> dict[str, Any]:
        made.append(page_id)
        return opened

    monkeypatch.setattr(FakeTabs, "create", create, raising=False)
    async with dialogue(scope=Scope.STANDARD) as client:
        error = (await answer(client, "page/create", **given))["error"]
        assert (error["code"], error["data"]["details"]["method"], made) == (-32003, method, [])
        assert "result" in await answer(client, "page/create", permissions=[])
    async with dialogue(scope=Scope.FULL) as client:
        assert "result" in await answer(client, "page/create", **given)
    assert len(made) == 2
