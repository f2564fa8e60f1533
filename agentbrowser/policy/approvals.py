"""Approval rules: the table ``approvals`` of the config file, which selects the requests that need an approver. Pure.

```toml
[approvals]
mode = "required"          # or "audit", which only logs its decisions, or "disabled"

[[approvals.rules]]        # the first matching rule decides
name = "payments"
match = { actions = ["action/*"], domains = ["*.bank.example"], url_patterns = ["**/pay/**"] }
action = "require"         # or "allow", or "deny"
timeout_s = 120
```
"""

import functools
import re
from collections.abc import Container, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import ClassVar, Final, Literal

import attrs

from agentbrowser.policy import globs
from agentbrowser.policy.urls import AllowlistEntry, canonical_host, plainly_spelled
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.fields import constraints, field

ApprovalMode = Literal["disabled", "audit", "required"]

_SEQUENCE: Final = "agent/act"
_CLICK: Final = "action/click"
_NAVIGATE: Final = "page/navigate"
_PRESS: Final = "action/press"
_FILL: Final = "action/fill"
_ANSWER: Final = "dialog/handle"
_TYPE: Final = "action/type"
SLIDE: Final = "action/fill of a slider"
"""A fill that presses keys, or drags: only the page knows which ones do."""
_ANY_HOST_BELOW: Final = "*."
_WILDCARDS: Final = frozenset("*?")
_MAY_BEGIN_URL: Final = re.compile(r"[\w+.-]*[:*{\\]", re.ASCII)
"""Beginning of a URL pattern that may match a whole URL: a scheme, or a wildcard before its colon."""

MAX_JUDGED: Final = 16_384
"""Most characters of a URL that is compared with URL patterns: 63 KB take 10 ms, and 14 ms more for a pattern."""

_MAY_ALSO_BE: Final[dict[str, tuple[str, ...]]] = {
    "action/dblclick": (_CLICK,),
    "action/check": (_CLICK,),
    "action/uncheck": (_CLICK,),
    "action/select": (_CLICK,),
    "action/drag": (_CLICK,),  # onto the element itself
    "action/upload": (_CLICK,),  # of what opens a file chooser
    _PRESS: (_CLICK,),  # Enter or Space on a button, or its access key
    _TYPE: (_CLICK, _PRESS, _FILL),
    _FILL: (_TYPE,),
    SLIDE: (_CLICK, _PRESS, "action/drag"),
    "action/clear": (_FILL, _TYPE),
    _ANSWER: (_CLICK,),  # accepts what a page asks, such as whether to pay
    **dict.fromkeys(("page/reload", "page/goBack", "page/goForward"), (_CLICK,)),  # send a form again, as a payment
    **dict.fromkeys(("page/create", "session/fork"), (_NAVIGATE,)),
}
"""Further actions whose effect an action can have: a rule that holds one of them back holds it back, too."""


@attrs.frozen
class RequestLocation:
    """URL of a request's page or navigation target, with its host."""

    host: str
    url: str

    @functools.cached_property
    def plain_host(self) -> str:
        """Return the host without another spelling, such as an IPv4 address in an IPv6 one."""
        try:
            return canonical_host(self.host)
        except ValueError:  # none, or one with characters that no pattern can have
            return self.host.lower()

    @functools.cached_property
    def spellings(self) -> frozenset[str] | None:
        """Return the URL as it is, and plainly spelled; None if it is too long to be compared with patterns.

        Of a URL without a host, such as ``data:``, the beginning counts: it belongs to no site that a rule is for.
        """
        if len(self.url) > MAX_JUDGED and self.host:
            return None
        url = self.url[:MAX_JUDGED]
        return frozenset((url, plainly_spelled(url)))


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
    """Hosts without port, case-insensitive; ``*.b.org`` also matches b.org. A request without a page has no host."""
    url_patterns: tuple[str, ...] = field(default=(), wire="url_patterns")
    """Globs of whole URLs, case-sensitive, as in ``network/intercept``: ``*`` matches all but a slash, ``**`` all.

    A URL of more than `MAX_JUDGED` characters matches each of them, but none of a rule that allows.
    """

    def __attrs_post_init__(self) -> None:
        for pattern in self.url_patterns:
            try:
                globs.check(pattern)
            except InvalidParams as refused:
                raise ValueError(f"a table without the URL pattern {pattern!r}: {refused.message}") from None
            if not _MAY_BEGIN_URL.match(pattern):
                hint = "give a pattern of whole URLs, such as **/pay/**"
                raise ValueError(f"a table without the URL pattern {pattern!r}, which matches no URL: {hint}")
        for domain in self.domains:
            _host_pattern(domain)

    def fits(self, method: str, selectors: Iterable[str]) -> bool:
        """Return True if the method and the selectors match."""
        if method == _SEQUENCE and _SEQUENCE not in self.actions:
            return False
        named = not self.actions or any(fnmatchcase(method, pattern) for pattern in self.actions)
        return named and (not self.selectors or any(map(self._matches_selector, selectors)))

    def holds(self, locations: Iterable[RequestLocation], *, too_long: bool = True) -> bool:
        """Return True if one of the locations matches.

        Args:
          too_long: the result for the patterns of a URL that is too long to be compared with them.
        """
        if not self.domains and not self.url_patterns:
            return True
        return any(self._is_at(one, too_long) for one in locations)

    def reads_fragment(self, location: RequestLocation) -> bool:
        """Return True if the part of a location's URL behind ``#`` may decide, as the route of an application."""
        return bool(self.url_patterns) and self._is_of(location)

    def _matches_selector(self, selector: str) -> bool:
        forms = (selector.casefold(), selector.casefold().partition("=")[2])
        patterns = [pattern.casefold().replace("[", "[[]") for pattern in self.selectors]  # brackets are literal
        return any(fnmatchcase(form, pattern) for form in forms for pattern in patterns)

    def _is_at(self, location: RequestLocation, too_long: bool) -> bool:
        if not self._is_of(location):
            return False
        if not self.url_patterns:
            return True
        urls = location.spellings
        if urls is None:
            return too_long
        return any(globs.compiled(glob).match(url) for glob in self.url_patterns for url in urls)

    def _is_of(self, location: RequestLocation) -> bool:
        hosts = map(_host_pattern, self.domains)
        return not self.domains or any(_matches_host(location.plain_host, host) for host in hosts)


@functools.lru_cache(maxsize=1024)
def _host_pattern(domain: str) -> str:
    """Return an entry of ``domains`` as it is compared with canonical hosts.

    Raises:
      ValueError: it matches no host, so that its rule would let everything pass.
    """
    rest = domain.removeprefix(_ANY_HOST_BELOW)
    below = domain.removesuffix(rest)
    try:
        if _WILDCARDS.isdisjoint(rest):
            entry = AllowlistEntry.parse(rest)
            if entry.port is None and not (below and not isinstance(entry.host, str)):
                return f"{below}{entry.host}"
        elif any(_is_canonical(rest.lower().replace("*", some).replace("?", some)) for some in "a1"):
            return domain.lower()
    except ValueError:
        pass
    expected = "a host, perhaps with * or ?, without scheme, port and path"
    raise ValueError(f"a table without the domain {domain!r}, which matches no host: give {expected}")


def _is_canonical(host: str) -> bool:
    try:
        return canonical_host(host) == host
    except ValueError:
        return False


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

    def holds(self, locations: Iterable[RequestLocation]) -> bool:
        """Return True if the rule decides about one of the locations. In doubt, one that allows does not."""
        return self.match.holds(locations, too_long=self.action != "allow")


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

        A rule that holds an action back holds back those that can have its effect, too.
        """
        others, all_selectors = _MAY_ALSO_BE.get(method, ()), list(selectors)
        for rule in self.rules:
            names = (method,) if rule.action == "allow" else (method, *others)
            if any(rule.match.fits(name, all_selectors) for name in names):
                yield rule


NO_RULES: Final = ApprovalRules(mode="disabled")


def document_of(location: RequestLocation, rules: Iterable[ApprovalRule]) -> str:
    """Return the URL of a document to which rules were applied: up to ``#``, or with what follows if one reads that."""
    url, _, fragment = location.url.partition("#")
    return f"{url}#{fragment}" if any(rule.match.reads_fragment(location) for rule in rules) else url


def names_document(documents: Container[str], url: str) -> bool:
    """Return True if a URL is that of one of the documents, as `document_of` returns them."""
    plain, _, fragment = url.partition("#")
    return plain in documents or f"{plain}#{fragment}" in documents
