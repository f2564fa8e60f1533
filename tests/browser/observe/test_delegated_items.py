"""Items of elements whose listener is for what is in them: lists, tables, trees, boards, submenus."""

from agentbrowser.protocol.types.action import ClickOptions
from agentbrowser.protocol.types.selector import Ref
from tests.browser.watched_page import Scenarios, WatchedTab

LISTEN = """<script>for (const e of document.querySelectorAll('[data-on]'))
  for (const type of (e.dataset.on || 'click').split(' ')) e.addEventListener(type, () => {})</script>"""


OPTIONS = "<li>Red</li><li>Green</li><li>Blue</li>"
TREE = """<ul data-on><li><span>Animals</span><ul><li><span>Cat</span></li><li>Dog</li></ul></li>
<li><span>Plants</span></li></ul>"""
DAYS = "".join(f"<tr>{''.join(f'<td>{week * 7 + day}</td>' for day in range(1, 8))}</tr>" for week in range(2))
WORDS = "word " * 60

COLUMN = "<div class=col style='width:300px;height:500px'><h3>{0}</h3><div class=card data-id={0}1>{0} one</div></div>"
COLUMNS = "".join(map(COLUMN.format, ("Open", "Busy", "Done")))
BOARD = f"<div data-on='{{}}' style='display:flex;height:600px'>{COLUMNS}</div>"
SHEET = """<table data-on=dblclick style='border-spacing:20px'><tr><th><th>A<th>B<tr><th>1<td>Rent<td>
<tr><th>2<td>Food<td></table>"""
EDGE = "<span data-on='click dblclick' style='width:6px;height:26px'></span>"
EDGED = f"<div role=row style='display:flex'><div role=gridcell>{{}}</div>{EDGE}<div role=gridcell>7</div>{EDGE}</div>"
CARDS = "<div class=card>{}</div><div class=card>{}</div>"
SORTABLE = "<div data-on='{}' style='width:300px;height:300px'>{}</div>"
TODO = "<li><input type=checkbox> <label>Milk</label> <button>Drop</button></li>"
ICONS = ["Save", "Cut", "Run"]
TOOL = """<div class=tool data-name={0} style='padding:4px 9px;display:inline-block'>
<x-tool tabindex=0 aria-label={0} style='cursor:pointer;display:inline-block'><template shadowrootmode=open>
<button aria-label={0} style='cursor:inherit'><slot></slot></button></template>
<svg data-icon={0} width=16 height=16><rect width=16 height=16 /></svg></x-tool></div>"""
MONTH = (
    "<div data-on style='display:flex'>"
    + "".join(
        f"<div class=day data-date=2026-11-0{day} style='width:90px;height:90px'><b>{day}</b></div>"
        for day in (1, 2, 3)
    )
    + "</div>"
)

# Pages with a listener on an element that holds others, and the names of the elements to list.
DELEGATED: dict[str, tuple[str, list[str]]] = {
    "a list": (f"<ul data-on>{OPTIONS}</ul>", ["Red", "Green", "Blue"]),
    "a wrapped list": (
        f"<div data-on style='width:200px'><div><ul>{OPTIONS}</ul></div></div>",
        ["Red", "Green", "Blue"],
    ),
    "a list below a wrapper that claims the cursor": (
        "<div style='cursor:pointer;width:90px;height:20px;position:relative' onclick=''>Colour"
        f"<div data-on style='position:absolute;top:20px;width:90px'><ul>{OPTIONS}</ul></div></div>",
        ["Colour Red Green Blue", "Red", "Green", "Blue"],
    ),
    "the icons of buttons": (
        "<div data-on style='width:200px'>"
        + "".join(f"<button>{word}<svg class=i width=20 height=20></svg></button>" for word in ("Back", "On"))
        + "</div>",
        ["Back", "On"],
    ),
    "the words of labels": (
        "<div data-on style='width:300px'>"
        + "".join(
            f"<label><input type=radio name=a><span class=t>{word}</span></label>" for word in ("Red", "Tan", "Blue")
        )
        + "</div>",
        ["Red", "Tan", "Blue"],
    ),
    "numbers of the lines of an editor": (
        f"<div aria-hidden=true><div data-on style='width:40px'>{'<div class=n>1</div>' * 3}</div></div>",
        ["1 1 1"],
    ),
    "words with keys of their translations": (
        "<form data-on><b data-i18n=app.red>Red</b> <b data-i18n=app.tan>Tan</b> <button>Go</button></form>",
        ["Red Tan", "Go"],
    ),
    "icons in the slots of buttons, in wrappers for presses": (
        f"<div data-on='click mousedown' style='width:400px'>{''.join(map(TOOL.format, ICONS))}</div>",
        ICONS,
    ),
    "a table among outputs": (
        "<div data-on='click mousedown' style='width:400px;height:300px'>"
        + "".join(f"<p></p><div class=out>{word}</div>" for word in ("One", "Two", "Six"))
        + "<div class=out><table><tr><th>Name<th>Sum<tr><td>Ada<td>7</table></div></div>",
        ["One", "Two", "Six"],
    ),
    "a menu": ("<div role=menu data-on><div>Cut</div><div>Copy</div></div>", ["Cut", "Copy"]),
    "alike children": (
        "<div data-on style='width:90px'><div class=opt>S</div><div class='opt on'>M</div><div class=opt>L</div></div>",
        ["S", "M", "L"],
    ),
    "rows": (
        "<table data-on><thead><tr><th>Order<th>State</thead><tr><td>Order 1001<td>Paid"
        "<tr><td>Order 1002<td>Open</table>",
        ["Order 1001 Paid", "Order 1002 Open"],
    ),
    "a sortable header with arrows": (
        "<table><tr><th data-on tabindex=0 aria-label=Total style='cursor:pointer'>Total <b><span role=img class=i"
        " aria-label=up>^</span><span role=img class=i aria-label=down>v</span></b></th></tr></table>",
        ["Total"],
    ),
    "a calendar": (f"<table data-on>{DAYS}</table>", [str(day) for day in range(1, 15)]),
    "a tree": (TREE, ["Animals", "Cat", "Dog", "Plants"]),
    "items without a control among others": (
        f"<ul data-on>{OPTIONS}<li><a href=#>More</a></li></ul>",
        ["Red", "Green", "Blue", "More"],
    ),
    "buttons in items": ("<ul data-on><li>Ann <button>X</button><li>Bob <button>Y</button></ul>", ["X", "Y"]),
    "words of an editor": (
        "<div data-on=mousedown style='width:300px'><pre style='cursor:text'><b class=k>SELECT</b> <i class=k>a</i> "
        "<span class=k>FROM</span> <i class=k>b</i> <span class=k>WHERE</span> <span class=k>c</span></pre></div>",
        ["SELECT a FROM b WHERE c"],
    ),
    "a window with a form": (
        "<div data-on=mousedown style='width:600px;height:500px'>"
        + "".join(f"<div class=row>{name} <input aria-label={name}></div>" for name in ("Host", "Port", "User"))
        + "<div class=row><button>Close</button> <button>Reset</button> <button>Save</button></div></div>",
        ["Host", "Port", "User", "Close", "Reset", "Save"],
    ),
    "a dialog that presses move": (
        "<div data-on=mousedown><div role=dialog data-on=mousedown style='width:600px;height:500px'>"
        + "".join(f"<div class=box>{words}</div>" for words in ("Really?", "It is lost", "Log"))
        + "<button>No</button> <button>Yes</button></div></div>",
        ["No", "Yes"],
    ),
    "parts that a library names": (
        "<div data-on=mousedown style='width:600px;height:500px'>"
        "<div data-wp-component=Flex>Author</div><div data-wp-component=Item>Date</div></div>",
        ["Author Date"],
    ),
    "an item": ("<ul><li data-on>One</li><li data-on>Two</li></ul>", ["One", "Two"]),
    "a row with a listener of its own": (
        "<table><tr data-on><td class=c>A<td class=c>B<td class=c>C"
        "<tr data-on><td class=c>D<td class=c>E<td class=c>F</table>",
        ["A B C", "D E F"],
    ),
    # Roots of frameworks and of analytics: nothing in them gets clickable.
    "the document": (f"<ul>{OPTIONS}</ul><script>document.addEventListener('click', () => {{}})</script>", []),
    "the body": (f"<ul>{OPTIONS}</ul><script>document.body.addEventListener('click', () => {{}})</script>", []),
    "a root with several parts": (
        f"<div data-on><header>Shop</header><ul>{OPTIONS}</ul><p>{WORDS}</p>"
        "<a href=#>Link</a><button>Go</button></div>",
        ["Link", "Go"],
    ),
    "a large root around one list": (
        f"<div data-on style='height:690px'><div><ul>{OPTIONS}</ul></div><a href=#>Link</a></div>",
        ["Link"],
    ),
    "the main part": (
        "<main data-on><div class=stat>1</div><div class=stat>2</div><div class=stat>3</div></main>",
        ["1 2 3"],
    ),
    "a sheet with double clicks": (SHEET, ["Rent", "B", "Food", "B"]),
    "rows with double clicks": (
        "<table data-on=dblclick><tr><td>Plan.txt<td>12 KB<tr><td>List.txt<td>3 KB</table>",
        ["Plan.txt 12 KB", "List.txt 3 KB"],
    ),
    "a sheet with edges of columns": (
        f"<div role=grid data-on=dblclick>{EDGED.format('Ann')}{EDGED.format('Bob')}</div>",
        ["Ann", "7", "Bob", "7"],
    ),
    "a board with drags": (BOARD.format("pointerdown"), ["Open one", "Busy one", "Done one"]),
    "a board with clicks": (BOARD.format("click"), ["Open one", "Busy one", "Done one"]),
    "a column with two cards": (SORTABLE.format("mousedown", CARDS.format("One", "Two")), ["One", "Two"]),
    "a column with one card": (SORTABLE.format("mousedown", "<div class=card>One</div>"), ["One"]),
    "a month": (MONTH, ["1", "2", "3"]),
    "items with controls that are double-clicked": (
        f"<ul data-on='click dblclick'>{TODO}{TODO.replace('Milk', 'Bread')}</ul>",
        ["Milk", "Milk", "Drop", "Bread", "Bread", "Drop"],
    ),
    "a drop-down that is open": (
        "<div data-on style='width:90px;height:20px'><span>Colour</span><div style='position:absolute'>"
        "<div class=o>Red</div><div class=o>Green</div><div class=o>Blue</div></div></div>",
        ["Colour", "Red", "Green", "Blue"],
    ),
    "a drop-down that is closed": (
        "<div data-on style='width:90px;height:20px'><span>Colour</span><div hidden>"
        "<div class=o>Red</div><div class=o>Green</div><div class=o>Blue</div></div></div>",
        ["Colour"],
    ),
    "stars": (
        f"<div data-on style='width:90px'>{''.join(f'<span class=s data-value={n}>★</span>' for n in (1, 2))}</div>",
        ["★ 1", "★ 2"],
    ),
    "a submenu": (
        "<style>li { cursor: pointer }</style><ul data-on><li>File<ul><li>New</li><li>Open</li></ul></li>"
        "<li>Edit</li></ul>",
        ["File", "New", "Open", "Edit"],
    ),
    "a submenu of an item with a listener": (
        "<ul><li data-on>File<div><ul><li>New</li><li>Open</li></ul></div></li><li data-on>Edit</li></ul>",
        ["File", "New", "Open", "Edit"],
    ),
    "a submenu with listeners": (
        "<ul><li data-on>File<ul><li data-on>New</li><li data-on>Open</li></ul></li><li data-on>Edit</li></ul>",
        ["File", "New", "Open", "Edit"],
    ),
    "a submenu below links": (
        "<ul data-on><li><a href=#>File</a><ul><li>New</li><li>Open</li></ul></li><li><a href=#>Edit</a></li></ul>",
        ["File", "New", "Open", "Edit"],
    ),
    "actions of the document": (
        "<div data-action=save>Save</div><button data-action=drop>Drop</button><p data-action=none></p>"
        "<script>document.addEventListener('click', () => {})</script>",
        ["Save", "Drop"],
    ),
    "actions without a listener": ("<div data-action=save>Save</div>", []),
    "actions of a page's root": (
        "<div data-on><main><div data-id=1>Ann <button>X</button></div><div data-id=2>Bob <button>Y</button></div>"
        "<span data-action=add>Add</span></main></div>",
        ["X", "Y", "Add"],
    ),
    "a page's root with drags": (
        "<div data-on=mousedown style='height:690px'><main><div class=c>One</div><div class=c>Two</div>"
        "<div class=c>Three</div></main><button>Go</button></div>",
        ["Go"],
    ),
    "tiles of a map": (
        "<div data-on='mousedown click' title=Map style='height:600px'>"
        + "<img class=tile width=90 height=90 src=/nowhere>" * 3
        + "</div>",
        ["Map"],
    ),
    "things to be moved": ("<style>p { cursor: grab }</style><p>One <b>card</b></p><p>Two</p>", ["One card", "Two"]),
}


def test_items_of_a_list_with_a_listener_are_listed_one_by_one(scenarios: Scenarios) -> None:
    shown: dict[str, list[str | None]] = {}

    async def scenario(tab: WatchedTab) -> None:
        for case, (markup, _) in DELEGATED.items():
            await tab.page.set_content(f"<!doctype html><style>* {{ list-style: none }}</style>{markup}{LISTEN}")
            shown[case] = [element.name for element in (await tab.see()).values()]

    scenarios.look_at("/nowhere", scenario)
    assert shown == {case: names for case, (_, names) in DELEGATED.items()}


HOLDER = """<div id=holder style='height:650px'><main><p class=a>One</p><p class=b data-row-id=1>Two</p><em>Three</em>
<button>Four</button></main></div><script>{}</script>"""
LOOKED_FOR: dict[str, tuple[str, list[str]]] = {
    "a selector": (
        "holder.onclick = e => { const row = e.target.closest('.b'); if (!row) return; open(row) }",
        ["Two"],
    ),
    "a selector, and the context of what it has found": (
        "holder.onclick = e => { const hit = e.target.closest('.b'); if (hit) open(hit.closest('main')) }",
        ["Two"],
    ),
    "several": (
        "holder.onclick = e => e.target.matches('.a, .b') && open(e.target.closest(\"em\"))",
        ["One", "Two", "Three"],
    ),
    "a class": ("holder.onclick = e => { if (e.target.classList.contains('b')) open() }", ["Two"]),
    "a key": ("holder.onclick = e => { if (e.target.dataset.rowId) open() }", ["Two"]),
    "a tag": ("holder.onclick = e => { if (e.target.tagName !== 'EM') return; open() }", ["Three"]),
    "all but one": (
        "holder.onclick = e => { if (e.target.closest('.a')) return; if (!e.target.closest('.b')) hide() }",
        [],
    ),
    "a listener of the document": (
        "document.addEventListener('dblclick', e => e.target.closest('em')?.edit())",
        ["Three"],
    ),
    "jQuery": (
        "holder.jQuery351 = { events: { mousedown: [{ selector: '.b:not(.on)', handler() {} }, { selector: '!' }] } }",
        ["Two"],
    ),
    "React": ("document.querySelector('em').__reactProps$x1 = { onDoubleClick() {} }", ["Three"]),
    "Alpine": (
        "holder.setAttribute('@click.self', `$event.target.closest('.b')`); holder.onclick = open.bind()",
        ["Two"],
    ),
    "Vue": (
        "holder.addEventListener('click', Object.assign(() => 0, { value: e => e.target.closest('.b') }))",
        ["Two"],
    ),
    "a getter that throws": ("Object.defineProperty(holder, 'jQuery1', { enumerable: true, get() { throw 1 } })", []),
}


def test_elements_that_a_handler_looks_for_are_listed(scenarios: Scenarios) -> None:
    shown: dict[str, list[str | None]] = {}

    async def scenario(tab: WatchedTab) -> None:
        for case, (script, _) in LOOKED_FOR.items():
            await tab.page.set_content(f"<!doctype html>{HOLDER.format(script)}")
            shown[case] = [element.name for element in (await tab.see()).values()]

    scenarios.look_at("/nowhere", scenario)
    assert shown == {case: [*names, "Four"] for case, (_, names) in LOOKED_FOR.items()}


def test_elements_for_double_clicks_are_marked(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        elements = (await tab.see()).values()
        assert {element.name: element.double_click for element in elements} == {
            "Rent": True,
            "Both": None,
            "Title": True,
            "Tax": True,
        }
        assert {hint for element in elements for hint in element.action_hints} == {"clickable"}

    scenarios.markup(
        """<!doctype html><p data-on=dblclick>Rent</p><p data-on='click dblclick'>Both</p>
        <div data-on=dblclick><ul><li>Title</li><li>Tax</li></ul></div>"""
        + LISTEN,
        scenario,
    )


async def _clicked(tab: WatchedTab, ref: str) -> str:
    """Click an element at the point where actions click, and return the first words of the item that was hit."""
    await tab.page.evaluate("addEventListener('click', e => { window.hit = e.target.firstChild.data.trim() }, true)")
    tab.css_by_ref[ref] = await tab.refs.resolve(ref)
    await tab.actions.click(Ref(value=ref), ClickOptions(timeout_ms=15_000))
    return str(await tab.page.evaluate("window.hit"))


def test_a_click_on_a_branch_hits_its_words_and_not_the_items_in_it(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        assert [await _clicked(tab, ref) for ref in ("@folder", "@one")] == ["Folder", "One"]

    tree = "<ul><li onclick=''>Folder<ul><li>One</li><li>Two</li></ul></li><li onclick=''>Other</li></ul>"
    scenarios.look(f"<!doctype html>{tree}", scenario)
