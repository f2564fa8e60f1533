"""Evidence in the written form of values, for and against a field: shapes, units, lengths."""

import re
from functools import lru_cache
from typing import Final

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import CLASSES
from agentbrowser.extraction.schema.concepts import DATES, DAYS, DURATIONS, MONEY, PEOPLE, PROSE, SOMETIMES_FREE, TIMES
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.commands import is_command, reads_as_command
from agentbrowser.extraction.text.days import may_be_day
from agentbrowser.extraction.text.kinds import FREE, VOCABULARIES, is_weekday
from agentbrowser.extraction.text.profiles import WRITTEN
from agentbrowser.extraction.text.words import coverage, words

_SHAPES: Final[tuple[tuple[frozenset[str], frozenset[str]], ...]] = (
    (MONEY | {"cost", "discount", "old", "sale", "regular"}, frozenset(("money",))),
    (DATES | {"start", "end", "year"}, frozenset(("date", "ago", "period", "year"))),
    (TIMES | {"open", "closed", "hours"}, frozenset(("time", "date", "duration"))),
    (DURATIONS | {"time", "delay"}, frozenset(("duration", "time"))),
    (frozenset(("rating", "score", "stars")), frozenset(("rating",))),
    (frozenset(("percent", "discount", "humidity", "alcohol")), frozenset(("percent",))),
    (frozenset(("email",)), frozenset(("email",))),
    (frozenset(("phone", "fax")), frozenset(("phone",))),
    (frozenset(("id", "sku", "gtin", "partnumber", "invoice", "order", "tracking", "code")), frozenset(("code",))),
    (frozenset(("version",)), frozenset(("version",))),
    (frozenset(("address",)), frozenset(("address",))),
    (frozenset(("location", "city")), frozenset(("place",))),
    (PEOPLE, frozenset(("person",))),
    (frozenset(("company", "maker", "publisher", "seller")), frozenset(("company",))),
    *((frozenset((name,)), frozenset((f"{name} word",))) for name in VOCABULARIES),
)
"""Concepts with the shapes of their values."""
_DECIDED_FORMS: Final = ("money", "percent", "date", "ago", "time", "duration", "rating", "email", "phone", "url")
"""Shapes that a value of another concept hardly ever has."""
_LOOSE_FORMS: Final = frozenset(("person", "code", "time"))
"""Shapes that much else has too."""
_UNIT: Final = re.compile(
    r"^\D{0,12}\d[\d.,\s'’]*\s?(kg|g|lbs?|oz|t|km|mi|m|cm|mm|ft|[kmgt]i?b|k?w|hp|ps|kwh|m?l|cl|m²|m2|sqm|ha|ft²|°[cf]?)\b"
    r"(?!\s?\d)",
    re.IGNORECASE,
)
_LENGTHS: Final = frozenset((
    "distance", "length", "height", "width", "depth", "diameter", "elevation", "mileage", "size", "dimensions",
))  # fmt: skip
_BY_UNIT: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(("kg", "g", "lb", "lbs", "oz", "t"), frozenset((
        "weight", "capacity", "protein", "fat", "carbs", "sugar", "salt", "fiber", "quantity", "amount", "size",
    ))),
    **dict.fromkeys(("km", "mi", "m", "cm", "mm", "ft"), _LENGTHS),
    **dict.fromkeys(("kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib"), frozenset((
        "memory", "storage", "size", "capacity", "volume",
    ))),
    **dict.fromkeys(("w", "kw", "hp", "ps", "kwh"), frozenset(("power", "capacity", "energy"))),
    **dict.fromkeys(("l", "ml", "cl"), frozenset(("volume", "capacity", "size", "quantity", "amount"))),
    **dict.fromkeys(("m²", "m2", "sqm", "ha", "ft²"), frozenset(("area", "size"))),
    **dict.fromkeys(("°", "°c", "°f"), frozenset(("temperature", "high", "low"))),
}  # fmt: skip
"""Concepts by the unit of a number."""
_STRICT_FORMS: Final = frozenset(("date", "ago", "period", "year", "email", "phone", "percent", "url"))
"""Shapes without which a text is no value of their concepts."""
_CODES: Final[tuple[tuple[frozenset[str], re.Pattern[str]], ...]] = (
    (frozenset(("gtin", "ean", "upc", "gtin13", "gtin14", "gtin8")), re.compile(r"(?<!\d)\d(?:[ -]?\d){7,13}(?!\d)")),
    (frozenset(("isbn", "isbn10", "isbn13")), re.compile(r"\d(?:[ -]?[\dX]){9,12}", re.IGNORECASE)),
    (frozenset(("vin",)), re.compile(r"(?<!\w)[A-HJ-NPR-Z\d]{11,17}(?!\w)")),
    (frozenset(("iban",)), re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z\d]){8,}")),
)
"""Words of names with the form of their codes."""
_NUMBER_WORDS: Final = frozenset(("number", "nr", "no", "isbn", "issn", "gtin", "ean", "vin", "iban"))
"""Last words of names whose values have digits."""
_STATE_CONCEPTS: Final = frozenset(
    ("status", "stock", "result", "condition", "delivery", "remote", "order", "label", "type")
)
"""Concepts whose values may be words for a state."""
_TOTALS: Final = frozenset(("count", "total", "pages"))
_COUNTED: Final = re.compile(r"\d\s?[-–]\s?\d+\s*(?:of|von|de|sur|di|van|z|af|av)\s*\d", re.IGNORECASE)
"""The range of a page of a list, with the total."""
_PAGED: Final = re.compile(r"^(?:page|seite|página|pagina|strona|sida|side)\s+\d+\s*(?:/|\w+)\s*\d+$", re.IGNORECASE)
_COUNT_LINE: Final = 120
"""Length of the longest text of such a range."""
_LINK_KINDS: Final = frozenset(("href", "src"))
_ADDRESS_CONCEPTS: Final = ("email", "phone")
_REACHED_BY: Final = frozenset(_ADDRESS_CONCEPTS)
_CONTACT: Final = _REACHED_BY | {"address", "id"}
_CONTACT_WORDS: Final = frozenset(("contact", "kontakt"))
_NAME_CONCEPTS: Final = frozenset(("name", "title"))
_MOST_SHARE: Final = 0.7
_USUAL_SHARE: Final = 0.5
_MIN_SHARE: Final = 0.4
_WEAK_EVIDENCE: Final = 0.5
_LIKELY_LOOK: Final = 0.5
_BADGE_SIMILARITY: Final = 0.54
"""Least similarity of values to a field's name, by `value_similarity`, that makes them its badge."""
_MARKS: Final = (
    (frozenset(("phone", "fax")), re.compile(r"\d")),
    (frozenset(("email",)), re.compile(r"@|＠|\bat\b|\(a\)", re.IGNORECASE)),
)
"""Concepts with what is in each of their values."""
_THRESHOLD_WORDS: Final = frozenset(("free", "from", "minimum", "min", "over", "threshold"))
"""Words of names of fields that are for that amount."""
_FREE_FROM: Final = re.compile(
    rf"{FREE}.{{0,40}}"
    r"\b(over|above|from|orders|ab|dès|à partir|a partir|desde|sopra|vanaf|från|od)\b",
    re.IGNORECASE,
)
_IDENTIFIER: Final = re.compile(r"\b(?:order|number|no|nr|id|reference|ref|sku)$")
"""Names of fields for what identifies something, as no date does."""
_GLUED: Final = re.compile(r"^[^\W\d]{3,}\d+$")
_BADGE: Final = re.compile("pill|badge|chip|tag|label|stat[eu]|lozenge", re.IGNORECASE)
"""Classes of badges."""
_OWN_COMMAND_SHARE: Final = 0.9
"""Least share of a field's name in a command that is for the field."""
_CLOCK: Final = re.compile(r"\b(?:arrival|departure|start|end|check in|check out|pick ?up|opening|closing) time$")
"""Names of fields for a time of day, of which a day alone is none."""
_MIN_PROSE_LENGTH: Final = 60
_MAX_TEXTS: Final = 8


def contradicts(field: SchemaField, column: Column) -> bool:
    """Return True if values cannot be a field's, whatever the page calls them: a GTIN with letters, a link "Edit"."""
    sample = column.texts[:_MAX_TEXTS]
    for pattern in () if column.kind in _LINK_KINDS else _patterns(field):
        if sum(pattern.search(text) is not None for text in sample) * 2 < len(sample):
            return True
    if field.is_moment and column.kind in WRITTEN and sum(map(may_be_day, sample)) * 2 < len(sample):
        return True
    if _IDENTIFIER.search(field.plain_name) and column.profile.share("date") > _MOST_SHARE:
        return True
    is_day = column.profile.share("date") > _USUAL_SHARE and not any(":" in text for text in sample)
    if is_day and _CLOCK.search(field.plain_name):
        return True
    is_past = "due" in field.concepts and column.profile.share("ago") > _USUAL_SHARE
    is_numberless = column.kind in WRITTEN and _is_without_digits(field, column)
    return is_past or is_numberless or _is_threshold(field, column) or _is_command(field, column)


def _is_threshold(field: SchemaField, column: Column) -> bool:
    """Return True if amounts are those from which the field's are free: "Free shipping over $50"."""
    is_asked = not _THRESHOLD_WORDS.isdisjoint(field.plain_name.split())
    if not field.is_number or is_asked or field.concepts.isdisjoint(SOMETIMES_FREE) or column.kind in _LINK_KINDS:
        return False
    is_named = any(_FREE_FROM.search(label.text) for label in column.labels)
    return is_named or all(map(_FREE_FROM.search, column.texts[:_MAX_TEXTS]))


def _is_command(field: SchemaField, column: Column) -> bool:
    """Return True if all values are commands of links or buttons, and the field is not for these."""
    if field.type != "string" or column.kind != "text" or not column.is_clickable:
        return False
    sample = column.texts[:_MAX_TEXTS]
    if field.takes_commands:  # "Add description" where there is none
        return all(reads_as_command(text) and coverage(field.name, words(text)) > _OWN_COMMAND_SHARE for text in sample)
    return all(map(is_command if len(set(sample)) > 1 else reads_as_command, sample))


@lru_cache(maxsize=1000)
def _patterns(field: SchemaField) -> tuple[re.Pattern[str], ...]:
    parts = frozenset(field.plain_name.split())
    codes = tuple(pattern for names, pattern in _CODES if parts & names)
    if field.type != "string" or len(field.name.all) > 1:
        return codes
    return codes + tuple(pattern for names, pattern in _MARKS if names & field.name.last.concepts)


def form_evidence(field: SchemaField, column: Column) -> float:
    """Return the evidence of the written form: 1 for a form of the field's own, -1 for one of another property."""
    concepts, wanted = _concepts_and_shapes(field)
    share = column.profile.share
    if field.is_address and column.kind in _LINK_KINDS:  # "editUrl" is no date, though edited pages have one
        return 0.0
    if concepts & DAYS and all(map(is_weekday, column.texts[:_MAX_TEXTS])):
        return 1.0
    own = [shape for shape in wanted if share(shape) > _MIN_SHARE]
    if own:
        return 1.0 if not _LOOSE_FORMS.issuperset(own) else _WEAK_EVIDENCE
    if column.profile.numeric > _MIN_SHARE and _is_in_another_unit(concepts, column):
        return -1.0
    decided = [
        shape for shape in _DECIDED_FORMS if share(shape) > _USUAL_SHARE and not (shape == "url" and field.is_address)
    ]
    if decided or _is_state(field, concepts, column) or _is_without_digits(field, column):
        return -1.0
    if field.is_text and concepts & PROSE and column.profile.length > _MIN_PROSE_LENGTH:
        return 1.0
    if wanted - _LOOSE_FORMS and not field.is_number:
        return -1.0 if wanted & _STRICT_FORMS and wanted <= _STRICT_FORMS | _LOOSE_FORMS else -_WEAK_EVIDENCE
    return 0.0


def proof(field: SchemaField, column: Column, name: float, look: float) -> float:
    """Return how certain the form alone is: of addresses, ratings, badges, titles, paragraphs; 0 for none.

    Few pages teach these, so that a fit may forget them.

    Args:
      name: the similarity of the column's names to the field.
      look: the likelihood of its values' form.
    """
    if field.type == "string" and any(
        concept in field.name.concepts and column.profile.share(concept) > _USUAL_SHARE for concept in _ADDRESS_CONCEPTS
    ):
        return look
    if field.is_number and "rating" in field.concepts:
        is_drawn = column.kind == "class" and name >= _LIKELY_LOOK
        return look if is_drawn or column.profile.share("rating") > _USUAL_SHARE else 0.0
    if field.type == "boolean":
        return name if name >= _BADGE_SIMILARITY and column.kind == "text" and len(set(column.texts)) == 1 else 0.0
    if is_paragraph(field, column) and column.kind == "text" and len(field.name.all) == 1:
        return _WEAK_EVIDENCE if column.filled >= _MOST_SHARE and not (column.is_uniform or column.is_over) else 0.0
    is_name = len(field.name.all) == 1 and not field.name.last.concepts.isdisjoint(_NAME_CONCEPTS)
    is_title = column.title_look >= _LIKELY_LOOK and not (column.is_uniform or column.is_over or column.is_nth)
    return column.title_look if field.type == "string" and is_name and is_title and column.filled == 1 else 0.0


def is_paragraph(field: SchemaField, column: Column) -> bool:
    """Return True if values are paragraphs, and the field is for prose."""
    return "p" in column.tags and field.is_text and not field.concepts.isdisjoint(PROSE)


def is_certain(field: SchemaField, fact: Column) -> bool:
    """Return True if its form proves a fact, which a fit may forget: a disabled button, "1-9 of 47" for a count."""
    if field.type == "boolean":
        return fact.kind == "disabled" and "stock" in field.concepts
    is_total = field.is_number and not field.concepts.isdisjoint(_TOTALS)
    counted = _PAGED if "pages" in field.concepts else _COUNTED
    return is_total and fact.kind == "text" and len(fact.texts[0]) < _COUNT_LINE and bool(counted.search(fact.texts[0]))


def is_for_contact(field: SchemaField) -> bool:
    """Return True if a field is for an email address or a telephone number, of whomever the page is about."""
    concepts = [word.concepts for word in field.name.all if word.stem not in _CONTACT_WORDS]
    is_plain = bool(concepts) and all(one & _CONTACT for one in concepts) and any(one & _REACHED_BY for one in concepts)
    return field.type == "string" and field.outer is None and is_plain


def foreign_shape(field: SchemaField, fact: Column) -> float:
    """Return how probably a value has the shape of another field: money instead of a weight."""
    share = fact.profile.share
    concepts = field.concepts | field.hint.concepts
    if field.type == "boolean" or not concepts:
        return 0.0
    is_money = share("money") > 0.5 and not concepts & (MONEY | {"currency", "discount", "old", "revenue", "rent"})
    is_share = (
        share("percent") > 0.5 and field.type != "string" and "percent" not in concepts and "%" not in field.full_text
    )
    is_timely = field.type != "string" and share("date", "time", "phone", "email") > 0.5 and "year" not in concepts
    is_glued = field.is_number and bool(_GLUED.search(fact.texts[0]))
    return float(is_money or is_timely or is_glued) + 0.5 * is_share


def is_badge(fact: Column) -> bool:
    """Return True if a fact is a state in a badge that the page has once."""
    has_class = any(markup in CLASSES and _BADGE.search(text) for markup, text in fact.hints)
    is_own = not (fact.is_aside or fact.is_repeated or fact.is_composite or fact.is_clickable)
    return has_class and is_own and fact.kind in ("text", "part") and fact.profile.share("status word") > _USUAL_SHARE


def _is_state(field: SchemaField, concepts: frozenset[str], column: Column) -> bool:
    """Return True if values are words for a state, and the field is known to be for something else."""
    return (
        field.is_text
        and bool(concepts)
        and not concepts & _STATE_CONCEPTS
        and column.profile.share("status word") > _MOST_SHARE
    )


def _is_without_digits(field: SchemaField, column: Column) -> bool:
    """Return True if a field for numbers of things, such as a part number, finds values without digits."""
    last = field.plain_name.rpartition(" ")[2]
    return field.type == "string" and last in _NUMBER_WORDS and column.profile.numeric < _USUAL_SHARE


@lru_cache(maxsize=1000)
def _concepts_and_shapes(field: SchemaField) -> tuple[frozenset[str], frozenset[str]]:
    """Return the concepts of a field, and the shapes of its values."""
    concepts = field.concepts | field.hint.concepts
    return concepts, frozenset(shape for names, shapes in _SHAPES if names & concepts for shape in shapes)


def _is_in_another_unit(concepts: frozenset[str], column: Column) -> bool:
    """Return True if most values have the unit of another property: 14.2 kg as a size of a frame."""
    sample = column.texts[:_MAX_TEXTS]
    found = [unit for unit in map(_unit_of, sample) if unit]
    if len(found) * 2 <= len(sample):
        return False
    fitting = _BY_UNIT.get(found[0], frozenset())
    return bool(fitting) and fitting.isdisjoint(concepts)


@memoize
def _unit_of(text: str) -> str:
    """Return the unit of a number; "" for another text."""
    found = _UNIT.match(text)
    return found[1].lower() if found else ""
