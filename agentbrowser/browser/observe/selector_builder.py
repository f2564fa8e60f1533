"""The selectors of an element, from what the in-page scripts say they are made of."""

from typing import Any

from agentbrowser.protocol.types.selector import Css, Role, Selector, TestId, Text


def selectors(handles: list[Any], plain: dict[str, Any]) -> list[Selector]:
    """Return the selectors that ``handlesFor`` in scripts/observe/selectors.js has made so small, the best first.

    Args:
      plain: what else the script has said of the element: ``role``, and ``name`` if it has one.
    """
    test_id, is_named, css, text, path = (*handles, 0, 0, 0, 0)[:5]
    name = plain.get("name", "")
    made: list[Selector] = []
    if test_id:
        made.append(TestId(test_id))
    if is_named:
        made.append(Role(plain["role"], name, exact=True))
    if css:
        made.append(Css(css))
    if text:
        made.append(Text(name if text is True else text, exact=True))
    if path:
        made.append(Css(path))
    return made
