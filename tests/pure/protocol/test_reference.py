"""The method reference: what is generated has every method, event, error and type, and its links lead somewhere."""

import re

import attrs
import pytest

from agentbrowser.methods import EVENTS, METHODS
from agentbrowser.protocol import generate, openrpc, reference
from agentbrowser.protocol.reference import reference as rendered
from agentbrowser.protocol.registry import Method, Scope
from agentbrowser.protocol.types.fields import field

TEXT = generate.method_reference()
SECTIONS = dict(re.findall(r"^### (\S+)\n(.*?)(?=^##|\Z)", TEXT, re.DOTALL | re.MULTILINE))


def section_of(handler: object, **declared: object) -> str:
    """Return the section of one method of our own."""
    usual: dict[str, object] = dict.fromkeys(("step", "free", "focus", "in_session", "composite"), False)
    made = Method(
        name="test/work",
        params=Params,
        result=dict[str, str],
        handler=handler,  # type: ignore[arg-type]
        scope=Scope.FULL,
        **usual | declared,  # type: ignore[arg-type]
    )
    text = rendered({"test/work": made}, {}, "1.2.3")
    return text.partition("### test/work")[2].partition("\n## ")[0]


@attrs.frozen(kw_only=True)
class Params:
    """Params."""

    name: str
    """A name."""
    count: int = field(default=3, minimum=1, maximum=2000)
    page_id: str | None = None


async def work(tabs: object, params: Params) -> dict[str, str]:
    """Work on it. [asyncio]

    It takes
    a while.

    Raises:
      PageNotFound, ContextNotFound: there is none,
        or not any more.
      ActionFailed: it failed.
    """
    return {}


async def vague(tabs: object, params: Params) -> dict[str, str]:
    """Work on it. [asyncio]

    Raises:
      whatever.
    """
    return {}


@pytest.mark.parametrize("name", sorted({*METHODS, *EVENTS}))
def test_each_method_and_event_has_a_section(name: str) -> None:
    assert "| field | type | default | meaning |" in SECTIONS[name] or "No params." in SECTIONS[name]


def test_each_error_has_a_row() -> None:
    rows = re.findall(r"^\| (-\d+) \| `(\w+)`", TEXT, re.MULTILINE)
    assert rows == [(str(kind.code), kind.__name__) for kind in reversed(openrpc.error_kinds())]


def test_each_link_leads_to_one_heading() -> None:
    anchors = [reference.anchor(heading) for heading in re.findall(r"^##+ (.+)$", TEXT, re.MULTILINE)]
    assert len(set(anchors)) == len(anchors)
    assert set(re.findall(r"\]\((#[^)]+)\)", TEXT)) <= set(anchors)


def test_a_section_has_what_the_method_declares() -> None:
    assert section_of(work, step=True).split("\n\n") == [
        "",
        "Work on it.",
        "It takes a while.",
        "Scope `full`. Runs in its page's order. May be a step of `agent/act`. In Python `test_reference.work`.",
        "| field | type | default | meaning |\n|---|---|---|---|\n"
        "| `name` | string | *required* | A name. |\n"
        "| `count` | integer, 1 to 2,000 | `3` |  |\n"
        "| `pageId` | string |  | The page; the active one when absent. |",
        "Returns object.",
        "Errors of *every request*, *browser* and *page*:",
        "- `PageNotFound`, `ContextNotFound`: there is none, or not any more.\n- `ActionFailed`: it failed.\n",
    ]


@pytest.mark.parametrize(
    ("declared", "turn"),
    [
        ({}, "Runs in its page's order."),
        ({"free": True}, "Runs at once."),
        ({"in_session": True}, "Runs in the session's order."),
    ],
)
def test_a_section_has_the_order_in_which_the_method_runs(declared: dict[str, object], turn: str) -> None:
    assert f"Scope `full`. {turn} In Python" in section_of(work, **declared)


def test_an_error_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="test/work: the docstring raises"):
        section_of(vague)


def test_a_type_has_its_bounds_and_choices() -> None:
    assert "| `steps` | [ExecutionStep](#executionstep)[], 1 to 50 items | *required* |" in SECTIONS["agent/act"]
    assert '| `format` | `"json"` \\| `"text"` \\| `"both"` | `"json"` |' in SECTIONS["agent/observe"]
    assert '| `observe` | `"changes"` \\| [params of agent/observe](#agentobserve) |' in SECTIONS["page/navigate"]
    assert "| `value` | string, 1 to 10,000 characters | *one of these* |" in SECTIONS["Ref"]
    assert "One of string, 1 to 10,000 characters | [Css](#css) | [XPath](#xpath)" in SECTIONS["Selector"]
