"""Incremental looks at the words of a page."""

import random
from collections import Counter

import attrs
import pytest

from agentbrowser.browser.observe.look.lines import words_of
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.types.element import AgentObserveResult, InteractiveElement
from tests.browser.watched_page import Scenarios, WatchedTab

CHANGES = ObserveParams(incremental=True, format="text")
FULL = ObserveParams(format="text")
ORDERS = """<title>Orders</title><main><h1>Orders</h1>
<p id=total>Total: $20</p><table><tbody></table><div id=note></div></main><script>
  orders = [[1001, 'Shipped'], [1002, 'New'], [1003, 'New']];
  render = () => document.querySelector('tbody').innerHTML =
    orders.map(([id, state]) => `<tr><td>${id}<td>${state}<td><button>View ${id}</button>`).join('');
  render();
</script>"""


async def lines(tab: WatchedTab, params: ObserveParams = CHANGES) -> list[str]:
    return ((await tab.refs.observe(params)).text or "").splitlines()


def test_changed_new_and_removed_words_are_reported(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await lines(tab, FULL)
        assert await lines(tab) == ["no changes"]
        await tab.run("total.textContent = 'Total: $30'; note.innerHTML = '<div role=alert>Card declined.</div>'")
        assert await lines(tab) == ["changes", '~ "Total: $20" → "Total: $30"', '+ alert "Card declined."']
        await tab.run("note.remove()")
        assert await lines(tab) == ["changes", '- "Card declined."']

    scenarios.markup(ORDERS, scenario)


def test_words_that_come_and_go_beside_an_element_are_added_and_removed(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await lines(tab, FULL)
        await tab.run("tip.hidden = false")
        assert await lines(tab) == ["changes", '+ "The tip"']
        await tab.run("tip.textContent = 'Another tip'")
        assert await lines(tab) == ["changes", '~ "The tip" → "Another tip"']
        await tab.run("tip.hidden = true")
        assert await lines(tab) == ["changes", '- "Another tip"']

    scenarios.look("<p><button>Help</button><span id=tip hidden>The tip</span></p>", scenario)


def test_words_of_elements_that_a_popup_makes_inert_are_no_news(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await lines(tab, FULL)
        await tab.run("page.inert = true; menu.hidden = false")
        shown = await lines(tab)
        assert shown[:2] == ["changes", '+ @copy menuitem "Copy"']
        assert all(line.startswith("- @") for line in shown[2:]), "the words of labels and buttons are as before"
        await tab.run("page.inert = false; menu.hidden = true")
        assert not any(line.startswith(("~", '+ "', '- "')) for line in await lines(tab))

    page = "<label>Name <input></label><p><button>Save</button></p><h2><button>Terms</button></h2><p id=note>Hint</p>"
    menu = "<div id=menu role=menu hidden><div role=menuitem tabindex=-1>Copy</div></div>"
    scenarios.look(f"<div id=page>{page}</div>{menu}", scenario)


@pytest.mark.parametrize("hidden", ["side.ariaHidden = 'true'", ""])
def test_a_fixed_sidebar_behind_a_dialog_has_no_new_words(scenarios: Scenarios, hidden: str) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await lines(tab, FULL)
        await tab.run("open()")
        assert await lines(tab) == ["changes", '+ ## "New"', '+ @ok button "OK"']

    side = "<nav id=side style='position:fixed;width:90px;height:300px'><ul><li><a href=a>Runs</a></ul></nav>"
    dialog = "<div style='position:fixed;inset:0'></div><div role=dialog style='position:fixed;left:200px;top:100px'>"
    script = f"""<script>function open() {{ {hidden}
        document.body.insertAdjacentHTML('beforeend', "{dialog}<h2>New</h2><button>OK</button></div>") }}</script>"""
    scenarios.markup(f"{side}<p>Words</p>{script}", scenario)


def test_the_names_of_icons_in_elements_are_no_words(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        shown = '@form tab "Form" @next button "Next" @town combobox "Town" (collapsed)'
        assert (await lines(tab, FULL))[1:] == [shown, '"check_circle Saved"']

    icon = "<i class='q-icon notranslate material-icons' aria-hidden=true role=presentation>"
    controls = f"<b role=tab tabindex=0>{icon}edit</i>Form</b><button aria-label=Next>{icon}chevron_right</i></button>"
    field = f"<input role=combobox aria-label=Town aria-expanded=false>{icon}arrow_drop_down</i>"
    scenarios.markup(
        f"<p>{controls}</p><p><label>Town {field}</label></p><p>{icon}check_circle</i> Saved</p>", scenario
    )


def test_a_rule_or_an_empty_block_sets_the_words_beside_it_apart(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert '"No tags No files Notes"' in (await lines(tab, FULL))[-1]

    scenarios.look("<div><i>No tags</i><hr><i>No files</i><div></div><i>No</i><b>tes</b></div>", scenario)


def test_words_in_a_button_are_set_apart_from_those_beside_it(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await lines(tab, FULL)
        await tab.run("count.textContent = '2'")
        assert await lines(tab) == ["changes", '~ - "Tea | − | 1 | + | $9" → "Tea | − | 2 | + | $9"']

    buttons = ("<button aria-label=Decrease>−</button>", "<button aria-label=Increase>+</button>")
    markup = f"<ul><li>Tea {buttons[0]} <span id=count>1</span> {buttons[1]} $9</ul>"
    scenarios.look(markup, scenario)


def test_a_row_is_new_with_its_elements_and_a_rendered_list_is_no_change(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await lines(tab, FULL)
        await tab.run("render()")
        assert await lines(tab) == ["no changes"]
        await tab.run("orders.reverse(); render()")
        assert await lines(tab) == ["changes", '~ moved: "1003" behind "Total: $20", "1002" behind "1003"']
        await tab.run("orders.unshift([1004, 'Held']); render()")
        assert await lines(tab) == ["changes", '+ | "1004 | Held" @view1004 button "View 1004"']
        await tab.run("document.querySelector('td:nth-child(2)').textContent = 'Paid'")
        assert await lines(tab) == ["changes", '~ | "1004 | Held" → "1004 | Paid"']

    scenarios.look(ORDERS, scenario)


def test_a_message_that_is_shown_again_is_a_change(scenarios: Scenarios) -> None:
    page = "<p role=alert id=same></p><div id=form></div><div role=status>Saved</div>"
    made = "form.innerHTML = '<div role=alert>Wrong password.</div>'"
    written = "same.textContent = ''; same.append('Too short.')"

    async def scenario(tab: WatchedTab) -> None:
        await tab.run(f"{made}; {written}")
        await lines(tab, FULL)
        assert await lines(tab) == ["no changes"]
        await tab.run(made)
        assert await lines(tab) == ["changes", '+ alert "Wrong password." again']
        await tab.run(written)
        assert await lines(tab) == ["changes", '+ alert "Too short." again']
        await tab.run(written)
        changes = (await tab.refs.observe(ObserveParams(incremental=True))).changes
        (word,) = (changes and changes.words) or []
        assert (word.kind, word.block and words_of(word.block)) == ("repeated", "Too short.")
        assert await lines(tab) == ["no changes"]

    scenarios.markup(page, scenario)


def test_a_changed_line_keeps_the_sentence_around_what_changed(scenarios: Scenarios) -> None:
    tail = "Prices include all taxes and the fees of the booking service."
    line = f"Results are sorted by departure. Showing 150 of 150 flights, one adult. {tail}"
    page = f"<p id=line>{line}</p><p role=status></p>"
    message = f"The small oval plate was removed from your basket. {tail}"

    async def scenario(tab: WatchedTab) -> None:
        await tab.run(f"document.querySelector('[role]').textContent = {message!r}")
        await lines(tab, FULL)
        await tab.run("line.textContent = line.textContent.replace('150', '2')")
        assert await lines(tab) == ["changes", '~ "…150 …" → "…Showing 2 of 150 flights, one adult.…"']
        await tab.run("document.querySelector('[role]').textContent = 'The round bowl' + " + repr(message[20:]))
        assert (await lines(tab))[1].endswith(f'→ "The round bowl{message[20:]}"')

    scenarios.look(page, scenario)


def test_a_change_in_a_long_row_names_the_row(scenarios: Scenarios) -> None:
    about = "Double room, courtyard | 18 m², queen-size bed | Breakfast included"
    row = "".join(f"<td>{cell}" for cell in about.split(" | "))
    page = f"<table><tr>{row}<td id=price>€342<tr>{row.replace('Double', 'Single')}<td>€120</table>"
    named = f"<button id=card aria-label='{about} {about}, €342'>Go</button>"

    async def scenario(tab: WatchedTab) -> None:
        await lines(tab, FULL)
        await tab.run("price.textContent = '€355'")
        assert await lines(tab) == ["changes", '~ | "…€342" → "Double room, courtyard …€355"']
        await tab.run("card.ariaLabel = card.ariaLabel.replace('€342', 'Sold out')")
        (line,) = (await lines(tab))[1:]
        assert line.endswith(', Sold out" was button "…€342"')

    scenarios.look(page + named, scenario)


def test_changed_words_as_json(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.refs.observe(ObserveParams())
        await tab.run("total.textContent = 'Total: $30'; note.textContent = 'Paid'")
        await tab.run("document.querySelector('h1').remove()")
        seen = await tab.refs.observe(ObserveParams(incremental=True))
        assert (seen.content, seen.interactive_elements) == (None, None)
        assert seen.changes is not None
        words = [(one.kind, one.before, one.block and one.block.parts[0].text) for one in seen.changes.words or ()]
        assert words == [
            ("updated", "Total: $20", "Total: $30"), ("added", None, "Paid"), ("removed", "Orders", None),
        ]  # fmt: skip

    scenarios.look(ORDERS, scenario)


def test_words_that_a_cursor_leads_to_are_no_news(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        first = await tab.refs.observe(ObserveParams(format="text", max_tokens=300))
        assert first.next_cursor is not None
        assert await lines(tab) == ["no changes"]
        await tab.run("render()")
        assert await lines(tab) == ["no changes"]
        await tab.run("orders.push([5000, 'Last']); render()")
        assert await lines(tab) == ["changes", '+ | "5000 | Last" @view5000 button "View 5000"']
        rest = await tab.refs.observe(
            ObserveParams(format="text", cursor=first.next_cursor, max_tokens=8000, max_elements=500)
        )
        assert '"1150 | New"' in (rest.text or "")

    more = "for (let n = 1004; n < 1200; n++) orders.push([n, 'New']); render()"
    scenarios.look(f"{ORDERS}<script>{more}</script>", scenario)


def test_new_words_beyond_the_budget_come_with_the_next_look_the_alert_first(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await lines(tab, FULL)
        await tab.run("for (let n = 2000; n < 2040; n++) orders.push([n, 'New']); render()")
        await tab.run("note.innerHTML = '<div role=alert>Too many.</div>'")
        limited, told = ObserveParams(incremental=True, format="text", max_tokens=200), list[str]()
        while (changed := await lines(tab, limited)) != ["no changes"]:
            assert told or '+ alert "Too many."' in changed
            assert changed[1:]
            told += [line for line in changed[1:] if not line.startswith("...")]
        assert len(told) == len(set(told)) == 41

    scenarios.markup(ORDERS, scenario)


def test_what_a_modal_dialog_hides_is_not_removed(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await lines(tab, FULL)
        await tab.run("box.showModal()")
        assert await lines(tab) == ["changes", '+ "Sure?" @yes button "Yes" (focused)']
        await tab.run("box.close()")
        assert await lines(tab) == ["changes", '- "Sure?"', '- @yes button "Yes"']

    scenarios.markup(f"{ORDERS}<dialog id=box>Sure? <button>Yes</button></dialog>", scenario)


_STEPS = (
    "items.push(`Thing ${++count}`)",
    "items.unshift(`Thing ${++count}`)",
    "items.splice(items.length >> 1, 1)",
    "items.reverse()",
    "items[0] = `Other ${++count}`",
    "document.querySelector('h1').textContent = `Title ${++count}`",
    "document.querySelector('input').value = `typed ${++count}`",
    "document.querySelector('p')?.remove()",
    "document.body.insertAdjacentHTML('beforeend', `<p>Note ${++count} <a href='#'>Link ${count}</a></p>`)",
    "addFrame(++count)",
    "document.querySelector('iframe')?.remove()",
    "",
)
_RANDOM = """<h1>Title</h1><input aria-label=Name><ul></ul><script>
  items = ['Thing A', 'Thing B', 'Thing C']; count = 0;
  render = () => document.querySelector('ul').innerHTML =
    items.map(one => `<li>About ${one} <button>Delete ${one}</button>`).join('');
  addFrame = (n) => new Promise((done) => {
    const frame = document.createElement('iframe');
    frame.srcdoc = `<p>Inner ${n}</p><button>Press ${n}</button>`;
    frame.onload = done;
    document.body.append(frame);
  });
  render();
</script>"""


@pytest.mark.parametrize("seed", range(6))
def test_the_first_look_with_all_changes_is_the_last_look(scenarios: Scenarios, seed: int) -> None:
    """Words, each as often as a full look has them, and elements by ref."""

    async def scenario(tab: WatchedTab) -> None:
        dice = random.Random(seed)
        unlimited = ObserveParams(max_tokens=20_000, max_elements=1000)
        known = Known()
        known.start(await tab.refs.observe(unlimited))
        for _ in range(12):
            for _ in range(dice.randrange(3)):
                await tab.page.evaluate(f"async () => {{ await ({dice.choice(_STEPS) or '0'}) }}")
            await tab.run("render()")
            known.apply(await tab.refs.observe(attrs.evolve(unlimited, incremental=True)))
        fresh = Known()
        fresh.start(await tab.refs.observe(unlimited))
        assert sorted(known.words.elements()) == sorted(fresh.words.elements())
        assert known.elements == fresh.elements

    scenarios.look(_RANDOM, scenario)


@attrs.define
class Known:
    """Elements and words that a client knows of a page from looks as JSON."""

    words: Counter[str] = attrs.field(factory=Counter)
    elements: dict[str, str] = attrs.field(factory=dict)

    def start(self, look: AgentObserveResult) -> None:
        """Read a full look."""
        self.words.update(filter(None, map(words_of, look.content or ())))
        self._put(look.elements)

    def apply(self, look: AgentObserveResult) -> None:
        """Apply the changes of a look."""
        assert look.changes is not None
        for ref in look.changes.removed:
            del self.elements[ref]
        self._put([*look.changes.added, *look.changes.updated])
        for change in look.changes.words or ():
            self.words.subtract([change.before] if change.before else [])
            self.words.update([words_of(change.block)] if change.block and words_of(change.block) else [])
        assert min(self.words.values(), default=0) >= 0
        self.words = +self.words

    def _put(self, elements: list[InteractiveElement]) -> None:
        self.elements |= {one.ref: f"{one.role} {one.name} {one.value}" for one in elements}
