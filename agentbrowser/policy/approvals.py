"""Approval rules: the table ``approvals`` of the config file, which selects the requests that need an approver. Pure.

```toml
[approvals]
mode = "required"          # or "audit", which only logs its decisions, or "disabled"

[[approvals.rules]]        # the first matching rule decides
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
from agentbrowser.policy.urls import plainly_spelled
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.fields import constraints, field

ApprovalMode = Literal["disabled", "audit", "required"]

_SEQUENCE: Final = "agent/act"
_UPLOAD: Final = "action/upload"
_CLICK: Final = "action/click"
_ANY_HOST_BELOW: Final = "*."


@attrs.frozen
class RequestLocation:
    """URL of a request's page or navigation target, with its canonical host."""

    host: str
    url: str


@attrs.frozen(kw_only=True)
class RequestFilter:
    """Filter of requests: every given list must match by any of its patterns.

    ``*`` matches any characters and ``?`` one. Different selectors can match the same element, so a rule that must not
    be bypassed uses actions and addresses.
    """

    refuses_unknown: ClassVar[bool] = True

    actions: tuple[str, ...] = ()
    """Method names, case-sensitive. Each step of agent/act is matched as a request; the sequence itself matches only a
    pattern with its full name."""
    selectors: tuple[str, ...] = ()
    """Selectors of the request, case-insensitive: the text (``#buy``, ``button Buy now``), with or without the kind
    (``css=#buy``, ``role=button Buy now``)."""
    domains: tuple[str, ...] = ()
    """Hosts, case-insensitive; ``*.b.org`` also matches b.org. A request without a page has no host."""
    url_patterns: tuple[str, ...] = field(default=(), wire="url_patterns")
    """Globs of whole URLs, case-sensitive, as in ``network/intercept``: ``*`` matches all but a slash, ``**`` all."""

    def __attrs_post_init__(self) -> None:
        for pattern in self.url_patterns:
            try:
                globs.check(pattern)
            except InvalidParams as refused:
                raise ValueError(f"a table without the URL pattern {pattern!r}: {refused.message}") from None

    def fits(self, method: str, selectors: Iterable[str]) -> bool:
        """Return True if the method and the selectors match."""
        if method == _SEQUENCE and _SEQUENCE not in self.actions:
            return False
        named = not self.actions or any(fnmatchcase(method, pattern) for pattern in self.actions)
        return named and (not self.selectors or any(map(self._matches_selector, selectors)))

    def holds(self, locations: Iterable[RequestLocation]) -> bool:
        """Return True if one of the locations matches."""
        if not self.domains and not self.url_patterns:
            return True
        return any(self._is_at(one) for one in locations)

    def _matches_selector(self, selector: str) -> bool:
        forms = (selector.casefold(), selector.casefold().partition("=")[2])
        patterns = [pattern.casefold().replace("[", "[[]") for pattern in self.selectors]  # brackets are literal
        return any(fnmatchcase(form, pattern) for form in forms for pattern in patterns)

    def _is_at(self, location: RequestLocation) -> bool:
        hosts = not self.domains or any(_matches_host(location.host, domain.lower()) for domain in self.domains)
        spellings = {location.url, plainly_spelled(location.url)} if self.url_patterns else ()
        urls = not self.url_patterns or any(
            globs.compiled(glob).match(url) for glob in self.url_patterns for url in spellings
        )
        return hosts and urls


def _matches_host(host: str, pattern: str) -> bool:
    if pattern.startswith(_ANY_HOST_BELOW):
        host = f".{host}"
        pattern = pattern.removeprefix("*")
        return fnmatchcase(host, pattern) or fnmatchcase(host, f"*{pattern}")
    return fnmatchcase(host, pattern)


@attrs.frozen(kw_only=True)
class ApprovalRule:
    """An approval rule: a filter, and the action for matching requests."""

    refuses_unknown: ClassVar[bool] = True

    name: str = attrs.field(metadata=constraints(minimum=1, maximum=100))
    match: RequestFilter = RequestFilter()
    action: Literal["require", "allow", "deny"] = "require"
    timeout_s: float = field(default=60.0, wire="timeout_s", minimum=0.1, maximum=3600)
    """Time limit of the approver; the request's deadline is paused meanwhile."""
    ask_requester: bool = field(default=False, wire="ask_requester")
    """Let the requester itself decide if no other connection may."""
    redact_values: bool = field(default=True, wire="redact_values")
    """Hide typed or sent text from the approver: the server can't distinguish secrets from other text."""
    screenshot: bool = False
    """Send the approver a screenshot of the page."""


@attrs.frozen(kw_only=True)
class ApprovalRules:
    """The approval rules in order.

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
        """Yield the rules whose method and selector patterns match a request.

        An upload may click what opens a file chooser, so that rules which hold clicks back hold it back, too.
        """
        names, all_selectors = (method, _CLICK) if method == _UPLOAD else (method,), list(selectors)
        for rule in self.rules:
            if any(rule.match.fits(name, all_selectors) for name in (names[:1] if rule.action == "allow" else names)):
                yield rule


NO_RULES: Final = ApprovalRules(mode="disabled")
