"""Our scripts find by a selector what Playwright finds by it, or say that they don't know."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest

from agentbrowser.browser.act.locate import ElementSearch, to_locator
from agentbrowser.browser.page.isolated_world import KEY
from agentbrowser.protocol import wire
from agentbrowser.protocol.types.selector import Css, Label, Placeholder, Role, Selector, TestId, Text, XPath, describe
from tests.browser.stage import PAGES, FakeTab, Stage

# What a page offers to be found by; and a number for each element, in the order of our scripts.
GATHER = """() => {
  const all = [];
  const walk = (tree) => {
    const here = [...tree.querySelectorAll('*')];
    all.push(...here);
    for (const element of here) if (element.shadowRoot) walk(element.shadowRoot);
  };
  walk(document);
  globalThis.numberOf = (element) => all.indexOf(element);
  const said = new Set();
  for (const element of all) {
    for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'value', 'data-testid'])
      if (element.getAttribute(name)) said.add(element.getAttribute(name));
    if (element.children.length < 3 && element.textContent.trim().length < 60) said.add(element.textContent);
  }
  const css = new Set();
  for (const element of all) {
    css.add(element.localName);
    if (element.id) css.add('#' + CSS.escape(element.id));
    for (const name of element.classList) css.add('.' + CSS.escape(name));
    if (element.parentElement) css.add(element.parentElement.localName + ' > ' + element.localName + ':first-child');
  }
  return { texts: [...said].filter(text => text.trim()).slice(0, 25), css: [...css].slice(0, 50) };
}"""
NUMBERS = "elements => elements.map(element => numberOf(element))"
ROLES = (
    *(
        "button",
        "link",
        "checkbox",
        "radio",
        "textbox",
        "combobox",
        "option",
        "heading",
        "img",
        "switch",
        "listbox",
        "row",
    ),
    *(
        "cell",
        "tab",
        "menuitem",
        "listitem",
        "searchbox",
        "spinbutton",
        "slider",
        "group",
        "paragraph",
        "generic",
        "table",
    ),
)
PLAIN_CSS = [
    *(
        "*",
        "body *",
        "input, select",
        "button:not([disabled])",
        "p > button",
        ":is(button, a)",
        "form :focus",
        "a:nth-child(2)",
    ),
    *("label input", "[id]", "input[type=checkbox]:checked", "div div", "li + li", "h1 ~ *", ":root", "p:has(input)"),
]
PATHS = [
    "//button",
    "//*[@id]",
    "//input[@type='checkbox']",
    "//a/..",
    "(//button)[1]",
    "//label//input",
    "//p[.//input]",
]

SHADOWS = """<!doctype html><title>Shadows</title><p id=p>Outer <b>words</b></p>
<div id=host>Light <i class=x>one</i></div>
<my-box><span slot=top>Slotted</span></my-box><label for=f>Far <button>In label</button></label><input id=f>
<script>
host.attachShadow({mode: 'open'}).innerHTML =
  '<label>Inner name <input placeholder=Inside></label><button>Deep  button</button>' +
  '<i class=x>two</i><div id=in></div>';
host.shadowRoot.getElementById('in').attachShadow({mode: 'open'}).innerHTML = '<button aria-label=Deepest>X</button>';
document.querySelector('my-box').attachShadow({mode: 'open'}).innerHTML =
  '<h2><slot name=top></slot></h2><slot></slot>';
</script>"""
ODDITIES = """<!doctype html><title>Oddities</title><form><input name=id><input name=children><button>Go</button></form>
<svg width=20 height=20><title>Drawing</title><style>.a{}</style><script>1</script><text>Ink</text></svg>
<button hidden>Hidden</button><div aria-hidden=true><button>Muted</button></div><input type=submit>
<input type=reset value=Again>
<button>two\u00a0words</button><button>soft\u00adhyphen</button><button>  spa  ced </button>
<button>STRASSE Straße</button>
<label>Both <input type=checkbox> sides</label><label id=l>By id</label><input aria-labelledby="l missing">
<input aria-label=" "><textarea aria-label=Notes placeholder=Notes></textarea><a>No link</a><a href=#>Link</a>
<p>Some <span>nested <b>text</b></span> here</p><p>Some nested text here</p><noscript>Script off</noscript>
<select><option>One</option><option selected>Two</option><option hidden>Three</option></select>
<div hidden><select><option>Four</option></select></div><details><summary>More</summary>
<button>Kept</button></details>
<div style=display:contents><button>Contents</button></div><div style=visibility:hidden><button>Unseen</button>
<button style=visibility:visible>Seen</button></div><img alt=Picture src=data:,><ul><li>A<li>B</ul>
<h1 role=none>None</h1>
<button role=presentation>Insists</button><div role="foo button">Fallback</div><meter value=1 title=Level></meter>"""


def selectors(gathered: dict[str, Any]) -> Iterator[Selector]:
    texts: list[str] = gathered["texts"]
    yield from (Css(value) for value in itertools.chain(gathered["css"], PLAIN_CSS))
    yield from map(XPath, PATHS)
    yield from map(Role, ROLES)
    for text, exact in itertools.product(texts, (False, True)):
        for shown in (text, text.strip()[:7], text.upper()):
            if shown:
                yield Text(shown, exact=exact)
        yield Label(text, exact=exact)
        yield Placeholder(text, exact=exact)
        for role in ("button", "link", "textbox", "checkbox", "heading", "option"):
            yield Role(role, text, exact=exact)
    yield from map(TestId, texts)


FIND_EACH = f"""async (requests) => {{
  const answers = [];
  for (const request of requests) answers.push(JSON.parse(await globalThis[{KEY}](request)));
  return answers;
}}"""


async def found_by_ours(tab: FakeTab, chosen: list[Selector]) -> list[list[int] | None]:
    """Return the answers of our scripts, by one command: thousands of commands took half of the time of these tests."""
    world = tab.isolated_worlds.of(tab.page.main_frame)
    await world.call("elementIndexes", describe(chosen[0]))  # installs the scripts
    assert world._session is not None
    call = {
        "functionDeclaration": FIND_EACH,
        "executionContextId": world._context,
        "arguments": [{"value": [wire.dump(["elementIndexes", describe(one), False]).decode() for one in chosen]}],
        "returnByValue": True,
        "awaitPromise": True,
    }
    answer = await world._session.session.send("Runtime.callFunctionOn", call)
    assert "exceptionDetails" not in answer, answer
    found: list[list[int] | None] = answer["result"]["value"]
    return found


async def compare(tab: FakeTab, every: int = 1) -> tuple[int, int]:
    """Compare with Playwright by every nth selector; return how many our scripts know, and how many they don't."""
    known = unknown = 0
    chosen = list(itertools.islice(selectors(await tab.page.evaluate(GATHER)), 0, None, every))
    for selector, ours in zip(chosen, await found_by_ours(tab, chosen), strict=True):
        if ours is None:
            unknown += 1
            continue
        found = to_locator(tab.frame, selector)
        # Most find nothing, and to count takes one command of Playwright's driver instead of three.
        theirs = await found.evaluate_all(NUMBERS) if ours else [-1] * await found.count()
        assert sorted(ours) == sorted(theirs), selector
        known += 1
    return known, unknown


# Pages that spoil the page's own globals spoil those that this test counts with too.
FAIR = sorted(path.name for path in PAGES.glob("*.html") if not re.search("hostile|tampered", path.name))


@pytest.mark.slow
@pytest.mark.parametrize("page", FAIR)
def test_what_is_found_is_what_playwright_finds(stage: Stage, page: str) -> None:
    # All selectors of all pages take minutes; the stride is prime to the number of selectors made of a text.
    known, unknown = stage.share(f"/{page}", lambda tab: compare(tab, 5))
    assert known > 20
    assert unknown < known


@pytest.mark.slow
@pytest.mark.parametrize("content", [SHADOWS, ODDITIES], ids=["shadow roots", "oddities"])
def test_in_shadow_roots_and_in_odd_places_too(stage: Stage, content: str) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.set_content(content)
        known, _ = await compare(tab)
        assert known > 100

    stage.share("/next", test)


FOREIGN: list[Selector] = [
    *(
        Css(value)
        for value in ("button:visible", ":is(:visible, a)", "p:has-text('x')", "text=Save", "a >> b", "a[", "//a")
    ),
    *(Css(value) for value in (":is(:\\76isible)", "p:text-matches('(a+)+$')", ":light(a)", "button:near(a)")),
    *(XPath(value) for value in ("css=a", "count(//a)", "//a/@href", "//[", "//a >> b")),
    *(Role("butt"), Role("button[x]")),
]


def test_what_is_not_plain_is_left_to_playwright(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        answers = zip(FOREIGN, await found_by_ours(tab, FOREIGN), strict=True)
        assert [selector for selector, answer in answers if answer is not None] == []

    stage.share("/actions.html", test)


def test_combinators_are_left_to_playwright_where_there_are_shadow_roots(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        assert (
            await tab.isolated_worlds.of(tab.page.main_frame).call("elementIndexes", describe(Css("#host input")))
            is None
        )
        found = await ElementSearch(tab, Css("#host input")).find_all()
        assert found is not None
        assert await found.locator.count() == 1

    stage.share("/actions.html", test)


# Each changes where the buttons are, after they were looked for.
CHANGES = [
    ("bare.attachShadow({mode: 'open'}).innerHTML = '<button>1</button>'", 2),
    ("bare.shadowRoot.append(document.createElement('button'))", 3),
    ("said.textContent = 'no element'", 3),
    ("bare.shadowRoot.append(Object.assign(document.createElement('p'), { id: 'deep' }))", 3),
    ("bare.shadowRoot.getElementById('deep').attachShadow({mode: 'open'}).innerHTML = '<button>2</button>'", 4),
    ("document.body.append(document.createElement('late-box'))", 4),
    ("customElements.define('late-box', class extends HTMLElement { constructor() { super();"
     " this.attachShadow({mode: 'open'}).innerHTML = '<button>3</button>'; } })", 5),
    ("bare.remove()", 2),
    ("document.open(); document.write('<div id=bare></div>'); document.close()", 0),
    ("bare.attachShadow({mode: 'open'}).innerHTML = '<button>4</button>'", 1),
    ("bare.replaceWith('gone')", 0),
]  # fmt: skip


def test_shadow_roots_that_come_and_go_are_known_of(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.set_content("<button>0</button><div id=bare></div><output id=said></output>")
        for change, count in CHANGES:
            await tab.page.evaluate(change)
            for _ in range(2):  # and as it was found a moment ago
                numbers = await tab.isolated_worlds.of(tab.page.main_frame).call(
                    "elementIndexes", describe(Css("button"))
                )
                assert len(numbers) == count, change

    stage.share("/next", test)
