"""Conversion of Chromium's accessibility nodes to those of the protocol."""

from typing import Any

import pytest

from agentbrowser.browser.observe import accessibility_tree
from agentbrowser.browser.observe.accessibility_tree import MAX_LEVELS, MAX_NODES, AxNode, ElementFacts
from agentbrowser.policy.masking import SecretMasker
from agentbrowser.protocol.errors import ResourceLimitExceeded
from agentbrowser.protocol.types.observe import AccessibilityNode, BoundingBox

BOX = BoundingBox(x=1, y=2, width=3, height=4)


def ax(role: str, *children: AxNode, name: str = "", value: Any = None, id_: int = 0, **properties: Any) -> AxNode:
    """Return a node with its descendants under ``inside``; `flat` assigns their ids."""
    node: AxNode = {"role": {"value": role}, "name": {"value": name}, "inside": children, "backendDOMNodeId": id_}
    if value is not None:
        node["value"] = {"value": value}
    node["ignored"] = properties.pop("ignored", False)
    return node | {"properties": [{"name": key, "value": {"value": item}} for key, item in properties.items()]}


def flat(top: AxNode) -> list[AxNode]:
    nodes: list[AxNode] = []
    coming = [top]
    while coming:
        node = coming.pop()
        node["nodeId"] = str(len(nodes))
        node["childIds"] = []
        if "parent" in node:
            node["parent"]["childIds"].insert(0, node["nodeId"])
        coming += [child | {"parent": node} for child in node["inside"]]
        nodes.append(node)
    return nodes


def tree(top: AxNode, facts: dict[int, ElementFacts] | None = None, **wanted: Any) -> list[AccessibilityNode]:
    return accessibility_tree.build(flat(top), facts or {}, **({"interesting_only": True, "max_depth": None} | wanted))


def shape(nodes: list[AccessibilityNode] | None) -> list[Any]:
    """Return roles and names, nested."""
    return [(node.role, node.name or "", shape(node.children)) for node in nodes or []]


def test_nodes_without_meaning_are_replaced_by_their_children() -> None:
    text = ax("StaticText", ax("InlineTextBox", name="Hi"), name="Hi")
    page = ax("RootWebArea", ax("none", ax("generic", ax("paragraph", text)), ignored=True), name="Page")
    assert shape(tree(page)) == [("document", "Page", [("paragraph", "", [("text", "Hi", [])])])]
    assert shape(tree(page, interesting_only=False)) == [
        ("document", "Page", [("generic", "", [("paragraph", "", [("text", "Hi", [])])])])
    ]


def test_adjacent_texts_that_show_a_secret_together_are_masked() -> None:
    masks = SecretMasker()
    masks.add(["correct"])
    spans = [ax("StaticText", name="a "), *(ax("generic", ax("StaticText", name=part)) for part in ("cor", "re", "ct"))]
    page = ax("RootWebArea", ax("paragraph", *spans), name="Page")
    texts: list[Any] = [("text", "a", []), *[("text", "[REDACTED]", [])] * 3]
    assert shape(tree(page, holders=masks.holders)) == [("document", "Page", [("paragraph", "", texts)])]


def test_text_that_is_its_parent_s_name_is_not_repeated() -> None:
    link = ax("link", ax("StaticText", name="Next "), ax("strong", ax("StaticText", name="page")), name="Next page")
    assert shape(tree(ax("RootWebArea", link))) == [
        ("document", "", [("link", "Next page", [("strong", "", [("text", "page", [])])])])
    ]


def test_roles_are_those_of_aria() -> None:
    roles = {
        "image": "img",
        "DisclosureTriangle": "button",
        "DescriptionList": "generic",
        "Date": "textbox",
        "switch": "switch",
    }
    for said, role in roles.items():
        assert accessibility_tree.role_of(ax(said)) == role


def test_states_are_returned_where_they_apply() -> None:
    nodes = [
        ax("checkbox", checked="mixed"),
        ax("radio", checked="false"),
        ax("ToggleButton", pressed="true"),
        ax("button", disabled=True, expanded=False),
        ax("textbox", value="bob", required=True, focused=True),
        ax("slider", value=30, valuetext="30 %"),
        ax("progressbar", value=0.5),
        ax("heading", level=2),
        ax("listitem", level=1),
        ax("option", selected=False),
    ]
    (page,) = tree(ax("RootWebArea", *nodes, focused=True))
    assert page == AccessibilityNode(
        role="document",
        children=[
            AccessibilityNode(role="checkbox", checked="mixed"),
            AccessibilityNode(role="radio", checked=False),
            AccessibilityNode(role="button", checked=True),
            AccessibilityNode(role="button", disabled=True, expanded=False),
            AccessibilityNode(role="textbox", value="bob", required=True, focused=True),
            AccessibilityNode(role="slider", value="30 %"),
            AccessibilityNode(role="progressbar", value="0.5"),
            AccessibilityNode(role="heading", level=2),
            AccessibilityNode(role="listitem"),
            AccessibilityNode(role="option", selected=False),
        ],
    )


def test_a_secret_is_in_no_node() -> None:
    inside = ax("generic", ax("StaticText", name="hunter2"))
    field = ax("textbox", inside, name="Password", value="hunter2", id_=5, editable="plaintext")
    others = (ax("button", name="hunter2"), ax("region", name="about hunter2!"), ax("button", name="hunt"))
    (page,) = tree(ax("RootWebArea", field, *others), {5: ElementFacts(box=BOX, secret=True)}, interesting_only=False)
    assert page.children == [
        AccessibilityNode(role="textbox", name="Password", bounding_box=BOX),
        AccessibilityNode(role="button"),
        AccessibilityNode(role="region"),
        AccessibilityNode(role="button", name="hunt"),
    ]


def test_a_short_secret_removes_only_equal_texts() -> None:
    field = ax("textbox", value="a", id_=5)
    (page,) = tree(
        ax("RootWebArea", field, ax("button", name="a"), ax("button", name="Save")),
        {5: ElementFacts(box=BOX, secret=True)},
    )
    assert [node.name for node in page.children or []] == [None, None, "Save"]


def test_levels_below_the_maximum_depth_are_left_out() -> None:
    page = ax("RootWebArea", ax("main", ax("generic", ax("paragraph", ax("StaticText", name="deep")))))
    assert shape(tree(page, max_depth=1)) == [("document", "", [])]
    assert shape(tree(page, max_depth=3)) == [("document", "", [("main", "", [("paragraph", "", [])])])]


def test_a_tree_of_any_depth_is_nested_no_deeper_than_json_may_be() -> None:
    node = ax("StaticText", name="bottom")
    for _ in range(2000):
        node = ax("group", node)
    (top,) = tree(node)
    levels, count, row = 0, 0, [top]
    while row:
        levels, count = levels + 1, count + len(row)
        row = [child for node in row for child in node.children or []]
    assert (levels, count) == (MAX_LEVELS, 2001)


def test_a_tree_of_too_many_nodes_is_refused() -> None:
    with pytest.raises(ResourceLimitExceeded) as refused:
        tree(ax("RootWebArea", *(ax("button") for _ in range(MAX_NODES))))
    assert refused.value.details == {"resource": "nodes", "limit": MAX_NODES, "current": MAX_NODES + 1}


def test_facts_are_requested_for_controls_only() -> None:
    page = ax(
        "RootWebArea",
        ax("heading", id_=2),
        ax("link", id_=3, focusable=True),
        ax("button", id_=4, disabled=True),
        ax("textbox", id_=5, value="x"),
        ax("link", id_=6, focusable=True, ignored=True),
        ax("StaticText", id_=7, editable="plaintext"),
        id_=1,
        focusable=True,
    )
    assert sorted(accessibility_tree.controls(flat(page))) == [3, 4, 5]


def test_no_nodes_are_no_tree() -> None:
    assert accessibility_tree.build([], {}, interesting_only=True, max_depth=None) == []
