"""A reload of tokens, secrets and approval rules while clients are connected or away."""

import hashlib
from typing import Any

import attrs
import pytest

from agentbrowser.methods.action import FillParams
from agentbrowser.policy.approvals import ApprovalRules
from agentbrowser.policy.credentials import Credential, ScopeName, TokenFile
from agentbrowser.policy.secrets import Secret, SecretStore
from agentbrowser.protocol.errors import InvalidParams, MethodNotFound
from agentbrowser.protocol.types.selector import Css
from agentbrowser.server.corridor.connection import POLICY_CLOSE
from agentbrowser.server.corridor.secrets import secrets_in
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.head import Head
from tests.loop.scripted_server import Inn, open_inn

NAMES = ("kept", "gone", "changed")


def entry(name: str, scope: ScopeName = "full") -> Credential:
    return Credential(name=name, sha256=hashlib.sha256(_token(name)).hexdigest(), scope_word=scope)


def _token(name: str) -> bytes:
    return f"the-token-of-{name}".encode()


BEFORE = TokenFile(tuple(map(entry, NAMES)))
AFTER = TokenFile((entry("kept"), entry("changed", "readonly"), entry("late-comer")))


def grant(inn: Inn, name: str) -> Grant:
    head = Head(b"GET", b"/", ((b"x-agent-token", _token(name)),), b"", b"", "127.0.0.1")
    return inn.server.gate._keyring.grant(head)


async def test_only_clients_of_withdrawn_tokens_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_inn(monkeypatch, tokens=BEFORE) as inn:
        guests = {name: await inn.guest(grant(inn, name)) for name in NAMES}
        for guest in guests.values():
            await guest.initialize()
        inn.server.reload(attrs.evolve(inn.server.config, tokens=AFTER))
        for name in ("gone", "changed"):
            await guests[name].gone.wait()
            assert guests[name].code == POLICY_CLOSE
        assert inn.server.sessions.parked == 0
        assert (await guests["kept"].call("no/such/method"))["code"] == MethodNotFound.code
        late = await inn.guest(grant(inn, "late-comer"))
        assert "sessionId" in await late.initialize()


async def test_sessions_that_wait_for_the_clients_of_withdrawn_tokens_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_inn(monkeypatch, tokens=BEFORE) as inn:
        for name in NAMES:
            guest = await inn.guest(grant(inn, name))
            await guest.initialize()
            await guest.hang_up()
        assert inn.server.sessions.parked == 3
        inn.server.reload(attrs.evolve(inn.server.config, tokens=AFTER))
        assert [one.scope.word for one in inn.server.sessions.parked_sessions] == ["full"]
        assert inn.server.sessions.parked == 1


async def test_a_client_that_waited_at_the_gate_meanwhile_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_inn(monkeypatch, tokens=BEFORE) as inn:
        early = grant(inn, "gone")
        inn.server.reload(attrs.evolve(inn.server.config, tokens=AFTER))
        guest = await inn.guest(early)
        await guest.gone.wait()
        assert guest.code == POLICY_CLOSE


def secret(name: str, value: str) -> Secret:
    return Secret(name=name, value=value, origins=())


async def test_secrets_and_rules_hold_from_the_next_request_on(monkeypatch: pytest.MonkeyPatch) -> None:
    store = SecretStore((secret("old", "old-value"), secret("same", "first-value")))
    async with open_inn(monkeypatch, secrets=store) as inn:
        guest = await inn.guest()
        await guest.initialize()
        (session,) = {connection.session for connection in inn.server.connections}
        session.add_secrets(store.secrets)
        session.approved.add("payments")
        renewed = SecretStore((secret("same", "second-value"), secret("new", "new-value")))
        inn.server.reload(attrs.evolve(inn.server.config, secrets=renewed, approvals=ApprovalRules(mode="required")))
        assert inn.server.approvals.rules.mode == "required"
        assert session.approved == set()
        assert [one.value for one in named(session, "same new")] == ["second-value", "new-value"]
        with pytest.raises(InvalidParams, match="names the secret 'old', which does not exist"):
            named(session, "old")
        masked = session.masks.text("old-value first-value second-value new-value")
        assert [part for part in ("old-value", "first-value", "second-value") if part in masked] == []
        assert [one.value for one in session.tabs.secrets.vault.named_in("{{secret:old}}")] == ["old-value"]


def named(session: Any, names: str) -> tuple[Secret, ...]:
    value = "".join(f"{{{{secret:{name}}}}}" for name in names.split())
    return secrets_in(session, "action/fill", FillParams(selector=Css("#a"), value=value))
