"""Input of a person as CDP commands: keys that would paste from the browser's clipboard are refused."""

from typing import Any

import pytest

from agentbrowser.browser.live.person_input import command_for
from agentbrowser.protocol.errors import InvalidParams

CONTROL, META, SHIFT = 2, 4, 8


def key(kind: str = "down", /, **given: Any) -> dict[str, Any]:
    return {"kind": "key", "type": kind, **given}


@pytest.mark.parametrize(
    "given",
    [
        key(key="v", code="KeyV", keyCode=86, modifiers=CONTROL),
        key(key="V", code="KeyV", keyCode=86, modifiers=CONTROL | SHIFT),
        key(key="v", keyCode=86, modifiers=META),
        key(key="x", code="KeyX", keyCode=86, modifiers=CONTROL),  # Chromium goes by the code
        key(key="v", keyCode=0, modifiers=CONTROL),
        key(key="Insert", keyCode=45, modifiers=SHIFT),
        key(key="a", text="a", keyCode=45, modifiers=SHIFT),
        key(key="Paste"),
    ],
)
def test_no_key_of_a_person_pastes_what_documents_have_copied(given: dict[str, Any]) -> None:
    """An agent pasted a used secret into another origin, by the link of its own handoff."""
    with pytest.raises(InvalidParams) as refused:
        command_for(given)
    assert refused.value.details["path"] == "key"


@pytest.mark.parametrize(
    "given",
    [
        key(key="V", text="V", code="KeyV", keyCode=86, modifiers=SHIFT),
        key(key="v", text="v", code="KeyV", keyCode=86),
        key(key="c", code="KeyC", keyCode=67, modifiers=CONTROL),
        key(key="Insert", keyCode=45, modifiers=CONTROL),
        key(key="Insert", keyCode=45),
        key("up", key="v", code="KeyV", keyCode=86, modifiers=CONTROL),
    ],
)
def test_other_keys_of_a_person_are_sent(given: dict[str, Any]) -> None:
    method, params = command_for(given)
    assert method == "Input.dispatchKeyEvent"
    assert (params["key"], params["modifiers"]) == (given["key"], given.get("modifiers", 0))
