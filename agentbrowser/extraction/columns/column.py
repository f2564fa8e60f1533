"""Columns and groups: the values that a page holds, with the names that it gives them."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import attrs

from agentbrowser.extraction.caching import cached, memoize
from agentbrowser.extraction.columns.column_keys import CLEANED_TEXT, WITHOUT_PREFIX
from agentbrowser.extraction.columns.page_names import (
    HEADINGS,
    NAMES_BY_TAG,
    PLAIN_RELATIONS,
    TRUST_BY_RELATION,
    ContextName,
    ContextSource,
    Hint,
    Markup,
    PageLabel,
    Relation,
    names_by_markup,
)
from agentbrowser.extraction.text.digit_forms import digit_form
from agentbrowser.extraction.text.kinds import FREE, without_ago
from agentbrowser.extraction.text.numerals import Mark, decimal_mark
from agentbrowser.extraction.text.profiles import Profile, has_number, profile_of, sample_of
from agentbrowser.extraction.text.words import Words, plain, union, words

LABELLED: Final = re.compile(r"([^:：]{1,40}?)\s*[:：]\s+(\S.*)", re.DOTALL)
"""A text with a name before it: "Next payment: 2 May"."""
_SAMPLE: Final = 16
_USUAL: Final = 0.25
"""Least share of the values that a label names."""
_PLAINLY: Final = 0.7
"""Least trust in a name that names its values plainly."""
_MARKED: Final = 60
"""Number of texts that show the decimal mark, and length of the longest text that can contain its own name."""
_UNIT: Final = re.compile(r"\d\s?([^\W\d_]{3,})")
_BYLINE: Final = re.compile(r"(?:written |posted )?(?:by|von|par|por|di|door)\s+[A-ZÀ-Ž][\w.’'-]+(?:\s\S+){0,3}$")
_FREE: Final = re.compile(FREE, re.IGNORECASE)
_NAMING: Final = frozenset((Relation.NAME, Relation.HEADING))
"""Relations of labels that name the values as headers do; the other labels are texts near them."""
_TRUST_BY_SOURCE: Final = {
    ContextSource.NAME: 1.0,
    ContextSource.HEADING: 0.95,
    ContextSource.ARIA_LABEL: 0.95,
    ContextSource.PROPERTY: 0.95,
    ContextSource.DATA_KEY: 0.9,
    ContextSource.ID: 0.7,
    ContextSource.CLASS: 0.7,
}
"""Trust in the names of a group's items."""
_TITLING: Final = HEADINGS | {"dt", "summary"}


class NameSources(NamedTuple):
    """Names of a column with their trust, by source; the order is that of `SourceFeatures`."""

    labels: Sequence[tuple[Words, float]]
    """Labels, headers, and names for machines."""
    near: Sequence[tuple[Words, float]]
    """Texts near the values."""
    classes: Sequence[tuple[Words, float]]
    """Classes and ids."""
    form: Sequence[tuple[Words, float]]
    """Names that the values themselves contain: units, tags, hosts."""


@attrs.define(eq=False, slots=False)
class Column:
    """Values that belong together: one per row, or several where ``is_many``. A fact is a column with one row."""

    key: str
    """Path of its values in the markup of an item, with their source and marks; see `column_keys`."""
    kind: str
    """Source of its values: ``text``, a ``part`` of a text, or the attribute or state, such as ``href``."""
    tag: str
    total: int
    """Number of rows of its group."""
    rows: list[int]
    """Row of each value."""
    texts: list[str]
    """Its values, as the page has them."""
    spots: Sequence[int]
    """Numbers of the values' elements in document order; negative for values of no element."""
    hints: list[Hint] = attrs.field(factory=list)
    labels: dict[PageLabel, int] = attrs.field(factory=dict)
    """Labels around the values, each with the number of values that have it."""
    heads: list[str] = attrs.field(factory=list)
    """Its headers in a table, from the top down."""
    order: int = 0
    """Place among the columns of its group, or among the facts of the page."""
    is_many: bool = False
    is_crowded: bool = False
    """True if it is one of several values of one place, whose number differs by row."""
    is_nth: bool = False
    """True if it is one of several values of one place."""
    names: list[tuple[str, float]] = attrs.field(factory=list)
    """Keys of embedded data, each with its trust, 0 to 1."""
    twins: list[Sequence[int]] = attrs.field(factory=list)
    """Elements with the same values elsewhere."""
    is_repeated: bool = False
    is_aside: bool = False
    """True if it is in a header, footer, navigation or sidebar."""
    is_outside: bool = False
    """True if it is outside the page's ``main`` content."""
    is_label: bool = False
    """True if it names another value."""
    is_composite: bool = False
    """True if it contains several values that are also columns of their own."""
    section: str = ""
    language: str = ""

    @cached
    def is_over(self) -> bool:
        """True if it is above the rows: a heading there is no title of an item."""
        return self.key.startswith("section")

    @property
    def is_without_prefix(self) -> bool:
        """True if the values lack a prefix that the page has before nearly all of them."""
        return self.key.endswith(WITHOUT_PREFIX)

    @property
    def is_cleaned(self) -> bool:
        """True if the values lack notes, struck-out texts and texts for screen readers."""
        return self.key.endswith(CLEANED_TEXT)

    @cached
    def filled(self) -> float:
        """Return the share of the rows that have a value."""
        found = len(set(self.rows) if self.is_many else self.rows)
        return found / self.total if self.total else 0.0

    @cached
    def is_uniform(self) -> bool:
        """True if all of its values are the same."""
        return self.texts[0] == self.texts[-1] and self.texts.count(self.texts[0]) == len(self.texts)

    @cached
    def best_names(self) -> list[tuple[Words, float]]:
        """Return its names, each with its trust by the best source."""
        best: dict[Words, float] = {}
        for names in self.sources:
            for name, trust in names:
                if name.all and trust > best.get(name, 0.0):
                    best[name] = trust
        return list(best.items())

    @cached
    def every_name(self) -> Words:
        """Return the words of all of its names, and of the heading above it."""
        return union((*(name for name, _ in self.best_names), words(self.section)))

    @cached
    def plain_names(self) -> list[Words]:
        """Return its names by labels and headers that name it plainly."""
        return [name for name, trust in self.sources.labels if trust >= _PLAINLY]

    @cached
    def sources(self) -> NameSources:
        """Return its names by their source."""
        by_labels = self._by_labels()
        by_markup = names_by_markup(tuple(self.hints), self.kind == "part", self.is_over)
        return NameSources(
            labels=[
                *self._by_heads(),
                *[name for relation, name in by_labels if relation in _NAMING],
                *by_markup.labels,
            ],
            near=[name for relation, name in by_labels if relation not in _NAMING],
            classes=list(by_markup.classes),
            form=[*self._by_unit(), *self._by_form_of_fact(), *self._by_host(), *by_markup.form],
        )

    def _by_heads(self) -> list[tuple[Words, float]]:
        names = [(words(" ".join(self.heads)), 1.0)] if self.heads else []
        if len(self.heads) > 1:
            names += [(words(self.heads[-1]), 0.9), (words(self.heads[0]), 0.6)]
        return names + self.data_names

    def _by_labels(self) -> list[tuple[Relation, tuple[Words, float]]]:
        names = []
        for (relation, text), count in self.labels.items():
            share = count / max(1, len(self.rows))
            if share >= _USUAL and (count > 1 or self.total < 3):
                trust = TRUST_BY_RELATION[relation] * min(1.0, 0.55 + share / 2)
                names.append((relation, (words(text), trust)))
        return names

    def _by_form_of_fact(self) -> list[tuple[Words, float]]:
        """Return the names that a single text contains: the word behind its number, and "rating" or "author"."""
        if self.total != 1:
            return []
        names = [(words("rating"), 0.5)] if self.profile.share("rating") > 0.5 else []
        if self.texts and len(self.texts[0]) < _MARKED:
            names += [(words(unit), 0.7) for unit in _UNIT.findall(self.texts[0])]
            names += [(words("author"), 0.65)] if _BYLINE.match(self.texts[0]) else []
        return names

    def _by_host(self) -> list[tuple[Words, float]]:
        """Return the site of links that all lead to one site: github, linkedin."""
        if self.kind != "href":
            return []
        hosts = {text.split("/")[2].removeprefix("www.") for text in self.texts[:_SAMPLE] if text.count("/") > 2}
        return [(words(host.rpartition(".")[0]), 0.7) for host in hosts] if len(hosts) == 1 else []

    @cached
    def free(self) -> float:
        """Return the share of its values that cost nothing: "Free delivery"."""
        sample = self.texts[:_SAMPLE]
        return sum(_FREE.search(text) is not None for text in sample) / len(sample)

    def _by_unit(self) -> list[tuple[Words, float]]:
        """Return the words beside the number, or beside "free", in every value: 12 reviews, 4 beds."""
        is_free = 0 < self.profile.numeric < 0.5 and self.profile.numeric + self.free >= 0.5
        if (self.profile.numeric < 0.5 and not is_free) or self.profile.length > 60:
            return []
        rests = list(map(_without_numbers, map(digit_form, self.texts[:_SAMPLE])))
        if is_free:
            rests = [_FREE.sub("", rest).strip() for rest in rests]
        if rests.count(rests[0]) == len(rests):
            return [(words(rests[0]), 0.8)] if rests[0] else []
        counts = {rest: rests.count(rest) for rest in dict.fromkeys(rests) if rest}
        usual = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
        return [(words(rest), 0.8) for rest in usual if counts[rest] * 3 >= len(rests) and counts[rest] > 1]

    @cached
    def label_words(self) -> list[tuple[Relation, Words]]:
        """Return its labels in words, each with its relation to the values."""
        return [(relation, words(text)) for relation, text in self.labels]

    @cached
    def has_plain_label(self) -> bool:
        """True if any label names the values plainly."""
        return any(relation in PLAIN_RELATIONS for relation, _ in self.labels)

    @cached
    def hint_words(self) -> list[tuple[Markup, Words, float]]:
        """Return its hints in words, each with its markup and, for a tag, the trust in its meaning."""
        hints: list[tuple[Markup, Words, float]] = []
        for markup, text in self.hints:
            if markup != Markup.TAG:
                hints.append((markup, words(text), 1.0))
            elif known := NAMES_BY_TAG.get(text):
                hints.append((markup, words(known[0]), known[1]))
        return hints

    @cached
    def data_names(self) -> list[tuple[Words, float]]:
        """Return its keys in embedded data, in words, each with its trust."""
        return [(words(name), trust) for name, trust in self.names]

    @cached
    def unit_names(self) -> list[tuple[Words, float]]:
        """Return the names that short texts contain themselves."""
        is_short = len(self.texts[0]) < _MARKED and self.kind in ("text", "part", "aria")
        return [(name, trust) for name, trust in self.best_names if trust in (0.5, 0.65, 0.7, 0.8)] if is_short else []

    @cached
    def mark(self) -> Mark:
        """Return the decimal mark of its numbers."""
        is_plain = self.kind in ("json", "value", "content", "meta") or self.kind.startswith("data-")
        return "." if is_plain else decimal_mark(self.texts[:_MARKED], self.language)

    @cached
    def tags(self) -> frozenset[str]:
        """Return the tags of elements that contain just its values."""
        return frozenset([self.tag, *(text for markup, text in self.hints if markup == Markup.TAG)])

    @property
    def is_clickable(self) -> bool:
        """True if its values are those of links or buttons."""
        return not self.tags.isdisjoint(("a", "button"))

    @cached
    def sample(self) -> Sequence[str]:
        """Return some of its values, without marks for no value."""
        return sample_of(self.texts)

    @cached
    def is_labelled(self) -> bool:
        """True if any of its sample has a name before it."""
        return any(LABELLED.match(text) for text in self.sample)

    @cached
    def is_numbered(self) -> bool:
        """True if half of its sample has a number."""
        return sum(map(has_number, self.sample)) >= 0.5 * len(self.sample)

    @cached
    def title_look(self) -> float:
        """Return the similarity of its values to titles, -1 to 1."""
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
        """Return the profile of its values."""
        return profile_of(self.texts, is_class=self.kind == "class")


@memoize
def _without_numbers(text: str) -> str:
    """Return the words of a text, without numbers and relative dates."""
    return " ".join("".join(mark if mark.isalpha() else " " for mark in plain(without_ago(text))).split())


@attrs.define(eq=False, slots=False, kw_only=True)
class Group:
    """Repeated items of a page: their columns, and the context above all of them."""

    kind: str
    total: int
    columns: list[Column]
    context: list[ContextName] = attrs.field(factory=list)
    order: int = 0
    is_aside: bool = False
    """True if it is in a header, footer, navigation or sidebar."""
    is_only: bool = False
    """True for the item of a page that counts one result."""
    unfilled: list[str] = attrs.field(factory=list)
    """Headers of columns without any value."""
    inner: list[Column] = attrs.field(factory=list)
    """Columns of items inside its own."""

    @cached
    def names(self) -> list[tuple[Words, float]]:
        """Return the names of the items, each with its trust."""
        return [(words(text), _TRUST_BY_SOURCE[source]) for source, text in self.context]
