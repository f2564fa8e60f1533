"""Cookies of a proxy before the server, by which a client that reconnects reaches the node of its session."""

import re
from collections.abc import Iterable
from typing import Final

import attrs

MAX_COOKIES: Final = 8
MAX_COOKIE_BYTES: Final = 4096
_PAIR: Final = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(\"?[!#-+\--:<-\[\]-~]*\"?)")


@attrs.define
class ProxyCookies:
    """Cookies from the responses of one URL, which go to that URL only."""

    _kept: dict[str, str] = attrs.field(factory=dict, init=False, repr=False)

    def header(self) -> str | None:
        """Return the value of the header Cookie; None without cookies."""
        return "; ".join(f"{name}={value}" for name, value in self._kept.items()) or None

    def accept(self, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep the cookies that a response sets; remove those that it ends."""
        for name, value in headers:
            if name.lower() == b"set-cookie" and len(value) <= MAX_COOKIE_BYTES:
                self._accept(value.decode("latin-1"))

    def clear(self) -> None:
        """Forget all cookies, since their node takes no client any more: the proxy chooses another one."""
        self._kept.clear()

    def _accept(self, text: str) -> None:
        pair, *attributes = [part.strip() for part in text.split(";")]
        found = _PAIR.fullmatch(pair)
        if found is None:
            return
        name, value = found.groups()
        self._kept.pop(name, None)
        if not any(_ends(attribute) for attribute in attributes) and len(self._kept) < MAX_COOKIES:
            self._kept[name] = value


def _ends(attribute: str) -> bool:
    """Return True for an attribute by which a proxy deletes its cookie: no age, or an expiry before 1971."""
    name, _, value = attribute.partition("=")
    return (name.lower() == "max-age" and (value.startswith("-") or value.strip() == "0")) or (
        name.lower() == "expires" and re.search(r"\b(?:19)?70\b", value) is not None
    )
