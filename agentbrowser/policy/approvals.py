"""The operator's rules on which requests need an approver, as the table ``approvals`` of the config file. Pure.

```toml
[approvals]
mode = "required"          # or "audit", which only logs what would be asked or denied, or "disabled"

[[approvals.rules]]        # the first rule that fits a request decides
name = "payments"
match = { actions = ["action/click", "action/press"], domains = ["*.bank.example"], url_patterns = ["**/pay/**"] }
action = "require"         # or "allow", or "deny"
timeout_s = 120
```
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import ClassVar, Final, Literal

import attrs

from agentbrowser.policy import globs
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.fields import constraints, field

ApprovalMode = Literal["disabled", "audit", "required"]

_SEQUENCE: Final = "agent/act"
_ANY_HOST_BELOW: Final = "*."


@attrs.frozen
class RequestLocation:
    """An address that a request is about: where its page is, or where it would go. The host is canonical."""

    host: str
    url: str


@attrs.frozen(kw_only=True)
class RequestFilter:
    """Which requests: those that fit every list that is given here, and of each list any pattern.

    ``*`` stands for any characters and ``?`` for one. What a selector hits can be said in many other ways: rules that
    must not be got around go by actions and addresses.
    """

    refuses_unknown: ClassVar[bool] = True

    actions: tuple[str, ...] = ()
    """Names of methods, in their own letter case. Steps of agent/act are judged one by one, as requests are; the
    sequence itself only by a rule that names it in full."""
    selectors: tuple[str, ...] = ()
    """What the request points at, in any letter case: the text of a selector (``#buy``, ``button Buy now``), alone or
    after its kind (``css=#buy``, ``role=button Buy now``)."""
    domains: tuple[str, ...] = ()
    """Hosts, in any letter case; ``*.b.org`` fits b.org too. A request that is about no page has no host."""
    url_patterns: tuple[str, ...] = field(default=(), wire="url_patterns")
    """Whole URLs, in their own letter case and in the globs of ``network/intercept``: ``*`` is anything but a slash,
    ``**`` anything."""

    def __attrs_post_init__(self) -> None:
        for pattern in self.url_patterns:
            try:
                globs.compiled(pattern)
            except InvalidParams as refused:
                raise ValueError(f"a table without the URL pattern {pattern!r}: {refused.message}") from None

    def fits(self, method: str, selectors: Iterable[str]) -> bool:
        """Tell whether a request fits what can be said of it without its page."""
        if method == _SEQUENCE and _SEQUENCE not in self.actions:
            return False
        named = not self.actions or any(fnmatchcase(method, pattern) for pattern in self.actions)
        return named and (not self.selectors or any(map(self._points, selectors)))

    def holds(self, places: Iterable[RequestLocation]) -> bool:
        """Tell whether one of the addresses that a request is about fits."""
        if not self.domains and not self.url_patterns:
            return True
        return any(self._is_at(place) for place in places)

    def _points(self, selector: str) -> bool:
        forms = (selector.casefold(), selector.casefold().partition("=")[2])
        patterns = [pattern.casefold().replace("[", "[[]") for pattern in self.selectors]  # a bracket is a bracket
        return any(fnmatchcase(form, pattern) for form in forms for pattern in patterns)

    def _is_at(self, place: RequestLocation) -> bool:
        hosts = not self.domains or any(_fits_host(place.host, domain.lower()) for domain in self.domains)
        urls = not self.url_patterns or any(globs.compiled(glob).match(place.url) for glob in self.url_patterns)
        return hosts and urls


def _fits_host(host: str, pattern: str) -> bool:
    if pattern.startswith(_ANY_HOST_BELOW):
        host = f".{host}"
        pattern = pattern.removeprefix("*")
        return fnmatchcase(host, pattern) or fnmatchcase(host, f"*{pattern}")
    return fnmatchcase(host, pattern)


@attrs.frozen(kw_only=True)
class ApprovalRule:
    """What becomes of the requests that fit."""

    refuses_unknown: ClassVar[bool] = True

    name: str = attrs.field(metadata=constraints(minimum=1, maximum=100))
    match: RequestFilter = RequestFilter()
    action: Literal["require", "allow", "deny"] = "require"
    timeout_s: float = field(default=60.0, wire="timeout_s", minimum=0.1, maximum=3600)
    """How long an approver has; the request's own clock stands still meanwhile."""
    ask_requester: bool = field(default=False, wire="ask_requester")
    """Where no other connection may decide: have the requester itself decide."""
    redact_values: bool = field(default=True, wire="redact_values")
    """Keep from the approver what is typed or sent: the server can't tell secrets from other text."""
    screenshot: bool = False
    """Show the approver the page."""


@attrs.frozen(kw_only=True)
class ApprovalRules:
    """All the rules, in their order.

    Raises:
      ValueError: two rules have the same name.
    """

    refuses_unknown: ClassVar[bool] = True

    mode: ApprovalMode = "required"
    rules: tuple[ApprovalRule, ...] = ()

    def __attrs_post_init__(self) -> None:
        names = [rule.name for rule in self.rules]
        if len(set(names)) < len(names):
            raise ValueError("a table of rules with names that differ")

    def about(self, method: str, selectors: Iterable[str]) -> Iterator[ApprovalRule]:
        """Yield the rules that fit a request, as far as can be said without its page."""
        known = list(selectors)
        return (rule for rule in self.rules if rule.match.fits(method, known))
