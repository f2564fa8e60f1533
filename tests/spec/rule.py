"""What a rule of the protocol is, and a short way to name tests."""

from collections.abc import Callable

import attrs


@attrs.frozen
class Rule:
    """One rule: quoted from the protocol, and tested or known to be missing."""

    section: int
    text: str
    """A quotation; ``…`` stands for what is left out."""
    tests: tuple[str, ...] = ()
    """Test functions by module: ``loop/test_http.py::test_other_paths``."""
    gap: str = ""
    """``issue N: why``, for what does not exist yet."""
    until: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    """What is missing: methods, events, and wire fields of methods (``agent/act.fold``); there, the gap is stale."""
    names: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    """The methods and events that the rule is about and does not name in full."""
    ours: bool = attrs.field(default=False, kw_only=True)
    """The protocol does not say it: the text is no quotation."""


def tests_of(module: str) -> Callable[[str], tuple[str, ...]]:
    """Return what names tests of a module: ``http("other_paths …")`` for `test_other_paths` and so on."""
    return lambda names: tuple(f"{module}::test_{name}" for name in names.split())
