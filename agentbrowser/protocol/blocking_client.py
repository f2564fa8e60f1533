"""Generation of the blocking client: the source of the Trio client without ``async`` and ``await``."""

import re
from pathlib import Path
from typing import Final

CLIENT: Final = Path(__file__).parents[1] / "client"
GENERATED_MODULES: Final = ("browser", "download", "element", "feed", "interfaces", "page", "results")

_MODULE_NAMES: Final = "|".join(GENERATED_MODULES)
_REPLACEMENTS: Final = (
    (r"\bawait ", ""),
    (r"\basync (def|for|with) ", r"\1 "),
    (r"\b__a(enter|exit|next|iter)__", r"__\1__"),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\bAsyncIterator\b", "Iterator"),
    (rf"\bagentbrowser\.client\.({_MODULE_NAMES})\b", r"agentbrowser.client.blocking.\1"),
)


def blocking_source(name: str) -> str:
    """Return the blocking source of one of the client's modules."""
    text = (CLIENT / f"{name}.py").read_text(encoding="utf-8")
    for pattern, replacement in _REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    return f"# Generated from agentbrowser/client/{name}.py: python -m agentbrowser.protocol.generate --write\n{text}"
