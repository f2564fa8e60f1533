"""What a server does with secrets around the browser, which is scripted: who may use them, and what goes out masked."""

import threading
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from agentbrowser.config import Config
from agentbrowser.policy.approvals import ApprovalRule, RequestFilter
from agentbrowser.policy.masking import SecretMasker
from agentbrowser.policy.secrets import OriginPattern, Secret, SecretStore
from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.registry import METHODS, Scope, method
from agentbrowser.protocol.types.fields import typed_text
from tests.loop.corridor.test_approvals import office, question, respond
from tests.loop.memory_client import Client, dialogue

VALUE = 'kan"ari &7'
ORIGINS = (OriginPattern.parse("https://shop.example"),)
VAULT = SecretStore(
    (
        Secret(name="shop", value=VALUE, origins=ORIGINS),
        Secret(name="high", value="kanari-high", origins=ORIGINS, scopes=frozenset({Scope.FULL, Scope.PRIVILEGED})),
    )
)
asked: list[str] = []


@attrs.frozen(kw_only=True)
class EchoParams:
    value: str = attrs.field(metadata=typed_text())
    says: str = ""
    other: str = ""
    page_id: str | None = None


@attrs.frozen(kw_only=True)
class EchoResult:
    said: str


async def echo(tabs: Any, params: EchoParams) -> EchoResult:
    """Say it, or fail with it."""
    asked.append(params.value)
    if params.other:
        raise ActionFailed(f"It is {params.says}.", action="echo", reason=params.says)
    return EchoResult(said=params.says)


@pytest.fixture(autouse=True)
def _methods() -> Iterator[None]:
    before = dict(METHODS)
    asked.clear()
    method("test/echo", EchoParams, scope=Scope.STANDARD, step=True)(echo)
    yield
    METHODS.clear()
    METHODS.update(before)


async def reply(client: Client, method_: str = "test/echo", **params: Any) -> Any:
    await client.ask(1, method_, **params)
    message = await client.hear()
    return message.get("result") or message["error"]


async def test_the_browser_side_gets_the_placeholder_and_the_client_never_the_value() -> None:
    async with dialogue(Config(secrets=VAULT)) as client:
        assert await reply(client, value="plain", says=VALUE) == {"said": VALUE}  # nobody has used it
        assert await reply(client, value="{{secret:shop}}", says=f"<{VALUE}>") == {"said": "<[REDACTED]>"}
        assert asked == ["plain", "{{secret:shop}}"]
        failed = await reply(client, value="plain", says=VALUE, other="fails")
        assert (failed["message"], failed["data"]["details"]["reason"]) == ("It is [REDACTED].", "[REDACTED]")
        client.session.notify("console", {"text": f"now {VALUE}"})
        assert (await client.hear())["params"] == {"text": "now [REDACTED]"}


async def test_other_connections_are_not_masked() -> None:
    async with dialogue(Config(secrets=VAULT)) as one, dialogue(Config(secrets=VAULT)) as other:
        await reply(one, value="{{secret:shop}}")
        assert await reply(other, value="plain", says=VALUE) == {"said": VALUE}


@pytest.mark.parametrize(
    "more", [{}, {"idempotencyKey": "k"}, {"other": "fails"}, {"idempotencyKey": "k", "other": "f"}]
)
async def test_large_answers_are_masked_beside_the_loop(monkeypatch: pytest.MonkeyPatch, more: dict[str, str]) -> None:
    threads: dict[bool, set[int]] = {True: set(), False: set()}
    plain = SecretMasker.plain

    def note(masker: SecretMasker, value: Any) -> Any:
        if isinstance(value, str):
            threads[len(value) > 50_000].add(threading.get_ident())
        return plain(masker, value)

    async with dialogue(Config(secrets=VAULT)) as client:
        await reply(client, value="{{secret:shop}}", says="ok")
        monkeypatch.setattr(SecretMasker, "plain", note)
        said = await reply(client, value="plain", says=f"{VALUE}..." * 10_000, **more)
    assert VALUE not in str(said)
    assert threads[True]
    assert threading.get_ident() not in threads[True]


async def test_an_unknown_name_is_refused_with_those_that_there_are() -> None:
    async with dialogue(Config(secrets=VAULT)) as client:
        error = await reply(client, value="a {{secret:nobody}}")
        assert (error["code"], error["data"]["details"]) == (
            -32602, {"path": "value", "expected": "one of shop", "got": "nobody"},
        )  # fmt: skip
        steps = [{"action": "test/echo", "params": {"value": "{{secret:nobody}}"}}]
        acted = await reply(client, "agent/act", steps=[{"action": "test/echo", "params": {"value": "fine"}}, *steps])
        assert acted["code"] == -32602
        assert asked == []
    async with dialogue() as client:
        error = await reply(client, value="{{secret:shop}}")
        assert error["data"]["details"]["expected"].endswith("since no secret is available")


async def test_who_may_not_act_is_told_no_names() -> None:
    async with dialogue(Config(secrets=VAULT), scope=Scope.READONLY) as client:
        for name in ("nobody", "shop"):
            error = await reply(client, value="{{secret:" + name + "}}")
            assert error["code"] == -32003
            assert "secret" not in error["data"]["details"]
            assert "shop" not in str(error)


async def test_a_secret_is_for_its_scopes() -> None:
    async with dialogue(Config(secrets=VAULT)) as client:
        error = await reply(client, value="{{secret:high}}")
        assert (error["code"], error["data"]["details"]) == (
            -32003,
            {"method": "test/echo", "secret": "high", "required": "full or privileged", "granted": "standard"},
        )
    async with dialogue(Config(secrets=VAULT), scope=Scope.FULL) as client:
        assert await reply(client, value="{{secret:high}}", says="ok") == {"said": "ok"}


async def test_text_elsewhere_in_params_is_just_text() -> None:
    async with dialogue(Config(secrets=VAULT)) as client:
        assert await reply(client, value="x", says="{{secret:nobody}}") == {"said": "{{secret:nobody}}"}


@pytest.mark.parametrize("other", ["", "fails"])
async def test_what_is_remembered_for_repeats_holds_no_value(other: str) -> None:
    async with dialogue(Config(secrets=VAULT)) as client:
        params = {"value": "{{secret:shop}}", "says": VALUE, "other": other, "idempotencyKey": "k"}
        first = await reply(client, **params)
        assert await reply(client, **params) == first
        assert len(asked) == 1
        (entry,) = client.session.idempotency._over.values()
        assert entry.answer is not None
        assert entry.answer.text is not None
        assert b"REDACTED" in entry.answer.text
        assert b"ari &7" not in entry.answer.text


async def test_an_approver_sees_the_placeholder() -> None:
    rule = ApprovalRule(name="all", match=RequestFilter(actions=("test/*",)), redact_values=False)
    async with office(rule) as (agent, approver):
        agent.session.config = attrs.evolve(agent.session.config, secrets=VAULT)
        agent.session.masks.add([VALUE])
        agent.tabs.url = f"https://shop.test/{VALUE}"  # type: ignore[attr-defined]
        await agent.ask(1, "test/echo", value="{{secret:shop}}", says="ok")
        seen = await question(approver)
        assert seen["originalRequest"]["params"]["value"] == "{{secret:shop}}"
        assert seen["context"]["pageUrl"] == "https://shop.test/[REDACTED]"
        await respond(approver, seen["requestId"], "approve")
        assert (await agent.hear())["result"] == {"said": "ok"}
        assert asked == ["{{secret:shop}}"]


async def test_a_refused_request_masks_nothing() -> None:
    """Who asks in vain learns nothing from what is masked."""
    async with dialogue(Config(secrets=VAULT)) as client:
        await reply(client, value="{{secret:high}}")
        assert not client.session.masks.active
