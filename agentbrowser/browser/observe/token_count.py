"""Estimate of the number of tokens of a text for a language model, without a vocabulary.

The text is split into pieces as the tokenizer splits it before it merges bytes, so that only the cost of a piece is
estimated. Numbers and white space cost one token. 5,000 common pieces are looked up. Any other piece costs the sum of
its one to three characters in a row.

Source: o200k_base, the vocabulary of GPT-4o (https://github.com/openai/tiktoken). ``token_costs.json`` holds a
least-squares fit to its counts of pieces. They come from interface texts in 29 languages (Django 5.2, GNU programs,
Chromium in English), made into observations; from words joined as in refs; and from the 50,000 commonest tokens. On
observations outside of the fit (``tests/pure/tokens.json``) the error is within 5 % from 500 tokens on, within 8 %
below, and within 2 % on all together.
"""

import functools
import itertools
import re
from importlib.resources import files
from typing import Final

import attrs

from agentbrowser.protocol import wire

GRAMS: Final = 8192
"""Number of costs for one to three characters in a row, which share them by a hash."""
_SPREAD: Final = 193
_LOW: Final = 80
"""Code of the character for a cost of zero."""
_STEPS: Final = 32
"""Number of steps per token on the scale of costs."""

_UPPER: Final = "A-ZÀ-ÖØ-ÞΆ-ΫЀ-Я"
_MARKS: Final = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0980-\u0dff\u0e31-\u0e4e"
_LOWER: Final = rf"(?:[^\W\d_{_UPPER}]|[{_MARKS}])"
_WORD: Final = rf"(?:[^\w\r\n]|_)?(?:[{_UPPER}]*{_LOWER}+|[{_UPPER}]+)(?:'(?:s|t|re|ve|m|ll|d)\b)?"
_LINE: Final = re.compile(r"[^\n]*(?:\n(?=[\s/])[^\n]*)*\n?")
"""A line with its end, where no piece goes on in the next one."""
_LONGEST_KEPT: Final = 300
"""Characters of a line, or of a piece, whose cost is kept: the next look has most lines of this one."""
_PIECE: Final = re.compile(rf"({_WORD}| ?(?:[^\s\w]|_)+[\r\n/]*)|\d{{1,3}}|\s*[\r\n]+|\s+(?!\S)|\s+|.", re.DOTALL)


@attrs.frozen
class _Costs:
    known: dict[str, int]
    grams: list[float]


def estimate(text: str) -> int:
    """Return the approximate number of tokens of a text, in linear time."""
    lines = _LINE.findall(text)
    return round(sum((_kept_line_cost if len(line) <= _LONGEST_KEPT else _line_cost)(line) for line in lines))


def pieces(text: str) -> list[str]:
    """Split a text into pieces; an empty string stands for a piece that is always one token."""
    return _PIECE.findall(text)


def grams(piece: str) -> list[int]:
    """Return the numbers of the one to three characters in a row of a piece, including its edges."""
    ones = [0, *map(ord, piece), 1]
    twos = [one * _SPREAD + code for one, code in itertools.pairwise(ones)]
    threes = [two * _SPREAD + code for two, code in zip(twos, ones[2:], strict=False)]
    return [number % GRAMS for number in (*ones, *twos, *threes)]


def _line_cost(line: str) -> float:
    return sum((_kept_cost if len(piece) <= _LONGEST_KEPT else _cost)(piece) for piece in pieces(line))


_kept_line_cost: Final = functools.lru_cache(maxsize=4096)(_line_cost)


def _cost(piece: str) -> float:
    if not piece:
        return 1.0
    costs = _costs()
    known = costs.known.get(piece)
    return known if known is not None else max(1.0, sum(costs.grams[gram] for gram in grams(piece)))


_kept_cost: Final = functools.lru_cache(maxsize=20_000)(_cost)


@functools.cache
def _costs() -> _Costs:
    plain = wire.load(files("agentbrowser.browser.observe").joinpath("token_costs.json").read_bytes())
    known = {piece: int(count) for count, some in plain["known"].items() for piece in some}
    return _Costs(known, [(ord(step) - _LOW) / _STEPS for step in plain["grams"]])
