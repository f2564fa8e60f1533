"""DNS cache: resolves a name once, within a time limit, and pins the answer so that it can't change between uses."""

import math
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, cast
from weakref import WeakValueDictionary

import attrs
import structlog
import trio

from agentbrowser.policy.urls import Address

Resolve = Callable[[str], Awaitable[Sequence[Address]]]
"""Function that returns the addresses of a name in the order to try them; raises OSError if there are none."""

log = structlog.get_logger("agentbrowser.egress")

_LOOPBACK: Final = (IPv4Address("127.0.0.1"), IPv6Address("::1"))
_LOOKUPS: Final = 8
_LOOKUPS_OF_SITE: Final = 3
_REMEMBERED: Final = 1000


class Unresolved(Exception):
    """Name without an address, or not resolved in time."""


@attrs.frozen(eq=False)
class _LookupLimiter:
    """Limiter of the lookups of one site, which have their share of those of its client."""

    of_client: trio.CapacityLimiter
    of_site: trio.CapacityLimiter

    async def acquire_on_behalf_of(self, borrower: object) -> None:
        """Wait for a place of the site, and for one of the client. [trio]"""
        await self.of_site.acquire_on_behalf_of(borrower)
        try:
            await self.of_client.acquire_on_behalf_of(borrower)
        except BaseException:
            self.of_site.release_on_behalf_of(borrower)
            raise

    def release_on_behalf_of(self, borrower: object) -> None:
        """Give both places back."""
        self.of_client.release_on_behalf_of(borrower)
        self.of_site.release_on_behalf_of(borrower)


def system_resolver() -> Resolve:
    """Return a resolver of the operating system with its own threads: a slow name must not delay other clients.

    Nor must it delay the other names of its client: a page can ask for any number of names below one of its own, whose
    name server does not answer.
    """
    of_client = trio.CapacityLimiter(_LOOKUPS)
    of_sites = WeakValueDictionary[str, trio.CapacityLimiter]()

    async def resolve(name: str) -> list[Address]:
        def lookup() -> list[Address]:
            found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
            return [ip_address(str(sockaddr[0]).partition("%")[0]) for *_, sockaddr in found]

        of_site = of_sites.setdefault(".".join(name.split(".")[-2:]), trio.CapacityLimiter(_LOOKUPS_OF_SITE))
        limiter = cast("trio.CapacityLimiter", _LookupLimiter(of_client, of_site))  # Trio accepts one of this shape
        return await trio.to_thread.run_sync(lookup, abandon_on_cancel=True, limiter=limiter)

    return resolve


@attrs.define
class _Answer:
    """Addresses of a name; `ready` is set once they are final."""

    ready: trio.Event = attrs.field(factory=trio.Event)
    addresses: tuple[Address, ...] = ()
    until_s: float = math.inf


@attrs.define(eq=False)
class DnsCache:
    """DNS cache of one client; simultaneous lookups of one name share one query."""

    _resolve: Resolve
    _timeout_s: float
    _pinned_s: float
    _answers: dict[str, _Answer] = attrs.field(factory=dict, init=False)

    async def addresses(self, name: str) -> tuple[Address, ...]:
        """Return the addresses of a name, at least one. [trio]

        Raises:
          Unresolved: the name has none.
        """
        if name == "localhost" or name.endswith(".localhost"):
            return _LOOPBACK  # RFC 6761: name servers are not consulted
        answer = self._answers.get(name)
        if answer is None or trio.current_time() >= answer.until_s:
            answer = self._remember(name)
            await self._lookup(name, answer)
        await answer.ready.wait()
        if not answer.addresses:
            raise Unresolved(name)
        return answer.addresses

    def _remember(self, name: str) -> _Answer:
        self._answers.pop(name, None)
        if len(self._answers) >= _REMEMBERED:
            del self._answers[next(iter(self._answers))]
        answer = self._answers[name] = _Answer()
        return answer

    async def _lookup(self, name: str, answer: _Answer) -> None:
        try:
            with trio.move_on_after(self._timeout_s):
                answer.addresses = tuple(dict.fromkeys(await self._resolve(name)))
        except (OSError, UnicodeError):  # UnicodeError: IDNA rejects a label
            log.debug("unresolved", name=name)
        finally:
            answer.until_s = trio.current_time() + self._pinned_s if answer.addresses else 0.0
            answer.ready.set()
