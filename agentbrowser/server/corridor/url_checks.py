"""Checks of the URLs, origins and cookie domains in params, besides navigation targets, before a request runs."""

import re
from functools import cache
from typing import Any, get_args

import attrs

from agentbrowser.policy import urls
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.codec import wire_fields
from agentbrowser.protocol.errors import DomainNotAllowed, InvalidParams
from agentbrowser.protocol.types.fields import URL_CHECKED, AddressKind


@attrs.frozen
class UrlChecks:
    """URL checks by the operator's rules; ``private_open``: the session may use the private network.

    Cookies and web storage of private hosts need no open private network: to set them requests nothing. With ``deny``
    they are refused all the same.
    """

    rules: UrlRules
    private_open: bool

    def check(self, value: Any, path: str = "") -> Any:
        """Return the value with each checked address in normal form.

        Raises:
          InvalidParams, DomainNotAllowed: an address or a combination of fields is rejected; ``path`` names it.
        """
        if isinstance(value, list):
            return [self.check(item, f"{path}[{index}]") for index, item in enumerate(value)]
        kind: Any = type(value)
        changes = {}
        for wire, name, place in _marked(kind):
            inner = getattr(value, name)
            under = f"{path}.{wire}" if path else wire
            if inner is not None:
                changes[name] = self._read_place(place, inner, under) if place else self.check(inner, under)
        read = attrs.evolve(value, **changes) if changes else value
        _check_fit(read, path)
        return read

    def _read_place(self, place: AddressKind, value: Any, path: str) -> Any:
        if isinstance(value, list):
            return [self._read_place(place, item, f"{path}[{index}]") for index, item in enumerate(value)]
        checks = self if place == "url" else attrs.evolve(self, private_open=True)
        read = {"origin": checks._read_origin, "domain": checks._read_domain}.get(place, checks._read_url)
        try:
            return read(value, path)
        except DomainNotAllowed as refused:
            raise refused.with_details(path=path) from None

    def _read_url(self, url: str, path: str) -> str:
        read = urls.check_url(url, self.rules, path=path, private_open=self.private_open)
        if not read.startswith("http"):
            raise InvalidParams.at(path, "an http or https URL", read, reason="scheme")
        return read

    def _read_origin(self, origin: str, path: str) -> str:
        read = self._read_url(origin, path)
        if not read.endswith("/") or read.count("/") != 3:
            raise InvalidParams.at(
                path, "an origin such as https://example.com", "a URL with more to it", reason="syntax"
            )
        return read.removesuffix("/")

    def _read_domain(self, domain: str, path: str) -> str:
        host = domain.removeprefix(".")
        if not re.fullmatch(urls.HOST, host):
            raise InvalidParams.at(
                path, "a host, or a dot and a host for its subdomains too", "other text", reason="syntax"
            )
        # A cookie goes to every port of its hosts, so the ports in the allowlist do not apply.
        rules = self.rules.on_any_port()
        url = urls.check_url(f"https://{host}/", rules, path=path, private_open=self.private_open)
        return domain[: len(domain) - len(host)] + url.removeprefix("https://").removesuffix("/")


@cache
def _marked(kind: Any) -> tuple[tuple[str, str, AddressKind | None], ...]:
    """Return wire name, name and address kind of the checked fields; None as kind: checked fields are inside."""
    if not attrs.has(kind):
        return ()
    return tuple(
        (wire, one.name, one.metadata.get(URL_CHECKED))
        for wire, one in wire_fields(kind).items()
        if URL_CHECKED in one.metadata or _leads_on(one.type)
    )


def _leads_on(hint: Any, above: frozenset[Any] = frozenset()) -> bool:
    """Return True if a value of that type may hold a checked address."""
    if not attrs.has(hint):
        return any(_leads_on(part, above) for part in get_args(hint))
    return hint not in above and any(
        URL_CHECKED in one.metadata or _leads_on(one.type, above | {hint}) for one in wire_fields(hint).values()
    )


def _check_fit(value: Any, path: str) -> None:
    """Raise the error for an invalid combination of fields, if the class checks that."""
    invalid = value.invalid_field() if hasattr(value, "invalid_field") else None
    if invalid is not None:
        where, expected, got = invalid
        raise InvalidParams.at(f"{path}.{where}" if path else where, expected, got)
