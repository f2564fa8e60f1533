"""Conversion of Chromium's accessibility nodes to those of the protocol."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from agentbrowser.policy.urls import REDACTED
from agentbrowser.protocol.errors import ResourceLimitExceeded
from agentbrowser.protocol.types.observe import AccessibilityNode, BoundingBox

MAX_NODES: Final = 20_000
MAX_LEVELS: Final = 28
"""Limit on the depth, so that the JSON is not nested deeper than 64; deeper nodes become siblings on the last level."""

AxNode = dict[str, Any]

_ROLES: Final = {
    "RootWebArea": "document",
    "StaticText": "text",
    "Iframe": "iframe",
    "IframePresentational": "iframe",
    "Video": "video",
    "Audio": "audio",
    "Canvas": "img",
    "image": "img",
    "SvgRoot": "img",
    "MathMLMath": "math",
    "DisclosureTriangle": "button",
    "DisclosureTriangleGrouped": "button",
    "ToggleButton": "button",
    "ColorWell": "textbox",
    "Date": "textbox",
    "DateTime": "textbox",
    "InputTime": "textbox",
    "TextFieldWithComboBox": "combobox",
    "ComboBoxGrouping": "combobox",
    "ComboBoxMenuButton": "combobox",
    "ComboBoxSelect": "combobox",
}
"""ARIA roles for Chromium's internal role names; all other internal names become generic."""

_LAYOUT: Final = frozenset({"InlineTextBox", "LineBreak", "ListMarker"})
"""Roles of text layout and decoration, which carry no content."""
_GENERIC: Final = frozenset({"generic", "none", "presentation"})
_NAMED_BY_CONTENT: Final = frozenset(
    {"button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox"}
    | {"menuitemradio", "option", "radio", "rowheader", "switch", "tab", "tooltip", "treeitem"}
)
_ROLES_WITH_LEVEL: Final = frozenset({"heading", "row", "treeitem"})
_MIN_SECRET_LENGTH: Final = 4


@attrs.frozen(kw_only=True)
class ElementFacts:
    """The page's facts about a node: its bounding box, and True if its value is a secret."""

    box: BoundingBox
    secret: bool


def role_of(node: AxNode) -> str:
    """Return the node's ARIA role, ``text``, or the element's name if it has no role (``iframe``)."""
    role = str(node.get("role", {}).get("value", "generic"))
    return _ROLES.get(role) or (role if role[:1].islower() else "generic")


def controls(nodes: Iterable[AxNode]) -> list[int]:
    """Return the backend ids of interactive nodes and of nodes with a value: the page is asked about these only."""
    return [node["backendDOMNodeId"] for node in nodes if node.get("backendDOMNodeId") and _is_control(node)]


def build(
    nodes: Sequence[AxNode],
    facts: Mapping[int, ElementFacts],
    secrets: Iterable[str] = (),
    *,
    interesting_only: bool,
    max_depth: int | None,
    holders: Callable[[list[str]], list[int]] = lambda texts: [],
) -> list[AccessibilityNode]:
    """Build the tree; its root is the first of the nodes.

    Args:
      facts: facts by backend id.
      secrets: texts that no name may reveal.
      max_depth: number of levels to return.
      holders: returns the indexes of the texts that show a secret, alone or together with those beside them.

    Raises:
      ResourceLimitExceeded: the tree has more nodes than `MAX_NODES`.
    """
    return _Tree(nodes, facts, secrets, interesting_only, max_depth or MAX_LEVELS).build(holders) if nodes else []


@attrs.frozen
class _TreeNode:
    """A node of the tree with its parent; the placeholder above the root has level 0."""

    level: int
    node: AxNode
    parent: "_TreeNode | None" = None
    children: "list[_TreeNode]" = attrs.field(factory=list)

    def below(self, node: AxNode) -> "_TreeNode":
        """Return a child of this node; a sibling, if this node is on the deepest level."""
        parent = self if self.level < MAX_LEVELS or self.parent is None else self.parent
        return _TreeNode(parent.level + 1, node, parent)


class _Tree:
    """One conversion. It has an explicit stack, because pages nest deeper than Python's recursion limit."""

    def __init__(
        self,
        nodes: Sequence[AxNode],
        facts: Mapping[int, ElementFacts],
        secrets: Iterable[str],
        interesting_only: bool,
        max_depth: int,
    ) -> None:
        self.root = nodes[0]
        self.by_id = {node["nodeId"]: node for node in nodes}
        self.facts = facts
        self.interesting_only = interesting_only
        self.max_depth = max_depth
        # The page can't report on closed shadow roots.
        closed = {str(node["value"]["value"]) for node in nodes if "value" in node and self._is_secret(node)}
        self.secrets = closed | set(secrets)

    def build(self, holders: Callable[[list[str]], list[int]]) -> list[AccessibilityNode]:
        top = _TreeNode(0, {})
        selected = list(self._select_nodes(top))
        if len(selected) > MAX_NODES:
            raise too_many(len(selected))
        texts = [item for item in selected if role_of(item.node) == "text"]
        held = {id(texts[at]) for at in holders([self._text(item.node, "name") or "" for item in texts])}
        built: dict[int, AccessibilityNode] = {}
        for item in reversed(selected):  # children come after their parents
            children = [built[id(child)] for child in item.children]
            node = self._node(item.node, children)
            built[id(item)] = attrs.evolve(node, name=REDACTED) if id(item) in held else node
        return [built[id(child)] for child in top.children]

    def _select_nodes(self, top: _TreeNode) -> Iterator[_TreeNode]:
        """Yield the nodes of the tree in document order, each attached to its parent."""
        stack = [(self.root, top)]
        while stack:
            node, parent = stack.pop()
            if self._is_shown(node, parent):
                parent = parent.below(node)
                if parent.parent is None or parent.level > self.max_depth:
                    continue
                parent.parent.children.append(parent)
                yield parent
            stack += [(child, parent) for child in reversed(self._children(node))]

    def _children(self, node: AxNode) -> list[AxNode]:
        """Return the children of a node; none for a text field, whose content is its value or a secret."""
        if _is_layout(node) or self._is_secret(node) or _property(node, "editable") == "plaintext":
            return []
        return [self.by_id[id_] for id_ in node.get("childIds", ()) if id_ in self.by_id]

    def _is_shown(self, node: AxNode, parent: _TreeNode) -> bool:
        if node.get("ignored") or _is_layout(node):
            return False
        role, name = role_of(node), self._text(node, "name")
        if role == "text":
            return bool(name and name.strip()) and not (self.interesting_only and self._repeats(name or "", parent))
        if not self.interesting_only or node is self.root or role not in _GENERIC:
            return True
        return bool(name or self._text(node, "description") or _property(node, "focusable"))

    def _repeats(self, text: str, parent: _TreeNode) -> bool:
        """Return True if a text only repeats the name or the value of its parent."""
        if not parent.node:
            return False
        name, value = self._text(parent.node, "name") or "", self._text(parent.node, "value") or ""
        text = text.strip()
        return text in (name.strip(), value.strip()) or (role_of(parent.node) in _NAMED_BY_CONTENT and text in name)

    def _is_secret(self, node: AxNode) -> bool:
        facts = self.facts.get(node.get("backendDOMNodeId", -1))
        return facts is not None and facts.secret

    def _text(self, node: AxNode, key: str) -> str | None:
        """Return a text of the node, unless it reveals a secret: a name can contain another field's value."""
        text = str(node.get(key, {}).get("value", ""))
        return None if not text or any(_reveals(text, secret) for secret in self.secrets) else text

    def _node(self, node: AxNode, children: list[AccessibilityNode]) -> AccessibilityNode:
        role, name = role_of(node), self._text(node, "name")
        facts = self.facts.get(node.get("backendDOMNodeId", -1))
        focused = _property(node, "focused") is True and role != "document"
        return AccessibilityNode(
            role=role,
            name=name.strip() if role == "text" and name else name,
            value=None if self._is_secret(node) else _property(node, "valuetext") or self._text(node, "value"),
            description=self._text(node, "description"),
            checked=_tristate(_property(node, "checked") or _property(node, "pressed")),
            disabled=_property(node, "disabled") or None,
            expanded=_property(node, "expanded"),
            focused=focused or None,
            selected=_property(node, "selected"),
            required=_property(node, "required") or None,
            level=_property(node, "level") if role in _ROLES_WITH_LEVEL else None,
            bounding_box=facts.box if facts else None,
            children=children or None,
        )


def too_many(count: int) -> ResourceLimitExceeded:
    """Return the error for a tree with that many nodes."""
    return ResourceLimitExceeded(
        f"The tree would have more than {MAX_NODES} nodes.",
        resource="nodes",
        limit=MAX_NODES,
        current=count,
        hint="Ask for the part that matters with root, or for fewer levels with maxDepth.",
    )


def _is_layout(node: AxNode) -> bool:
    return node.get("role", {}).get("value") in _LAYOUT


def _is_control(node: AxNode) -> bool:
    if node.get("ignored") or role_of(node) in ("document", "text"):
        return False
    return "value" in node or any(_property(node, name) for name in ("focusable", "disabled", "editable"))


def _property(node: AxNode, name: str) -> Any:
    return next((item["value"].get("value") for item in node.get("properties", ()) if item["name"] == name), None)


def _tristate(role: Any) -> Any:
    return {"true": True, "false": False, "mixed": "mixed"}.get(str(role).lower())


def _reveals(text: str, secret: str) -> bool:
    return text == secret or (len(secret) >= _MIN_SECRET_LENGTH and secret in text)
