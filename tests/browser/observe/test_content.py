"""Content of a page: its document, text and Markdown, and the state of one element."""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from agentbrowser.browser.page.element_handles import MAX_CONTENT_BYTES
from agentbrowser.protocol.errors import ElementNotFound, InvalidParams, ResourceLimitExceeded, SelectorAmbiguous
from agentbrowser.protocol.types.observe import BoundingBox, ContentFormat, DomOptions, ElementProperty, ElementState
from agentbrowser.protocol.types.selector import Css, Role, Selector
from tests.browser.observed_tab import ObservedTab, look_with_observed_tab, with_observed_tab
from tests.browser.stage import Stage

Look = Callable[[ObservedTab], Coroutine[Any, Any, None]]

CANARY = "CANARY"
PROPERTIES: list[ElementProperty] = [
    "visible",
    "enabled",
    "checked",
    "text",
    "value",
    "boundingBox",
    "attributes",
    "computedStyle",
]


async def read(
    tab: ObservedTab, format_: ContentFormat, selector: Selector | None = None, timeout_ms: int = 10_000
) -> str:
    return (await tab.content.read(format_, selector, timeout_ms)).content


def written(stage: Stage, html: str, format_: ContentFormat = "markdown") -> str:
    """Return the content of a body."""

    async def look(tab: ObservedTab) -> str:
        await tab.page.set_content(f"<!doctype html><body>{html}")
        return await read(tab, format_)

    return with_observed_tab(stage, "/content.html", look)


def test_small_digits_are_cents_or_raised_in_markdown(stage: Stage) -> None:
    assert (
        written(stage, "<p><b>$12<sup>49</sup></b></p><p>10<sup>6</sup> of 20<sub>6</sub>")
        == "**$12.49**\n\n10^6 of 206"
    )


def test_a_page_as_markdown(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        result = await tab.content.read("markdown", None)
        origin = tab.page.url.removesuffix("/content.html")
        assert (result.format, result.url, result.title) == ("markdown", tab.page.url, "A page & more")
        assert result.content.replace(origin, "") == MARKDOWN

    look_with_observed_tab(stage, "/content.html", look)


MARKDOWN = r"""# Report *of* the day

First paragraph with **bold**, [a link](/next?a=1#b), `` x = `1` `` and 2 \* 3 \[sic\].@@
After a break.

but for this

- one
- two
  3. three
  4. four
- [x] done

> Said so.
>
> Twice.

````py
def f():
    return "```"
````

Prices

| Thing | Price |
| --- | --- |
| Tea \| green | 3 |
| none else |  |

**Term**
: Its meaning

![A dot](/dot.png) no link

---

1\. not a list

In the **shadow**

User Password x""".replace("@@", "  ")


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>a<b> b </b>c<i></i>", "a **b** c"),
        ("<p><b>New</b><b> </b><b>York</b> <i> </i>x", "**New** **York** x"),
        ("<a href='/x (1)'><img alt='Logo [1]' src='data:,'></a>", "[![Logo \\[1\\]]()](http://h/x%20%281%29)"),
        ("<a href='/x' aria-label='Close'><svg></svg></a>", "[Close](http://h/x)"),
        ("<b><p>one</p><p>two</p></b>", "one\n\ntwo"),
        ("<div>one<div>two</div>three</div>", "one\n\ntwo\n\nthree"),
        ("<ol reversed><li value=7>seven<li>eight<p>more</p></ol>", "7. seven\n8. eight\n\n   more"),
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
        ("<table><tr><td><p>just</p></td></tr><tr><td>layout</td></tr></table>", "just\n\nlayout"),
        ("<table><tr><td>1<td>2<tr><td colspan=2>3</table>", "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |"),
        (
            "<table><tr><th rowspan=0>North<td>1<td>2<tr><td colspan=2>3<tbody><tr><td>4<td rowspan=9>5<td>6</table>",
            "|  |  |  |\n| --- | --- | --- |\n| North | 1 | 2 |\n|  | 3 |  |\n| 4 | 5 | 6 |",
        ),
        (
            "<table><caption hidden>not</caption><tr><td hidden>not<td>1<td>2"
            "<tr><td style='visibility: hidden'>no<td>3</table>",
            "|  |  |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |",
        ),
        ("<p style='white-space: pre-line'>line\n\n  line</p>", "line  \n  \nline"),
        ("<p># no<br>- no<br>&gt; no<br>===</p>", "\\# no  \n\\- no  \n\\> no  \n\\==="),
        ("<p>snake_case _edge_ &lt;tag&gt; \\ `</p>", "snake_case \\_edge\\_ \\<tag> \\\\ \\`"),
        ("<button>Save</button><button>Cancel</button>", "Save Cancel"),
        ("<details><summary>More</summary>folded<p>away</p></details>", "More"),
        ("<select><option>one</select><textarea>two</textarea><video>three</video><noscript>4</noscript>", ""),
        ("<code>a<textarea autocomplete=one-time-code>SECRET</textarea></code>", "`a`"),
        ("<h2>Two <code>x</code></h2><h6>Six</h6>", "## Two `x`\n\n###### Six"),
    ],
)
def test_markdown_keeps_what_html_says(stage: Stage, html: str, markdown: str) -> None:
    assert written(stage, f"<base href='http://h/'>{html}") == markdown


def test_text_is_what_is_shown(stage: Stage) -> None:
    assert written(stage, "<p>one <b>two</b></p><p hidden>not</p><ul><li>three</ul>", "text") == "one two\n\nthree"

    async def look(tab: ObservedTab) -> None:
        lines = (await read(tab, "text")).splitlines()
        assert lines[:3] == [
            "Report of the day",
            "First paragraph with bold, a link, x = `1` and 2 * 3 [sic].",
            "After a break.",
        ]
        assert "In the shadow" in lines
        assert '    return "```"' in lines

    look_with_observed_tab(stage, "/content.html", look)


def test_the_document_as_html_is_the_same_document_again(stage: Stage) -> None:
    """Serializing, parsing and serializing again returns the same; the browser's own parser is the oracle."""

    async def look(tab: ObservedTab) -> None:
        html = (await tab.content.dom(DomOptions())).html
        assert html.startswith('<!DOCTYPE html><html lang="en"><head><title>A page &amp; more</title>')
        assert '<div id="host"><template shadowrootmode="open"><p>In the <b>shadow</b></p>' in html
        again = await tab.page.evaluate(
            "html => new XMLSerializer && Document.parseHTMLUnsafe(html).getElementById('host').shadowRoot.textContent",
            html,
        )
        assert again == "In the shadow"
        body = await tab.page.evaluate("html => Document.parseHTMLUnsafe(html).body.innerHTML", html)
        assert body == await tab.page.evaluate(
            """() => {
              const copy = document.body.cloneNode(true);
              for (const field of copy.querySelectorAll('#pass, #shown')) field.removeAttribute('value');
              copy.querySelector('#note').textContent = '';
              return copy.innerHTML;
            }"""
        )

    look_with_observed_tab(stage, "/content.html", look)


def test_a_root_and_a_depth_limit_the_document(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        options = DomOptions(root=Css("#data"), depth=1, attributes=["id"], computed_styles=["display", "color"])
        result = await tab.content.dom(options)
        style = 'data-computed-style="display: {}; color: rgb(0, 0, 0)"'
        assert result.html.replace("\n  ", "").replace("\n", "") == (
            f'<table id="data" {style.format("table")}>'
            f"<caption {style.format('table-caption')}>Prices</caption>"
            f"<thead {style.format('table-header-group')}><!-- 1 elements left out --></thead>"
            f"<tbody {style.format('table-row-group')}><!-- 2 elements left out --></tbody></table>"
        )
        assert result.text.split() == ["Prices", "Thing", "Price", "Tea", "|", "green", "3", "none", "else"]
        assert await read(tab, "markdown", Css("h1")) == "# Report *of* the day"

    look_with_observed_tab(stage, "/content.html", look)


def test_passwords_stay_in_the_page(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        returned = [await read(tab, format_) for format_ in ("html", "text", "markdown")]
        dom = await tab.content.dom(DomOptions())
        returned += [dom.html, dom.text]
        for id_ in ("pass", "shown", "note", "telling"):
            state = await tab.content.element(Css(f"#{id_}"), PROPERTIES)
            returned.append(str(state))
            assert state.value is None or id_ == "telling"
            assert "value" not in (state.attributes or {})
            assert str(await tab.content.dom(DomOptions(root=Css(f"#{id_}")))).count(CANARY) == 0
        assert [text for text in returned if CANARY in text] == []

    look_with_observed_tab(stage, "/content.html", look)


def test_a_password_that_is_shown_is_still_one(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.content.element(Css("#pass"), ["value"])
        await tab.page.evaluate("document.getElementById('pass').type = 'text'")
        assert (await tab.content.element(Css("#pass"), ["value"])).value is None
        assert "CANARY-PASSWORD" not in (await tab.content.dom(DomOptions())).html

    look_with_observed_tab(stage, "/content.html", look)


def test_the_state_of_an_element(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        result = await tab.content.element(Css("#user"), PROPERTIES)
        box = await tab.page.locator("#user").bounding_box()
        assert box is not None
        assert result.found
        assert result.properties == ElementState(
            visible=True,
            enabled=True,
            text="",
            value="bob",
            bounding_box=BoundingBox(**box),
            attributes={"id": "user", "name": "user", "value": "bob", "required": ""},
            computed_style=result.computed_style,
        )
        assert (result.value, result.bounding_box) == ("bob", BoundingBox(**box))
        assert (result.computed_style or {})["display"] == "inline-block"

    look_with_observed_tab(stage, "/content.html", look)


def test_an_element_of_a_busy_page_is_found(stage: Stage) -> None:
    """Each call waits for a block of the page's own script: of several calls, the last ones found nothing in 1 s."""

    async def look(tab: ObservedTab) -> None:
        block = "for (const end = performance.now() + 300; performance.now() < end; );"
        again = "if (++window.blocks < 8) setTimeout(window.block, 5);"
        await tab.page.evaluate(f"window.blocks = 0; window.block = () => {{ {again} {block} }}; block()")
        result = await tab.content.element(Css("#user"), ["value", "boundingBox"])
        assert (result.found, result.value) == (True, "bob")
        assert result.bounding_box is not None

    look_with_observed_tab(stage, "/content.html", look)


def test_states_that_an_element_can_be_in(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        requested: list[ElementProperty] = ["visible", "enabled", "checked", "text"]
        states = {
            id_: (await tab.content.element(Css(f"#{id_}"), requested)).properties for id_ in ("agree", "some", "off")
        }
        assert states == {
            "agree": ElementState(visible=True, enabled=True, checked=True, text=""),
            "some": ElementState(visible=True, enabled=True, checked=False, text=""),
            "off": ElementState(visible=True, enabled=False, text="Send"),
        }
        assert not (await tab.content.element(Css("[hidden]"), ["visible"])).visible
        await tab.page.evaluate("document.getElementById('agree').inert = true")
        assert (await tab.content.element(Css("#agree"), ["enabled"])).enabled is False  # as actions take it

    look_with_observed_tab(stage, "/content-tree.html", look)


def test_a_label_has_the_state_of_its_control_and_contents_are_visible_without_a_box(stage: Stage) -> None:
    html = """<label id=l>Name <b id=part>x</b> <input value=Ada></label><label id=c for=t>Agree</label>
    <input id=t type=checkbox checked><label id=s>Code <input type=password value=pw></label>
    <p id=o role=option aria-checked=true>One</p><p id=d style='display:contents'>words</p>
    <p id=e style='display:contents'><b style='display:contents'><i hidden>x</i> </b></p>"""

    async def look(tab: ObservedTab) -> None:
        await tab.page.set_content(html)

        async def state(id_: str, *properties: ElementProperty) -> ElementState:
            return (await tab.content.element(Css(f"#{id_}"), properties)).properties

        assert await state("l", "value", "checked") == await state("part", "value") == ElementState(value="Ada")
        await tab.page.evaluate("t.indeterminate = true")  # it is checked beneath, and sent with its form
        assert await state("c", "value", "checked") == ElementState(value="on", checked=True)
        assert await state("s", "value") == ElementState()
        assert await state("o", "checked") == ElementState(checked=True)
        assert [(await state(one, "visible")).visible for one in "de"] == [True, False]

    look_with_observed_tab(stage, "/content.html", look)


def test_a_missing_element_is_not_waited_for(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        result = await tab.content.element(Css("#never"), PROPERTIES)
        assert not result.found
        assert result.properties == ElementState()

    look_with_observed_tab(stage, "/content.html", look)


def test_a_selector_must_mean_one_element(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        with pytest.raises(SelectorAmbiguous):
            await tab.content.element(Css("li"), ["text"])
        with pytest.raises(SelectorAmbiguous):
            await read(tab, "text", Css("p"))
        with pytest.raises(ElementNotFound):
            await read(tab, "text", Role("heading", "Never"), 100)
        with pytest.raises(InvalidParams):
            await read(tab, "html", Css("p["))

    look_with_observed_tab(stage, "/content.html", look)


def test_an_element_handle_leaves_no_trace_in_the_page(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.page.evaluate(
            """() => {
              window.seen = [];
              new MutationObserver(all => seen.push(...all.map(one => one.type)))
                .observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
              for (const name of ['click', 'focus', 'mousedown']) addEventListener(name, () => seen.push(name), true);
            }"""
        )
        before = await tab.page.evaluate("Object.getOwnPropertyNames(window).length")
        await tab.content.element(Css("#user"), PROPERTIES)
        await tab.content.dom(DomOptions())
        await read(tab, "markdown")
        assert await tab.page.evaluate("seen") == []
        assert await tab.page.evaluate("Object.getOwnPropertyNames(window).length") == before

    with_observed_tab(stage, "/content.html", look)


BOMBS = {
    "script": "document.body.innerHTML = '<script type=x></script>'; document.scripts[0].text = 'x'.repeat(1e7)",
    "text": "document.body.append('ü'.repeat(5e6))",
    "attribute": "document.body.title = 'x'.repeat(1e7)",
    "title": "document.title = 'x'.repeat(1e7)",
    "nodes": "for (let i = 0; i < 2e4; i++) document.body.append(document.createElement('i'), 'abc'.repeat(150))",
}
BURST = {
    "script": {"html"},
    "text": {"html", "text", "markdown"},
    "attribute": {"html"},
    "title": {"html", "text", "markdown"},
    "nodes": {"html"},
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", BOMBS)
def test_too_large_content_is_measured_in_the_page(stage: Stage, kind: str) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.page.set_content("<body>")
        await tab.page.evaluate(BOMBS[kind])
        for format_ in BURST[kind]:
            with pytest.raises(ResourceLimitExceeded) as refused:
                await read(tab, format_)  # type: ignore[arg-type]
            assert refused.value.details["resource"] == "content"
            assert refused.value.details["limit"] == MAX_CONTENT_BYTES
            assert refused.value.details["current"] > MAX_CONTENT_BYTES
        await tab.page.set_content("<p>calm again")
        assert await read(tab, "text") == "calm again"

    with_observed_tab(stage, "/content.html", look)


def test_lone_surrogates_are_replaced(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.page.set_content("<p id=p></p>")
        await tab.page.evaluate("document.getElementById('p').textContent = 'a\\ud800b'")
        assert await read(tab, "text") == "a\ufffdb"
        assert await read(tab, "html", Css("#p")) == '<p id="p">a\ufffdb</p>'

    look_with_observed_tab(stage, "/content.html", look)


def test_a_page_that_replaces_its_globals_can_be_read(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.page.evaluate(
            """() => {
              Element.prototype.getAttribute = () => 'spoilt';
              Map.prototype.get = JSON.stringify = Array.prototype.join = () => 'x'.repeat(1e7);
              TextEncoder.prototype.encode = () => ({ length: 0 });
            }"""
        )
        assert (await read(tab, "markdown")).startswith("# Report *of* the day\n\nFirst")

    look_with_observed_tab(stage, "/content.html", look)
