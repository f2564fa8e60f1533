"""Values of an exported test, and the elements that words mean. Pure."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from agentbrowser.policy.redaction import REDACTED
from agentbrowser.policy.secrets import names_in
from agentbrowser.recorder.export.items import Target, Value, Withheld
from agentbrowser.recorder.export.seen import SeenElement

VARIABLE: Final = "TEST_"
"""Beginning of the names of environment variables."""
_USUAL: Final = (("button", "left"), ("clickCount", 1), ("delay", 0))
_LONGEST_NAME: Final = 80
"""Length from which on the result of an action cuts the name of its element."""
_CUT: Final = "…"


def described(description: str, elements: Iterable[SeenElement]) -> SeenElement | None:
    """Return the only element whose whole name is in a description."""
    words = set(re.findall(r"\w+", description.casefold()))
    found = [one for one in elements if one.name and set(re.findall(r"\w+", one.name.casefold())) <= words]
    return found[0] if len(found) == 1 else None


def meant_by_words(meant: Mapping[str, Any], known: Mapping[str, SeenElement]) -> SeenElement | None:
    """Return the element that a result names as the one that was meant by words.

    Args:
      meant: its role, name and ref, the latter if the client had observed it.
      known: elements of the looks by their refs.
    """
    role, name, ref = str(meant.get("role")), str(meant.get("name") or ""), str(meant.get("ref") or "")
    alike = [one for one in known.values() if one.role == role and _is_same_name(one.name, name)]
    if (element := known.get(ref)) in alike:
        return element
    if alike or not name or REDACTED in name or "." in ref:  # one of several, or in a frame that no look has shown
        return alike[0] if len(alike) == 1 and not ref else None
    return SeenElement(role=role, name=name + _CUT if len(name) >= _LONGEST_NAME else name)


def _is_same_name(one: str, other: str) -> bool:
    """Return True if the names of a look and of a result are the same; each may be cut."""
    shorter, longer = sorted((one.removesuffix(_CUT), other), key=len)
    is_cut = one.endswith(_CUT) or len(other) >= _LONGEST_NAME
    return longer.startswith(shorter) and bool(shorter) if is_cut else one == other


def uploaded_files(params: Mapping[str, Any], target: Target | None) -> tuple[Value, ...]:
    """Return the paths of the files of an upload: recordings have their number, those of earlier versions do not."""
    given = params.get("files")
    count = len(given) if isinstance(given, list) else 1
    name = f"{VARIABLE}FILE_{title(target)}"
    return tuple(Withheld(name if number == 1 else f"{name}_{number}") for number in range(1, count + 1))


def chosen_options(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not the usual ones."""
    given = params.get("options") or {}
    return {name: value for name, value in given.items() if (name, value) not in _USUAL}


def own_params(method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the params of methods that have no options."""
    if method.startswith(("emulate/", "frame/")) or (method == "action/drag" and "target" in params):
        return {name: value for name, value in params.items() if name not in ("pageId", "source", "options", "timeout")}
    return {}


def known_or_withheld(text: str, title: str) -> Value:
    """Return a text as it is, or the variable for one that the recording masks.

    Args:
      title: the variable's name behind its beginning, unless the text names a secret.
    """
    if names := names_in(text):
        return Withheld(f"{VARIABLE}SECRET_{_variable(names[0])}")
    return Withheld(f"{VARIABLE}{title}") if REDACTED in text else text


def title(target: Target | None) -> str:
    """Return the name of an element as a part of a variable's name."""
    if target is None:
        return "VALUE"
    named = target.element.name if target.element else ""
    selector = target.selector
    words = named or selector.get("name") or selector.get("description") or selector.get("value") or ""
    return _variable(str(words)) or "VALUE"


def _variable(words: str) -> str:
    return re.sub(r"\W+", "_", words, flags=re.ASCII).strip("_").upper()[:40]


def one_line(text: str) -> str:
    """Return text as one line of at most 200 characters, for a remark."""
    return "".join(filter(str.isprintable, " ".join(text.split())))[:200]
