"""The look as a document: words in reading order, hidden words, what fits a budget, and cursors to the rest."""

import re

import pytest

from agentbrowser.browser.observe.token_count import estimate
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import unstructure
from tests.browser.watched_page import Scenarios, WatchedTab

QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"')


async def look(tab: WatchedTab, **asked: object) -> list[str]:
    """Return the lines of a look after that of the page."""
    result = await tab.refs.observe(ObserveParams(format="text", **asked))  # type: ignore[arg-type]
    assert result.text is not None
    return result.text.splitlines()[1:]


async def whole(tab: WatchedTab, **asked: object) -> list[str]:
    """Return the lines of a look and of all its further pages."""
    lines: list[str] = []
    cursor = None
    while True:
        params = ObserveParams(format="text", cursor=cursor, **asked)  # type: ignore[arg-type]
        result = await tab.refs.observe(params)
        assert result.text is not None
        lines += result.text.splitlines()[cursor is None :]
        if result.next_cursor is None:
            return lines
        assert lines.pop().endswith(f"cursor {result.next_cursor}")
        cursor = result.next_cursor


PAGE = """
<header><a href='/'>Shop</a> <nav><ul><li><a href='#a'>Home</a><li><a href='#b'>Orders</a></ul></nav></header>
<main><h1>Your orders</h1><p>You have <b>2</b>,000 points. <a href='#c'>Redeem</a> them.</p>
<table><tr><th>Order<th>Status<tr><td>1001<td>Shipped<td><a href='#d'>View</a>
<tr><td>1002<td><td><a href='#e'>View</a></table>
<label>Email <input value='a@b.c'></label><button aria-label='Cart'>3</button>
<div><div class='card'><h3>Blue shoes</h3><span>$79.90</span> <button>Add</button></div>
<div class='card'><h3>Red hat</h3><span>$19.90</span> <button>Add</button></div></div>
<dl><dt>Total<dd>$99</dl>
<img alt='A shoe' width=50 height=50 src='data:image/gif;base64,R0lGODlhAQABAAAAACw='></main><footer>Imprint</footer>
"""


def test_an_icon_stands_once_with_the_element_that_it_is_in_or_that_draws_it(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert await look(tab) == ['@close generic ~"close" @down img ~"down"', 'img "up"']

    icon = "role=img style='display:block;width:20px;height:20px' aria-label"
    drawing = "<svg width=20 height=20 data-icon=down onclick=''></svg>"
    inner = f"<span class='x-icon x-icon-close' {icon}=close></span>"
    arrow = f"<div aria-hidden=true><b {icon}=arrow></b></div>"
    markup = f"<div onclick='' style='width:20px'>{inner}</div><p {icon}=down>{drawing}</p><p {icon}=up></p>{arrow}"
    scenarios.look(markup, scenario)


def test_the_label_of_a_field_in_an_area_that_scrolls_is_its_name_alone(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert await look(tab) == ['@scroll generic (scrollable) @tags textbox "Tags (optional)"']

    field = "<div><label for=tags>Tags<span> (optional)</span></label></div><div><input id=tags></div>"
    scenarios.look(f"<div style='overflow:auto;height:50px'>{field}<p style='height:90px'></p></div>", scenario)


def test_the_label_of_a_field_in_a_shadow_tree_is_its_name_alone(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert await look(tab) == ['@input checkbox ~"Gift wrap"']

    field = "<template shadowrootmode=open><div><input type=checkbox id=input></div></template>"
    script = "customElements.define('x-check', class extends HTMLElement { static formAssociated = true })"
    markup = f"<label><x-check style='display:inline-flex'>{field}</x-check>Gift wrap</label><script>{script}</script>"
    scenarios.look(markup, scenario)


def test_the_rows_of_a_scroller_that_takes_the_focus_keep_their_words(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        lines = [line for line in await look(tab) if "Mail" in line]
        assert [line.split(" @")[0] for line in lines][:3] == ['- "Mail 0"', '- "Mail 1"', '- "Mail 2"']

    row = "'<div style=\"height:40px\">Mail <!---->' + i + ' <button>Delete</button></div>'"
    script = f"for (let i = 0; i < 9; i++) s.insertAdjacentHTML('beforeend', {row})"
    scenarios.look(f"<div id=s tabindex=0 style='height:120px;overflow:auto'></div><script>{script}</script>", scenario)


def test_words_stand_in_reading_order_with_the_elements(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert await look(tab) == [
            "header",
            '@shop link "Shop"',
            "nav",
            '- @home link "Home" @orders link "Orders"',
            "main",
            '# "Your orders"',
            '"You have 2,000 points." @redeem link "Redeem" "them."',
            '| "Order | Status"',
            '| "1001 | Shipped" @view link "View"',
            '| "1002" @view2 link "View"',
            '@email textbox "Email" value="a@b.c" @cart button "Cart" "3"',
            '- "Blue shoes | $79.90" @add button "Add"',
            '- "Red hat | $19.90" @add2 button "Add"',
            '- "Total | $99"',
            'img "A shoe"',
            "footer",
            '"Imprint"',
        ]

    scenarios.look(PAGE, scenario)


SMALL = "style='font-size:60%'"


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("$12<sup>49</sup>", "$12.49"),
        (f"<span>$</span><span>12</span><span {SMALL}>49</span>", "$12.49"),
        (f"from <b>7</b><small {SMALL}>95</small> € a month", "from 7.95 € a month"),
        (f"$12<span {SMALL}>49</span>", "$12.49"),
        ("$12<sup>4</sup>", "$12^4"),
        ("1.299<sup>00</sup> €", "1.299,00 €"),
        ("10<sup>12</sup> bytes", "10^12 bytes"),
        ("of 2019<sup>3</sup>", "of 2019^3"),
        (f"<b>12</b><span {SMALL}>34</span> items", "1234 items"),
        (f"$12 <span {SMALL}>49</span>", "$12 49"),
        ("$<b>12</b><b>49</b>", "$1249"),
        ("12<sup>th</sup> of $99", "12th of $99"),
        (f"12<sup>49</sup>{' word' * 12} $5", f"12^49{' word' * 12} $5"),
    ],
)
def test_small_digits_behind_others_are_cents_or_raised(scenarios: Scenarios, markup: str, words: str) -> None:
    """Prices with small cents stood in looks as "$1249"."""

    async def scenario(tab: WatchedTab) -> None:
        assert await look(tab) == [f'"{words}"']

    scenarios.look(f"<p>{markup}</p>", scenario)


def test_slotted_words_stand_where_they_are_drawn(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.run(
            "document.querySelector('div').attachShadow({mode: 'open'}).innerHTML ="
            " '<h2><slot name=title></slot></h2><p>Price: <slot></slot></p>'"
        )
        assert await look(tab) == ['## "Lamp"', '"Price: $20" @buy button "Buy"']

    scenarios.look("<div>$20 <button>Buy</button><span slot='title'>Lamp</span><i slot='none'>Lost</i></div>", scenario)


def test_without_words_a_text_lists_elements_only(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert await look(tab, text="none") == ['@a link "A"', '@b link "B"']

    scenarios.look("<p>Words <a href='#'>A</a></p><a href='#'>B</a>", scenario)


def test_json_holds_the_words_of_the_text(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        lines = await look(tab)
        result = await tab.refs.observe(ObserveParams())
        assert result.content is not None
        words = [part.text for block in result.content for part in block.parts if part.text]
        flat = " ".join(words)
        names = [element.name for element in result.elements]
        for line in lines:
            for found in QUOTED.finditer(line):
                for piece in found[1].split(" | "):
                    assert piece in flat or piece in names or piece == "a@b.c"
        assert [part.ref for block in result.content for part in block.parts if part.ref] == [
            element.ref for element in result.elements
        ]
        row = next(block for block in result.content if block.kind == "row" and block.parts[0].text == "1001")
        assert [(part.text, part.ref, part.cell) for part in row.parts] == [
            ("1001", None, None),
            ("Shipped", None, 1),
            (None, "@view", 2),
        ]
        assert row.region == "main"

    scenarios.look(PAGE, scenario)


HIDDEN = {
    "content visibility of its own": "<p style='content-visibility:hidden'>#</p>",
    "font size": "<p style='font-size:0'>#</p>",
    "tiny font": "<p style='font-size:.5px'>#</p>",
    "opacity": "<p style='opacity:0'>#</p>",
    "opacity of an ancestor": "<div style='opacity:0'><p>#</p></div>",
    "faint": "<div style='opacity:.1'><p style='opacity:.1'>#</p></div>",
    "filter": "<p style='filter:opacity(0)'>#</p>",
    "blur": "<p style='filter:blur(12px)'>#</p>",
    "blur of an ancestor": "<div style='filter:blur(1em)'><p>#</p></div>",
    "mask": "<p style='mask-image:linear-gradient(transparent,#fff0)'>#</p>",
    "letters on one another": "<p style='letter-spacing:-1em'>#</p>",
    "turned away": "<p style='transform:rotateY(180deg);backface-visibility:hidden'>#</p>",
    "color of the page": "<p style='color:#fff'>#</p>",
    "near the color": "<p style='color:#fafafa'>#</p>",
    "color of the box": "<div style='background:#123456'><p style='color:rgb(18 52 86)'>#</p></div>",
    "another color space": "<p style='color:oklch(1 0 0)'>#</p>",
    "transparent": "<p style='color:transparent'>#</p>",
    "left": "<p style='position:absolute;left:-9999px'>#</p>",
    "top": "<p style='position:absolute;top:-9999px'>#</p>",
    "fixed outside": "<p style='position:fixed;left:110vw;white-space:nowrap'>#</p>",
    "indent": "<p style='text-indent:-9999px'>#</p>",
    "screen reader only": "<b style='position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)'>#</b>",
    "clip path": "<p style='clip-path:inset(50%)'>#</p>",
    "clip circle": "<p style='clip-path:circle(0)'>#</p>",
    "clip polygon": "<p style='clip-path:polygon(0 0, 9px 0, 100% 0)'>#</p>",
    "collapsed": "<div style='height:0;overflow:hidden'><p>#</p></div>",
    "outside of a clipped box": "<div style='height:20px;overflow:hidden'><hr style='height:30px'><p>#</p></div>",
    "visibility": "<p style='visibility:hidden'>#</p>",
    "display": "<p style='display:none'>#</p>",
    "hidden": "<p hidden>#</p>",
    "content visibility": "<div style='content-visibility:hidden'><p>#</p></div>",
    "details": "<details><summary>More</summary><!---->#</details>",
    "details with a block": "<details><summary>More</summary><p>#</p></details>",
    "slot in details": "<div><template shadowrootmode=open><details><slot></slot></details></template>"
    "<p id=in><template shadowrootmode=open><b><slot>#</slot></b></template></p></div>"
    "<script>document.getElementById('in').shadowRoot.firstChild.getBoundingClientRect()</script>",
    "scale": "<div style='transform:scale(0)'><p>#</p></div>",
    "masked": "<p style='-webkit-text-security:disc'>#</p>",
    "script": "<script type='text/plain'>#</script><template>#</template><noscript>#</noscript>",
    "fallback": "<canvas>#</canvas><video>#</video>",
    "a table in a small canvas": "<canvas width=9 height=99><table><tr><td>#</table></canvas>",
    "a table in a transparent canvas": "<canvas style='opacity:0'><table><tr><td>#</table></canvas>",
    "a hidden cell of a canvas": "<canvas><table><tr><td hidden>#<td style='visibility:hidden'>#</table></canvas>",
    "option": "<select><option>One<option>#</select>",
    "in a button": "<button aria-label='Go'>Go<b style='opacity:0'>#</b></button>",
    "generated": "<style>i::after,u::before{content:'Ignore'} i::after{color:#fff} u::before{position:fixed;top:-99px}"
    "</style><i>One</i> <u>Two</u><!---->",
}  # fmt: skip


@pytest.mark.parametrize("markup", HIDDEN.values(), ids=HIDDEN)
def test_what_a_person_cannot_see_is_not_reported(scenarios: Scenarios, markup: str) -> None:
    async def scenario(tab: WatchedTab) -> None:
        seen = "\n".join(await whole(tab, text="full"))
        assert "Ignore" not in seen
        assert "Shown" in seen

    scenarios.look(f"<p>Shown</p>{markup.replace('>#', '>Ignore all of it')}", scenario)


SEEN = {
    "white on dark": "<div style='background:#000'><p style='color:#fff'>#</p></div>",
    "white on an image": "<div style='background-image:linear-gradient(red,blue)'><p style='color:#fff'>#</p></div>",
    "white over a dark box": "<div style='position:absolute;width:300px;height:90px;background:#000'></div>"
    "<p style='position:absolute;color:#fff'>#</p>",
    "gradient letters": "<p style='background:linear-gradient(red,blue);background-clip:text;color:transparent'>#</p>",
    "below the viewport": "<div style='height:3000px'></div><p>#</p>",
    "in a scroller": "<div style='height:50px;overflow:auto'><div style='height:900px'></div><p>#</p></div>",
    "overflowing": "<div style='height:0'><p>#</p></div>",
    "fixed": "<p style='position:fixed;bottom:0'>#</p>",
    "absolute in a clipped box": "<div style='height:1px;overflow:hidden'><p style='position:absolute'>#</p></div>",
    "contents": "<div style='display:contents;opacity:0'>#</div>",
    "generated": "<style>b::before{content:'Plain '} b::after{content:'ds'}</style><b>wor</b><!---->",
    "in a button": "<button aria-label='Go'><b style='opacity:0'>Not this</b>#</button>",
    "open details": "<details open><summary>More</summary><!---->#</details>",
    "slightly blurred": "<p style='filter:blur(1px)'>#</p>",
    "fading out": "<p style='mask-image:linear-gradient(#000 90%,transparent)'>#</p>",
    "tight letters": "<p style='letter-spacing:-.05em'>#</p>",
    "turned around once": "<p style='transform:rotateY(360deg);backface-visibility:hidden'>#</p>",
    "half opaque": "<p style='opacity:.5'>#</p>",
    "a grid that a canvas draws": "<canvas><div role=grid><div role=row><i role=gridcell>#</i></div></div></canvas>",
    "hidden from assistive technology": "<p aria-hidden='true'>#</p>",
}  # fmt: skip


@pytest.mark.parametrize("markup", SEEN.values(), ids=SEEN)
def test_what_a_person_can_see_is_reported(scenarios: Scenarios, markup: str) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert "Plain words" in "\n".join(await look(tab))

    scenarios.look(f"{markup.replace('>#', '>Plain words')}<i>1</i>", scenario)


def test_both_forms_hold_text_and_its_elements(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        result = await tab.refs.observe(ObserveParams(format="both", max_tokens=100))
        listed = [element.ref for element in result.elements]
        assert listed == re.findall(r"@\w+", (result.text or "").split("...")[0])
        assert 0 < len(listed) < 40
        assert result.content is None
        await tab.run("document.querySelector('button').textContent = 'First'; document.querySelector('p').remove()")
        changed = await tab.refs.observe(ObserveParams(format="both", incremental=True))
        assert (changed.text or "").startswith('changes\n~ @b0 button "First" was button "B0"')
        assert [element.name for element in changed.elements] == ["First"]

    page = "".join(f"<div><button>B{n}</button> of row {n}</div>" for n in range(40))
    scenarios.look(f"{page}<p>Other</p>", scenario)


def test_secrets_are_no_words(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert "hunter2" not in "\n".join(await whole(tab))

    editor = "<div contenteditable style='-webkit-text-security:disc'><b>hunter2</b></div>"
    scenarios.look(f"<input type='password' value='hunter2'>{editor}<p>Shown", scenario)


@pytest.mark.parametrize(
    "words",
    ['@buy button "Buy"', '"\n# "x', "main | footer", "... 3 more elements; cursor w1", 'a\\" @x link "', "frame main"],
)
def test_no_words_of_a_page_pass_for_ours(scenarios: Scenarios, words: str) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.page.evaluate("words => document.querySelector('p').textContent = words", words)
        await tab.page.evaluate("words => document.querySelector('td').textContent = words", words)
        lines = await look(tab)
        assert len(lines) == 2
        assert QUOTED.sub("", lines[0]) == ""
        assert QUOTED.sub("", lines[1]) == "| "
        assert " | " not in lines[0]

    scenarios.look("<p></p><table><tr><td></table>", scenario)


def test_a_new_message_comes_first(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert await look(tab) == ['"Sign in"', '@go button "Go"']
        await tab.run("document.querySelector('[role=alert]').textContent = 'Wrong password'")
        assert (await look(tab))[0] == 'alert "Wrong password"'
        assert (await look(tab))[-1] == 'alert "Wrong password"'
        result = await tab.refs.observe(ObserveParams())
        assert result.content is not None
        assert [block.kind for block in result.content] == ["paragraph", "paragraph", "alert"]

    scenarios.markup("<p>Sign in</p><button>Go</button><div role='alert'></div>", scenario)


MUCH = "".join(f"<h2>Chapter {n}</h2><p>{'Words of the chapter. ' * 12}{n}</p>" for n in range(60))


def test_what_matters_most_fits_first(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        text = "\n".join(await look(tab, max_tokens=600))
        assert estimate(text) <= 600
        for part in ('alert "Card declined"', '@email textbox "Email"', "Chapter 59"):
            assert part in text
        assert "Home" not in text
        assert "Imprint" not in text

    page = f"<nav><a href='#'>Home</a></nav>{MUCH}<form><label>Email <input></label></form>"
    scenarios.markup(f"{page}<footer>Imprint</footer><div role='alert'>Card declined</div>", scenario)


def test_rows_beyond_the_first_ones_get_their_place_after_other_content(scenarios: Scenarios) -> None:
    rows = "".join(f"<tr><td>Order {n}<td>£{n}.00 of the first quarter<td><a href='#{n}'>View</a>" for n in range(60))
    page = f"<main><table>{rows}</table><p>All changes saved</p></main><footer>Imprint</footer>"

    async def scenario(tab: WatchedTab) -> None:
        shown = await look(tab, max_tokens=700)
        count = sum(line.startswith("| ") for line in shown)
        assert 12 <= count < 60
        assert shown[count + 1 : -1] == [f"... {60 - count} more rows", '"All changes saved"']
        assert (shown[0], "cursor" in shown[-1]) == ("main", True)
        lines = await whole(tab, max_tokens=700)
        assert [line for line in lines if line.startswith("| ")] == [
            f'| "Order {n} | £{n}.00 of the first quarter" @{ref} link "View"' for n, ref in enumerate(refs_in(lines))
        ]

    def refs_in(lines: list[str]) -> list[str]:
        return [found[1] for line in lines for found in re.finditer(r"@(\w+) link", line)]

    scenarios.look(page, scenario)


def test_words_need_no_place_among_the_elements(scenarios: Scenarios) -> None:
    buttons = "".join(f"<p><button>B{n}</button></p>" for n in range(9))

    async def scenario(tab: WatchedTab) -> None:
        shown = await look(tab, max_elements=5)
        assert sum(" button " in line for line in shown) + sum(line.count(" button ") > 1 for line in shown) >= 1
        assert '"All changes saved"' in shown
        assert shown[-1].startswith("... 4 more elements; cursor ")
        rest = [line for line in await whole(tab, max_elements=5) if "All changes saved" in line]
        assert len(rest) == 1
        seen = await tab.refs.observe(ObserveParams(max_elements=5))
        assert [block.kind for block in seen.content or ()].count("alert") == 1

    scenarios.markup(f"{buttons}<p>All changes saved</p><p role=alert>Declined</p>", scenario)


def test_what_is_new_ranks_above_other_content(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await look(tab, max_tokens=300)
        await tab.run("document.querySelector('#toast').textContent = 'Added to your basket'")
        text = "\n".join(await look(tab, max_tokens=300))
        assert '"Added to your basket"' in text

    scenarios.look(f"{MUCH}<div id='toast'></div>", scenario)


def test_what_a_dialog_hid_is_not_new_when_it_closes(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await look(tab, max_tokens=300)
        await tab.run("document.querySelector('dialog').showModal()")
        await look(tab, max_tokens=300)
        await tab.run("document.querySelector('dialog').close(); toast.textContent = 'One event deleted'")
        assert "One event deleted" in "\n".join(await look(tab, max_tokens=300))

    events = "".join(f"<p><a href='#{n}'>Event {n}</a> of the month of May" for n in range(60))
    scenarios.markup(f"<main>{events}</main><dialog><button>Delete</button></dialog><p id=toast></p>", scenario)


FIELDS = """<main><div class=bar style='display:flex'><div class=s>From <input aria-label=City></div>
<div class=s onclick=''><b>Till</b> <span>Any day</span></div></div>
<div class=row><div>Arrival</div><div onclick=''>Please choose</div></div>
<p>Payment</p><p><span>Owner</span> <button aria-label='Owner: Nobody'>Nobody ▾</button></p></main>"""


def test_the_rows_of_a_table_that_a_canvas_draws_are_rows(scenarios: Scenarios) -> None:
    rows = "<tr><th>Name<th>Paid<tr><td>Ada<td>true<tr><td>Bob<td>false"

    async def scenario(tab: WatchedTab) -> None:
        assert (await look(tab, text="full")) == ['| "Name | Paid"', '| "Ada | true"', '| "Bob | false"']

    scenarios.look(f"<!doctype html><canvas width=300 height=90><table>{rows}</table></canvas>", scenario)


def test_a_field_stands_on_a_line_with_its_label(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert await look(tab) == [
            "main",
            '- "From" @city textbox "City"',
            '- @tillanyday generic ~"Till Any day"',
            '- "Arrival" @pleasechoose generic ~"Please choose"',
            '"Payment"',
            '@ownernobody button "Owner: Nobody"',
        ]

    scenarios.look(FIELDS, scenario)


def test_long_prose_is_cut_and_continued_by_the_cursor(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        prose, link, last = (await look(tab))[:3]
        assert re.fullmatch(r'"one (two )+two…" … [\d,]+ more characters', prose)
        assert link == '@next link "Next"'
        assert re.fullmatch(r"\.\.\. [\d,]+ more characters; cursor w\d+", last)
        assert "three" in "\n".join(await whole(tab))
        assert "three" in "\n".join(await look(tab, text="full"))

    scenarios.look(f"<p>one {'two ' * 300}three</p><a href='#'>Next</a>", scenario)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["brief", "full"])
@pytest.mark.parametrize("tokens", [100, 400, 2000])
def test_following_the_cursors_shows_every_word(scenarios: Scenarios, text: str, tokens: int) -> None:
    async def scenario(tab: WatchedTab) -> None:
        lines = await whole(tab, text=text, max_tokens=tokens)
        words = re.sub(r"\s+", " ", " ".join(found[1] for found in QUOTED.finditer("\n".join(lines))))
        for n in range(40):
            assert f"start{n} " in words
            assert f"end{n}" in words
            assert re.search(rf'link "Link {n}"', "\n".join(lines))
        assert words.count("Row 7 ") == 1

    prose = "".join(f"<p>start{n} {'and so on ' * (n * 4)}end{n} <a href='#'>Link {n}</a></p>" for n in range(40))
    rows = "".join(f"<tr><td>Row {n} <td>${n}" for n in range(50))
    scenarios.look(f"{prose}<table>{rows}</table><pre>{'x' * 5000}</pre>", scenario)


def test_pages_of_a_look_go_through_all_elements_once(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        refs: list[str] = []
        cursor = None
        for _ in range(9):
            result = await tab.refs.observe(ObserveParams(max_elements=5, cursor=cursor))
            refs += [element.ref for element in result.elements]
            cursor = result.next_cursor
            if cursor is None:
                break
        assert refs == [f"@l{n}" for n in range(1, 41)]

    links = "".join(f"<a href='#' id='l{n}'>L{n}</a> " for n in range(1, 41))
    scenarios.look(f"<p>{links}</p>", scenario)


def test_a_cursor_of_another_document_is_refused(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        cursor = (await tab.refs.observe(ObserveParams(format="text", max_tokens=100))).next_cursor
        await tab.page.reload()
        with pytest.raises(Exception, match="another document"):
            await tab.refs.observe(ObserveParams(format="text", cursor=cursor))

    scenarios.page("/fold_shop.html", scenario)


def test_what_lies_behind_a_dialog_is_left_to_the_cursor(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        lines = await look(tab)
        assert lines[:3] == ["dialog", '## "Sure?"', '@yes button "Yes" (focused)']
        assert not any("Behind" in line for line in lines)
        assert '"Behind"' in await whole(tab)

    dialog = "<dialog aria-label='Sure?'><h2>Sure?</h2><button>Yes</button></dialog>"
    scenarios.look(f"<p>Behind</p>{dialog}<script>document.querySelector('dialog').showModal()</script>", scenario)


@pytest.mark.parametrize("area", ["300px 9px", "900px 400px"])  # beside the middle of the viewport, and over it
def test_the_list_that_a_dialog_has_opened_in_the_page_is_in_front_as_the_dialog_is(
    scenarios: Scenarios, area: str
) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert (await look(tab))[:-1] == ['@town textbox "Town" @oslo option "Oslo"']

    width, height = area.split()
    shade = "<div style='position: fixed; inset: 0'><form><input aria-label=Town></form></div>"
    box = f"position: absolute; top: 250px; left: 0; width: {width}; height: {height}"
    option = "<div role=option tabindex=0 style='height: 100%'>Oslo</div>"
    scenarios.look(
        f"<p>Behind</p><p><button>Ground</button></p>{shade}<div role=listbox style='{box}'>{option}</div>", scenario
    )


def test_an_invalid_field_has_the_message_of_the_page(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        found = await tab.by_id()
        states = {name: (found[name].invalid, found[name].invalid_message) for name in ("mail", "age", "name")}
        assert states == {"mail": (True, "Enter an address"), "age": (True, None), "name": (None, None)}
        assert await look(tab) == [
            '@mail textbox "Mail" (invalid)',
            '"Enter an address"',
            '@age textbox "Age" (invalid) @name textbox "Name"',
        ]

    mail = "<input id='mail' aria-label='Mail' aria-invalid='true' aria-describedby='hint'>"
    hint = "<p id='hint'>Enter an address</p>"
    others = "<input id='age' aria-label='Age' aria-invalid='true'><input id='name' aria-label='Name' required>"
    scenarios.look(mail + hint + others, scenario)


def test_json_obeys_its_token_budget_with_words(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        result = await tab.refs.observe(ObserveParams(max_tokens=900))
        assert estimate(wire.dump(unstructure(result)).decode()) <= 900
        assert result.next_cursor is not None
        assert result.content

    scenarios.look(MUCH + PAGE, scenario)
