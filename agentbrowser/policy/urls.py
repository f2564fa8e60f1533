"""URL policy: checks of URLs, hosts and addresses by the operator's rules. Pure, and with WHATWG parsing only.

The order of the checks is syntax, scheme, metadata and self, allowlist, private; the first failure is reported. A host
is checked by name before its resolution (`check_url`, `check_host`), and each of its addresses after it
(`check_address`).
"""

import re
import string
from collections.abc import Iterable, Sequence, Set
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Final, Literal, Self

import ada_url
import attrs

from agentbrowser.protocol.errors import DomainNotAllowed, InvalidParams

if TYPE_CHECKING:
    from agentbrowser.config import PrivateNetwork

Reason = Literal["syntax", "scheme", "metadata", "self", "private"]
Address = IPv4Address | IPv6Address
Networks = tuple[IPv4Network | IPv6Network, ...]
Host = str | Address
"""Canonical host: a DNS name without its trailing dot, or an address without its IPv6 mapping."""

REDACTED: Final = "[REDACTED]"
MAX_URL_LENGTH: Final = 100_000
"""Length of a URL that is checked: 9 MB hold a loop for 200 ms."""
_LONGEST_SHOWN: Final = 2_000
_MAX_ENCODED: Final = 500
"""Characters of a host beyond ASCII, of which a name of 253 has at most 230: 4,000 of them held a loop for 110 ms."""
_BLANK: Final = "about:blank"
_DEFAULT_PORTS: Final = {"http:": 80, "https:": 443}


def _networks(text: str) -> Networks:
    return tuple(map(ip_network, text.split()))


_METADATA_NAMES: Final = frozenset(
    ("metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal")
)
_METADATA: Final = _networks(
    "169.254.0.0/16 fe80::/10 100.100.100.200 168.63.129.16 192.0.0.192 "  # link-local, Alibaba, Azure, Oracle
    "fd00:ec2::/32 fd20:ce::254 fd00:c1::a9fe:a9fe fd00:42::42"  # AWS, Google, Oracle, Scaleway
)
_LOOPBACK: Final = _networks("127.0.0.0/8 0.0.0.0/8 ::/127")  # 0.0.0.0 and :: connect to loopback on Linux
_PRIVATE: Final = _LOOPBACK + _networks(
    "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 fc00::/7 64:ff9b:1::/48 fec0::/10 "
    "192.0.0.0/24 240.0.0.0/4 224.0.0.0/4 ff00::/8 2001::/32"  # protocols, reserved, multicast, Teredo
)
# 198.18.0.0/15 stays public: local proxies make up addresses of it for public names.
_HOLDING_IPV4: Final = _networks("::ffff:0:0/96 ::ffff:0:0:0/96 ::/96 64:ff9b::/96")  # in their last 32 bits

HOST: Final = r"\[[0-9A-Fa-f:.]+\]|[^\x00-\x20\x7f:/\\?#@%*\[\]]+"
"""Pattern of a written host: an address of IPv6 in brackets, or a name or another address."""
_ENTRY: Final = re.compile(rf"(?P<wildcard>\*\.)?(?P<host>{HOST})(?::(?P<port>[1-9][0-9]{{0,4}}))?")
_NAME: Final = re.compile(r"(?=.{1,253}\Z)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")

_AUTHORITY: Final = re.compile(r"(?i)(?:[a-z][a-z0-9+.-]*:[/\\]*+)*+([^/\\?#]*)")
_SKIPPED: Final = "".join(map(chr, range(0x21)))
"""Characters before a URL that browsers skip; beside these, tabs and line breaks anywhere."""
_CONTROLS: Final = dict.fromkeys(range(0x20))  # parsers skip some of them, and none belongs in a log
_USERINFO: Final = re.compile(r"(?i)^((?:view-source:|blob:|filesystem:)?(?:[a-z][a-z0-9+.-]*:)?[/\\]*+)[^/?#]*@")
_SECRET_VALUE: Final = re.compile(  # the bound on a key keeps long data: URLs cheap
    r"(?i)([?&#;][^=&#;?]{0,64}(?:token|key|secret|pass|password|passwd|pwd|passphrase|code|session|session[_-]?id"
    r"|sid|sig|signature|auth|authorization|credentials?|jwt|otp|ticket)(?:\]|%5D)?=)[^&#]*"
)

# The script that evaluates for clients, which stands alone in a document, has the same list.
_BROWSERS_OWN: Final = ("chrome:", "chrome-extension:", "chrome-untrusted:", "devtools:", "file:", "view-source:")

_UNRESERVED: Final = f"{string.ascii_letters}{string.digits}-._~"
_NEEDLESS_ESCAPES: Final = {case(f"{ord(sign):02x}"): sign for sign in _UNRESERVED for case in (str.lower, str.upper)}
"""Unreserved signs (RFC 3986, 6.2.2.2) by the digits of their escapes."""

_EXPECTED: Final[dict[Reason, str]] = {
    "syntax": "an absolute URL such as https://example.com/path, without user name and password",
    "scheme": "a URL that begins with http:// or https://, or exactly about:blank",
    "metadata": "a host that is neither link-local nor a cloud metadata service (these are never reachable)",
    "self": "a host and port that are not this server's own",
    "private": "a public host",
}


@attrs.frozen
class AllowlistEntry:
    """Entry of the allowlist: a host, with its subdomains after ``*.``, and one port after ``:``."""

    host: Host
    subdomains: bool = False
    port: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse ``host``, ``*.host``, ``a.b.c.d`` or ``[v6]``, each with an optional ``:port``.

        Raises:
          ValueError: the text is none of these, or ``*.`` stands before an address or a top-level domain.
        """
        found = _ENTRY.fullmatch(text.strip())
        port = int(found["port"] or 0) if found else 0
        if found is None or port > 65_535:
            raise ValueError(f"allowed domain {text!r} is not host, *.host, a.b.c.d or [v6], with or without a port")
        host = _canonical(found["host"])
        if found["wildcard"] and not (isinstance(host, str) and "." in host):
            raise ValueError(f"allowed domain {text!r} has *. before something else than a name of two or more labels")
        return cls(host, bool(found["wildcard"]), port or None)

    def matches(self, host: Host, port: int) -> bool:
        """Return True if the entry allows this port of this host."""
        named = f".{host}".endswith(f".{self.host}") if self.subdomains else host == self.host
        return named and self.port in (None, port)


@attrs.frozen(kw_only=True)
class UrlRules:
    """Compiled URL rules of the operator, or of one client."""

    allowed: tuple[AllowlistEntry, ...] | None = None  # None allows every host
    narrower: tuple[AllowlistEntry, ...] | None = None  # the allowlist of the client's token: a host must be in both
    private: "PrivateNetwork" = "ask-first"
    own_ports: Set[int] = frozenset()  # the server's ports on loopback, which the browser never reaches

    @classmethod
    def compile(
        cls, *, allowed_domains: Sequence[str] | None, private_network: "PrivateNetwork", own_ports: Iterable[int]
    ) -> Self:
        """Compile the rules of the settings.

        Raises:
          ValueError: the allowlist is empty or has an invalid entry; the text names it.
        """
        allowed = None if allowed_domains is None else read_allowlist(allowed_domains)
        return cls(allowed=allowed, private=private_network, own_ports=frozenset(own_ports))

    @property
    def allowlists(self) -> tuple[tuple[AllowlistEntry, ...], ...]:
        """Return the allowlists; a host must be in each of them."""
        return tuple(one for one in (self.allowed, self.narrower) if one is not None)

    def narrowed(self, allowlist: tuple[AllowlistEntry, ...] | None) -> Self:
        """Return the rules with a client's additional allowlist; None leaves them unchanged."""
        return self if allowlist == self.narrower else attrs.evolve(self, narrower=allowlist)

    def on_any_port(self) -> Self:
        """Return the rules with allowlists that ignore ports, for cookies, which apply to every port of a host."""
        both = (self.allowed, self.narrower)
        allowed, narrower = (one and tuple(attrs.evolve(entry, port=None) for entry in one) for one in both)
        return attrs.evolve(self, allowed=allowed, narrower=narrower)


def read_allowlist(domains: Sequence[str]) -> tuple[AllowlistEntry, ...]:
    """Return the entries of an allowlist.

    Raises:
      ValueError: it is empty, or has an invalid entry; the text names it.
    """
    if not domains:
        raise ValueError("an empty list of allowed domains would allow nothing; leave it out to allow every host")
    return tuple(map(AllowlistEntry.parse, domains))


@attrs.frozen
class HostPermission:
    """Permission to resolve a host, perhaps to private addresses; `check_address` checks each address."""

    host: Host
    port: int
    private: bool


def check_url(url: str, rules: UrlRules, *, path: str = "url", private_open: bool = True) -> str:
    """Return the canonical form of an allowed URL; use it instead of the original.

    Args:
      path: the path of the URL in the params, in wire names.
      private_open: True if ``ask-first`` is answered. A client's own navigation answers it, and cookies and
        storage need no answer: True. For popups, True if the session has opened private networks.

    Raises:
      InvalidParams: the URL is refused; details hold reason, expected, got, path and the redacted url.
      DomainNotAllowed: the host is not in the allowlist.
    """
    try:
        return _checked(url, rules, private_open)
    except InvalidParams as refused:
        raise refused.with_details(url=_shown(url), path=path) from None
    except DomainNotAllowed as refused:
        raise refused.with_details(url=_shown(url)) from None


def check_host(host: str, port: int, rules: UrlRules, *, private_open: bool) -> HostPermission:
    """Check a host (IPv6 in brackets) and port as `check_url` checks a URL, with the same exceptions."""
    try:
        canonical = _canonical(host)
    except ValueError:
        raise _refusal("syntax", "a host that is neither a name nor an address") from None
    _refuse_always(canonical, port, rules)
    permission = _admit(canonical, port, rules, private_open)
    _refuse_private(canonical, permission, rules)
    return permission


def is_browsers_own(url: str) -> bool:
    """Return True for the URL of a document that may do more than one of the web, such as that of the PDF viewer."""
    return url.startswith(_BROWSERS_OWN)


def check_destination(url: str, rules: UrlRules) -> None:
    """Check the host of a URL that a page navigates to by itself, under an allowlist; only the host matters.

    Raises: as `check_url` does.
    """
    host, port = place_of(url)
    if host:
        try:
            # The egress proxy checks private addresses; without an allowlist of the operator they may be open.
            check_host(host, port, rules, private_open=True)
        except (InvalidParams, DomainNotAllowed) as refused:
            raise refused.with_details(url=_shown(url)) from None


def check_address(address: Address, permission: HostPermission, rules: UrlRules) -> None:
    """Check one resolved address of a permitted host; refuse it for the reasons metadata, self and private."""
    unwrapped = _unwrap(address)
    _refuse_always(unwrapped, permission.port, rules)
    _refuse_private(unwrapped, permission, rules)


def names_private_host(url: str) -> bool:
    """Return True if a URL from `check_url` has a private host; navigating there opens private networks."""
    return url != _BLANK and _is_within(_canonical(ada_url.URL(url).hostname), _PRIVATE)


def place_of(url: str) -> tuple[str, int]:
    """Return the host and port of an http or https URL; an empty host for any other."""
    parsed = _parsed(url)
    if parsed is None or parsed.protocol not in _DEFAULT_PORTS:
        return "", 0
    return parsed.hostname, int(parsed.port or _DEFAULT_PORTS[parsed.protocol])


def host_of(url: str) -> str:
    """Return the canonical host of a URL, or of the creator of a ``blob:`` URL; empty without a host."""
    parsed = _parsed(url)
    if parsed is not None and parsed.protocol == "blob:":
        parsed = _parsed(parsed.origin)
    return parsed.hostname.removesuffix(".") if parsed is not None else ""


def canonical_host(written: str) -> str:
    """Return a host (IPv6 in brackets) in its canonical spelling: an address without its IPv6 mapping or brackets.

    Raises:
      ValueError: it is neither a name nor an address.
    """
    return str(_canonical(written))


def plainly_spelled(url: str) -> str:
    """Return a URL without needless escapes and without the dot after its host: servers see no difference."""
    first, *escaped = url.split("%")  # half the time of a regular expression, which matters for 5,000 escapes
    plain = first + "".join(
        [f"{sign}{part[2:]}" if (sign := _NEEDLESS_ESCAPES.get(part[:2])) else f"%{part}" for part in escaped]
    )
    parsed = _parsed(plain)
    if parsed is None:
        return plain
    if parsed.hostname.endswith("."):
        parsed.hostname = parsed.hostname.removesuffix(".")
    return parsed.href


def redact_url(url: str) -> str:
    """Redact user name, password and the values of secret-looking keys. Linear."""
    return _SECRET_VALUE.sub(rf"\1{REDACTED}", _without_user(url))


def _parsed(url: str) -> ada_url.URL | None:
    """Return a URL as browsers parse it; None if it is none, or has a host that is too long for a name.

    The time for a host beyond ASCII grows with the square of its length. One in ASCII, as pages have it, takes none.
    """
    found = _AUTHORITY.match(url.replace("\t", "").replace("\n", "").replace("\r", "").lstrip(_SKIPPED))
    host = found[1].rpartition("@")[2] if found else ""
    is_long = not host.isascii() and sum(not sign.isascii() for sign in host) > _MAX_ENCODED
    if is_long or host.count("%") > 2 * _MAX_ENCODED or not ada_url.URL.can_parse(url):
        return None
    return ada_url.URL(url)


def _shown(url: str) -> str:
    beginning = _without_user(url[:MAX_URL_LENGTH])[:_LONGEST_SHOWN]  # 90,000 ampersands took the search 60 ms
    return _SECRET_VALUE.sub(rf"\1{REDACTED}", beginning)[:_LONGEST_SHOWN]


def _without_user(url: str) -> str:
    return _USERINFO.sub(rf"\1{REDACTED}@", url.translate(_CONTROLS).lstrip())


def _checked(url: str, rules: UrlRules, private_open: bool) -> str:
    if len(url) > MAX_URL_LENGTH:
        raise _refusal("syntax", f"a URL of more than {MAX_URL_LENGTH} characters")
    parsed = _parsed(url)
    if parsed is None:
        raise _refusal("syntax", "text that is no absolute URL")
    if parsed.username or parsed.password:
        raise _refusal("syntax", "a URL with a user name or password")
    if parsed.href == _BLANK:
        return _BLANK
    if parsed.protocol not in _DEFAULT_PORTS:
        raise _refusal("scheme", f"the scheme {parsed.protocol[:40]}")
    port = int(parsed.port or _DEFAULT_PORTS[parsed.protocol])
    check_host(parsed.hostname, port, rules, private_open=private_open)
    return parsed.href


def _canonical(written: str) -> Host:
    url = f"http://{written}"
    parsed = _parsed(url) if re.fullmatch(HOST, written) else None
    if parsed and parsed.host_type != ada_url.HostType.DEFAULT:
        return _unwrap(ip_address(parsed.hostname.strip("[]")))
    name = parsed.hostname.removesuffix(".") if parsed else ""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{written!r} is neither a host name nor an address")
    return name


def _unwrap(address: Address) -> Address:
    if isinstance(address, IPv6Address) and address.sixtofour:
        return address.sixtofour
    if any(address in network for network in _HOLDING_IPV4) and int(address) > 1:  # :: and ::1 hold nothing
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def _is_within(host: Host, networks: Networks) -> bool:
    if isinstance(host, str):  # the names of loopback, which is part of _LOOPBACK and of _PRIVATE
        return f".{host}".endswith(".localhost")
    return any(host in network for network in networks)


def _refuse_always(host: Host, port: int, rules: UrlRules) -> None:
    if host in _METADATA_NAMES if isinstance(host, str) else any(host in network for network in _METADATA):
        raise _refusal("metadata", str(host))
    if port in rules.own_ports and _is_within(host, _LOOPBACK):
        raise _refusal("self", f"port {port} of {host}")


def _admit(host: Host, port: int, rules: UrlRules, private_open: bool) -> HostPermission:
    private = rules.private == "allow" or (rules.private == "ask-first" and private_open)
    if rules.allowed is not None:
        itself = _is_listed_itself(host, port, rules.allowed)
        private = itself and (rules.private != "deny" or _is_within(host, _PRIVATE))
    if rules.narrower is not None:  # it never opens more than the operator's list
        private = _is_listed_itself(host, port, rules.narrower) and private
    return HostPermission(host, port, private)


def _is_listed_itself(host: Host, port: int, allowlist: tuple[AllowlistEntry, ...]) -> bool:
    """Return True if an allowlist has the host itself, False for a wildcard; raise if it has neither."""
    matching = [entry for entry in allowlist if entry.matches(host, port)]
    if not matching:
        is_known = any(entry.matches(host, entry.port) for entry in allowlist if entry.port is not None)
        message = f"{f'Port {port} of ' if is_known else ''}{host} is not in the operator's allowlist."
        raise DomainNotAllowed(message, domain=str(host), allowed=len(allowlist))
    return any(not entry.subdomains for entry in matching)


def _refuse_private(host: Host, permission: HostPermission, rules: UrlRules) -> None:
    if _is_within(host, _PRIVATE) and not permission.private:
        raise _refusal("private", str(host), or_else=_way_to_private(rules))


def _way_to_private(rules: UrlRules) -> str:
    if rules.private == "deny":
        return ", or ask the operator to start the server with --private-network=ask-first"
    both = " and among the domains of your token" if rules.narrower is not None else ""
    if rules.allowed is not None:
        return f", or ask the operator to put this very host into --allowed-domains{both}"
    one = "one that is itself among the domains of your token" if both else "a private host"
    return f", or call page/navigate with {one} first: that opens private networks"


def _refusal(reason: Reason, got: str, *, or_else: str = "") -> InvalidParams:
    expected = _EXPECTED[reason]
    hint = f"Use {expected}{or_else}."
    return InvalidParams(f"The URL is refused: {got}.", reason=reason, expected=expected, got=got, hint=hint)
