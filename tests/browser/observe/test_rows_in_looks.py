"""Rows in looks: words of other cells stay words, and parts of an application are no rows of a list."""

import re
from typing import Final

from agentbrowser.methods.agent_observe import ObserveParams
from tests.browser.watched_page import Scenarios, WatchedTab

NUMBER: Final = re.compile(r"(?<=@[a-z])\d+")
"""Refs of one letter get a number where an earlier case had the same one."""
ICON = "<svg width=12 height=12><rect width=12 height=12 /></svg>"
SHELL = "<div id=portal></div><div id=toasts></div>"
LOOKS = {
    "a status beside a button with an icon": (
        f"<table><tr><th>Name<th>Status<th></tr><tr><td>Ada<td><span>Paid</span><td><button>{ICON}</button></tr></table>",
        ['| "Name | Status"', '| "Ada | Paid" @button button'],
    ),
    "a status beside a button of the same name": (
        "<table><tr><td>Ada<td>Paid<td><button id=b>Paid</button></table>",
        ['| "Ada | Paid" @b button "Paid"'],
    ),
    "a table in an element that takes the focus": (
        "<div id=t tabindex=0><table><caption>Staff</caption><tr><th>Name<th>City<tr><td>Ada<td>Rome</table></div>",
        ['@t generic ~"Staff"', '| "Name | City"', '| "Ada | Rome"'],
    ),
    "a table that scrolls": (
        "<div id=s tabindex=0 style='overflow:auto;height:30px'>"
        "<table><tr><th>Name<th>City<tr><td>Ada<td>Rome<tr><td>Bob<td>Oslo</table></div>",
        ["@s generic (scrollable)", '| "Name | City"', '| "Ada | Rome"', '| "Bob | Oslo"'],
    ),
    "words that scroll": (
        "<div id=w tabindex=0 style='overflow:auto;height:30px'><p>First.</p><p>Second.</p><p>Third.</p></div>"
        "<div id=k tabindex=0 onclick=''><p>Card.</p><p>Words.</p></div>",
        ["@w generic (scrollable)", '"First."', '"Second."', '"Third."', '@k generic ~"Card. Words."'],
    ),
    "a label in the cell beside its field": (
        "<table><tr><td>City<td><input id=city></table>",
        ['| @city textbox ~"City"'],
    ),
    "an application beside empty elements": (
        "<div id=root><header><a href='#/'>Issues</a></header><main><h1>Settings</h1><label for=q>Display name</label>"
        f"<input id=qq></main></div>{SHELL}",
        ["header", '@issues link "Issues"', "main", '# "Settings"', '@qq textbox ~"Display name"'],
    ),
    "an application with a heading outside of main": (
        "<div><a id=i href='#/'>Issues</a><h1>Settings</h1><div id=p onclick=''>Profile</div></div><div></div>",
        ['@i link "Issues"', '# "Settings"', '@p generic ~"Profile"'],
    ),
    "an application beside a message": (
        "<div><a id=i href='#/'>Issues</a><h1>Settings</h1></div><div>Saved</div>",
        ['@i link "Issues"', '# "Settings"', '"Saved"'],
    ),
    "options beside an empty element": (
        "<div><div id=r onclick=''>Red</div><div id=g onclick=''>Green</div></div><div></div>",
        ['@r generic ~"Red" @g generic ~"Green"'],
    ),
    "items of two menus": (
        "<div class=m><ul role=menu><li><a id=a role=menuitem href='#1'>New</a>"
        "<li><a id=b role=menuitem href='#2'>Open</a></ul></div>"
        "<div class=m><ul role=menu><li><a id=c role=menuitem href='#3'>Cut</a>"
        "<li><a id=d role=menuitem href='#4'>Open</a></ul></div>",
        ['- @a menuitem "New" @b menuitem "Open" @c menuitem "Cut" @d menuitem "Open"'],
    ),
    "menus of two rows": (
        "<table><tr><td>Ada<td><div role=menu><div id=a role=menuitem tabindex=0>Edit</div></div>"
        "<tr><td>Bob<td><div role=menu><div id=b role=menuitem tabindex=0>Edit</div></div></table>",
        ['| "Ada"', '@a menuitem "Edit" in "Ada"', '| "Bob"', '@b menuitem "Edit" in "Bob"'],
    ),
    "cells of rows that are all elements": (
        "<table><tr><td id=x onclick=''>×<td id=n onclick=''>1<td id=c onclick=''>Ann Lee<td id=d onclick=''>paid"
        "<tr><td id=y onclick=''>×<td id=o onclick=''>2<td id=e onclick=''>Ann Lee<td id=f onclick=''>paid</table>",
        [
            '| @x cell "×" @n cell "1" @c cell "Ann Lee" @d cell "paid"',
            '| @y cell "×" @o cell "2" @e cell "Ann Lee" @f cell "paid"',
        ],
    ),
    "a row that only the name of its button names": (
        "<div role=grid><div id=r role=row tabindex=0 aria-label=News><div role=gridcell style='display:contents'>News"
        "<button id=b aria-label='Remove News'>x</button></div></div></div>",
        ['| @r row "News" @b button "Remove News" "x"'],
    ),
    "rows in another order than the page shows them": (
        "<div role=grid>"
        + "".join(f"<div role=row aria-rowindex={i}><div role=gridcell>Item {i}</div></div>" for i in (3, 1, 10, 2))
        + "</div>",
        [f'| "Item {i}"' for i in (1, 2, 3, 10)],
    ),
    "glyphs of buttons beside words": (
        "<ul><li>Matcha <button id=d aria-label=Decrease>−</button> <span>1</span> <button id=n aria-label=Increase>+"
        "</button> €19.90 <button id=x aria-label='Take out'>×</button></ul>",
        ['- "Matcha" @d button "Decrease" "−" "1" @n button "Increase" "+" "€19.90" @x button "Take out" "×"'],
    ),
    "words around an image of the same words": (
        "<p>See <img src=/pixel.png alt=tea width=20 height=20> tea here</p>",
        ['"See tea here"'],
    ),
    "rows with words": (
        "<div><div>Ada <button id=a>Edit</button></div><div>Bob <button id=b>Edit</button></div></div>",
        ['- "Ada" @a button "Edit"', '- "Bob" @b button "Edit"'],
    ),
}


def test_the_context_of_an_element_has_the_first_words_that_no_other_row_has(scenarios: Scenarios) -> None:
    rows = [("Ada", "Invoice 0"), ("Bob", "Meeting 1"), ("Ada", "Invoice 2")]
    box = "<input type=checkbox aria-label=Select>"
    markup = "".join(f"<li>{box}<b>☆</b><i>{who}</i><i>{what}</i>" for who, what in rows)

    async def scenario(tab: WatchedTab) -> None:
        assert [element.context for element in (await tab.see()).values()] == ["Ada Invoice 0", "Bob", "Ada Invoice 2"]

    scenarios.markup(f"<ul>{markup}</ul>", scenario)


def test_texts_without_an_element_between_them_are_one_context(scenarios: Scenarios) -> None:
    script = """<script>for (const [i, row] of [...document.querySelectorAll("li")].entries()) {
        row.prepend("Slide ", i)  // as React writes "Slide {i}"
        row.append(" of ", 2) }</script>"""

    async def scenario(tab: WatchedTab) -> None:
        assert [element.context for element in (await tab.see()).values()] == ["Slide 0", "Slide 1"]

    scenarios.markup(f"<ul>{'<li><button>Buy</button>' * 2}</ul>{script}", scenario)


def test_the_first_item_of_a_list_is_no_context_of_the_others(scenarios: Scenarios) -> None:
    items = "".join(f"<div role=listitem tabindex=0 class=i onclick=''>{name}</div>" for name in ("Copy", "Move"))

    async def scenario(tab: WatchedTab) -> None:
        assert [(one.name, one.context) for one in (await tab.see()).values()] == [("Copy", None), ("Move", None)]

    scenarios.markup(f"<div class=o><div role=list>{items}</div></div><div class=o>Rome</div>", scenario)


def test_an_image_from_memory_is_no_context_of_its_row(scenarios: Scenarios) -> None:
    rows = "".join(f"<tr><td><b tabindex=0><img width=9 height=9></b><td>{name}" for name in ("Users", "Models"))
    script = """<script>for (const image of document.images) {
        const pixel = new Blob(["<svg xmlns='http://www.w3.org/2000/svg'/>"], {type: 'image/svg+xml'})
        image.src = URL.createObjectURL(pixel) }</script>"""

    async def scenario(tab: WatchedTab) -> None:
        assert [element.context for element in (await tab.see()).values()] == ["Users", "Models"]

    scenarios.markup(f"<table>{rows}</table>{script}", scenario)


def test_the_file_of_an_image_is_the_context_of_a_row_without_words_only(scenarios: Scenarios) -> None:
    tile = "<li><img src=/{0}.png width=9 height=9> {1} <button>Like</button>"
    rows = [tile.format(*row) for row in (("ann", "Ann Lee"), ("bob", "Bob Roe"), ("eve", ""))]

    async def scenario(tab: WatchedTab) -> None:
        assert [element.context for element in (await tab.see()).values()] == ["Ann Lee", "Bob Roe", "eve.png"]

    scenarios.markup(f"<ul>{''.join(rows)}</ul>", scenario)


def test_words_of_a_folded_part_are_no_context(scenarios: Scenarios) -> None:
    fold = "<li><div style='max-height:0;overflow:hidden'><p>Showing</p></div>{0} <button>Run</button>"

    async def scenario(tab: WatchedTab) -> None:
        assert [element.context for element in (await tab.see()).values()] == ["One", "Two", None]

    scenarios.markup(f"<ul>{''.join(map(fold.format, ('One', 'Two', '')))}</ul>", scenario)


def test_a_row_that_is_an_element_is_not_its_own_context(scenarios: Scenarios) -> None:
    named = "<b>☆</b> Ada <i>Invoice</i>"
    markup = f"<li onclick=''>{named}<li onclick=''>{named}<li onclick='' aria-label=Open>{named}"
    markup += "<li onclick='' aria-label=Open>Eve"

    async def scenario(tab: WatchedTab) -> None:
        contexts = [(element.name, element.context) for element in (await tab.see()).values()]
        assert contexts[:2] == [("☆ Ada Invoice", None)] * 2
        assert contexts[3] == ("Open", "Eve")

    scenarios.markup(f"<ul>{markup}</ul>", scenario)


def test_rows_of_a_look_have_their_words_and_parts_of_a_page_are_no_rows(scenarios: Scenarios) -> None:
    shown: dict[str, list[str]] = {}

    async def scenario(tab: WatchedTab) -> None:
        for case, (markup, _) in LOOKS.items():
            await tab.page.set_content(f"<!doctype html>{markup}")
            text = (await tab.refs.observe(ObserveParams(format="text"))).text
            assert text is not None
            shown[case] = [NUMBER.sub("", line) for line in text.splitlines()[1:]]

    scenarios.look_at("/nowhere", scenario)
    assert shown == {case: lines for case, (_, lines) in LOOKS.items()}
