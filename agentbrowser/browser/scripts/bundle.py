"""Programs that run in pages, out of the generated bundle of the in-page scripts."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

_BUNDLE: Final = Path(__file__).with_name("bundle.gen.js")
_HEAD: Final = re.compile(r"^// program: (\w+)\n", re.MULTILINE)


def _split(bundle: str) -> Mapping[str, str]:
    """Return the programs of a bundle by their names; a line with its name stands before each."""
    _, *parts = _HEAD.split(bundle)
    return MappingProxyType({name: source.rstrip() for name, source in zip(parts[::2], parts[1::2], strict=True)})


PROGRAMS: Final = _split(_BUNDLE.read_text(encoding="utf-8"))
"""Each is an expression whose value is a function, by the name of its module in `scripts/programs`."""
