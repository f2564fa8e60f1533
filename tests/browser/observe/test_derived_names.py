"""Names of elements that the standards leave nameless, and fields of which nothing shows."""

from agentbrowser.protocol.types.element import InteractiveElement
from tests.browser.watched_page import Scenarios, WatchedTab


def _shown(element: InteractiveElement) -> str:
    return f"{element.role} {'~' if element.name_from == 'derived' else ''}{element.name or '-'}"


HIDDEN = "position:absolute;clip:rect(0 0 0 0);width:1px;height:1px"
BOX = "display:inline-block;width:20px;height:20px"
# Each markup with the roles and names of its elements; `~` marks a derived name.
NAMES: dict[str, tuple[str, list[str]]] = {
    "click-only": (
        "<div onclick=''>Blue card</div><li onclick=''>Red <b>card</b></li>",
        ["generic ~Blue card", "listitem ~Red card"],
    ),
    "the key of a tooltip": (
        f"<b onclick='' data-tooltip=hOvAd5UQKmwfC10BR9zV- style='{BOX}'></b>"
        f"<b onclick='' data-tip=Star style='{BOX}'></b>",
        ["generic -", "generic ~Star"],
    ),
    "handles of a slider": (
        "<div>Pick one</div><div><div><div role=slider tabindex=0 aria-valuenow=2><p>20.00</p></div></div>"
        "<div><div role=slider tabindex=0 aria-valuenow=8><p>80.00</p></div></div></div>"
        "<div role=combobox tabindex=0 style='height:20px'></div>",
        ["slider ~Pick one", "slider -", "combobox -"],
    ),
    "a field in the place of one that is hidden": (
        "<label for=day>Delivery</label><input id=day type=hidden><input>",
        ["textbox ~Delivery"],
    ),
    "an icon with the id of a field": (
        "<a href=# id=on><i class='fa fa-check' style='display:inline-block;width:9px;height:9px'></i></a>"
        "<label for=on>Active</label><input id=on>",
        ["link ~check", "textbox ~Active"],
    ),
    "bare words in a shadow root": (
        "<div onclick=''><template shadowrootmode=open>Blue <b>card</b></template></div>",
        ["generic ~Blue card"],
    ),
    "a box among the headers of columns": (
        "<table><tr><th><input type=checkbox><th><th>Name<th>Age<tr><td><input type=checkbox><td>Ann<td>20</table>"
        "<table><tr><td><input type=checkbox><th>Bob<td>20</table>",
        ["checkbox -", "checkbox ~Ann", "checkbox ~Bob"],
    ),
    "the numbers of lines beside an editor": (
        "<div><div aria-hidden=true><p>1</p><p>2</p></div><div contenteditable role=textbox>x</div></div>"
        "<div>3 <input></div>",
        ["textbox -", "textbox ~3"],
    ),
    "what is wrong with the value of a field": (
        "<div>Title<p id=no>This field is required.</p><input aria-invalid=true aria-describedby=no></div>"
        "<div><input><p role=alert>This field is required.</p></div>",
        ["textbox ~Title", "textbox -"],
    ),
    "a field beside the text of a row that is edited in place": (
        "<div data-testid=payee><div id=in-place><b>Ann</b></div></div><div data-testid=notes><input></div>"
        "<script>document.getElementById('in-place').addEventListener('click', () => {})</script>"
        "<div><div>Age</div><input data-testid=age-field></div>",
        ["generic ~Ann", "textbox ~notes", "textbox ~Age"],
    ),
    "the words of tests": (
        f"<div data-testid=cleared><b onclick='' data-testid=cell-button style='{BOX}'></b></div>"
        f"<div>Row <b onclick='' data-cy=row-12 style='{BOX}'></b><b onclick='' data-cy=pin style='{BOX}'></b></div>",
        ["generic ~cleared cell button", "generic -", "generic ~pin"],
    ),
    "a long id for tests that is no words": (  # a pattern that tries every division of its letters never ends
        f"<b onclick='' data-testid={'a' * 60}1 style='{BOX}'></b>",
        ["generic -"],
    ),
    "labels that are drawn stars": (
        f"<input type=radio id=one aria-label=One style='{HIDDEN}'><label for=one><i style='{BOX}'></i></label>",
        ["radio One"],
    ),
    "a button for a direction": ("<button data-direction=next><i></i></button>", ["button ~next"]),
    "a button that is named by its key": (
        "<button title=View>F3</button><button title=Top>Go</button><button>F4</button>",
        ["button ~F3 View", "button Go", "button F4"],
    ),
    "a value that is the word": ("<div onclick='' data-value=a>a</div>", ["generic ~a"]),
    "an option with a hint": (
        "<style>.at::after { content: 'Press to select' }</style><div role=listbox><div role=option class=at>Go</div>"
        "<div role=option>Art</div><div role=option><b class=at>Tea</b></div><div role=option><b class=on>Rum</b></div>"
        "</div><style>.on::after { content: 'Selected'; display: block }</style>",
        ["option Go", "option Art", "option Tea", "option Rum Selected"],
    ),
    "draggable": (
        "<div draggable=true>Write tests</div><li draggable=true>Ship</li>",
        ["generic ~Write tests", "listitem ~Ship"],
    ),
    "columns of cards": (
        "".join(
            f"<section draggable=true>{head}<p>{'Draft the letter of the summer. ' * 4}</p>"
            "<button>Add</button><button>More</button></section>"
            for head in ("<div><b>To do</b> 4</div>", "<p>Later</p><h3>Done</h3>")
        ),
        ["generic ~To do 4", "button Add", "button More", "generic ~Done", "button Add", "button More"],
    ),
    "canvas": (
        "<label>Sketch</label><canvas onclick=''></canvas><canvas onclick='' title=Board></canvas>",
        ["generic ~Sketch", "generic Board"],
    ),
    "canvas beside a menu": (
        "<div>File<ul><li>Open</ul></div><canvas onclick=''></canvas><h3>Map</h3><canvas onclick=''></canvas>",
        ["generic -", "generic ~Map"],
    ),
    "file": (
        "<p>Invoice: <input type=file></p><label>Logo <input type=file></label>",
        ["file ~Invoice", "file Logo"],
    ),
    "file alone": ("<input type=file>", ["file Choose File"]),
    "terms": (
        "<dl><dt aria-label=Term onclick=''>x</dt><dd aria-label=Meaning onclick=''>y</dd></dl>"
        "<button><span role=generic>Send</span></button>",
        ["term Term", "definition Meaning", "button Send"],
    ),
    "file behind a button": (
        "<button>Pick a photo</button><input type=file style='position:absolute;clip:rect(0 0 0 0)'>",
        ["button Pick a photo", "file ~Pick a photo"],
    ),
    "editor": ("<div>Message</div><div contenteditable>typed text</div>", ["textbox ~Message"]),
    "editor with a placeholder": (
        "<div contenteditable data-placeholder='Write a reply' role=textbox>x</div>",
        ["textbox ~Write a reply"],
    ),
    "use": ("<button><svg width=9 height=9><use href='#trash'/></svg></button>", ["button ~trash"]),
    "sprite file": (
        "<a href=#><svg width=9 height=9><use href='/i.svg#icon-arrow-left'/></svg></a>",
        ["link ~arrow left"],
    ),
    "data-icon": ("<button><svg data-icon=pencil width=9 height=9></svg></button>", ["button ~pencil"]),
    "icon font": ("<button><i class='fa fa-lg fa-shopping-cart'></i></button>", ["button ~shopping cart"]),
    "icon class": ("<div class='icon-close' style='width:9px;height:9px' onclick=''></div>", ["generic ~close"]),
    "a library is no icon": (
        "<i class='el-icon el-select__caret' style='display:block;height:9px' onclick=''></i>"
        "<div class='ag-header-icon' style='height:9px' onclick=''></div>"
        "<i class='ag-icon ag-icon-menu' style='display:block;height:9px' onclick=''></i>"
        "<i class='p-icon' style='display:block;height:9px' onclick=''></i>"
        "<i class='p-icon p-rating-icon' style='display:block;height:9px' onclick=''></i>",
        ["generic -", "generic -", "generic ~menu", "generic -", "generic ~rating"],
    ),
    "the place of an icon in a component": (
        "<button class='v-bar-icon v-btn--icon'><i class='mdi-menu mdi v-icon'></i></button>"
        "<button><span class=kit-ActionIcon-icon><svg width=9 height=9></svg></span></button>"
        "<button><svg class=p-dropdown-trigger-icon width=9 height=9></svg></button>",
        ["button ~menu", "button -", "button -"],
    ),
    "a field behind a component with one of its own": (
        "<p>Size</p><x-one><template shadowrootmode=open><label>Guests <input></label></template></x-one>"
        "<x-two><template shadowrootmode=open><input></template></x-two>",
        ["textbox Guests", "textbox -"],
    ),
    "the ends of the scale of a slider": (
        "<div><label>Volume</label><div><span>0</span><div role=slider tabindex=0 aria-valuenow=3>"
        "<i style='display:block;height:9px'></i></div><span>100</span></div></div>",
        ["slider ~Volume"],
    ),
    "ligature": ("<div onclick='' class=material-icons>more_vert</div>", ["generic ~more vert"]),
    "image file": ("<button><img src='/img/zoom-in.png?v=3' width=9 height=9></button>", ["button ~zoom in"]),
    "field of a row": ("<table><tr><td>City<td><input></table>", ["textbox ~City"]),
    "column header": ("<table><tr><th>Item<th>Qty<tr><td>Mug<td><input></table>", ["textbox ~Qty"]),
    "column header of two": (
        "<table><tr><th>Item<th>Both<tr><td>Mug<td>From <input> to <input></table>",
        ["textbox ~From", "textbox ~to"],
    ),
    "ticked": ("<p><input type=checkbox> Remember me</p>", ["checkbox ~Remember me"]),
    "ticked in a row": ("<table><tr><th><th>Name<tr><td><input type=checkbox><td>Ann</table>", ["checkbox ~Ann"]),
    "switch of a column beside the value of another cell": (
        "<table><tr><th>Name<th>Active<th>Last login<tr><td>Ada<td><i role=switch tabindex=0 style='width:9px;"
        "height:9px;display:block'></i><td>2026-01-05<tr><td>Cy<td><input type=checkbox><td>—</table>",
        ["switch ~Active", "checkbox ~Active"],
    ),
    "switch without a header": (
        "<table><tr><td>Ada<td><input type=checkbox><td>2026-01-05<tr><td>Cy<td><input type=checkbox> On<td>—</table>",
        ["checkbox -", "checkbox ~On"],
    ),
    "field in a column without a header": (
        "<table><tr><th>Name<th>Login<th><tr><td>Ada<td>ada@x.org<td><input></table>",
        ["textbox -"],
    ),
    "headers of several columns": (
        "<table><tr><th colspan=2>Contact<th>Active<tr><td>ada@x.org<td><input><td><input type=checkbox></table>",
        ["textbox ~Contact", "checkbox ~Active"],
    ),
    "labels and fields side by side": (
        "<table><tr><td>City<td><input><td>Zip<td><input><tr><th>Country<td><select></select></table>",
        ["textbox ~City", "textbox ~Zip", "combobox ~Country"],
    ),
    "icon button beside the value of another cell": (
        "<table><tr><th>Name<th>Status<th><tr><td>Ada<td><span>Paid</span><td>"
        "<button><svg width=9 height=9></svg></button></table>",
        ["button -"],
    ),
    "icon behind the words of an item": (
        "<ul><li><span>Tag: Green</span><i style='cursor:pointer' onclick=''><svg width=9 height=9></svg></i></ul>",
        ["generic -"],
    ),
    "icon button alone in its column": (
        "<table><tr><th>Name<th>Remove<tr><td>Ada<td><button><svg width=9 height=9></svg></button></table>",
        ["button ~Remove"],
    ),
    "legend": ("<fieldset><legend>Address</legend><p><input></p></fieldset>", ["textbox ~Address"]),
    "no label of another control": (
        "<p>First <input id=a></p><p><input id=b><input></p>",
        ["textbox ~First", "textbox -", "textbox -"],
    ),
    "accessible names are kept": (
        "<button aria-label=Save><i class='fa fa-trash'></i></button><input placeholder=Mail>",
        ["button Save", "textbox Mail"],
    ),
    "a secret is no name": ("<div contenteditable style='-webkit-text-security: disc'>hunter2</div>", ["textbox -"]),
    "hidden text is no name": ("<div onclick=''><i hidden>secret</i>Shown</div>", ["generic ~Shown"]),
    "editor with a placeholder in the style sheet": (
        "<style>.e:empty::before { content: attr(data-x) }</style><div class=e contenteditable data-x='Say hi'></div>",
        ["textbox ~Say hi"],
    ),
    "paragraph with a placeholder in the style sheet": (
        "<style>.b::before { content: 'Write' }</style><div contenteditable><p class=b><br></div>",
        ["textbox ~Write"],
    ),
    "editor below its placeholder": (
        "<div><div class=ed-placeholder>Tell us</div><div><div contenteditable role=textbox></div></div></div>",
        ["textbox ~Tell us"],
    ),
    "symbols with tooltips": (
        "<button title=Close>×</button><button data-tooltip='Edit row'>✎</button><button data-tip=More>⋮</button>"
        "<button data-bs-original-title=Menu>☰</button><button>×<i role=tooltip hidden>Remove</i></button>"
        "<button aria-describedby=d>✓</button><p id=d>Mark as read</p><button>+</button>",
        [
            *("button ~× Close", "button ~✎ Edit row", "button ~⋮ More", "button ~☰ Menu", "button ~× Remove"),
            *("button ~✓ Mark as read", "button +"),
        ],
    ),
    "a tooltip of the style sheet that shows on hover": (
        "<style>b:hover::after { content: attr(data-label) } a::after { content: attr(data-x); visibility: hidden }"
        "</style><b role=button data-label='Delete row'>×</b><a href=# data-x='Open row'>↗</a>",
        ["button ~× Delete row", "link ~↗ Open row"],
    ),
    "a hidden text with a code of no character": (
        "<style>button::after { content: '\ufffdA0'; visibility: hidden }</style>"
        "<button><svg width=9 height=9></svg></button>",
        ["button -"],
    ),
    "words need no tooltip": ("<button title='Sends the form'>Send</button>", ["button Send"]),
    "glyphs of icon fonts": (
        "<style>i::before { content: '\\f1f8' }</style><button><i class='bi bi-trash'></i></button>"
        "<button title=Bin><i></i></button><button><i class='bi bi-star'></i> Star</button>",
        ["button ~trash", "button ~Bin", "button \uf1f8 Star"],
    ),
    "icon libraries": (
        "<button><i class='ph ph-gear'></i></button><button><i class='glyphicon glyphicon-cog'></i></button>"
        "<button><iconify-icon icon='mdi:home'></iconify-icon></button>"
        "<button><svg data-testid=DeleteIcon></svg></button>"
        "<button><svg class='icon icon-tabler icon-tabler-bell'></svg></button>",
        ["button ~gear", "button ~cog", "button ~home", "button ~Delete", "button ~bell"],
    ),
    "purpose in a class": ("<button class='btn btn-close'></button>", ["button ~close"]),
    "address of a link": ("<a href='/shop/my-cart?x=1'><svg width=9 height=9></svg></a>", ["link ~my cart"]),
    "items of a list are no labels": (
        "<div class=c onclick=''>One</div><div class=c onclick='' style='height:9px'></div>",
        ["generic ~One", "generic -"],
    ),
    "a combobox with a list elsewhere": (
        "<button aria-labelledby='q z'>x</button><span id=q>Size</span><div id=z role=combobox aria-owns=o></div>"
        "<div role=listbox id=o><div role=option aria-selected=true>Large</div></div>",
        ["button Size Large", "option Large"],
    ),
    "hitarea of a tree": (
        "<ul><li><div onclick='' style='width:9px;height:9px'></div><span>Folder</span></li></ul>",
        ["generic ~Folder"],
    ),
    "a class says more than a file of all icons": (
        "<i class='hit expandable-hit' onclick='' style='display:block;height:9px;background:url(/tree.gif)'></i>"
        "<i onclick='' style='display:block;height:9px;background:url(/trash.png)'></i>",
        ["generic ~expandable", "generic ~trash"],
    ),
    "spinner of jQuery UI": (
        "<a role=button class='ui-button ui-spinner-up' style='display:block;height:9px'>"
        "<span class='ui-button-icon ui-icon ui-icon-triangle-1-n'></span></a>",
        ["button ~up"],
    ),
    "icons of a font": (
        "<style>.trash::before { content: '\\f1f8' }</style><button><i class='trash icon'></i></button>"
        "<button><i class='x-icon x-icon-filter' style='display:block;width:9px;height:9px'></i></button>",
        ["button ~trash", "button ~filter"],
    ),
    "the icon of a control in a combobox": (
        "<div role=combobox tabindex=0><span>Red</span><button aria-label=Remove><svg width=9 height=9 data-icon=cross>"
        "</svg></button></div>",
        ["combobox -", "button Remove"],
    ),
    "a description that several have": (
        "<b id=how hidden>Click to drag</b><b id=which hidden>Notes</b>"
        "<button aria-describedby=how><i class=icon-files></i></button>"
        "<button aria-describedby=how><i class=icon-chat></i></button><button aria-describedby=which></button>",
        ["button ~files", "button ~chat", "button ~Notes"],
    ),
    "the label of a button without a value": (
        "<label for=city>City</label><button id=city aria-labelledby=value><i id=value></i><svg width=9 height=9></svg>"
        "</button>",
        ["button ~City"],
    ),
    "several in a cell without words": (
        "<table><tr><th>Load<tr><td><svg width=40 height=9><g class=bar onclick=''><rect width=9 height=9 /></g>"
        "<g class=bar onclick=''><rect x=20 width=9 height=9 /></g></svg></table>",
        ["generic -", "generic -"],
    ),
    "icons of another state": (
        "<button><i class='icon-expanded' style='display:none'></i><i class='icon-collapsed'></i></button>"
        "<button><i class='icon-expanded' style='display:none'></i></button>",
        ["button ~collapsed", "button -"],
    ),
    "rows whose label says how to use each": (
        "<div role=grid><div role=row aria-label='Press SPACE' onclick=''><div role=gridcell>Ann 7</div></div>"
        "<div role=row aria-label='Press SPACE' onclick=''><div role=gridcell>Bob <a href=x>9</a></div></div></div>"
        "<div role=row aria-label='Press SPACE again' onclick=''><div role=gridcell>Eve</div></div>"
        "<div role=row aria-label='Mail of Kim' onclick=''><div role=gridcell>Kim</div></div>",
        ["row ~Ann 7", "row ~Bob 9", "link 9", "row ~Eve", "row Mail of Kim"],
    ),
    "several fields beside the header of a row": (
        "<table><tr><th>Day<td><select></select><td><input><tr><th>Town<td><input></table>"
        "<table><tr><th>Ann<th>Age<tr><th>Bob<td><input></table>",
        ["combobox ~Day", "textbox ~Day", "textbox ~Town", "textbox ~Age"],
    ),
    "labels of ids that no element has": (
        "<style>label { cursor: pointer }</style><div><label for=no>Name</label><p><input></p></div>"
        "<label for=no onclick=''>Help</label><input>",
        ["textbox ~Name", "generic ~Help", "textbox -"],
    ),
    "an icon beside a file field": (
        "<i class=material-icons aria-hidden=true>add_box</i><input type=file>",
        ["file Choose File"],
    ),
    "rows with a checkbox whose label is not drawn": (
        "<div role=grid><div role=row onclick=''><div role=gridcell tabindex=-1><input type=checkbox"
        " aria-label='Press Space (unchecked)'>Ann</div><div role=gridcell>7</div></div></div>",
        ["row ~Ann 7", "checkbox Press Space (unchecked)"],
    ),
    "shapes of a drawing by their classes": (
        "<svg><g class='ui-flow-port-output on'><rect class=ui-port width=9 height=9 onclick='' /></g><g class=css-1x>"
        "<rect class='bar hot' width=9 height=9 onclick='' /></g></svg>",
        ["generic ~output port rect", "generic ~bar rect"],
    ),
    "shapes of a drawing": (
        "<svg cursor=pointer><circle r=9 cx=9 cy=9 fill=blue onclick=''/><text y=9 onclick=''>9</text>"
        "<rect width=9 height=9 fill='#333' onclick=''/><path d='M0 0L.4 .4' stroke=red onclick=''/></svg>",
        ["img ~9", "generic ~blue circle", "generic ~9", "generic ~rect"],
    ),
    "a table is no label": ("<table><tr><td>Color<td>red<tr><td>Size<td>8</table><input>", ["textbox -"]),
}


def test_elements_without_a_name_get_one_from_what_is_shown(scenarios: Scenarios) -> None:
    shown: dict[str, list[str]] = {}

    async def scenario(tab: WatchedTab) -> None:
        for case, (markup, _) in NAMES.items():
            await tab.page.set_content(f"<!doctype html>{markup}")
            shown[case] = [_shown(element) for element in (await tab.see()).values()]

    scenarios.look_at("/nowhere", scenario)
    assert shown == {case: names for case, (_, names) in NAMES.items()}


# Fields of which nothing shows, and what is listed of each.
CLIPPED: dict[str, tuple[str, list[str]]] = {
    "clip": ("<input style='position:absolute;clip:rect(0,0,0,0)'>", []),
    "guard of the focus": (
        "<span tabindex=0 style='position:fixed;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)'></span>"
        "<i tabindex=0 aria-hidden=true style='position:fixed;width:1px;height:1px;opacity:0.001'></i>"
        "<a href=#x style='position:fixed;clip:rect(0,0,0,0)'>Skip</a>",
        ["link Skip"],
    ),
    "clip of one pixel": ("<input style='position:absolute;clip:rect(1px,1px,1px,1px)'>", []),
    "clip without effect": ("<input title=A style='clip:rect(0,0,0,0)'>", ["textbox A"]),
    "clip-path": ("<input style='clip-path:inset(50%)'><select style='clip-path:circle(0)'></select>", []),
    "clip-path of a part": ("<input title=A style='clip-path:inset(10% 2px round 3px)'>", ["textbox A"]),
    "collapsed panel": ("<div style='height:0;overflow:hidden'><p><input><a href=#>Link</a></div>", []),
    "outside of a collapsed panel": (
        "<div style='height:0;overflow:hidden'><input title=A style='position:absolute;top:40px'></div>",
        ["textbox A"],
    ),
    "below a list in a body without height": (
        "<body class=app><style>body { margin: 0; overflow: hidden } div { position: absolute; inset: 0 0 90px }"
        "p { height: 9000px }</style>"
        "<div style='overflow: auto'><button>First</button><p></p><button>Last</button></div>",
        ["generic -", "button First", "button Last"],
    ),
    "within a pixel": ("<span style='position:absolute;width:1px;height:1px;overflow:hidden'><input></span>", []),
    "checkbox with a label": (
        "<input type=checkbox id=k style='position:absolute;clip:rect(0,0,0,0)'><label for=k>Agree</label>",
        ["checkbox Agree"],
    ),
    "switch of a button with a label": (
        "<button role=switch id=k aria-checked=true style='position:absolute;clip:rect(0,0,0,0)'></button>"
        "<label for=k>Wifi <i style='display:inline-block;width:20px;height:9px;cursor:pointer'></i></label>",
        ["switch Wifi"],
    ),
    "checkbox within a pixel of its label": (
        "<label><span style='position:absolute;width:1px;height:1px;overflow:hidden'><input type=checkbox></span>"
        "Agree</label>",
        ["checkbox Agree"],
    ),
    "checkbox without one": ("<input type=checkbox style='position:absolute;clip:rect(0,0,0,0)'>", []),
    "file": ("<input type=file title=A style='position:absolute;clip:rect(0,0,0,0)'>", ["file ~A"]),
}


def test_a_field_that_is_clipped_to_nothing_is_not_listed_unless_its_label_shows(scenarios: Scenarios) -> None:
    shown: dict[str, list[str]] = {}

    async def scenario(tab: WatchedTab) -> None:
        for case, (markup, _) in CLIPPED.items():
            await tab.page.set_content(f"<!doctype html>{markup}")
            shown[case] = [_shown(element) for element in (await tab.see()).values()]

    scenarios.look_at("/nowhere", scenario)
    assert shown == {case: names for case, (_, names) in CLIPPED.items()}


def test_an_editor_keeps_the_name_of_its_placeholder_when_it_is_filled(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        (ref,) = await tab.see()
        assert ref == "@sayhi"
        await tab.run("document.querySelector('.e').textContent = 'typed'")
        assert await (await tab.handle(ref)).inner_text() == "typed"
        assert (await tab.see())[ref].name == "Say hi"

    style = "<style>.e:empty::before { content: 'Say hi' }</style>"
    scenarios.look(f"{style}<div class=e contenteditable></div>", scenario)


def test_refs_are_made_from_derived_names_and_selectors_are_not(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        elements = await tab.see()
        assert list(elements) == ["@trash", "@trash2"]
        assert [element.selector.type for element in elements.values()] == ["css", "role"]
        assert await (await tab.handle("@trash")).evaluate("button => button.firstChild?.localName") == "svg"

    scenarios.look("<button><svg width=9 height=9><use href='#trash'/></svg></button><button>trash</button>", scenario)
