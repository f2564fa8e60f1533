"""Access to the live view: tokens of scope privileged, and links that are good for one use."""

import secrets
from collections.abc import Iterable
from typing import Final

import attrs
import trio

from agentbrowser.policy.approvals import ApprovalRules
from agentbrowser.protocol.errors import ApprovalDenied, ScopeDenied
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.gate.auth import Grant, Keyring, Owner
from agentbrowser.server.gate.head import Head, Refusal
from agentbrowser.server.sessions.handoffs import Handoff
from agentbrowser.server.sessions.session import Session

LINK_TTL_S: Final = 600.0
KEY_TTL_S: Final = 12 * 3600.0
MAX_KEPT: Final = 100
"""Links, and keys, that are kept for one owner; its oldest go first, and those of others stay."""
MAX_WATCHERS: Final = 64
"""Persons who watch as operators; as many may watch by links of clients."""
MAX_WATCHERS_OF_OWNER: Final = 24
_OPERATOR_HINT: Final = "Enter a token of scope privileged: this page can't tell who uses a link."
_LINK_HINT: Final = "A link is good for one use: make another with `agentbrowser live`."


@attrs.frozen(eq=False, kw_only=True)
class Access:
    """Rights of a person: the sessions to watch, and whether to answer approval requests."""

    name: str
    """Name of the person for the agent and for other persons."""
    may_approve: bool = False
    """True for the operator. An agent receives links, too: it must neither approve its own requests by one, nor do what
    the operator's rules or its scope refuse it."""
    owner: Owner | None = None
    """Owner of the sessions that it is for; None: all sessions."""
    session: Session | None = None
    """The only session that it is for."""
    handoff: Handoff | None = None
    """The handoff whose link it came by."""
    grant: Grant | None = None
    """Grant of the token that gave it, also by a link; it ends with the token."""
    made_by: Owner | None = None
    """Owner whose client or token made it; it takes of that owner's places, also for sessions of others."""

    def is_limited_with(self, other: "Access") -> bool:
        """Return True if both count for one limit: links of handoffs take no place of an operator with their token."""
        return self.made_by == other.made_by and self.may_approve == other.may_approve

    def has_room_among(self, present: Iterable["Access"]) -> bool:
        """Return True if one more may watch beside those present."""
        alike = [one for one in present if one.may_approve == self.may_approve]
        of_owner = sum(self.is_limited_with(one) for one in alike)
        return len(alike) < MAX_WATCHERS and of_owner < MAX_WATCHERS_OF_OWNER

    @property
    def is_over(self) -> bool:
        """Return True if the token has ended, or the handoff is over."""
        if self.grant is not None and self.grant.is_expired():
            return True
        return self.handoff is not None and self.handoff.outcome is not None

    def check_input(self, method: str, needed: Scope, session: Session, rules: ApprovalRules) -> None:
        """Check that the person may do on a page what a method does: a link gives no more than its client has.

        Rules judge elements and documents, which input of a person does not name; so any rule that refuses something
        refuses the takeover.

        Raises:
          ScopeDenied: the session's scope does not permit the method.
          ApprovalDenied: rules of the operator judge the session's actions.
        """
        if self.may_approve:
            return
        if session.scope < needed:
            why = f"{self.name} has no more rights than the session, and {method} needs the scope {needed.word}"
            raise ScopeDenied(f"Not by a link: {why}.", method=method, hint=_OPERATOR_HINT)
        strict = [rule.name for rule in rules.rules if rule.action != "allow"] if rules.mode == "required" else []
        if strict:
            why = "the operator's rules judge what is done here"
            raise ApprovalDenied(f"Not by a link: {why}.", rule=strict[0], hint=_OPERATOR_HINT)

    def sees(self, session: Session) -> bool:
        """Return True if the person may watch a session."""
        if self.session is not None:
            return session is self.session
        return self.owner is None or session.owner == self.owner


@attrs.define(eq=False)
class AccessBook:
    """Links and keys that give access. A link becomes a key at its one use; a key lives in one tab of a browser."""

    _links: dict[str, tuple[Access, float]] = attrs.field(factory=dict, init=False)
    _keys: dict[str, tuple[Access, float]] = attrs.field(factory=dict, init=False)

    def create_link(self, access: Access, ttl_s: float = LINK_TTL_S) -> str:
        """Return the code of a new link."""
        return _keep(self._links, access, ttl_s)

    def log_in(self, head: Head, keyring: Keyring) -> tuple[str, Access]:
        """Return a new key for the token or the link of a request.

        Raises:
          Refusal: 401 or 429 for a wrong token or a link that was used, 403 for a token of a lower scope.
        """
        kind, _, code = (head.sole(b"authorization") or b"").partition(b" ")
        if kind.lower() == b"link":
            found = self._links.pop(code.strip().decode("ascii"), None)
            if found is None or found[1] < trio.current_time() or found[0].is_over:
                refusal = keyring.wrong_token(head.peer)
                raise attrs.evolve(refusal, why=f"{refusal.why} {_LINK_HINT}") if refusal.status == 401 else refusal
            access = found[0]
        else:
            access = _access_of(keyring.grant(head))
        return _keep(self._keys, access, KEY_TTL_S), access

    def admit(self, head: Head, keyring: Keyring) -> Access:
        """Return the access of a socket: that of its key, or of its token.

        Raises:
          Refusal: it has none.
        """
        offered = [one.strip() for value in head.values(b"sec-websocket-protocol") for one in value.split(b",")]
        keys = [one.removeprefix(b"key.").decode("ascii") for one in offered if one.startswith(b"key.")]
        if not keys:
            return _access_of(keyring.grant(head))
        found = self._keys.get(keys[0])
        if found is None or found[1] < trio.current_time():
            raise keyring.wrong_token(head.peer)
        if found[0].is_over:
            raise Refusal(401, "This access is over.")
        return found[0]


def _keep(kept: dict[str, tuple[Access, float]], access: Access, ttl_s: float) -> str:
    now_s = trio.current_time()
    for code in [code for code, (one, end_s) in kept.items() if end_s < now_s or one.is_over]:
        del kept[code]
    alike = [code for code, (one, _) in kept.items() if one.is_limited_with(access)]
    for code in alike[: max(0, len(alike) + 1 - MAX_KEPT)]:
        del kept[code]
    code = secrets.token_hex(32)
    kept[code] = access, now_s + ttl_s
    return code


def _access_of(grant: Grant) -> Access:
    if grant.scope < Scope.PRIVILEGED:
        raise Refusal(403, "The live view needs a token of scope privileged, or a link: agentbrowser live prints one.")
    return Access(name=grant.name, may_approve=True, grant=grant, made_by=grant.owner)
