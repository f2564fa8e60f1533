"""The accessibility tree and the outline of a page, without secrets."""

import asyncio
from typing import Any

import attrs
import pytest

from agentbrowser.browser.observe import accessibility
from agentbrowser.browser.observe.accessibility_tree import MAX_NODES
from agentbrowser.protocol import codec
from agentbrowser.protocol.errors import ElementNotFound, ResourceLimitExceeded
from agentbrowser.protocol.types.observe import AccessibilityNode, AccessibilityOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.observed_tab import ObservedTab, look_with_observed_tab
from tests.browser.stage import Stage


async def tree(tab: ObservedTab, timeout_ms: int = 20_000, **options: Any) -> list[AccessibilityNode]:
    return (await tab.accessibility.tree(AccessibilityOptions(**options), timeout_ms)).tree


def lines(nodes: list[AccessibilityNode] | None, indent: str = "") -> list[str]:
    """Return a line for each node: role, name and other properties."""
    parts: list[str] = []
    for node in nodes or []:
        bare = attrs.evolve(node, children=None, bounding_box=None)
        plain = codec.unstructure(bare)
        states = [f"{key}={value}" for key, value in plain.items() if key not in ("role", "name")]
        parts.append(indent + " ".join([node.role, repr(node.name or ""), *states]))
        parts += lines(node.children, indent + "  ")
    return parts


def test_the_tree_of_a_page(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        assert "\n".join(lines(await tree(tab))) == TREE

    look_with_observed_tab(stage, "/content-tree.html", look)


def test_looks_at_several_elements_at_the_same_time_get_each_its_own(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        shown = {"#agree": "Agree", "#some": "Some", "#off": "Send", "#menu": "Menu", "#name": "Name", "h2": "Order"}
        for _ in range(3):
            trees = await asyncio.gather(*(tree(tab, root=Css(value=selector)) for selector in shown))
            assert [nodes[0].name for nodes in trees] == list(shown.values())

    look_with_observed_tab(stage, "/content-tree.html", look)


TREE = """document 'Tree'
  navigation 'Main'
    link 'Next page'
  heading 'Order' level=2
  checkbox 'Agree' checked=True
  checkbox 'Some' checked=mixed
  button 'Send' disabled=True
  button 'Menu' description=Opens the menu expanded=False
  button 'Bold' checked=True
  text 'Opens the menu'
  textbox 'Name' value=bob focused=True required=True
  textbox 'Password'
  textbox 'Shown'
  button ''
  text 'Closed'
  textbox 'Closed'
  combobox 'Size' value=large expanded=False
    option 'small' selected=False
    option 'large' selected=True
  slider 'Volume' value=30
  tablist ''
    tab 'First' selected=True
  group ''
    button 'More' expanded=False
  list ''
    listitem ''
      text 'alpha'
    listitem ''
      text 'beta'
      text 'gamma'
  paragraph ''
    text 'Text: with'
    text 'a colon'"""


def test_a_root_a_depth_and_uninteresting_nodes(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        assert lines(await tree(tab, root=Css("#list"), max_depth=2)) == ["list ''", "  listitem ''", "  listitem ''"]
        everything = lines(await tree(tab, interesting_only=False))
        assert [line.strip() for line in everything if "Next" in line or "page" in line] == [
            "link 'Next page'",
            "text 'Next'",
            "text 'page'",
        ]
        assert "  generic ''" in everything
        with pytest.raises(ElementNotFound):
            await tree(tab, timeout_ms=300, root=Css("#never"))

    look_with_observed_tab(stage, "/content-tree.html", look)


def test_hidden_nodes_come_last_and_are_marked(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        (page,) = await tree(tab, include_hidden=True)
        hidden = [node for node in page.children or [] if node.hidden]
        assert lines(hidden) == ["button 'Muted' hidden=True", "link 'Gone' hidden=True"]
        assert (page.children or [])[-2:] == hidden

    look_with_observed_tab(stage, "/content-tree.html", look)


def test_controls_have_bounding_boxes(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        (page,) = await tree(tab)
        places = {node.name: node.bounding_box for node in page.children or [] if node.bounding_box}
        for name, selector in (("Send", "#off"), ("Name", "#name"), ("Agree", "#agree")):
            box = await tab.page.locator(selector).bounding_box()
            place = places[name]
            assert box is not None
            assert place is not None
            assert attrs.asdict(place) == pytest.approx(box, abs=0.1)

    look_with_observed_tab(stage, "/content-tree.html", look)


def test_the_outline_is_playwrights_but_for_the_secrets(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        mine = await tab.accessibility.outline(None)
        theirs = await tab.page.locator("body").aria_snapshot()
        assert "CANARY" in theirs
        for secret in (": CANARY-PASSWORD", ": CANARY-SHOWN", ' "CANARY-SHOWN"'):
            theirs = theirs.replace(secret, "")
        assert (mine.snapshot, mine.url, mine.title) == (theirs, tab.page.url, "Tree")
        part = await tab.accessibility.outline(Css("#list"))
        assert part.snapshot == "- list:\n  - listitem: alpha\n  - listitem: beta gamma"

    look_with_observed_tab(stage, "/content-tree.html", look)


@pytest.mark.parametrize(
    "html",
    [
        "<h1>a: b</h1><h3 aria-level=5>x # y</h3><p>- dash</p><p>'quoted' \"twice\"</p><p>{brace}</p>",
        "<button aria-label='say \"hi\": now'>x</button><button>true</button><p>12.5</p><p>null</p><p>[x]</p>",
        "<a href='?a=1&b=2'>link</a><a>no link</a><input placeholder='Type: here'><input type=file>",
        "<textarea>a\nb</textarea><p></p><p> </p>",
        "<ul><li>one<ul><li>two</ul></ul><table><tr><th>h<tr><td>c</table><hr><img alt=''><img alt=pic>",
        "<div role=treeitem aria-level=2 aria-checked=mixed aria-expanded=true aria-selected=false>t</div>",
        "<fieldset><legend>Group</legend><input aria-label=in disabled></fieldset><iframe srcdoc=x></iframe><br>a<br>b",
        "<p style='display: none'>no</p><p aria-hidden=true>no</p>",
        "<p style='visibility: hidden'>no <b style='visibility: visible'>yes</b></p>",
        "<div role=list aria-owns='x y'></div><p>mid</p><div id=x role=listitem>X</div><div id=y role=listitem>Z</div>",
        "<div id=x role=listitem>X</div><div role=list aria-owns=x></div><div id=u role=list aria-owns=v></div>"
        "<div id=v role=list aria-owns=u></div>",
        "<style>p::before { content: 'before ' }</style><p>text</p><span>in</span><div>block</div>line",
    ],
)
def test_outlines_are_as_playwright_writes_them(stage: Stage, html: str) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.page.set_content(f"<!doctype html><body>{html}")
        assert (await tab.accessibility.outline(None)).snapshot == await tab.page.locator("body").aria_snapshot()

    look_with_observed_tab(stage, "/content-tree.html", look)


def test_the_outline_lists_the_frames_of_a_frameset(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        frames = "<frameset cols='50%,*'><frame src='about:blank' title=Menu><frame src='about:blank'></frameset>"
        await tab.page.set_content(f"<!doctype html>{frames}")
        assert (await tab.accessibility.outline(None)).snapshot == '- iframe "Menu"\n- iframe'

    look_with_observed_tab(stage, "/content-tree.html", look)


def test_no_secret_is_in_the_tree(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        everything = await tree(tab, interesting_only=False, include_hidden=True)
        assert "CANARY" not in str(everything)
        assert "•" not in str(everything)
        assert "CANARY" not in str(await tab.accessibility.outline(None))
        for root in ("#pass", "#shown", "#telling"):
            assert "CANARY" not in str(await tree(tab, root=Css(root), interesting_only=False))
            assert "CANARY" not in str(await tab.accessibility.outline(Css(root)))

    for path in ("/content-tree.html", "/content.html"):
        look_with_observed_tab(stage, path, look)


def test_a_page_of_too_many_nodes_is_refused_before_the_browser_describes_it(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.page.set_content("<p id=p>small</p>" + "<i></i>" * MAX_NODES)
        for ask in (tree(tab), tab.accessibility.outline(None)):
            with pytest.raises(ResourceLimitExceeded) as refused:
                await ask
            assert refused.value.details == {"resource": "nodes", "limit": MAX_NODES, "current": MAX_NODES + 1}
        assert lines(await tree(tab, root=Css("#p"))) == ["paragraph ''", "  text 'small'"]

    look_with_observed_tab(stage, "/content-tree.html", look)


@pytest.mark.parametrize(
    "bomb",
    [
        "<p id=big>{text}</p>" + "<button aria-describedby=big>b</button>" * 100,
        "<div role=button>" * 100 + "{text}",
        "<style>i::before {{ content: '{text}' }}</style>" + "<i>b</i>" * 100,
    ],
    ids=["references", "nested_names", "generated_content"],
)
def test_a_small_page_with_a_huge_tree_is_refused_before_the_browser_describes_it(
    stage: Stage, bomb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accessibility, "_LIMITS", {"bytes": 100_000, "nodes": MAX_NODES})

    async def look(tab: ObservedTab) -> None:
        await tab.page.set_content(bomb.format(text="word " * 400))
        with pytest.raises(ResourceLimitExceeded) as refused:
            await tree(tab)
        assert (refused.value.details["resource"], refused.value.details["limit"]) == ("content", 100_000)

    look_with_observed_tab(stage, "/content-tree.html", look)


@pytest.mark.slow
def test_a_huge_value_is_refused(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.page.evaluate("document.getElementById('name').setAttribute('aria-label', 'x'.repeat(1e7))")
        with pytest.raises(ResourceLimitExceeded):
            await tree(tab)
        await tab.page.evaluate("document.getElementById('name').value = 'x'.repeat(1e7)")
        with pytest.raises(ResourceLimitExceeded):
            await tab.accessibility.outline(None)

    look_with_observed_tab(stage, "/content-tree.html", look)
