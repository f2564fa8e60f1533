"""Networks of addresses, as an operator writes them."""

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def read_networks(texts: Sequence[str]) -> tuple[Network, ...]:
    """Return the networks of addresses and networks as text.

    Raises:
      ValueError: one is neither.
    """
    return tuple(ipaddress.ip_network(text, strict=False) for text in texts)


def first_bad(texts: Sequence[str]) -> str | None:
    """Return the first text that is no address and no network; None if all are."""
    for text in texts:
        try:
            read_networks([text])
        except ValueError:
            return text
    return None


def is_web_address(text: str) -> bool:
    """Return True for a URL of http or https with a host, as an operator writes that of a server."""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - raises for one that is no number
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(map(str.isspace, text))
