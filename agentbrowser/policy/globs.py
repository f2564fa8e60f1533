"""URL globs in the dialect of Playwright, matched in bounded time, and parts of URLs, as they come from clients.

``*`` matches all but a slash, ``**`` all, ``/**/`` a slash or a path between slashes, ``{a,b}`` one of these.
``\\`` escapes the next character. Each part between wildcards is matched at its first position only, which always
suffices in globs: so the regular expression never backtracks. Its size is bounded too, as compiling one takes about
20 us for each wildcard and 2 us for each character.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from agentbrowser.protocol.errors import InvalidParams

MAX_GLOB: Final = 1000
MAX_ALTERNATIVES: Final = 32
MAX_EXPANDED: Final = 4000
"""Characters of all expansions of a pattern together."""
MAX_WILDCARDS: Final = 128
"""Wildcards of all expansions of a pattern together."""
MAX_MATCHED: Final = 2048
"""Only this many characters of a longer URL are matched."""

_TOKEN: Final = re.compile(
    r"\\(?P<escaped>.)|(?P<deep>(?:/\*\*+)+/)|(?P<any>\*\*+)|(?P<mark>[*{},])|[^\\*{},/]+|.", re.DOTALL
)

_OF_QUERY: Final = frozenset("?#&=")
_ROUTE: Final = re.compile(r"!?/")

Tokens = list[str]
"""Tokens of a glob: literals as regular expressions, and ``*`` and ``**``."""


def matches(glob: str | re.Pattern[str], url: str) -> bool:
    """Return True if the pattern, which may be compiled, matches the whole URL.

    Raises:
      InvalidParams: the pattern is invalid.
    """
    pattern = compiled(glob) if isinstance(glob, str) else glob
    return pattern.match(url[:MAX_MATCHED]) is not None


def fits(wanted: str, url: str) -> bool:
    """Return True if a URL is as wanted: by a glob, if there is a ``*``, else by a part of the URL.

    A glob may be one of the path alone, and its ``*`` at the beginning matches slashes: ``*/thanks``. Wanted words
    without ``?``, ``#``, ``&`` and ``=`` are none of the query or the fragment: ``/login?next=/account`` is no
    ``/account``. A part that begins with a slash is one of the path, or of the path that a fragment holds.

    Raises:
      InvalidParams: the glob is invalid.
    """
    before, _, fragment = url.partition("#")
    route = fragment.partition("?")[0] if _ROUTE.match(fragment) else None
    address = before.partition("?")[0]
    has_query = not _OF_QUERY.isdisjoint(wanted)
    if has_query:
        address, route = url, None
    if "*" in wanted:
        glob = f"*{wanted}" if wanted.startswith("*") else wanted
        places = (address, _path(address), *([] if route is None else [route.removeprefix("!")]))
        return wanted == url or any(matches(glob, place) for place in places)
    if wanted.startswith("/") and not wanted.startswith("//") and not has_query:
        address = _path(address)
    return wanted in address or (route is not None and wanted in route)


def _path(address: str) -> str:
    scheme, mark, rest = address.partition("://")
    return rest[rest.find("/") :] if mark and "/" in rest else "" if mark else scheme


def check(glob: str) -> int:
    """Return the characters of a pattern's expansions, without compiling it: a request may have a hundred patterns.

    Raises:
      InvalidParams: it has nested or unmatched braces, is longer than `MAX_GLOB`, or expands to too many patterns,
        characters or wildcards.
    """
    return _length(_expanded(glob))


@lru_cache(maxsize=256)
def compiled(glob: str) -> re.Pattern[str]:
    """Return the pattern as a regular expression that does not backtrack.

    Raises:
      InvalidParams: see `check`.
    """
    return re.compile("|".join(map(_expression, _expanded(glob))), re.DOTALL)


def _expanded(glob: str) -> list[Tokens]:
    if len(glob) > MAX_GLOB:
        raise _refused(f"at most {MAX_GLOB} characters long", f"{len(glob)} characters")
    expanded = _alternatives(glob)
    length = _length(expanded)
    if length > MAX_EXPANDED:
        raise _refused(f"at most {MAX_EXPANDED} characters long with its braces expanded", f"{length} characters")
    wildcards = sum(token in ("*", "**") for one in expanded for token in one)
    if wildcards > MAX_WILDCARDS:
        raise _refused(f"one of at most {MAX_WILDCARDS} wildcards with its braces expanded", f"{wildcards} wildcards")
    return expanded


def _length(expanded: list[Tokens]) -> int:
    return sum(len(token) for one in expanded for token in one)


def _tokens(glob: str) -> Iterator[str]:
    for found in _TOKEN.finditer(glob):
        if found["deep"] or found["any"]:
            yield "/**/" if found["deep"] else "**"
        else:
            # Escaped always, so that no literal looks like a wildcard.
            yield found["mark"] or re.sub(r"[^\w/]", r"\\\g<0>", found["escaped"] or found[0])


def _alternatives(glob: str) -> list[Tokens]:
    """Return the expansions of the braces."""
    before: list[Tokens] | None = None
    items: list[Tokens] = []
    current: list[Tokens] = [[]]
    for token in _tokens(glob):
        match token:
            case "{" if before is None:
                before, items, current = current, [], [[]]
            case "}" if before is not None:
                current = [head + tail for head in before for tail in items + current]
                before = None
            case "{" | "}":
                raise _unmatched(glob)
            case "," if before is not None:
                items, current = items + current, [[]]
            case "/**/":
                current = [[*one, "/"] for one in current] + [[*one, "/", "**", "/"] for one in current]
            case _:
                for one in current:
                    one.append(token)
        if len(current) > MAX_ALTERNATIVES:
            raise _refused(f"at most {MAX_ALTERNATIVES} patterns in one", glob)
    if before is not None:
        raise _unmatched(glob)
    return current


def _expression(tokens: Tokens) -> str:
    first, *others = _split(tokens, "**")
    if not others:
        return _ending(first)
    *middle, last = others
    return _beginning(first) + "".join(f"(?>.*?{_beginning(part)})" for part in middle) + f".*?{_ending(last)}"


def _split(tokens: Tokens, mark: str) -> list[Tokens]:
    parts: list[Tokens] = [[]]
    for token in tokens:
        if token == mark:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _beginning(tokens: Tokens) -> str:
    first, *others = map("".join, _split(tokens, "*"))
    return first + "".join(f"(?>[^/]*?{other})" for other in others)


def _ending(tokens: Tokens) -> str:
    *parts, last = _split(tokens, "*")
    if not parts:
        return "".join(last) + r"\Z"
    return _beginning([token for part in parts for token in (*part, "*")][:-1]) + f"[^/]*{''.join(last)}" + r"\Z"


def _unmatched(glob: str) -> InvalidParams:
    return _refused("a pattern whose braces match and are not nested", glob)


def _refused(expected: str, got: str) -> InvalidParams:
    return InvalidParams(f"The URL pattern must be {expected}.", path="urlPattern", expected=expected, got=got[:100])
