"""URL patterns in Playwright's dialect of globs, matched in bounded time, for they come from clients.

``*`` is anything but a slash, ``**`` anything, ``/**/`` a slash or more, ``{a,b}`` one of these, and ``\\`` takes the
next character as it is. Each part between wildcards is looked for at its first place only, which in globs is always
good enough: so the expression never goes back to try another one.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from agentbrowser.protocol.errors import InvalidParams

MAX_GLOB: Final = 1000
MAX_ALTERNATIVES: Final = 32
MAX_MATCHED: Final = 2048
"""Of a longer URL only this many characters are looked at."""

_TOKEN: Final = re.compile(r"\\(?P<escaped>.)|(?P<deep>(?:/\*\*+)+/)|(?P<any>\*\*+)|(?P<mark>[*{},])|.", re.DOTALL)

Tokens = list[str]
"""Literals as regular expressions, and ``*`` and ``**``, which are none."""


def matches(glob: str, url: str) -> bool:
    """Tell whether the URL fits the pattern as a whole.

    Raises:
      InvalidParams: the pattern means nothing.
    """
    return compiled(glob).match(url[:MAX_MATCHED]) is not None


@lru_cache(maxsize=1000)
def compiled(glob: str) -> re.Pattern[str]:
    """Return the pattern as a regular expression that does not backtrack.

    Raises:
      InvalidParams: it has nested or unmatched braces, is longer than `MAX_GLOB`, or stands for too many patterns.
    """
    if len(glob) > MAX_GLOB:
        raise _refused(f"at most {MAX_GLOB} characters long", f"{len(glob)} characters")
    return re.compile("|".join(map(_expression, _alternatives(glob))), re.DOTALL)


def _tokens(glob: str) -> Iterator[str]:
    for found in _TOKEN.finditer(glob):
        if found["deep"] or found["any"]:
            yield "/**/" if found["deep"] else "**"
        else:
            # Escaped even where it need not be, so that no literal looks like a mark.
            yield found["mark"] or re.sub(r"[^\w/]", r"\\\g<0>", found["escaped"] or found[0])


def _alternatives(glob: str) -> list[Tokens]:
    """Return the patterns without braces that the pattern stands for."""
    before: list[Tokens] | None = None
    items: list[Tokens] = []
    now: list[Tokens] = [[]]
    for token in _tokens(glob):
        match token:
            case "{" if before is None:
                before, items, now = now, [], [[]]
            case "}" if before is not None:
                now = [head + tail for head in before for tail in items + now]
                before = None
            case "{" | "}":
                raise _unmatched(glob)
            case "," if before is not None:
                items, now = items + now, [[]]
            case "/**/":
                now = [[*one, "/"] for one in now] + [[*one, "/", "**", "/"] for one in now]
            case _:
                now = [[*one, token] for one in now]
        if len(now) > MAX_ALTERNATIVES:
            raise _refused(f"at most {MAX_ALTERNATIVES} patterns in one", glob)
    if before is not None:
        raise _unmatched(glob)
    return now


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
