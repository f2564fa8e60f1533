"""What a page holds, as candidates for what is asked: series of values with what is said of them."""

import re
from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.caching import cached, memoize
from agentbrowser.extraction.columns.markup_names import BY_LABEL, HEADINGS, SAID_BY_TAG, said_by_markup
from agentbrowser.extraction.text.kinds import without_ago
from agentbrowser.extraction.text.numerals import Mark, decimal_mark
from agentbrowser.extraction.text.profiles import Profile, has_number, profile_of, said_in
from agentbrowser.extraction.text.words import Words, plain, words

_SAMPLE: Final = 16
_USUAL: Final = 0.25
_MARKED: Final = 60
_UNIT: Final = re.compile(r"\d\s?([^\W\d_]{3,})")
_BYLINE: Final = re.compile(r"(?:written |posted )?(?:by|von|par|por|di|door)\s+[A-ZÀ-Ž][\w.’'-]+(?:\s\S+){0,3}$")
_TITLING: Final = HEADINGS | {"dt", "summary"}


@attrs.define(eq=False, slots=False)
class Column:
    """Values that belong together, one for each row that has one, or several where ``is_many``; a fact has one row."""

    key: str
    kind: str
    tag: str
    total: int
    rows: list[int]
    texts: list[str]
    spots: Sequence[int]
    hints: list[str] = attrs.field(factory=list)
    labels: dict[str, int] = attrs.field(factory=dict)
    heads: list[str] = attrs.field(factory=list)
    order: int = 0
    is_many: bool = False
    is_crowded: bool = False
    """Whether it is one of several values of the same place, which differ in number."""
    is_nth: bool = False
    """Whether it is one of several values of the same place."""
    names: list[tuple[str, float]] = attrs.field(factory=list)
    """Keys of embedded data, each with how far it is to be trusted."""
    twins: list[Sequence[int]] = attrs.field(factory=list)
    """Where else the same is said."""
    is_repeated: bool = False
    is_aside: bool = False
    """Whether it stands in what surrounds the page's own content."""
    is_outside: bool = False
    """Whether it stands outside of what the page says is its own content."""
    is_label: bool = False
    """Whether it names another value."""
    is_composite: bool = False
    """Whether it holds several values that also stand for themselves."""
    section: str = ""
    language: str = ""

    @cached
    def is_over(self) -> bool:
        """Whether it stands over the rows: a heading there is no title of theirs."""
        return self.key.startswith("section")

    @cached
    def filled(self) -> float:
        """The share of the rows that have a value."""
        found = len(set(self.rows) if self.is_many else self.rows)
        return found / self.total if self.total else 0.0

    @cached
    def is_uniform(self) -> bool:
        """Whether all of its values are the same."""
        return self.texts[0] == self.texts[-1] and self.texts.count(self.texts[0]) == len(self.texts)

    @cached
    def evidence(self) -> list[tuple[Words, float]]:
        """What names the series, each with how far that is to be trusted."""
        best: dict[Words, float] = {}
        for said in self.sources.values():
            for phrase, score in said:
                if phrase.all and score > best.get(phrase, 0.0):
                    best[phrase] = score
        return list(best.items())

    @cached
    def sources(self) -> dict[str, list[tuple[Words, float]]]:
        """The same by what says it: "told" on the page or to machines, "near", by "class", or by the values' "form"."""
        labels = self._by_labels()
        by_markup = said_by_markup(tuple(self.hints), self.kind == "part", self.is_over)
        form = self._by_unit()
        if self.total == 1 and self.profile.share("rating") > 0.5:
            form.append((words("rating"), 0.5))
        if self.total == 1 and self.texts and len(self.texts[0]) < _MARKED:
            form += [(words(unit), 0.7) for unit in _UNIT.findall(self.texts[0])]
            form += [(words("author"), 0.65)] if _BYLINE.match(self.texts[0]) else []
        return {
            "told": [*self._by_heads(), *[one[:2] for one in labels if one[2] in "kh"], *by_markup.told],
            "near": [one[:2] for one in labels if one[2] not in "kh"],
            "class": list(by_markup.classes),
            "form": [*form, *self._by_host(), *by_markup.form],
        }

    def _by_heads(self) -> list[tuple[Words, float]]:
        said = [(words(" ".join(self.heads)), 1.0)] if self.heads else []
        if len(self.heads) > 1:
            said += [(words(self.heads[-1]), 0.9), (words(self.heads[0]), 0.6)]
        return said + self.called

    def _by_labels(self) -> list[tuple[Words, float, str]]:
        said = []
        for label, count in self.labels.items():
            share = count / max(1, len(self.rows))
            if share >= _USUAL and (count > 1 or self.total < 3):
                score = BY_LABEL.get(label[0], 0.7) * min(1.0, 0.55 + share / 2)
                said.append((words(label[1:]), score, label[0]))
        return said

    def _by_host(self) -> list[tuple[Words, float]]:
        """Return the site that links lead to, where they all lead to one: github, linkedin."""
        if self.kind != "href":
            return []
        hosts = {text.split("/")[2].removeprefix("www.") for text in self.texts[:_SAMPLE] if text.count("/") > 2}
        return [(words(host.rpartition(".")[0]), 0.7) for host in hosts] if len(hosts) == 1 else []

    def _by_unit(self) -> list[tuple[Words, float]]:
        """Return the words that stand with the number in every value: 12 reviews, 4 beds."""
        if self.profile.numeric < 0.5 or self.profile.length > 60:
            return []
        rests = list(map(_without_numbers, self.texts[:_SAMPLE]))
        if rests.count(rests[0]) == len(rests):
            return [(words(rests[0]), 0.8)] if rests[0] else []
        counts = {rest: rests.count(rest) for rest in dict.fromkeys(rests) if rest}
        usual = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
        return [(words(rest), 0.8) for rest in usual if counts[rest] * 3 >= len(rests) and counts[rest] > 1]

    @cached
    def labelled(self) -> list[tuple[str, Words]]:
        """Its labels in words, each with the letter for how it stands there."""
        return [(label[0], words(label[1:])) for label in self.labels]

    @cached
    def hinted(self) -> list[tuple[str, Words, float]]:
        """Its hints in words, each with its letter; those by tags with what tags are worth."""
        hints: list[tuple[str, Words, float]] = []
        for hint in self.hints:
            if hint[0] != "t":
                hints.append((hint[0], words(hint[1:]), 1.0))
            elif known := SAID_BY_TAG.get(hint[1:]):
                hints.append(("t", words(known[0]), known[1]))
        return hints

    @cached
    def called(self) -> list[tuple[Words, float]]:
        """What embedded data calls it, in words, each with how far that is to be trusted."""
        return [(words(name), trust) for name, trust in self.names]

    @cached
    def units(self) -> list[tuple[Words, float]]:
        """What short texts say of themselves."""
        is_short = len(self.texts[0]) < _MARKED and self.kind in ("text", "part", "aria")
        return [(said, trust) for said, trust in self.evidence if trust in (0.5, 0.65, 0.7, 0.8)] if is_short else []

    @cached
    def mark(self) -> Mark:
        """The mark before the decimals of its numbers."""
        is_plain = self.kind in ("json", "value", "content", "meta") or self.kind.startswith("data-")
        return "." if is_plain else decimal_mark(self.texts[:_MARKED], self.language)

    @cached
    def tags(self) -> frozenset[str]:
        """The tags that hold just these values."""
        return frozenset([self.tag, *(hint[1:] for hint in self.hints if hint[0] == "t")])

    @cached
    def sample(self) -> Sequence[str]:
        """Some of its values, without those that stand for nothing."""
        return said_in(self.texts)

    @cached
    def is_numbered(self) -> bool:
        """Whether half of some values have a number."""
        return sum(map(has_number, self.sample)) >= 0.5 * len(self.sample)

    @cached
    def titled(self) -> float:
        """How much its values look like what things are called."""
        profile, tags = self.profile, self.tags
        if profile.share("money", "rating", "email", "phone", "time", "duration") > 0.5 or profile.wordy < 0.5:
            return -0.6
        if profile.share("date") > 0.6 or profile.length > 160:
            return -0.4
        look = 0.75 if tags & _TITLING else 0.5 if "a" in tags else 0.45 if tags & {"b", "strong", "th"} else 0.1
        return (
            look
            - (0.2 if self.kind in ("alt", "title") else 0.0)
            + (0.15 if self.order <= 2 and self.kind != "alt" else 0.0)
        )

    @cached
    def profile(self) -> Profile:
        """What the values are like."""
        return profile_of(self.texts, is_class=self.kind == "class")


@memoize
def _without_numbers(text: str) -> str:
    """Return the words of a text, without numbers and how long ago something was."""
    return " ".join("".join(mark if mark.isalpha() else " " for mark in plain(without_ago(text))).split())


@attrs.define(eq=False, slots=False, kw_only=True)
class Group:
    """Repeated things: their series, and what stands over all of them."""

    kind: str
    total: int
    columns: list[Column]
    context: list[str] = attrs.field(factory=list)
    order: int = 0
    is_aside: bool = False
    """Whether it stands in what surrounds the page's own content."""

    @cached
    def about(self) -> list[tuple[Words, float]]:
        """What names the things, each with how far that is to be trusted."""
        score = {"k": 1.0, "h": 0.95, "n": 0.95, "i": 0.7, "c": 0.7, "p": 0.95, "j": 0.9}
        return [(words(said[1:]), score.get(said[0], 0.5)) for said in self.context]
