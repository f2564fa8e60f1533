"""From names to addresses: asked once, within a time limit, and pinned, so that no answer changes in between."""

import math
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import attrs
import structlog
import trio

from agentbrowser.policy.urls import Address

Resolve = Callable[[str], Awaitable[Sequence[Address]]]
"""Returns the addresses of a name in the order to try them; raises OSError if there are none."""

log = structlog.get_logger("agentbrowser.egress")

_LOOPBACK: Final = (IPv4Address("127.0.0.1"), IPv6Address("::1"))
_LOOKUPS: Final = 8
_REMEMBERED: Final = 1000


class Unresolved(Exception):
    """A name has no address, or none within the time."""


def ask_system() -> Resolve:
    """Return a resolver that asks the operating system, with threads of its own: a slow name hinders no one else's."""
    limiter = trio.CapacityLimiter(_LOOKUPS)

    async def resolve(name: str) -> list[Address]:
        def ask() -> list[Address]:
            found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
            return [ip_address(str(where[0]).partition("%")[0]) for *_, where in found]

        return await trio.to_thread.run_sync(ask, abandon_on_cancel=True, limiter=limiter)

    return resolve


@attrs.define
class _Answer:
    """What is known of a name; `ready` is set once that is all."""

    ready: trio.Event = attrs.field(factory=trio.Event)
    addresses: tuple[Address, ...] = ()
    until_s: float = math.inf


@attrs.define(eq=False)
class DnsCache:
    """One client's names; a name that is asked for by many at once is asked for once."""

    _resolve: Resolve
    _timeout_s: float
    _pinned_s: float
    _answers: dict[str, _Answer] = attrs.field(factory=dict, init=False)

    async def addresses(self, name: str) -> tuple[Address, ...]:
        """Return the addresses of a name, at least one. [trio]

        Raises:
          Unresolved: there are none.
        """
        if name == "localhost" or name.endswith(".localhost"):
            return _LOOPBACK  # by RFC 6761, whatever a name server says
        answer = self._answers.get(name)
        if answer is None or trio.current_time() >= answer.until_s:
            answer = self._remember(name)
            await self._ask(name, answer)
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

    async def _ask(self, name: str, answer: _Answer) -> None:
        try:
            with trio.move_on_after(self._timeout_s):
                answer.addresses = tuple(dict.fromkeys(await self._resolve(name)))
        except (OSError, UnicodeError):  # UnicodeError: a label that IDNA does not take
            log.debug("unresolved", name=name)
        finally:
            answer.until_s = trio.current_time() + self._pinned_s if answer.addresses else 0.0
            answer.ready.set()
