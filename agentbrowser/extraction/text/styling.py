"""Class names that say how something looks."""

import re
from typing import Final

from agentbrowser.extraction.memoize import remembered
from agentbrowser.extraction.text.words import words

_STYLING: Final = re.compile(
    r"(?:[a-z]+:)*-?(?:"
    r"(?:text|font|bg|border|rounded|[pm][trblxyse]?|[wh]|min|max|flex|grid|gap|cols?|row|items|justify|align|leading|"
    r"tracking|ring|shadow|opacity|z|inset|overflow|line-clamp|whitespace|break|wb|d|fs|fw|float|pull|css|sc|jsx|v|lh|"
    r"mui[a-z]*|ant|chakra|el|btn|button|badge|link|muted|visually|sr|is|js|fa|icon|space|self|tabular)(?:[-_:/\[.]+\S*|\d+)"
    r"|text|row|col|flex|grid|truncate|btn|badge|muted|clearfix|container|wrapper|inner|outer|block|inline|hidden|"
    r"visible|active|small|bold|italic|left|right|center|clear|odd|even|first|last|uppercase|underline|antialiased)$",
    re.IGNORECASE,
)
"""Classes that say how something looks, as frameworks have them, not what it is."""
_PART: Final = re.compile(r"__([a-z][\w-]*)$|--([a-z]+-[a-z][\w-]*)$")
"""What of a block's name says which part or sort of it this is: "badge--age-rating"."""


@remembered
def is_styling(name: str) -> bool:
    """Tell whether a class says how something looks, as those of frameworks do, and not what it is."""
    if _STYLING.match(name) is None:
        return False
    part = _PART.search(name)
    return not part or not words(part[1] or part[2]).concepts
