"""Nested elements of which one click does for all: wrappers of controls, parts of headers, edges of columns."""

from agentbrowser.browser.semantic.candidates import interactive
from agentbrowser.browser.semantic.resolve import best_element
from agentbrowser.protocol.types.selector import Semantic
from tests.browser.watched_page import Scenarios, WatchedTab

# Each part with the roles and names of the elements that a look lists of it.
PARTS: dict[str, tuple[str, list[str]]] = {
    "the host of a button": (
        "<x-button style='cursor:pointer;display:inline-block'>Order"
        "<template shadowrootmode=open><button><slot></slot></button></template></x-button>",
        ["button Order"],
    ),
    "a focusable host": (
        "<x-chip tabindex=0 style='cursor:pointer;display:inline-block'>"
        "<template shadowrootmode=open><button>Pool</button></template></x-chip>",
        ["button Pool"],
    ),
    "a host that passes its label on": (
        "<x-save aria-label=Save title=Save tabindex=0 style='cursor:pointer;display:inline-block'>"
        "<template shadowrootmode=open><button aria-label=Save>S</button></template></x-save>",
        ["button Save"],
    ),
    "a field in the label of its host": (
        "<label>Late checkout <x-switch style='cursor:pointer;display:inline-block'>"
        "<template shadowrootmode=open><input type=checkbox role=switch></template></x-switch></label>"
        "<script>customElements.define('x-switch', class extends HTMLElement { static formAssociated = true })"
        "</script>",
        ["switch Late checkout"],
    ),
    "a label around a switch of the same name": (
        "<label style='cursor:pointer'><span style='position:absolute;width:1px;height:1px;overflow:hidden'>"
        "<input type=checkbox role=switch aria-label=Wifi></span><p>Wifi</p></label>",
        ["switch Wifi"],
    ),
    "the drawing of a radio button": (
        "<div style='position:relative'><input type=radio id=she style='opacity:0;position:relative;z-index:1'>"
        "<span style='cursor:pointer;position:absolute;left:0;top:0;width:13px;height:13px'></span>"
        "<label for=she>She</label></div>",
        ["radio She"],
    ),
    "what stands beside a checkbox": (
        "<input type=checkbox aria-label=All><span style='cursor:pointer;display:inline-block;width:20px;height:20px' "
        "title=More></span>",
        ["checkbox All", "generic More"],
    ),
    "a checkbox beside its label": (
        "<div onclick='' style='width:300px'><input type=checkbox id=agree><label for=agree>Agree</label></div>",
        ["checkbox Agree"],
    ),
    "a drawn radio button beside its label": (
        "<div data-on style='width:300px'><button role=radio aria-checked=true id=small>•</button>"
        "<label for=small>Small</label></div>",
        ["radio Small"],
    ),
    "an option made of a link that leads nowhere": (
        "<div role=listbox><div role=option><a tabindex=0 onclick='' style='display:block'>Film</a></div></div>",
        ["option Film"],
    ),
    "a label that the page joins with its checkbox": (
        "<div><input type=checkbox><label style='cursor:pointer'>Subscribe</label></div>",
        ["checkbox Subscribe"],
    ),
    "a checkbox around its field": (
        "<div role=checkbox aria-label=Row onclick='' style='width:20px'><input type=checkbox aria-label=Row></div>",
        ["checkbox Row"],
    ),
    "two labels of a switch": (
        "<label for=on>Alerts</label><label style='cursor:pointer'><span style='position:absolute;width:1px;height:1px;"
        "overflow:hidden'><input type=checkbox id=on></span><i style='display:inline-block;width:30px;height:14px'></i>"
        "</label>",
        ["checkbox Alerts"],
    ),
    "a field in a box that scripts focus": (
        "<div onclick='' tabindex=-1 style='width:200px'><input aria-label=Count style='width:180px'></div>",
        ["textbox Count"],
    ),
    "a combobox and what stands for no choice": (
        "<div onclick='' style='width:200px'><input role=combobox aria-label=City aria-expanded=false readonly "
        "style='width:20px'><span>Select</span></div>",
        ["combobox City"],
    ),
    "groups of items": (
        "<div role=tablist tabindex=0><button role=tab>One</button><button role=tab>Two</button></div>"
        "<div role=radiogroup tabindex=0 aria-label=Align><button role=radio>Left</button></div>",
        ["tab One", "tab Two", "radiogroup Align", "radio Left"],
    ),
    "a drawn icon": (
        "<span onclick='' style='display:inline-block;width:20px;height:20px'><svg width=8 height=8 data-icon=close "
        "style='margin:6px' onclick=''></svg></span>",
        ["img close"],
    ),
    "the value of a combobox": (
        "<span tabindex=0 role=combobox aria-label=Country><span role=textbox aria-readonly=true>Peru</span></span>",
        ["combobox Country"],
    ),
    "two wrappers": (
        "<div style='cursor:pointer'><span role=none onclick=''><button style='width:100%'>Go</button></span></div>",
        ["button Go"],
    ),
    "an element whose role is none": (
        "<div role=presentation onclick='' style='width:200px'>Milk</div><p role=none onclick=''>Bread</p>",
        ["generic Milk", "generic Bread"],
    ),
    "a card with words of its own": (
        "<div onclick='' style='width:200px'>Milk <button style='width:100%'>Buy</button></div>",
        ["generic Milk", "button Buy"],
    ),
    "a wrapper with a label": (
        "<div onclick='' aria-label=Card><button style='width:100%'>Open</button></div>",
        ["generic Card", "button Open"],
    ),
    "parts of a header": (
        "<div role=columnheader tabindex=0 style='width:200px'><div onclick=''>"
        "<div onclick='' title=Price>Price</div></div></div>",
        ["columnheader Price"],
    ),
    "a part beside the middle of its cell": (
        "<div role=gridcell tabindex=0 style='width:200px'><span onclick=''>Edit</span></div>",
        ["gridcell Edit", "generic Edit"],
    ),
    "a header with listeners": (
        "<div role=columnheader data-on><div data-on>City</div></div>",
        ["columnheader City"],
    ),
    "the edge of a column": (
        "<div role=row><span data-on style='display:inline-block;width:6px;height:20px'></span>"
        "<div role=gridcell tabindex=0>Ann</div></div>",
        ["gridcell Ann"],
    ),
    "a wrapper of what its slots show": (
        "<x-box>Town <input aria-label=Town slot=field><template shadowrootmode=open><div data-on>"
        "<slot name=field></slot><button aria-label=Clear>x</button></div></template></x-box>",
        ["textbox Town", "button Clear"],
    ),
    "the drawing below a field": (
        "<div style='position:relative'><div aria-hidden=true data-on style='width:20px;height:20px'></div>"
        "<input type=checkbox aria-label=Wifi style='position:absolute;inset:0;width:20px;height:20px;margin:0'></div>",
        ["checkbox Wifi"],
    ),
    "the track of a switch and of a slider": (
        "<div><div style='position:relative;width:40px;height:20px'>"
        "<div data-on style='position:absolute;inset:0'></div>"
        "<input type=checkbox aria-label=Wifi style='position:relative'></div><div style='position:relative'>"
        "<div data-on style='width:90px;height:9px'></div><i role=slider tabindex=0 aria-label=Low"
        " style='position:absolute;inset:0;width:9px;height:9px'></i></div></div>",
        ["checkbox Wifi", "slider Low"],
    ),
    "a combobox around the field that is one": (
        "<div role=combobox aria-expanded=false>Land <input role=combobox aria-label=Land>"
        "<button tabindex=-1 aria-label=Clear>x</button></div>",
        ["combobox Land", "button Clear"],
    ),
    "a stop of the keyboard around what it moves the focus to": (
        "<div tabindex=0><i data-on>Red</i> <i data-on>Blue</i></div>"
        "<div tabindex=0 data-on style='width:50px'><i data-on>Up</i> <i data-on>Down</i></div>",
        ["generic Red", "generic Blue", "generic Up Down", "generic Up", "generic Down"],
    ),
    "parts of a label": (
        "<label for=town><div style='cursor:pointer' data-on>Town <i data-on>Rome</i><input id=town></div>"
        "<p data-on>As on a map</p><b data-on style='cursor:pointer'>v</b></label>",
        ["textbox Town Rome As on a map v", "generic v"],
    ),
    "the button that draws a radio button in its label": (
        "<label for=star><i style='position:absolute;clip:rect(0 0 0 0)'>Star 1</i><button type=button tabindex=-1 "
        "aria-label='Star 1'>*</button></label><input id=star type=radio style='position:absolute;opacity:0;width:0'>",
        ["radio Star 1 Star 1"],
    ),
    "the labels of custom elements": (
        "<x-label for=nick>Nick<template shadowrootmode=open><label data-on><slot></slot></label></template></x-label>"
        "<x-text id=nick><template shadowrootmode=open><input aria-label=Nick></template></x-text>"
        "<x-label data-on for=age>Age</x-label><x-text id=age><template shadowrootmode=open><input aria-label=Age>"
        "</template></x-text><x-label data-on for=none>None</x-label>",
        ["textbox Nick", "textbox Age", "generic None"],
    ),
    "an icon in the element that takes its clicks": (
        "<x-icon data-on style='display:inline-block'><template shadowrootmode=open>"
        "<svg role=img aria-label=Less tabindex=0 width=16 height=16></svg></template></x-icon>",
        ["img Less"],
    ),
    "a range that a page draws": (
        "<div aria-hidden=true><input type=range aria-label=Bait style='opacity:0;pointer-events:none'></div>"
        "<input type=range aria-label=Loud style='opacity:0;pointer-events:none'>",
        ["slider Loud"],
    ),
    "a field that a page leaves to the keyboard": (
        "<label for=pin>Code</label><div>"
        "<input id=pin autocomplete=one-time-code style='opacity:0;pointer-events:none'>"
        "<input aria-label=Bait style='opacity:0;pointer-events:none'></div>"
        "<label for=kind>Kind</label><div>Go<input id=kind aria-haspopup=listbox readonly"
        " style='opacity:0;pointer-events:none'></div>",
        ["textbox Code", "textbox Kind"],
    ),
    "the link in a tab": (
        "<ul role=tablist style='display:flex'><li role=tab tabindex=0>"
        "<a href='#a' role=presentation tabindex=-1>Terms</a></ul>"
        "<div role=menuitem tabindex=0><a href=/help>Help</a></div><ul role=menu style='display:flex'>"
        "<li role=menuitem tabindex=-1><a href=/me>Me</a><li role=menuitem><a href=/us aria-current=page>Us</a>"
        "<li role=menuitem><a href=/it aria-haspopup=menu tabindex=-1>It</a></ul>",
        ["tab Terms", "menuitem Help", "link Help", "menuitem Me", "menuitem Us", "link Us", "menuitem It"],
    ),
    "a tab in a tab": (
        "<div role=tab tabindex=0 aria-selected=true><div role=tab aria-selected=true>Notes</div></div>"
        "<div role=tab tabindex=0><div role=tab aria-selected=true>Files</div></div>",
        ["tab Notes", "tab Files", "tab Files"],
    ),
    "an entry to drag": (
        "<div draggable=true style='width:300px'><span data-on>Berlin</span></div>"
        "<div draggable=true style='width:300px'><a href=#>Bonn</a></div>"
        "<div draggable=true style='width:300px'><a href=# style='display:block'>Rome</a></div>",
        ["generic Berlin", "generic Bonn", "link Bonn", "link Rome"],
    ),
    "the box in a cell": (
        "<div data-on style='width:14px;padding:8px'><i data-on data-value=on style='display:block;"
        "height:14px'></i></div>"
        "<div data-on style='width:300px;padding:38px 0'><i data-on data-value=pin style='display:block;width:14px;"
        "height:14px;margin:auto'></i></div>",
        ["generic on", "generic -", "generic pin"],
    ),
    "the edge of a window": (
        "<div style='position:relative'>Window<i data-on style='position:absolute;inset:0 0 auto;height:6px;"
        "cursor:ns-resize'></i><i data-on style='display:block;height:6px;cursor:ns-resize'></i></div>",
        ["generic -"],
    ),
    "the label of a drawn field": (
        "<label data-on id=town>Town</label><div role=combobox tabindex=0 aria-labelledby=town>Rome</div>",
        ["combobox Town"],
    ),
    "the drawing in the shadow tree of a switch": (
        "<x-toggle role=switch aria-checked=true tabindex=0 aria-label=Gift><template shadowrootmode=open>"
        "<label><input type=checkbox role=switch style='position:absolute;opacity:0;width:1px'>Gift</label></template>"
        "</x-toggle>",
        ["switch Gift"],
    ),
    "a list item around its only control": (
        "<div role=listitem data-on style='width:200px'><button style='width:100%'>Wrap</button></div>",
        ["button Wrap"],
    ),
    "the list that a page draws anew": (
        "<select multiple style='position:absolute;clip:rect(0 0 0 0);width:1px;height:1px;overflow:hidden'>"
        "<option>C<option>Go<option>Rust</select><input role=combobox aria-label=Skills>"
        "<select multiple style='position:absolute;opacity:0;pointer-events:none'><option>C</select>",
        ["combobox Skills"],
    ),
    "the combobox that a page leaves to the keyboard": (
        "<label for=s>Skills</label><div>Go<input id=s role=combobox aria-expanded=false"
        " style='opacity:0;pointer-events:none'><input role=combobox style='opacity:0;pointer-events:none'></div>",
        ["combobox Skills"],
    ),
    "a stand-in of a widget": (
        "<div aria-hidden=true><input value=free tabindex=-1 style='opacity:0'></div>"
        "<div aria-hidden=true><input type=checkbox tabindex=-1 style='opacity:0'></div>",
        ["checkbox -"],
    ),
}
LISTEN = """<script>
const roots = [document, ...[...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean)];
for (const e of roots.flatMap((root) => [...root.querySelectorAll("[data-on]")])) e.addEventListener("click", () => {});
</script>"""


def test_of_nested_elements_with_one_click_only_one_is_listed(scenarios: Scenarios) -> None:
    parts = "".join(f"<section id='{at}'>{markup}</section>" for at, (markup, _) in enumerate(PARTS.values()))

    async def scenario(tab: WatchedTab) -> None:
        listed: dict[int, list[str]] = {}
        for ref, one in (await tab.see()).items():
            handle = await tab.handle(ref)
            at = await handle.evaluate("""e => {
                while (!e.closest('section')) e = e.getRootNode().host;
                return +e.closest('section').id; }""")
            listed.setdefault(at, []).append(f"{one.role} {one.name or '-'}")
        assert {name: listed[at] for at, name in enumerate(PARTS)} == {name: of for name, (_, of) in PARTS.items()}

    scenarios.look(parts + LISTEN, scenario)


WORDS = """
<div role=listbox><div role=option aria-selected=false>Green <input type=checkbox aria-label=Green></div></div>
<ul><li role=tab><a href=#>List</a></ul><input role=combobox aria-label=Other>
<div role=columnheader tabindex=0>Salary <button aria-label="Salary: sort">v</button></div>
<p>Hotels and flights</p><div><button style="width:20px;height:20px"></button></div>
"""


def test_words_for_nested_elements_mean_the_innermost(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        elements = await interactive(tab)
        found = {
            words: best_element(words, elements, Semantic(words)) for words in ("Green", "List", "Salary", "Hotels")
        }
        assert {words: one and f"{one.role} {one.name}" for words, one in found.items()} == {
            "Green": "checkbox Green",
            "List": "link List",
            "Salary": "button Salary: sort",
            "Hotels": None,  # a word of the page is not around a lone button
        }

    scenarios.look(WORDS, scenario)
