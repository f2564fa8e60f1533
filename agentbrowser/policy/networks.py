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


def is_web_origin(text: str) -> bool:
    """Return True for an origin of http or https as browsers send it, perhaps with a slash: other ones match none."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:  # the port is no number
        return False
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    is_default = port == {"http": 80, "https": 443}.get(parts.scheme)
    origin = f"{parts.scheme}://{host}" + ("" if port is None or is_default else f":{port}")
    is_plain = text.isascii() and text.isprintable() and " " not in text
    return parts.scheme in ("http", "https") and bool(host) and is_plain and text.removesuffix("/") == origin
