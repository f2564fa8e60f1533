"""URL globs in the dialect of Playwright, matched in bounded time, and parts of URLs, as they come from clients.

``*`` matches all but a slash, ``**`` all, ``/**/`` a slash or a path between slashes, ``{a,b}`` one of these.
``\\`` escapes the next character. Each literal between wildcards is searched at its first position only, which always
suffices in globs. A regular expression of the whole would try the others, too: ``**a*`` before a thousand letters took
it 0.9 s.
"""

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final

import attrs

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

_LITERAL: Final = "="
Tokens = list[str]
"""Tokens of a glob: literals, which begin with an equals sign, and ``*`` and ``**``."""


@attrs.frozen
class Part:
    """Literals of a glob with ``*`` between them."""

    literals: list[str]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        first, *others = map(re.escape, self.literals)
        return re.compile("".join((first, *(f"(?>[^/]*?{literal})" for literal in others))))

    def end(self, url: str, start: int) -> int:
        """Return where the part ends whose first literal begins at an index; -1 if it is not all there."""
        found = self._pattern.match(url, start)
        return -1 if found is None else found.end()


@attrs.frozen
class Glob:
    """Glob that was checked."""

    _alternatives: list[list[Part]]
    """Parts with ``**`` between them, of each expansion."""

    def match(self, url: str) -> bool:
        """Return True if the glob matches the whole URL."""
        return any(_fits(parts, url) for parts in self._alternatives)


def matches(glob: str | Glob, url: str) -> bool:
    """Return True if the pattern, which may be compiled, matches the whole URL.

    Raises:
      InvalidParams: the pattern is invalid.
    """
    pattern = compiled(glob) if isinstance(glob, str) else glob
    return pattern.match(url[:MAX_MATCHED])


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
def compiled(glob: str) -> Glob:
    """Return the pattern, ready to be matched.

    Raises:
      InvalidParams: see `check`.
    """
    return Glob([[_part(part) for part in _split(one, "**")] for one in _expanded(glob)])


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
    return sum(len(token.removeprefix(_LITERAL)) for one in expanded for token in one)


def _tokens(glob: str) -> Iterator[str]:
    for found in _TOKEN.finditer(glob):
        if found["deep"] or found["any"]:
            yield "/**/" if found["deep"] else "**"
        else:
            yield found["mark"] or _LITERAL + (found["escaped"] or found[0])


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
                slash = f"{_LITERAL}/"
                current = [[*one, slash] for one in current] + [[*one, slash, "**", slash] for one in current]
            case _:
                for one in current:
                    one.append(token)
        if len(current) > MAX_ALTERNATIVES:
            raise _refused(f"at most {MAX_ALTERNATIVES} patterns in one", glob)
    if before is not None:
        raise _unmatched(glob)
    return current


def _split(tokens: Tokens, mark: str) -> list[Tokens]:
    parts: list[Tokens] = [[]]
    for token in tokens:
        if token == mark:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _part(tokens: Tokens) -> Part:
    return Part(["".join(token.removeprefix(_LITERAL) for token in one) for one in _split(tokens, "*")])


def _fits(parts: list[Part], url: str) -> bool:
    """Return True if a whole URL has the parts in their order, with anything between them."""
    first, *others = parts
    if not others:
        return _is_whole(first, url)
    end = first.end(url, 0)
    for part in others[:-1]:
        if end < 0:
            return False
        end = _find(part, url, end)
    return end >= 0 and _start_of(others[-1], url) >= end


def _is_whole(part: Part, url: str) -> bool:
    *before, last = part.literals
    if not before:
        return url == last
    end, start = Part(before).end(url, 0), len(url) - len(last)
    return 0 <= end <= start and url.endswith(last) and url.find("/", end, start) < 0


def _find(part: Part, url: str, begin: int) -> int:
    """Return where a part ends that begins at an index or later; -1 if there is none. The first end is returned.

    If a literal is not there up to the next slash, it is not there behind a later begin before that slash either.
    """
    first = part.literals[0]
    while (start := url.find(first, begin)) >= 0:
        end = part.end(url, start)
        if end >= 0:
            return end
        begin = (start if "/" in first else url.find("/", start)) + 1
        if not begin:
            break
    return -1


def _start_of(part: Part, url: str) -> int:
    """Return where a part begins at the latest that ends with the URL; -1 if there is none."""
    *before, last = part.literals
    if not url.endswith(last):
        return -1
    start = len(url) - len(last)
    for literal in reversed(before):
        behind_slash = url.rfind("/", 0, start) + 1
        start = url.rfind(literal, max(0, behind_slash - len(literal)), start)
        if start < 0:
            return -1
    return start


def _unmatched(glob: str) -> InvalidParams:
    return _refused("a pattern whose braces match and are not nested", glob)


def _refused(expected: str, got: str) -> InvalidParams:
    return InvalidParams(f"The URL pattern must be {expected}.", path="urlPattern", expected=expected, got=got[:100])
