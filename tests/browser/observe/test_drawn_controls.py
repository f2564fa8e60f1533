"""Controls that a page draws itself, over hidden ones or behind an open popup of its own."""

import attrs

from agentbrowser.protocol.types.action import ActionOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.watched_page import ALL, Scenarios, WatchedTab

CLIP = "position:absolute;clip:rect(0 0 0 0);overflow:hidden"
SLIDERS = f"""<span style="position:relative;display:block;width:20px;height:20px"><input id=own type=range value=30
aria-label=Own style="{CLIP};width:100%;height:100%;margin:-1px"></span>
<div style="position:relative;width:20px;height:20px"><div style="{CLIP};width:1px;height:1px"><input id=wrapped
type=range value=40 aria-label=Wrapped></div></div>
<div style="height:0;overflow:hidden"><div style="{CLIP};width:1px;height:1px"><input id=folded type=range></div></div>
<input id=mute type=range aria-hidden=true style="{CLIP};width:20px">
<input id=skipped type=range tabindex=-1 style="{CLIP};width:20px">"""
CHOICES = """<label style="display:block;height:20px"><span style="position:relative"><input id=agree type=checkbox
style="position:absolute;opacity:0;width:20px;height:20px;margin:0"></span> Agree</label>
<div id=popup hidden style="position:absolute;top:0;left:0;width:90px;height:40px;background:white"></div>
<p style="height:3000px">"""
BEHIND = """<main><button id=due>Pick a date<i aria-hidden=true>v</i><b hidden>never</b></button>
<label for=terms>Terms</label><button id=terms role=checkbox></button>
<div id=region role=combobox tabindex=0 aria-label=Region>Paris<i aria-hidden=true>v</i></div>
<button id=order><span style="display:contents"><b>Order</b></span></button></main>"""
EDITORS = """<div id=lines contenteditable><p><br></p></div><div id=hinted contenteditable>&#xfeff;<br>
<span contenteditable=false style="pointer-events:none">Write</span></div>
<div id=mention contenteditable><span contenteditable=false>@Ada</span></div>
<div id=bold contenteditable>Hi<b>&#xfeff;</b></div>"""
EMPTY = """<div id=country role=combobox tabindex=0><label>Country</label></div>
<div id=town role=combobox tabindex=0><select style="opacity:0"><option>Oslo</select>Oslo</div>
<label>City <div id=city role=combobox tabindex=0><label>Town</label>Paris</div></label>
<div id=tags role=combobox tabindex=0><div role=listbox><div>Wifi<button>Remove</button></div></div>
<div style="position:absolute"><div role=listbox><div role=option>Meal</div></div></div></div>"""

STATES = """<div role=listbox><div id=reached role=option aria-selected=true><input type=checkbox>Go</div>
<div id=chosen role=option><input type=checkbox checked>Rust</div></div>
<a id=page href=#x aria-current=page>Home</a><button id=today aria-current=date>29</button>
<div id=sorted role=columnheader tabindex=0 aria-sort=descending>Price</div>
<div id=unsorted role=columnheader tabindex=0 aria-sort=none>Item</div>
<label for=body>Body</label><x-editor id=body contenteditable role=textbox>Hi</x-editor>
<script>customElements.define("x-editor", class extends HTMLElement { static formAssociated = true })</script>"""

STYLED = """<style>select, ::picker(select) { appearance: base-select }</style>
<select id=pet aria-label=Pet><button><selectedcontent></selectedcontent> v</button>
<option id=cat><b>Cat</b> 1<option id=dog>Dog</select>"""

FRAMED = """<style>.field { border: 1px solid gray } input { border: 0; width: 40px }</style>
<label for=one>City</label><div class=field onclick="one.focus()"><div>Rome</div><input id=one role=combobox></div>
<label for=two>Tags</label><div class=field><span>Wifi</span> <span>Meal<button>x</button></span>
<input id=two role=combobox></div>
<label for=none>State</label><div class=field><p id=hint>Choose</p>
<input id=none role=combobox aria-describedby=hint></div>
<label for=typed>Street</label><div class=field>Old<input id=typed role=combobox value=New></div>
<div style="border: 1px solid">Price in <input id=own role=combobox aria-label=Price style="border: 1px solid"></div>
<div>Help <input id=plain role=combobox aria-label=Plain></div>
<label for=speed>Speed</label><span id=speed role=combobox tabindex=0>Fast</span>
<script>document.querySelector("[for=speed]").addEventListener("click", () => speed.focus())</script>"""
PRESSED = """<button id=news role=checkbox aria-pressed=false>News</button><script>
news.onclick = () => { news.ariaPressed = String(news.ariaPressed !== 'true') }</script>"""

ECHOES = """<label for=city>City</label><div><span id=city role=combobox tabindex=0 aria-label=Rome>Rome</span></div>
<label for=old>State</label><select id=old aria-hidden=true tabindex=-1 style="position:absolute;opacity:0;width:1px">
<option>Ohio</select><span><span><span id=state role=combobox tabindex=0 aria-labelledby=shown>
<i id=shown>Ohio</i></span></span></span><section>
<span id=alone role=combobox tabindex=0 aria-label=Any>Any</span></section>
<p>Size</p><span id=size role=combobox tabindex=0 aria-label="Choose a size">Small</span>"""

SUBMENU = """<ul role=menu><li id=new tabindex=0 aria-haspopup=true>New</li><li id=text tabindex=0>Text</li>
<li id=close role=menuitem tabindex=0>Close</li><li id=none tabindex=0 aria-haspopup=false>None</li></ul>"""


def test_a_slider_drawn_over_a_clipped_field_is_listed(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        shown = {id_: (element.role, element.name, element.value) for id_, element in (await tab.by_id()).items()}
        assert shown == {"own": ("slider", "Own", "30"), "wrapped": ("slider", "Wrapped", "40")}

    scenarios.look(SLIDERS, scenario)


def test_a_transparent_checkbox_keeps_its_ref_below_a_popup_and_off_screen(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        refs = [ref for ref in await tab.see() if await tab.id_of(ref) == "agree"]
        await tab.run("popup.hidden = false")
        assert [ref for ref in await tab.see() if await tab.id_of(ref) == "agree"] == refs
        await tab.run("popup.hidden = true; scrollTo(0, 2000)")
        assert [ref for ref in await tab.see() if await tab.id_of(ref) == "agree"] == refs != []

    scenarios.markup(CHOICES, scenario)


def test_elements_keep_name_and_value_when_a_popup_hides_them_from_assistive_technology(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        before = {id_: (element.name, element.value) for id_, element in (await tab.by_id()).items()}
        assert before == {
            "due": ("Pick a date", None),
            "terms": ("Terms", None),
            "region": ("Region", "Paris"),
            "order": ("Order", None),
        }
        await tab.run("document.querySelector('main').setAttribute('aria-hidden', 'true')")
        assert {id_: (element.name, element.value) for id_, element in (await tab.by_id()).items()} == before
        assert not any(element.name_from for element in (await tab.by_id()).values())

    scenarios.markup(BEHIND, scenario)


def test_the_label_and_the_select_in_a_drawn_combobox_are_not_its_value(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        shown = {id_: element.value for id_, element in (await tab.by_id()).items()}
        assert (shown["country"], shown["town"], shown["city"]) == ("", "Oslo", "Paris")
        assert shown["tags"] == "Wifi", "neither the words of a button nor those of its open list"

    scenarios.look(EMPTY, scenario)


def test_a_combobox_in_a_shadow_tree_has_what_is_chosen_as_its_value_and_not_its_open_options(
    scenarios: Scenarios,
) -> None:
    page = """<div id=size role=combobox tabindex=0><template shadowrootmode=open><label>Size</label><b>Medium</b>
      <div id=list hidden><slot></slot></div></template>
      <p role=option aria-selected=false>Small</p><p role=option aria-selected=true>Medium</p></div>"""

    async def scenario(tab: WatchedTab) -> None:
        for _ in range(2):
            assert (await tab.by_id())["size"].value == "Medium"
            await tab.page.evaluate("size.shadowRoot.querySelector('#list').hidden = false")

    scenarios.look(page, scenario)


def test_the_box_and_the_label_of_a_field_stand_once_where_a_button_or_other_elements_are_beside_it(
    scenarios: Scenarios,
) -> None:
    page = """<style>#box { width: 300px; height: 30px } #c { width: 250px }</style>
      <div id=box onclick=""><input id=c role=combobox aria-label=City value=Rome><button id=x aria-label=Clear>
      </button></div>
      <label id=l>Tags</label><div><div style="display: flex"><b>Own</b><div id=t role=combobox tabindex=0
      aria-labelledby=l>Wifi</div></div></div>
      <label for=s><div><div><div><div><div>State</div></div></div></div><p></p><input id=s></div></label>"""

    async def scenario(tab: WatchedTab) -> None:
        look = await tab.refs.observe(attrs.evolve(ALL, format="text"))
        assert (look.text or "").splitlines()[1:] == [
            '@c combobox "City" value="Rome" @x button "Clear"',
            '"Own" @t combobox "Tags" value="Wifi"',
            '@s textbox "State"',
        ]

    scenarios.look(page, scenario)


def test_a_select_that_the_page_styles_lists_its_options_while_they_show_and_no_button_of_its_own(
    scenarios: Scenarios,
) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert {id_: (one.role, one.value) for id_, one in (await tab.by_id()).items()} == {
            "pet": ("combobox", "Cat 1")
        }
        await tab.page.click("#pet")
        assert [(one.role, one.name) for one in (await tab.by_id()).values()][1:] == [
            ("option", "Cat 1"),
            ("option", "Dog"),
        ]
        look = await tab.refs.observe(attrs.evolve(ALL, format="text"))
        assert '"Cat' not in (look.text or "").replace('value="Cat 1"', "").replace('option "Cat 1"', "")

    scenarios.markup(STYLED, scenario)


def test_a_checkbox_may_have_the_state_of_a_button(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        box = Css("#news")
        assert (await tab.by_id())["news"].checked is False
        results = [await tab.actions.check(box, ActionOptions()) for _ in range(2)]
        assert [(result.value, result.no_effect) for result in results] == [(True, None), (True, True)]
        assert (await tab.by_id())["news"].checked is True
        assert (await tab.actions.uncheck(box, ActionOptions(force=True))).value is False

    scenarios.markup(PRESSED, scenario)


def test_the_label_that_draws_a_hidden_switch_has_its_state_and_sets_it(scenarios: Scenarios) -> None:
    page = """<button role=switch id=k aria-checked=false style="position:absolute;clip:rect(0,0,0,0)"></button>
      <label id=drawn for=k>Wifi <i style="display:inline-block;width:20px;height:9px"></i></label>
      <script>k.onclick = () => { k.ariaChecked = String(k.ariaChecked !== "true") }</script>"""

    async def scenario(tab: WatchedTab) -> None:
        assert (await tab.by_id())["drawn"].checked is False
        for _ in range(2):
            assert (await tab.actions.check(Css("#drawn"), ActionOptions(timeout_ms=3000))).value is True
            assert (await tab.by_id())["drawn"].checked is True
        assert (await tab.actions.uncheck(Css("#drawn"), ActionOptions(timeout_ms=3000))).value is False

    scenarios.look(page, scenario)


def test_the_drawing_of_a_hidden_switch_without_a_label_has_its_state_and_sets_it(scenarios: Scenarios) -> None:
    box = "<input type=checkbox role=switch {} style='position:absolute;opacity:0;width:0;height:0;margin:0'>"
    drawing = "<span id={} style='display:inline-block;width:40px;height:20px;cursor:pointer'></span>"
    page = f"""<table><tr><td>Acme<td><div class=drawn>{box.format("")}{drawing.format("alone")}</div></table>
      <label for=gift>Gift</label><div class=drawn>{box.format("id=gift")}{drawing.format("labelled")}</div>
      <script>for (const drawn of document.querySelectorAll(".drawn")) drawn.onclick = (event) => {{
        event.preventDefault()
        setTimeout(() => {{ drawn.firstChild.checked = !drawn.firstChild.checked }}) }}</script>"""

    async def scenario(tab: WatchedTab) -> None:
        shown = await tab.by_id()
        assert (shown["alone"].role, shown["alone"].checked) == ("switch", False)
        assert [one.name for one in shown.values() if one.role == "switch"] == [None, "Gift"]
        assert shown["labelled"].name == "Gift"
        for _ in range(2):
            assert (await tab.actions.check(Css("#alone"), ActionOptions(timeout_ms=3000))).value is True
            assert (await tab.by_id())["alone"].checked is True
        assert (await tab.actions.uncheck(Css("#alone"), ActionOptions(timeout_ms=3000))).value is False

    scenarios.look(page, scenario)


def test_states_and_names_that_attributes_do_not_tell(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        shown = {id_: (one.name, one.selected) for id_, one in (await tab.by_id()).items() if id_}
        assert shown == {
            "reached": ("Go", False),
            "chosen": ("Rust", True),
            "page": ("Home", True),
            "today": ("29", None),
            "sorted": ("Price", None),
            "unsorted": ("Item", None),
            "body": ("Body", None),
        }
        values = {id_: one.value for id_, one in (await tab.by_id()).items()}
        assert (values["sorted"], values["unsorted"]) == ("descending", None)

    scenarios.look(STATES, scenario)


def test_an_editor_without_text_of_the_user_is_empty(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        shown = {id_: element.value for id_, element in (await tab.by_id()).items()}
        assert shown == {"lines": "", "hinted": "", "mention": "@Ada", "bold": "Hi"}

    scenarios.markup(EDITORS, scenario)


def test_the_element_that_takes_the_keys_of_an_editor_is_listed_without_a_size(scenarios: Scenarios) -> None:
    """Monaco edits in an EditContext, beside a field for input methods that nobody else uses."""

    async def scenario(tab: WatchedTab) -> None:
        assert [(one.role, one.name) for one in (await tab.see()).values()] == [("textbox", "Code")]

    field = "<textarea readonly tabindex=-1 aria-hidden=true style='color: transparent'></textarea>"
    code = "<div id=e role=textbox aria-label=Code tabindex=0 style='width: 0; height: 19px'></div>"
    scenarios.look(
        f"<!doctype html><div>let a{code}{field}</div><script>e.editContext = new EditContext()</script>", scenario
    )


def test_the_clipped_field_of_an_editor_is_listed_without_a_value(scenarios: Scenarios) -> None:
    """CodeMirror 5 clips its field, and keeps the selected text in it, if any; a trap for robots has spell checking."""

    async def scenario(tab: WatchedTab) -> None:
        assert [(one.name, one.value) for one in (await tab.see()).values()] == [("SQL", None)]

    clip = "overflow: hidden; position: relative; width: 3px; height: 0"
    field = "<textarea {} style='position: absolute; bottom: -1em; width: 1000px; height: 1em'>old</textarea>"
    editor = f"<div style='{clip}'>{field.format('spellcheck=false')}</div><pre>select 1;</pre>"
    trap = f"<div style='{clip}'>{field.format('')}</div>"
    scenarios.look(
        f"<!doctype html><label for=q>SQL</label><textarea id=q style='display: none'></textarea>"
        f"<div style='position: relative; overflow: hidden; width: 300px'>{editor}</div>{trap}",
        scenario,
    )


def test_a_combobox_has_the_value_that_is_drawn_in_its_border_and_the_name_that_its_label_means(
    scenarios: Scenarios,
) -> None:
    """Tom Select and react-select showed no value in the field, and the label of a span was an element beside it."""

    async def scenario(tab: WatchedTab) -> None:
        shown = {id_: (one.name, one.value or "") for id_, one in (await tab.by_id()).items() if id_}
        assert shown == {
            "one": ("City", "Rome"),
            "two": ("Tags", "Wifi, Meal"),
            "none": ("State", ""),
            "typed": ("Street", "New"),
            "own": ("Price", ""),
            "plain": ("Plain", ""),
            "speed": ("Speed", "Fast"),
        }
        assert [one.name for one in (await tab.see()).values() if one.role in ("generic", "button")] == ["x"]
        look = await tab.refs.observe(attrs.evolve(ALL, format="text"))
        assert (look.text or "").count("Rome") == 1

    scenarios.look(FRAMED, scenario)


def test_a_drawn_combobox_is_not_called_by_what_is_chosen_in_it(scenarios: Scenarios) -> None:
    """PrimeVue and Select2 did: a choice in "City" went to the field "Cities" beside it."""

    async def scenario(tab: WatchedTab) -> None:
        shown = {id_: (one.name, one.value) for id_, one in (await tab.by_id()).items() if one.value and id_ != "old"}
        assert shown == {
            "city": ("City", "Rome"),
            "state": ("State", "Ohio"),
            "alone": ("Any", "Any"),
            "size": ("Choose a size", "Small"),
        }

    scenarios.markup(ECHOES, scenario)


def test_an_item_that_opens_a_submenu_is_listed_whatever_its_role(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        shown = {id_: (element.role, element.name) for id_, element in (await tab.by_id()).items()}
        assert shown == {"new": ("listitem", "New"), "close": ("menuitem", "Close")}

    scenarios.look(SUBMENU, scenario)
