"""How many tokens a text costs a language model: an estimate that needs no vocabulary.

The text is cut into pieces as the tokenizer does it before it merges bytes, so that only the cost of a piece is
guessed: numbers and white space cost one, 5,000 common pieces are looked up, any other costs what its characters and
their neighbours do.

Source: o200k_base, the vocabulary of GPT-4o (https://github.com/openai/tiktoken). ``token_costs.json`` holds a
least-squares fit to its counts of pieces: of interface texts in 29 languages (Django 5.2, GNU programs, Chromium in
English), made
into observations, of words run together as refs are, and of the 50,000 commonest tokens. On observations that it was
not fitted to (``tests/pure/tokens.json``) the estimate is within 5 % where there are 500 tokens or more, within 8 %
where there are fewer, and within 2 % on all together.
"""

import functools
import itertools
import re
from importlib.resources import files
from typing import Final

import attrs

from agentbrowser.protocol import wire

GRAMS: Final = 8192
"""How many costs there are for one to three characters in a row, which share them by a hash."""
_SPREAD: Final = 193
_LOW: Final = 80
"""The code of the character that stands for a cost of nothing."""
_STEPS: Final = 32
"""How many steps of the scale make a token."""

_UPPER: Final = "A-ZÀ-ÖØ-ÞΆ-ΫЀ-Я"
_MARKS: Final = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0980-\u0dff\u0e31-\u0e4e"
_LOWER: Final = rf"(?:[^\W\d_{_UPPER}]|[{_MARKS}])"
_WORD: Final = rf"(?:[^\w\r\n]|_)?(?:[{_UPPER}]*{_LOWER}+|[{_UPPER}]+)(?:'(?:s|t|re|ve|m|ll|d)\b)?"
_PIECE: Final = re.compile(rf"({_WORD}| ?(?:[^\s\w]|_)+[\r\n/]*)|\d{{1,3}}|\s*[\r\n]+|\s+(?!\S)|\s+|.", re.DOTALL)


@attrs.frozen
class _Costs:
    known: dict[str, int]
    grams: list[float]


def estimate(text: str) -> int:
    """Return about how many tokens a text has, in time linear in its length."""
    return round(sum(map(_cost, pieces(text))))


def pieces(text: str) -> list[str]:
    """Cut a text; what always is one token is an empty string."""
    return _PIECE.findall(text)


def grams(piece: str) -> list[int]:
    """Return the numbers of what is one to three characters long in a piece, its edges being characters too."""
    ones = [0, *map(ord, piece), 1]
    twos = [one * _SPREAD + code for one, code in itertools.pairwise(ones)]
    threes = [two * _SPREAD + code for two, code in zip(twos, ones[2:], strict=False)]
    return [number % GRAMS for number in (*ones, *twos, *threes)]


@functools.lru_cache(maxsize=20_000)
def _cost(piece: str) -> float:
    if not piece:
        return 1.0
    costs = _costs()
    known = costs.known.get(piece)
    return known if known is not None else max(1.0, sum(costs.grams[gram] for gram in grams(piece)))


@functools.cache
def _costs() -> _Costs:
    plain = wire.load(files("agentbrowser.browser.observe").joinpath("token_costs.json").read_bytes())
    known = {piece: int(count) for count, some in plain["known"].items() for piece in some}
    return _Costs(known, [(ord(step) - _LOW) / _STEPS for step in plain["grams"]])
