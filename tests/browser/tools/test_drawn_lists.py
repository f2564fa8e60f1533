"""Choices from lists that a page draws itself, as component libraries do it."""

import pytest

from agentbrowser.client import Browser
from tests.browser.site import Site
from tests.browser.tools.test_dispatch import Model

CHOSEN = """
<div id=several><input role=combobox aria-label=Extras aria-expanded=false readonly aria-activedescendant=wifi>
<div role=listbox hidden><div role=option id=wifi aria-selected=true>Wifi</div><div role=option>Meal</div></div></div>
<div id=one><input role=combobox aria-label=City aria-expanded=false readonly value=Rome>
<div role=listbox hidden><div role=option aria-selected=true>Rome</div><div role=option>Oslo</div></div></div>
<div id=reached><input role=combobox aria-label=Fruit aria-expanded=false readonly aria-activedescendant=fig>
<div role=listbox hidden><div role=option id=fig aria-selected=true>Fig</div><div role=option>Plum</div></div></div>
<script>
  for (const id of ["several", "one", "reached"]) {
    const [field, list] = document.getElementById(id).children;
    const show = (isOpen) => { list.hidden = !isOpen; field.ariaExpanded = isOpen; };
    field.onclick = () => show(list.hidden);
    field.onkeydown = ({ key }) => key === "Escape" && show(false);
    list.onmousedown = (event) => event.preventDefault(); // the focus stays in the field
    list.onclick = ({ target }) => { // what is chosen is taken back by another click
      const isTaken = id !== "reached" && target.ariaSelected === "true";
      if (id === "one") for (const option of list.children) option.ariaSelected = "false";
      target.ariaSelected = !isTaken;
      if (id !== "several") field.value = isTaken ? "" : target.textContent;
      if (id !== "several") show(false);
    };
  }
</script>
"""
AWAY = """
<p id=label>Country</p><div style="position:relative;height:30px" onclick="field.focus()"><span>Rome</span>
<input id=field role=combobox aria-labelledby=label aria-expanded=false style="position:absolute;left:-10000px"></div>
<div role=listbox hidden></div><script>
  const list = document.querySelector("[role=listbox]");
  for (const name of ["Oslo", "Rome"]) list.insertAdjacentHTML("beforeend", `<div role=option>${name}</div>`);
  field.onkeydown = ({ key }) => { if (key === "ArrowDown") list.hidden = false; };
  const [shown] = document.getElementsByTagName("span");
  list.onclick = ({ target }) => { shown.textContent = target.textContent; list.hidden = true; };
</script>
"""
OPEN = """
<div role=listbox aria-label=Colours tabindex=0></div><p role=status></p><script>
  const list = document.querySelector("[role=listbox]");
  const option = (name) => `<div role=option tabindex=-1>${name}</div>`;
  for (const name of ["Red", "Green"]) list.insertAdjacentHTML("beforeend", option(name));
  list.onfocus = () => list.firstChild.focus();
  list.addEventListener("focusin", () => { list.tabIndex = -1; }); // the focus is on an option then
  list.onclick = ({ target }) => {
    for (const option of list.children) option.ariaSelected = option === target;
    document.querySelector("[role=status]").textContent += `${target.textContent} `;
  };
</script>
"""
LONG = """
<button role=combobox aria-expanded=false onclick="show(true)">Country</button><ul role=listbox hidden
style="height:200px;overflow:auto"></ul><script>
  const [field, list] = document.body.children;
  const show = (isOpen) => { list.hidden = !isOpen; field.ariaExpanded = isOpen; };
  for (let i = 0; i < 300; i++) list.insertAdjacentHTML("beforeend", `<li role=option>Country ${i}</li>`);
  list.onclick = ({ target }) => { field.textContent = target.textContent; show(false); };
</script>
"""
CELL = """
<p><input role=combobox aria-label=Team aria-expanded=false readonly></p>
<div role=listbox hidden><div role=option>Sales</div></div><script>
  const [cell, list] = document.body.children, field = cell.firstChild;
  field.onclick = () => { list.hidden = false; field.ariaExpanded = true; };
  list.onclick = ({ target }) => { cell.textContent = target.textContent; list.hidden = true; };
</script>
"""
LAYER = """
<main><h2>Terms</h2><p><label>Name <input></label><button>Save</button></p><ul><li><button>Edit</button></ul></main>
<button aria-haspopup=listbox aria-expanded=false onclick="show(true)">Animal</button>
<div role=listbox hidden></div><script>
  const [main, field, list] = document.body.children;
  const show = (isOpen) => { list.hidden = !isOpen; main.inert = isOpen; field.ariaExpanded = isOpen; };
  for (const name of ["Cat", "Dog"]) list.insertAdjacentHTML("beforeend", `<div role=option>${name}</div>`);
  list.onclick = ({ target }) => { field.textContent = target.textContent; show(false); };
</script>
"""
SEVERAL = """
<div role=dialog hidden>News</div><div role=dialog hidden aria-hidden=true></div>
<input role=combobox aria-label=Extras aria-expanded=false readonly>
<div role=listbox hidden aria-multiselectable=true style="position: absolute; background: white; padding: 20px">
<div role=option>Wifi</div><div role=option>Meal</div></div>
<p><label><input type=checkbox> Accept</label></p><script>
  const [, , field, list] = document.body.children;
  const show = (isOpen) => { list.hidden = !isOpen; field.ariaExpanded = isOpen; };
  field.onclick = () => show(true);
  field.onkeydown = ({ key }) => key === "Escape" && show(false);
  list.onmousedown = (event) => event.preventDefault();
  list.onclick = ({ target }) => { target.ariaSelected = true; field.value = target.textContent; };
</script>
"""
ANEW = """
<div role=combobox tabindex=-1 aria-label=States aria-expanded=false><input type=search></div><ul></ul>
<p role=status></p><script>
  const [field, list, status] = document.body.children, chosen = [];
  let count = 0;
  const show = (isOpen) => {
    const options = ["Utah", "Ohio"].map((name) => `<li role=option id=o${count++}>${name}</li>`);
    list.innerHTML = isOpen ? options.join("") : "";
    field.ariaExpanded = isOpen;
  };
  field.onclick = () => show(true);
  list.onmousedown = (event) => event.preventDefault();
  list.onclick = ({ target }) => { chosen.push(target.textContent); status.textContent = chosen; show(false); };
</script>
"""
RENAMED = """
<button role=combobox aria-label=Extras aria-expanded=false>Choose</button>
<div role=listbox hidden><div role=option>Wifi</div><div role=option>Meal</div></div><script>
  const [field, list] = document.body.children;
  const show = (isOpen) => { list.hidden = !isOpen; field.ariaExpanded = isOpen; };
  field.onclick = () => show(true);
  field.onkeydown = ({ key }) => key === "Escape" && show(false);
  list.onmousedown = (event) => event.preventDefault();
  list.onclick = ({ target }) => { target.ariaSelected = true; field.ariaLabel += `, ${target.textContent} chosen`; };
</script>
"""
KEYS = """
<input role=combobox aria-label=Country aria-expanded=false><p role=status></p>
<div role=listbox hidden><div role=option>Italy</div><div role=option>France</div></div><script>
  const [field, tip, list] = document.body.children, chosen = [];
  const show = (isOpen) => { list.hidden = !isOpen; field.ariaExpanded = isOpen; };
  const choose = (name) => { chosen.push(name); field.value = chosen; };
  field.onclick = () => { tip.innerHTML = "<a href=#help>Help</a>"; };
  field.onkeydown = ({ key, altKey }) => key === "ArrowDown" && (altKey ? show(true) : choose("Italy"));
  list.onclick = ({ target }) => { choose(target.textContent); show(false); };
</script>
"""
POPUP = """
<button aria-haspopup=dialog aria-expanded=false>Letters</button>
<div role=dialog hidden><input role=combobox aria-expanded=true placeholder="Search...">
<div role=listbox><div role=option>a</div><div role=option>b</div></div></div><p role=status></p><script>
  const [field, popup, status] = document.body.children;
  field.onclick = () => { popup.hidden = false; field.ariaExpanded = true; };
  popup.lastElementChild.onclick = ({ target }) => { status.textContent += target.textContent; };
</script>
"""
STUCK = """
<div role=combobox tabindex=0 aria-label=Color><div role=option aria-selected=true>Italy</div></div>
<span role=combobox tabindex=0 aria-label=State aria-expanded=false>France</span>
"""


@pytest.fixture
def model(browser: Browser) -> Model:
    return Model(browser)


async def choose(model: Model, on: str, value: str) -> list[str]:
    return await model.act({"do": "select", "on": on, "value": value})


async def test_an_option_that_is_chosen_already_is_not_taken_back(model: Model, site: Site) -> None:
    await model.call("navigate", url=site.html("/chosen", CHOSEN))
    for on, value in (("Extras", "Wifi"), ("City", "Rome")):
        assert await choose(model, on, value) == [f'1 select "{on}": "{value}" was chosen already', "no changes"]
    lines = await choose(model, "Fruit", "Fig")  # the keyboard has reached it, but it is not chosen
    assert lines[0] == '1 select "Fruit": clicked option "Fig" of the list that a click has opened'
    assert lines[2:] == ['~ @fruit value "" → "Fig"']
    lines = await choose(model, "City", "Oslo")
    assert lines[2:] == ['~ @city value "Rome" → "Oslo"']


async def test_a_field_beside_the_viewport_opens_its_list_by_a_key(model: Model, site: Site) -> None:
    await model.call("navigate", url=site.html("/away", AWAY))
    lines = await choose(model, "Country", "Oslo")
    assert lines[0] == '1 select "Country": clicked option "Oslo" of the list that a click has opened'
    assert "Oslo" in await model.call("look", show="text")


async def test_an_option_of_an_open_list_is_selected(model: Model, site: Site) -> None:
    await model.call("navigate", url=site.html("/open", OPEN))
    for chosen, words in (("Green", "Green"), ("Red", "Green Red")):
        lines = await choose(model, "Colours", chosen)
        assert lines[0] == f'1 select "Colours": clicked option "{chosen}" of the list'
        assert any(f'"{words}"' in line for line in lines)
        assert not any("Colours" in line for line in lines[1:]), "the list is there while the focus is in it"
    assert await choose(model, "Colours", "Red") == ['1 select "Colours": "Red" was chosen already', "no changes"]
    (first, *_) = await choose(model, "Colours", "Blue")
    assert first == '1 select "Colours": FAILED ElementNotFound: The list has no option "Blue".'


async def test_an_option_is_chosen_for_which_the_look_has_no_room(model: Model, site: Site) -> None:
    await model.call("navigate", url=site.html("/long", LONG))
    lines = await choose(model, "Country", "Country 250")
    assert lines[0] == '1 select "Country": clicked option "Country 250" of the list that a click has opened'
    assert any('"Country" → "Country 250"' in line for line in lines)


async def test_the_field_of_a_cell_goes_with_its_list(model: Model, site: Site) -> None:
    await model.call("navigate", url=site.html("/cell", CELL))
    lines = await choose(model, "Team", "Sales")
    assert sorted(lines[2:]) == ['+ "Sales"', '- @team combobox "Team"']


async def test_a_list_whose_page_was_behind_it_reports_the_choice_alone(model: Model, site: Site) -> None:
    await model.call("navigate", url=site.html("/layer", LAYER))
    lines = await choose(model, "Animal", "Dog")
    assert lines[0].startswith('1 select "Animal": clicked option "Dog"')
    assert [line for line in lines[2:] if "Dog" not in line] == []


async def test_an_option_of_another_list_was_not_chosen_already(model: Model, site: Site) -> None:
    await model.call("navigate", url=site.html("/stuck", STUCK))
    (first, *_) = await choose(model, "State", "Italy")
    assert first == '1 select "State": FAILED ElementNotFound: A click on the list has shown no option "Italy".'


async def test_a_list_that_takes_several_is_closed_behind_one_choice(model: Model, site: Site) -> None:
    """That of Shoelace stayed open over the checkboxes below it, as did each beside a dialog that is hidden."""
    await model.call("navigate", url=site.html("/several", SEVERAL))
    steps = [{"do": "select", "on": "Extras", "value": "Meal"}, {"do": "check", "on": "Accept"}]
    lines = await model.act(*steps)
    assert lines[0] == '1 select "Extras": clicked option "Meal" of the list that a click has opened'
    assert lines[1] == '2 check "Accept": value is true'


async def test_a_list_that_each_choice_closes_is_opened_again_with_other_elements(model: Model, site: Site) -> None:
    await model.call("navigate", url=site.html("/anew", ANEW))
    lines = await choose(model, "States", '["Utah", "Ohio"]')
    assert lines[0] == '1 select "States": clicked options "Utah", "Ohio" of the list that a click has opened'
    assert '"Utah,Ohio"' in await model.call("look")


async def test_a_list_is_closed_whose_field_has_what_is_chosen_in_its_name(model: Model, site: Site) -> None:
    """The field of Carbon had another name than in the step, and its open list covered the fields below it."""
    await model.call("navigate", url=site.html("/renamed", RENAMED))
    await choose(model, "Extras", '["Wifi", "Meal"]')
    look = await model.call("look")
    assert '"Extras, Wifi chosen, Meal chosen"' in look
    assert "(collapsed" in look


async def test_a_list_that_no_click_opens_is_opened_by_a_key_that_chooses_nothing(model: Model, site: Site) -> None:
    """The combobox of UI5 took the arrow down alone for a choice of its first option."""
    await model.call("navigate", url=site.html("/keys", KEYS))
    lines = await choose(model, "Country", "France")
    assert lines[0] == '1 select "Country": clicked option "France" of the list that a click has opened'
    assert '~ @country value "" → "France"' in lines


async def test_options_of_a_popup_with_a_field_to_search_in_are_selected(model: Model, site: Site) -> None:
    await model.call("navigate", url=site.html("/popup", POPUP))
    first, *changes = await choose(model, "Letters", '["a", "b"]')
    assert first == '1 select "Letters": clicked options "a", "b" of the list that a click has opened'
    assert '+ status "ab"' in changes
