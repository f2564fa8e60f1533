"""agent/extract: which parts of a page are offered as the records of one list, and with which columns."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from agentbrowser.browser import extraction
from agentbrowser.client import Browser
from agentbrowser.extraction.columns.column import Group
from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.columns.page_names import ContextSource, Relation
from agentbrowser.extraction.output.extraction import Extraction
from agentbrowser.methods import page
from tests.browser.extract.test_extract import data_of, extract, listed
from tests.browser.site import Site

Gather = Callable[[str], Awaitable[list[Group]]]
Row = tuple[str | None, ...]


@pytest.fixture
def gather(browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch) -> Gather:
    """Return a function that shows a page and returns the groups found in it."""
    taken: list[dict[str, Any]] = []

    def keep(_asked: Any, gathered: dict[str, Any], *_: object) -> Extraction:
        taken.append(gathered)
        return Extraction(why_not="Only gathered.")

    monkeypatch.setattr(extraction, "_match", keep)

    async def gathered(body: str) -> list[Group]:
        await browser.call(page.navigate, url=site.html("/", body))
        schema = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
        await browser.request("agent/extract", {"schema": schema})
        return PageData.of(taken[-1]).groups

    return gathered


def holds(groups: Sequence[Group], rows: Sequence[Row]) -> bool:
    """Return True if one group has exactly these rows; each place of a row is a column."""
    return any(
        group.total == len(rows) and all(_has(group, column) for column in zip(*rows, strict=True)) for group in groups
    )


def _has(group: Group, column: Sequence[str | None]) -> bool:
    wanted = {row: text for row, text in enumerate(column) if text is not None}
    return any(dict(zip(one.rows, one.texts, strict=True)) == wanted for one in group.columns)


DISH = "<div class=dish><div class=name>{}</div><div class=price>{}</div></div>"


def course(title: str, note: str, *dishes: tuple[str, str]) -> str:
    head = f"<div class=head><div class=title>{title}</div>{f'<div class=note>{note}</div>' if note else ''}</div>"
    return f"<div class=course>{head}<div class=dishes>{''.join(DISH.format(*dish) for dish in dishes)}</div></div>"


async def test_items_have_the_heading_of_their_section(gather: Gather) -> None:
    body = (
        course("Soups", "with bread", ("Leek", "€ 6"), ("Pea", "€ 5"))
        + course("Fish", "", ("Cod", "€ 18"), ("Hake", "€ 17"), ("Eel", "€ 21"))
        + course("Sweets", "made here", ("Fig tart", "€ 7"))
    )
    rows = [
        ("Soups", "with bread", "Leek", "€ 6"),
        ("Soups", "with bread", "Pea", "€ 5"),
        ("Fish", None, "Cod", "€ 18"),
        ("Fish", None, "Hake", "€ 17"),
        ("Fish", None, "Eel", "€ 21"),
        ("Sweets", "made here", "Fig tart", "€ 7"),
    ]
    assert holds(await gather(body), rows)


async def test_a_title_between_items_belongs_to_the_items_after_it(gather: Gather) -> None:
    talk = "<div class=talk><span class=time>{}</span> <b class=title>{}</b></div>"
    body = (
        "<div><h3 class=day>Monday</h3>"
        + talk.format("09:00", "Welcome")
        + talk.format("10:30", "Lamps")
        + "<h3 class=day>Tuesday</h3>"
        + talk.format("09:15", "Chairs")
        + talk.format("13:00", "Tables")
        + talk.format("16:45", "Farewell")
        + "</div>"
    )
    rows = [
        ("Monday", "09:00", "Welcome"),
        ("Monday", "10:30", "Lamps"),
        ("Tuesday", "09:15", "Chairs"),
        ("Tuesday", "13:00", "Tables"),
        ("Tuesday", "16:45", "Farewell"),
    ]
    assert holds(await gather(body), rows)


async def test_tables_with_the_same_headers_are_merged(gather: Gather) -> None:
    def table(day: str, *rows: tuple[str, str]) -> str:
        cells = "".join(f"<tr><td>{time}</td><td>{title}</td></tr>" for time, title in rows)
        return f"<section><h2>{day}</h2><table><tr><th>Time</th><th>Title</th></tr>{cells}</table></section>"

    body = table("3 May", ("9:00", "Welcome"), ("10:30", "Lamps")) + table(
        "4 May", ("9:15", "Chairs"), ("11:00", "Bye")
    )
    rows = [
        ("3 May", "9:00", "Welcome"),
        ("3 May", "10:30", "Lamps"),
        ("4 May", "9:15", "Chairs"),
        ("4 May", "11:00", "Bye"),
    ]
    assert holds(await gather(body), rows)


async def test_several_rows_of_a_table_are_one_item(gather: Gather) -> None:
    story = """<tr><td>{}.</td><td><a href="https://x.example/{}">{}</a></td></tr>
    <tr><td colspan=2><span class=points>{} points</span> by <a class=author>{}</a></td></tr><tr></tr>"""
    rows = [("Lamps of old", "81", "ann"), ("A chair that walks", "12", "bob"), ("On tables", "7", "cid")]
    body = "<table>" + "".join(story.format(at + 1, at, *row) for at, row in enumerate(rows)) + "</table>"
    things = [(f"{at + 1}.", title, f"{points} points", by) for at, (title, points, by) in enumerate(rows)]
    assert holds(await gather(body), things)


async def test_rows_below_a_group_row_have_its_values(gather: Gather) -> None:
    def trip(price: str, *legs: tuple[str, str]) -> str:
        rows = "".join(f"<tr><td>{train}</td><td>{to}</td><td>on time</td></tr>" for train, to in legs)
        return f"<tbody><tr><th colspan=2>{price}</th><td>book</td></tr>{rows}</tbody>"

    body = (
        "<table>"
        + trip("€ 20", ("IC 4", "Alm"), ("RE 7", "Birk"))
        + trip("€ 34", ("IC 6", "Birk"))
        + trip("€ 28", ("IC 8", "Alm"), ("RE 9", "Birk"))
        + "</table>"
    )
    groups = await gather(body)
    assert holds(groups, [("€ 20", "book"), ("€ 34", "book"), ("€ 28", "book")])
    rows = [
        ("€ 20", "IC 4", "Alm"),
        ("€ 20", "RE 7", "Birk"),
        ("€ 34", "IC 6", "Birk"),
        ("€ 28", "IC 8", "Alm"),
        ("€ 28", "RE 9", "Birk"),
    ]
    assert holds(groups, rows)


async def test_a_label_of_most_items_marks_no_advertisement(gather: Gather) -> None:
    def item(kind: str, name: str, price: int, extra: str = "") -> str:
        return f'<article class="result-ad {kind}">{extra}<h2>{name}</h2><p class=price>{price} €</p></article>'

    body = (
        item("plain", "Lamp", 12)
        + item("sponsored", "Loans today", 89)
        + item("plain promo", "Chair", 40)
        + item("plain", "Table", 75)
        + item("plain", "Shelf", 31)
    )
    rows = [("Lamp", "12 €"), ("Chair", "40 €"), ("Table", "75 €"), ("Shelf", "31 €")]
    assert holds(await gather(body), rows)


async def test_items_of_one_group_may_differ_much(gather: Gather) -> None:
    plain = "<li><a href=/{0}><h2>{0}</h2></a><span class=price>{1} €</span></li>"
    full = """<li><a href=/{0}><b class=flag>Sale</b><img src=/{0}.png alt=""><h2>{0}</h2></a><p class=stars><i>4.5</i>
    <small>12 reviews</small></p><del>{2} €</del> <ins><span class=price>{1} €</span></ins><button>Buy</button></li>"""
    body = f"<ul>{plain.format('Lamp', 12)}{full.format('Chair', 40, 55)}{plain.format('Shelf', 31)}</ul>"
    assert holds(await gather(body), [("Lamp", "12 €"), ("Chair", "40 €"), ("Shelf", "31 €")])


async def test_state_and_number_classes_do_not_separate_records(gather: Gather) -> None:
    item = """<li class="post post-{1}"><div class="row {2}"><p class="by by-{1}"><b>{0}</b></p>
    <p class=size><b>{1} kg</b></p></div></li>"""
    rows = [("Lamp", 4, "read"), ("Chair", 17, "unread hot"), ("Shelf", 9, "read hot"), ("Table", 31, "unread")]
    body = f"<ul>{''.join(item.format(*row) for row in rows)}</ul>"
    assert holds(await gather(body), [(name, f"{size} kg") for name, size, _ in rows])


async def test_a_value_is_read_without_notes_old_prices_and_screen_reader_texts(gather: Gather) -> None:
    row = """<tr data-id={2}><td>{0}<sup>[{2}]</sup></td><td>{3}<b>{1} €</b></td>
    <td><span class=sr-only>Size: </span>{2} kg</td></tr>"""
    rows = [("Lamp", 12, 4, "<s>15 €</s>"), ("Chair", 40, 17, ""), ("Shelf", 31, 9, "<s>44 €</s>")]
    body = (
        f"<table><tr><th>Name</th><th>Price</th><th>Size</th></tr>{''.join(row.format(*one) for one in rows)}</table>"
    )
    wanted = [(name, f"{price} €", f"{size} kg", str(size)) for name, price, size, _ in rows]
    assert holds(await gather(body), wanted)


@pytest.mark.parametrize(
    "price",
    [
        "<span class=a-offscreen>${0}.{1}</span><span aria-hidden=true><b>$</b><b>{0}<i>.</i></b><b>{1}</b></span>",
        "<span aria-hidden=true><b>$</b><b>{0}</b><b>{1}</b></span><span class=x1>${0}.{1}</span>",
        "<span aria-hidden=true><b>$</b><b>{0}</b><b>{1}</b></span><span class=x1>${0}.{1}</span><s>$59.00</s>",
        "$<b>{0}</b><b style='font-size:60%'>{1}</b>",
    ],
)
async def test_a_price_that_is_painted_in_pieces_is_one_value(gather: Gather, price: str) -> None:
    rows = [("Lamp", 12, 49), ("Chair", 40, 95), ("Shelf", 31, 50)]
    item = "<li><h3>{0}</h3><span class=price>{1}</span></li>"
    groups = await gather(f"<ul>{''.join(item.format(name, price.format(*parts)) for name, *parts in rows)}</ul>")
    assert holds(groups, [(name, f"${whole}.{cents}") for name, whole, cents in rows])
    named = [hint.text for group in groups for one in group.columns if one.texts[0] == "$12.49" for hint in one.hints]
    assert "price" in named
    if "aria-hidden" in price:
        assert not any("49" in one.texts for group in groups for one in group.columns)


@pytest.mark.parametrize(
    "hidden", ["=true><b>1</b>2 offers", "=true><b>1</b>2 3", "=false><b>1</b>2", "=true><b>12</b>"]
)
async def test_what_is_hidden_from_screen_readers_is_a_value_if_nothing_beside_it_says_the_same(
    gather: Gather, hidden: str
) -> None:
    item = "<li><h3>{0}</h3><p><span aria-hidden{1}</span> <span>12 reviews</span></p></li>"
    groups = await gather(f"<ul>{''.join(item.format(name, hidden) for name in ('Lamp', 'Chair', 'Shelf'))}</ul>")
    text = hidden.partition(">")[2].replace("<b>", "").replace("</b>", "")
    assert holds(groups, [(name, text) for name in ("Lamp", "Chair", "Shelf")])


async def test_a_price_with_line_through_is_an_old_price(gather: Gather) -> None:
    row = "<li><h3>{0}</h3><p>{1} € <span style='text-decoration: line-through'>{2} €</span></p></li>"
    rows = [("Lamp", 12, 15), ("Chair", 40, 44), ("Shelf", 31, 39)]
    groups = await gather(f"<ul>{''.join(row.format(*one) for one in rows)}</ul>")
    assert holds(groups, [(name, f"{price} €") for name, price, _ in rows])
    columns = [one for group in groups for one in group.columns if one.texts == [f"{old} €" for *_, old in rows]]
    assert any("s" in one.tags for one in columns)


async def test_a_placeholder_image_is_not_read(gather: Gather) -> None:
    row = "<li><h3>{0}</h3><img src=data:image/gif;base64,R0lGOD {1} alt=''></li>"
    kinds = ("data-src=https://x.example/{}.png", "srcset='https://x.example/{}.png 1x, /b.png 2x'")
    names = ("Lamp", "Chair", "Shelf", "Table")
    items = "".join(row.format(name, kinds[at % 2].format(name)) for at, name in enumerate(names))
    assert holds(await gather(f"<ul>{items}</ul>"), [(name, f"https://x.example/{name}.png") for name in names])


async def test_addresses_are_absolute(gather: Gather) -> None:
    whole = {
        "/x": "https://x.example/x",
        "y.html?z=1:2": "https://x.example/a/y.html?z=1:2",
        "../up": "https://x.example/up",
        "/a/./b//c": "https://x.example/a/b//c",
        "/a b": "https://x.example/a%20b",
        "//other.example": "https://other.example/",
        "?q": "https://x.example/a/b.html?q",
        "mailto:ann@x.example": "mailto:ann@x.example",
        "HTTPS://x.example/A": "HTTPS://x.example/A",
        "javascript:go()": None,
    }
    items = "".join(f"<li><a href='{written}'>Link {at}</a></li>" for at, written in enumerate(whole))
    groups = await gather(f"<base href=https://x.example/a/b.html?c><ul>{items}</ul>")
    assert holds(groups, [(f"Link {at}", address) for at, address in enumerate(whole.values())])


async def test_records_of_one_structure_may_differ_in_attributes_and_styles(gather: Gather) -> None:
    struck = "style='text-decoration: line-through'"
    rows = [
        "<li><a href=/1 title='A lamp'>Lamp 1</a><p>12 €</p></li>",
        f"<li><a title='A chair' href=/2>Chair 2</a><p><b {struck}>15 €</b> 14 €</p></li>",
        "<li><a>Shelf 3</a><p data-stock=7><b>31</b> €</p></li>",
        f"<li data-stock=0><a href=/4>Table 4</a><p><b {struck}>50 €</b> 44 €</p></li>",
    ]
    groups = await gather(f"<base href=https://x.example/><ul>{''.join(rows)}</ul>")
    wanted: list[Row] = [
        ("Lamp 1", "https://x.example/1", "A lamp", None, "12 €"),
        ("Chair 2", "https://x.example/2", "A chair", None, "14 €"),
        ("Shelf 3", None, None, "7", "31 €"),
        ("Table 4", "https://x.example/4", None, None, "44 €"),
    ]
    assert holds(groups, wanted)


async def test_only_visible_content_is_gathered(gather: Gather) -> None:
    parts = [
        "<div><b>Lamp</b></div>",
        "<div style='visibility: hidden'>no <b style='visibility: visible'>Chair</b> no</div>",
        "<div style='display: contents'>and <b>Shelf</b></div>",
        "<div style='display: none'><div><b>no</b></div><details><summary>no</summary><p>no</p></details></div>",
        "<div style='opacity: 0'><div><div><i>no</i></div></div></div>",
        "<div><details><summary>Table</summary><p>Oak<b style='display: none'>no</b></p></details></div>",
        "<div> <span hidden>no</span> <b>Desk</b></div>",
    ]
    rows = "".join(f"<li><h3>Row {at}</h3>{part}</li>" for at, part in enumerate(parts))
    groups = await gather(f"<ul>{rows}</ul>")
    texts = {text for group in groups for one in group.columns for text in one.texts}
    assert {"Lamp", "Chair", "Shelf", "Table", "Desk"} <= texts
    assert not any("no" in text.split() for text in texts)
    assert holds(groups, [(f"Row {at}",) for at in range(len(parts))])


async def test_badges_of_several_kinds_are_one_list(gather: Gather) -> None:
    def card(name: str, *flags: str) -> str:
        badges = " ".join(f"<i class='flag {one}'>{one}</i>" for one in flags)
        return f"<article><h3>{name}</h3><p>{badges}</p></article>"

    groups = await gather(card("Lamp", "new", "sale") + card("Chair", "sale") + card("Shelf", "new", "last", "sale"))
    flags = next(one for group in groups for one in group.columns if one.is_many and len(one.rows) == 6)
    assert list(zip(flags.rows, flags.texts, strict=True)) == [
        (0, "new"),
        (0, "sale"),
        (1, "sale"),
        (2, "new"),
        (2, "last"),
        (2, "sale"),
    ]


async def test_products_that_stand_side_by_side_are_records(gather: Gather) -> None:
    body = """<table><thead><tr><td></td><th>Aeris</th><th>Dustline</th><th>Karo</th></tr></thead>
    <tr><th>Price</th><td>$549</td><td>$379</td><td>$429</td></tr><tr><th colspan=4>Details</th></tr>
    <tr><th>Weight</th><td>3 kg</td><td>2 kg</td><td>4 kg</td></tr>
    <tr><td></td><td>Buy</td><td>Buy</td><td>Buy</td></tr>
    <tr><th>Noise</th><td>68 dB</td><td>74 dB</td><td>61 dB</td></tr>
    <tr><th>Bin</th><td>1 L</td><td>2 L</td><td>3 L</td></tr></table>"""
    rows = [("Aeris", "$549", "3 kg"), ("Dustline", "$379", "2 kg"), ("Karo", "$429", "4 kg")]
    assert holds(await gather(body), rows)


GRID = "<div id=grid {} style='display:grid;grid-template-columns:1fr 1fr'>{}</div>"


@pytest.mark.parametrize("mark", ["class=ad", "data-ad=1", ""])
async def test_a_grid_of_advertisements_is_ignored(gather: Gather, mark: str) -> None:
    cells = "<b class=head>Plan</b><b class=head>Price</b>" + "".join(
        f"<i>{name}</i><i>{price} €</i>" for name, price in (("Basic", 5), ("Plus", 9), ("Pro", 14))
    )
    groups = await gather(f"<p>One.</p>{GRID.format(mark, cells)}<p>Two.</p>")
    tables = [group for group in groups if group.kind == "table"]
    assert holds(tables, [("Basic", "5 €"), ("Plus", "9 €"), ("Pro", "14 €")]) is (not mark)


async def test_a_label_of_one_row_is_not_a_label_of_the_next(gather: Gather) -> None:
    rows = [("A", "Lamp", 4), ("A", "Chair", 17), ("B", "Shelf", 9), ("B", "Table", 31)]
    body = "".join(
        f"<tr data-code=c{code}>{'' if at % 2 else f'<td rowspan=2>{hall}</td>'}<td>{name}</td><td>{code} kg</td></tr>"
        for at, (hall, name, code) in enumerate(rows)
    )
    groups = await gather(f"<table><tr><th>Hall</th><th>Name</th><th>Size</th></tr>{body}</table>")
    assert holds(groups, [(hall, name, f"{code} kg", f"c{code}") for hall, name, code in rows])


async def test_a_short_list_in_one_of_several_panels_is_a_list(gather: Gather) -> None:
    panel = "<div class=panel><h2>{}</h2><div class=body><b>{}</b> <i>per second</i></div></div>"
    alert = "<li><div><b>{}</b> <span>for {}</span></div><p>Instance <code>{}</code></p></li>"
    rows = [("Disk full", "for 3 min", "ams-1"), ("No route", "for 9 min", "fra-2"), ("Late", "for 2 h", "lhr-1")]
    alerts = "".join(alert.format(name, since.removeprefix("for "), host) for name, since, host in rows)
    body = "".join(panel.format(f"Rate {at}", at * 7) for at in range(6))
    assert holds(await gather(f"<main>{body}<div class=panel><h2>Alerts</h2><ol>{alerts}</ol></div></main>"), rows)


def headings_of(group: Group) -> list[str]:
    """Return the headings above all items of a group."""
    return [name.text for name in group.context if name.source == ContextSource.HEADING]


async def test_a_heading_belongs_to_its_section(gather: Gather) -> None:
    card = "<div class=card><b>{}</b><i>{}</i></div>"
    cards = "".join(
        card.format(name, count) for name, count in (("Ann", "3 days"), ("Ben", "4 days"), ("Cid", "1 day"))
    )
    before = "<section><h2>Warnings</h2><p>None at this time.</p></section>"
    (inside,) = [one for one in await gather(f"{before}<div><h2>Leave</h2>{cards}</div>") if one.total == 3]
    assert "Leave" in headings_of(inside)
    assert "Warnings" not in headings_of(inside)
    (bare,) = [one for one in await gather(f"{before}<div>{cards}</div>") if one.total == 3]
    assert "Warnings" not in headings_of(bare)
    (head,) = [one for one in await gather(f"<header><h2>Leave</h2></header><div>{cards}</div>") if one.total == 3]
    assert "Leave" in headings_of(head)


async def test_a_page_with_a_sidebar_class_is_no_sidebar(gather: Gather) -> None:
    items = "".join(f"<li><b>{name}</b> <i>{count}</i></li>" for name, count in (("Ann", 3), ("Ben", 4), ("Cid", 1)))
    body = f"<main><ul>{items}</ul></main><div class=sidebar><ol>{items}{items}</ol></div>"
    found = await gather(f"<div class=content-sidebar-wrap>{body}</div>")
    assert {group.total: group.is_aside for group in found} == {3: False, 6: True}


async def test_a_text_in_brackets_is_a_value(gather: Gather) -> None:
    rows = [("Open", "31"), ("Sent", "18"), ("Returned", "4")]
    items = "".join(f"<li><a href=?{at}>{name} ({count})</a></li>" for at, (name, count) in enumerate(rows))
    assert holds(await gather(f"<h2>By state</h2><ul>{items}</ul>"), rows)


async def test_an_undivided_text_is_also_a_first_part(gather: Gather) -> None:
    rows = [("Mass", "Sunday"), ("Choir", "Monday"), ("Vespers", "Friday")]
    times = ["<br>9 am", "<br>7 pm", ""]
    cards = "".join(
        f"<div><h3>{what}</h3><p>{day}{time}</p></div>" for (what, day), time in zip(rows, times, strict=True)
    )
    assert holds(await gather(f"<section>{''.join(cards)}</section>"), rows)


async def test_a_table_of_one_column_is_a_list_also_over_several_headings(gather: Gather) -> None:
    teams = {"Boats": [("Skipper", "Oban"), ("Deckhand", "Mallaig")], "Shore": [("Cook", "Oban")]}
    cell = "<tr class=job><td><a href=/{0}><p class=title>{0}</p><p class=place>{1}</p></a></td></tr>"
    part = "<div class=team><h3>{}</h3><div><table><tbody>{}</tbody></table></div></div>"
    body = "".join(part.format(team, "".join(cell.format(*job) for job in jobs)) for team, jobs in teams.items())
    rows = [(team, *job) for team, jobs in teams.items() for job in jobs]
    assert holds(await gather(f"<main>{body}</main>"), rows)


@pytest.mark.parametrize("before", ["", "Open to all.<hr>"])
async def test_lines_that_begin_with_labels_are_items(gather: Gather, before: str) -> None:
    rows = [("Monday", "closed"), ("Tuesday", "9 to 5"), ("Friday", "9 to 1, 2 to 6")]
    lines = "<br>".join(f"<b>{day}:</b> {hours}" for day, hours in rows)
    assert holds(await gather(f"<h2>Hours</h2><p>{before}{lines}</p><p>Two.</p>"), rows)


async def test_lines_of_prose_are_no_items(gather: Gather) -> None:
    groups = await gather(
        "<p><b>Hark</b> the sea<br>is grey today,<br>the <i>gulls</i> are still,<br>and so are we.</p>"
    )
    assert not any(group.total > 2 for group in groups)


async def test_columns_of_all_records_are_kept_if_some_records_have_very_many(gather: Gather) -> None:
    names = [f"v{at}.0" for at in range(4)]
    files = ["".join(f"<li><b>File {at} {n}</b> <i>{n} MB</i></li>" for n in range(3 + at * 4)) for at in range(4)]
    notes = "".join(f"<p class=note{at}>Note {at}</p>" for at in range(12))
    cards = "".join(
        f"<article><h2>{name}</h2>{notes}<ul>{held}</ul><p class=seen>{at * 31} people</p></article>"
        for at, (name, held) in enumerate(zip(names, files, strict=True))
    )
    groups = await gather(f"<main>{cards}</main>")
    assert holds(groups, [(name, f"{at * 31} people") for at, name in enumerate(names)])


def labels_of_numbers(groups: Sequence[Group]) -> dict[str, int]:
    """Return the first labels before the numbers, with the number of values beside each."""
    column = next(one for group in groups for one in group.columns if one.tag == "span" and one.texts[0] == "0")
    return {label.text: count for label, count in column.labels.items() if label.relation == Relation.FIRST_OF_TWO}


@pytest.mark.parametrize("count", [3, 31, 32, 500])
async def test_labels_beside_values_are_counted(gather: Gather, count: int) -> None:
    rows = "".join(f"<li><h3>Crate {n}</h3><p><i>Weight</i> <span>{n}</span></p></li>" for n in range(count))
    assert labels_of_numbers(await gather(f"<ul>{rows}</ul>")) == {"Weight": count}


@pytest.mark.parametrize("turns", [2, 3])
async def test_alternating_labels_are_all_counted(gather: Gather, turns: int) -> None:
    names, count = ("Weight", "Height", "Depth")[:turns], 32 * turns
    rows = "".join(
        f"<li><h3>Crate {n}</h3><p><i>{names[n % turns]}</i> <span>{n}</span></p></li>" for n in range(count)
    )
    labels = labels_of_numbers(await gather(f"<ul>{rows}</ul>"))
    assert set(labels) == set(names)
    assert sum(labels.values()) == pytest.approx(count, abs=turns)


async def test_packed_lists_distinguish_numbers_from_equal_texts(gather: Gather) -> None:
    # A list of numbers is packed as its first one, its step and its count; one of these texts looks the same.
    texts = [f"{number},41" for number in range(40)]
    cells = "".join(f"<span class=c{number}>{text}</span>" for number, text in enumerate(texts))
    groups = await gather(f"<ul>{f'<li>{cells}</li>' * 5}</ul>")
    group = next(group for group in groups if group.total == 5)
    for column in group.columns:
        assert all(isinstance(spot, int) for spot in column.spots), column.key
        assert all(isinstance(text, str) for text in column.texts), column.key
    assert {column.texts[0] for column in group.columns} >= set(texts)
    beginnings = {f"{column.spots[0]},41" for column in group.columns}
    assert beginnings & set(texts)


async def test_the_item_of_a_page_that_counts_one_result_is_marked(gather: Gather) -> None:
    facets = "".join(f"<li><h3>{name}</h3><ul><li>{name} (1)</li></ul></li>" for name in ("Authors", "Topics", "Types"))
    item = "<td>1</td><td><a href=/b>Tides</a><p>by <b>Holm</b></p><p>Pages: <i>212</i></p></td>"
    for count, result in (
        ("<p><b>Your search returned 1 result.</b> <i>(0.04 s)</i></p>", f"<table><tr>{item}</tr></table>"),
        (
            "<h1>1 lot for owls</h1><p>in all sales</p>",
            "<div><div><h2><a href=/b>Tides</a></h2><p>Holm</p><i>212 pages</i></div></div>",
        ),
    ):
        groups = await gather(f"<ul>{facets}</ul><main>{count}<div>{result}</div></main>")
        only = [group for group in groups if group.is_only]
        assert [group.total for group in only] == [1]
        assert any("Tides" in column.texts for column in only[0].columns)


@pytest.mark.parametrize("count", ["Your search returned 21 results.", "1.1 results a day", "Books (1)"])
async def test_no_item_is_marked_where_several_are_counted(gather: Gather, count: str) -> None:
    rows = "".join(f"<div class=card><h2>{name}</h2><p>Holm</p><p>212 pages</p></div>" for name in ("Tides", "Kelp"))
    assert not any(group.is_only for group in await gather(f"<p>{count}</p><div class=results>{rows}</div>"))


async def test_several_items_below_a_heading_that_begins_with_one_are_all_offered(gather: Gather) -> None:
    rows = "".join(
        f"<div class=card><h2>{name}</h2><p>Leeds</p><p>£ 900</p></div>" for name in ("Loft", "Attic", "Mews")
    )
    groups = await gather(f"<h1>1 bedroom flats</h1><div class=results>{rows}</div>")
    assert not any(group.is_only for group in groups)
    assert any(group.total == 3 for group in groups)


def flight(times: str, line: str, rest: str, price: str) -> str:
    rows = ("NY → LA", times, line, rest, f"from {price}")
    return f"<div class=f>{''.join(f'<div>{row}</div>' for row in rows)}</div>"


FLIGHTS = (
    flight("08:25 – 11:20", "BA", "7h 55m · Non-stop", "$412")
    + flight("10:00 – 16:45", "Icelandair", "11h 45m · 1 stop (KEF)", "$299")
    + flight("13:10 – 16:05", "Delta", "7h 55m · Non-stop", "$440")
)


async def test_a_route_and_a_span_of_times_are_two_values_each(browser: Browser, site: Site) -> None:
    schema = listed(origin="string", destination="string", departure="string", arrival="string", price="number")
    assert await data_of(browser, site, FLIGHTS, schema) == [
        {"origin": "NY", "destination": "LA", "departure": "08:25", "arrival": "11:20", "price": 412},
        {"origin": "NY", "destination": "LA", "departure": "10:00", "arrival": "16:45", "price": 299},
        {"origin": "NY", "destination": "LA", "departure": "13:10", "arrival": "16:05", "price": 440},
    ]


async def test_a_line_of_several_values_names_none_beside_it(browser: Browser, site: Site) -> None:
    answer = await extract(browser, site, FLIGHTS, listed(departure="string", arrival="string", stops="string"))
    assert all(row.get("stops") != "BA" for row in answer["data"]), answer


async def test_the_line_below_an_issue_has_its_number_and_its_author(browser: Browser, site: Site) -> None:
    row = """<div role=listitem class=row><a href=/i/{0} class=t>Crash when opening file {0}</a>
    <div class=meta>#10{0} opened {0} days ago by <a href=/u/{1}>{1}</a></div></div>"""
    body = f"<div role=list>{''.join(row.format(*one) for one in ((1, 'ann1'), (2, 'bob2'), (3, 'cy3')))}</div>"
    rows = await data_of(browser, site, body, listed(number="integer", title="string"))
    assert [row["number"] for row in rows] == [101, 102, 103]
    rows = await data_of(browser, site, body, listed(title="string", author="string"), instruction="issues")
    assert [row.get("author") for row in rows] == ["ann1", "bob2", "cy3"]


async def test_entries_below_several_headings_are_the_items(browser: Browser, site: Site) -> None:
    jobs = {
        "Engineering": ["Backend engineer – Berlin · Full-time", "SRE – Remote · Contract"],
        "Design": ["Product designer – Paris · Full-time"],
    }
    lists = {name: "".join(f"<li>{job}</li>" for job in entries) for name, entries in jobs.items()}
    sections = (f"<h2>{name}</h2><ul>{entries}</ul>" for name, entries in lists.items())
    schema = listed(title="string", location="string", department="string")
    assert await data_of(browser, site, f"<h1>Careers</h1>{''.join(sections)}", schema, instruction="jobs") == [
        {"title": "Backend engineer", "location": "Berlin", "department": "Engineering"},
        {"title": "SRE", "location": "Remote", "department": "Engineering"},
        {"title": "Product designer", "location": "Paris", "department": "Design"},
    ]


async def test_the_heading_of_a_section_is_what_the_list_is_divided_by(browser: Browser, site: Site) -> None:
    def section(name: str, *jobs: str) -> str:
        rows = (f"<li><a href=/{job}>{job}</a> <span>Full-time</span></li>" for job in jobs)
        return f"<section><h3>{name}</h3><ul>{''.join(rows)}</ul></section>"

    body = section("Engineering", "Backend Engineer", "Site Reliability Engineer", "Mobile Engineer")
    body = f"<main><h1>Open roles</h1>{body}{section('Design', 'Product Designer', 'Research Intern')}</main>"
    schema = listed(title="string", department="string", employmentType="string")
    rows = await data_of(browser, site, body, schema, instruction="open positions")
    assert [row.get("department") for row in rows] == ["Engineering"] * 3 + ["Design"] * 2


async def test_cards_are_items_and_not_the_rows_of_a_small_table_in_each(browser: Browser, site: Site) -> None:
    def branch(name: str, street: str, phone: str, *hours: tuple[str, str]) -> str:
        rows = "".join(f"<tr><th>{day}</th><td>{time}</td></tr>" for day, time in hours)
        return f"""<div class="branch vcard"><h2 class=fn>{name}</h2><p><span class=street-address>{street}</span></p>
        <p><strong>Tel:</strong> <span class=tel>{phone}</span></p><table class=hours>{rows}</table></div>"""

    cards = (
        branch("Hexham", "14 Priestpopple", "01434 555 011", ("Mon–Fri", "9am – 5.30pm"), ("Sat", "9am – 1pm")),
        branch("Corbridge", "2 Middle Street", "01434 555 027", ("Tue", "10am – 4pm"), ("Other days", "Closed")),
        branch("Alnwick", "8 Brewery Yard", "01665 555 033", ("Mon–Sat", "9am – 5pm"), ("Sun", "Closed")),
    )
    body = f"<main><h1>Contact</h1><div class=branches>{''.join(cards)}</div></main>"
    rows = await data_of(browser, site, body, listed(name="string", address="string", phone="string"))
    assert rows == [
        {"name": "Hexham", "address": "14 Priestpopple", "phone": "01434 555 011"},
        {"name": "Corbridge", "address": "2 Middle Street", "phone": "01434 555 027"},
        {"name": "Alnwick", "address": "8 Brewery Yard", "phone": "01665 555 033"},
    ]


async def test_words_for_fuels_and_gearboxes_are_told_apart(browser: Browser, site: Site) -> None:
    cars = [
        ("Volta Pico", "£6,495", "Petrol", "Manual"),
        ("Sable Estate", "£9,750", "Diesel", "Automatic"),
        ("Lumen City", "£13,200", "Electric", "Automatic"),
    ]
    row = "<li class=car><h3>{0}</h3><ul><li>{2}</li><li>{3}</li></ul><b>{1}</b></li>"
    body = f"<h1>Cars</h1><ul>{''.join(row.format(*car) for car in cars)}</ul>"
    schema = listed(title="string", transmission="string", fuelType="string", color="string")
    answer = await extract(browser, site, body, schema, minConfidence=0)
    assert [(row["transmission"], row["fuelType"], row.get("color")) for row in answer["data"]] == [
        ("Manual", "Petrol", None),
        ("Automatic", "Diesel", None),
        ("Automatic", "Electric", None),
    ]
    rows = await data_of(browser, site, body, listed(title="string", price="string", color="string"), minConfidence=0)
    assert not any("color" in row for row in rows), rows


async def test_a_mark_that_is_a_name_or_its_opposite_says_yes_or_no(browser: Browser, site: Site) -> None:
    mails = (("Unread", "Nadia Osei", "Roof quote"), ("Unread", "Parish", "Supper"), ("Read", "Library", "Loan"))
    row = "<tr><td><span title={0}></span></td><td>{1}</td><td>{2}</td></tr>"
    body = "".join(row.format(*mail) for mail in mails)
    body = f"<table><tr><th></th><th>From</th><th>Subject</th></tr>{body}</table>"
    rows = await data_of(browser, site, body, listed(sender="string", subject="string", isUnread="boolean"))
    assert [(row["sender"], row["isUnread"]) for row in rows] == [
        ("Nadia Osei", True),
        ("Parish", True),
        ("Library", False),
    ]


async def test_a_relative_date_keeps_its_first_word(browser: Browser, site: Site) -> None:
    row = "<article><h3>{}</h3><p>opened <time>{}</time></p></article>"
    dates = ("3 days ago", "last week", "last month")
    body = "".join(row.format(name, date) for name, date in zip(("Crash", "Typo", "Drop 3.8"), dates, strict=True))
    rows = await data_of(browser, site, body, listed(title="string", opened="string"))
    assert [row["opened"] for row in rows] == list(dates)
