"""The blocking twins of the client's objects: the same source without ``async`` and ``await``."""

import re
from pathlib import Path
from typing import Final

CLIENT: Final = Path(__file__).parents[1] / "client"
TWINS: Final = ("browser", "element", "feed", "interfaces", "page")

_OURS: Final = "|".join(TWINS)
_CHANGES: Final = (
    (r"\bawait ", ""),
    (r"\basync (def|for|with) ", r"\1 "),
    (r"\b__a(enter|exit|next|iter)__", r"__\1__"),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\bAsyncIterator\b", "Iterator"),
    (rf"\bagentbrowser\.client\.({_OURS})\b", r"agentbrowser.client.blocking.\1"),
)


def twin_of(name: str) -> str:
    """Return the source of the blocking twin of one of the client's modules."""
    text = (CLIENT / f"{name}.py").read_text(encoding="utf-8")
    for pattern, instead in _CHANGES:
        text = re.sub(pattern, instead, text)
    return f"# Generated from agentbrowser/client/{name}.py: python -m agentbrowser.protocol.generate --write\n{text}"
