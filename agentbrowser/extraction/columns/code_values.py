"""Codes without the label before them: "Ref. 44-1207", "VAT no. GB 318 5540 72"."""

import re
from typing import Final

from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.words import Word, Words, coverage, words

CODES: Final = frozenset((
    "id", "sku", "gtin", "partnumber", "invoice", "order", "fax", "tax", "companyid", "registration", "license",
    "serial", "tracking", "case",
    "version",
))  # fmt: skip
"""Concepts whose values are codes."""
_LABELS: Final = frozenset(("id", "sku", "gtin", "partnumber", "invoice", "order"))
"""Concepts of words before any code."""
_TAXES: Final = frozenset(("tax", "companyid"))
_NUMBERED: Final = re.compile(r"^(?:[^\W\d]{2,5}\.\s*)?(?:no|nr|num|n°|nº)\.?:?\s+(?=\S*\d\S*$)", re.IGNORECASE)
"""The words for "number" before a code: "cat. no. 17"."""
_MOST: Final = 4
"""Greatest number of words of a label before a code."""
_ALL: Final = 0.9


def bare_code(text: str, field: SchemaField) -> str:
    """Return a code without words before it that name the field, or codes in general."""
    pieces = _NUMBERED.sub("", text).split(" ")
    first = next((at for at, piece in enumerate(pieces) if any(map(str.isdigit, piece))), 0)
    for end in range(min(first, _MOST), 0, -1):
        label, code = words(" ".join(pieces[:end])), pieces[end:]
        is_label = bool(label.all) and all(_names(word, field) for word in label.all)
        if is_label and all(piece.isupper() or any(map(str.isdigit, piece)) for piece in code):
            return " ".join(code)
    return text if len(pieces) > 1 else pieces[0]


def _names(word: Word, field: SchemaField) -> bool:
    is_tax = bool(word.concepts & _TAXES and field.concepts & _TAXES)
    return is_tax or bool(word.concepts & _LABELS) or coverage(Words((word,)), field.name) > _ALL
