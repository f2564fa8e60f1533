"""Incremental looks: what has changed since the client's last look."""

import re

import pytest

from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.types.element import SeenState
from tests.browser.watched_page import Scenarios, WatchedTab

CHANGES = ObserveParams(incremental=True, format="text", text="none")
FORM = """<title>Form</title>
<label>Name <input id=nick value=a></label> <label><input id=agree type=checkbox> Agree</label>
<button id=send>Send</button> <a id=help href="#">Help</a>"""


async def lines(tab: WatchedTab, params: ObserveParams = CHANGES) -> list[str]:
    return ((await tab.refs.observe(params)).text or "").splitlines()


def test_the_first_look_is_full_and_the_next_one_has_changes_only(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        first = await tab.refs.observe(CHANGES)
        assert (first.full, len(re.findall(r"@\w+ ", first.text or ""))) == ("first", 4)
        assert await lines(tab) == ["no changes"]
        await tab.run("nick.value = 'b'; agree.checked = true; send.textContent = 'Sent'; help.remove()")
        await tab.run("document.body.insertAdjacentHTML('beforeend', '<button disabled>Undo</button>')")
        assert await lines(tab) == [
            "changes",
            '~ @nick value "a" → "b"',
            "~ @agree checked false → true",
            '~ @send button "Sent" was button "Send"',
            '+ @undo button "Undo" (disabled)',
            '- @help link "Help"',
        ]
        assert await lines(tab) == ["no changes"]
        # Names of properties of the document, and elements deeper than the walk goes.
        await tab.run("document.body.innerHTML = '<img name=getElementById><img name=querySelectorAll>'")
        await tab.run(
            """location.hash = 'x'; let at = document.body;
            for (let n = 0; n < 1300; n++) at = at.appendChild(document.createElement('b'))"""
        )
        look = await tab.refs.observe(ObserveParams(format="text"))
        assert look.metadata
        assert look.metadata.too_deep
        assert (look.text or "").splitlines()[0].endswith("#x (parts are nested too deep, and missing here)")

    scenarios.look(FORM, scenario)


def test_what_a_replaced_list_held_before_is_folded(scenarios: Scenarios) -> None:
    """Each removed row stood there with its name: a new page of a table cost twice what it shows."""
    rows = "".join(f"<tr><td>Item {row}<td><button>Edit {row}</button>" for row in range(50))
    long_name = "very " * 20 + "long"
    whole = ObserveParams(incremental=True, format="text")

    async def scenario(tab: WatchedTab) -> None:
        await tab.refs.observe(whole)
        await tab.run("list.hidden = true")  # and back, as behind a dialog: each row stood there again with its name
        await tab.refs.observe(whole)
        await tab.run("list.hidden = false; list.rows[0].cells[0].textContent = 'First'")
        await tab.run("list.rows[3].cells[1].firstChild.disabled = true")
        seen = await lines(tab, whole)
        assert (len(seen), seen[1][:7]) == (4, '+ | "Fi'), seen
        assert seen[2].startswith("+ back as before: @edit1 @edit2 @edit4 ")
        await tab.run("list.rows[0].cells[0].textContent = 'Item 0'; list.rows[3].cells[1].firstChild.disabled = false")
        await tab.refs.observe(whole)
        await tab.run("list.innerHTML = '<tr><td>None'; far.remove()")
        seen = await lines(tab, whole)
        assert seen[:3] == ["changes", '+ | "None"', '- "Item 0"']
        assert seen[8:10] == [f'- @far button "{long_name[:79]}…"', '- @edit0 button "Edit 0"']
        assert seen[14].startswith("- @edit5 @edit6 ")
        assert seen[14].endswith(" @edit14 and 35 more elements and 44 more texts")
        assert len(seen) == 15
        assert await lines(tab, whole) == ["no changes"]

    scenarios.look(f"<button id=far>{long_name}</button><table id=list>{rows}</table>", scenario)


LIST = """<ul id=list><li>Apple<li>Pear<li>Plum<li>Quince<li>Fig<li>Date</ul>
<ol id=keys><li><button>A</button><li><button>B</button><li><button>C</button></ol>
<ul id=tasks><li><b>⠿</b> <p>Sew</p><li><b>⠿</b> <p>Cut</p></ul>
<ul id=stars><li><i>★</i> <button>D</button><li><i>★</i> <button>E</button></ul>"""


def test_a_new_order_is_a_change(scenarios: Scenarios) -> None:
    """A table that a click on its header had sorted, or a dragged row, was "no changes"."""
    whole = ObserveParams(incremental=True, format="text")
    sort = "list.append(...[...list.children].sort((a, b) => a.textContent < b.textContent ? -1 : 1))"

    async def scenario(tab: WatchedTab) -> None:
        await tab.refs.observe(whole)
        for script, expected in [
            ("list.prepend(list.lastElementChild)", ['~ moved: "Date" before "Apple"']),
            ("list.append(list.firstElementChild)", ['~ moved: "Date" behind "Fig"']),
            ("keys.prepend(keys.lastElementChild)", ["~ moved: @c before @a"]),
            ("tasks.append(tasks.firstElementChild)", ['~ moved: "Cut" before "Sew"']),
            ("stars.append(stars.firstElementChild)", ['~ moved: @e behind "Sew"']),
            ("list.innerHTML += ''", []),
            (
                "list.innerHTML = '<li>Fig' + list.innerHTML.replace('<li>Fig</li>', '')",
                ['~ moved: "Fig" before "Apple"'],
            ),
            (
                "list.append(...[...list.children].reverse())",
                ['~ order now: "Date", "Quince", "Plum", "Pear", "Apple", "Fig"'],
            ),
            (sort, ['~ order now: "Apple", "Date", "Fig", "Pear", "Plum", "Quince"']),
            (
                "list.children[2].before(Object.assign(document.createElement('li'), { textContent: 'Egg' }))",
                ['+ - "Egg"'],
            ),
        ]:
            await tab.run(script)
            assert (await lines(tab, whole))[1:] == expected

    scenarios.look(LIST, scenario)


def test_changes_as_json_hold_the_states_before_and_no_list(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.run("nick.value = 'b'; help.remove()")
        seen = await tab.refs.observe(ObserveParams(incremental=True, text="none"))
        assert (seen.interactive_elements, seen.metadata, seen.full) == (None, None, None)
        assert seen.changes is not None
        assert [(element.ref, element.value) for element in seen.changes.updated] == [("@nick", "b")]
        assert seen.changes.before == [
            SeenState(ref="@nick", role="textbox", name="Name", value="a"),
            SeenState(ref="@help", role="link", name="Help"),
        ]

    scenarios.look(FORM, scenario)


def test_a_field_for_secrets_shows_that_it_holds_something_and_not_what(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert [one.filled for one in (await tab.see()).values()] == [None, None, None]
        await tab.run("[pin.value, code.value, nick.value] = ['hunter2', '123456', 'Ann']")
        shown = await lines(tab)
        assert shown[1:] == ["~ @pin filled none → true", "~ @code filled none → true", '~ @nick value "" → "Ann"']
        assert [(one.value, one.filled) for one in (await tab.see()).values()][:2] == [(None, True)] * 2
        await tab.run("pin.value = ''")
        assert (await lines(tab))[1:] == ["~ @pin filled true → none"]

    fields = "<input type=password id=pin><textarea autocomplete=one-time-code id=code></textarea><input id=nick>"
    scenarios.look(fields, scenario)


def test_a_title_a_route_and_a_scroll_are_changes(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.run("scrollTo(0, 100)")
        assert await lines(tab) == ["changes", f"scroll 100/{await tab.page.evaluate('maximum()')}"]
        await tab.run("location.hash = 'more'; document.title = 'More'; scrollTo(0, 0)")
        header, page = await lines(tab)
        assert (header, page.partition(" scroll")[0]) == ("changes", f'page "More" {tab.page.url}')

    script = "maximum = () => document.scrollingElement.scrollHeight - innerHeight"
    scenarios.markup(f"<div style='height: 5000px'></div><script>{script}</script>", scenario)


def test_a_list_that_is_rendered_again_is_no_change(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.run("render()")
        assert await lines(tab) == ["no changes"]
        await tab.run("things.push('Eve'); render()")
        assert await lines(tab) == ["changes", '+ @eve button "Eve"']

    script = """<ul></ul><script>
      things = ['Ann', 'Bob', 'Cid'];
      render = () => document.querySelector('ul').innerHTML = things.map(one => `<li><button>${one}</button>`).join('');
      render();
    </script>"""
    scenarios.look(script, scenario)


@pytest.mark.parametrize("is_rendered_again", [False, True])
def test_what_a_cursor_leads_to_is_no_news(scenarios: Scenarios, is_rendered_again: bool) -> None:
    async def scenario(tab: WatchedTab) -> None:
        first = await tab.refs.observe(ObserveParams(max_elements=5, text="none"))
        assert first.next_cursor is not None
        if is_rendered_again:
            await tab.run("document.body.innerHTML += ''")
        assert await lines(tab) == ["no changes"]
        await tab.run("document.querySelector('button').insertAdjacentHTML('beforebegin', '<button>New</button>')")
        assert await lines(tab) == ["changes", '+ @new button "New"']
        rest = await tab.refs.observe(ObserveParams(cursor=first.next_cursor, text="none"))
        assert [element.name for element in rest.elements] == [f"B{number}" for number in range(5, 20)]

    scenarios.look("".join(f"<p><button>B{number}</button>" for number in range(20)), scenario)


def test_changes_beyond_the_budget_come_with_the_next_look(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.run(
            "for (const one of document.querySelectorAll('button')) one.textContent = 'New ' + one.textContent"
        )
        await tab.run("for (let n = 0; n < 9; n++) document.body.append(document.createElement('input'))")
        told = set[str]()
        limited = ObserveParams(incremental=True, format="text", text="none", max_tokens=100)
        for _ in range(30):
            header, *changed = await lines(tab, limited)
            if header == "no changes":
                break
            if changed[-1].startswith("..."):
                assert changed.pop().endswith("; look again")
            assert changed
            assert told.isdisjoint(changed)
            told.update(changed)
        assert len(told) == 29
        assert sum(line.startswith("~") for line in told) == 20

    scenarios.look("".join(f"<p><button>B{number}</button>" for number in range(20)), scenario)


def test_new_elements_beyond_the_maximum_come_with_the_next_look(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.run("for (let n = 0; n < 5; n++) document.body.append(document.createElement('input'))")
        some = ObserveParams(incremental=True, format="text", text="none", max_elements=3)
        assert (await lines(tab, some))[-1] == "... 2 more changes; look again"
        assert [line[:1] for line in await lines(tab, some)] == ["c", "+", "+"]

    scenarios.look(FORM, scenario)


def test_changes_of_frames_name_a_new_frame(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.run(
            "document.body.insertAdjacentHTML("
            "'beforeend', '<iframe name=inner srcdoc=\"<button>In</button>\"></iframe>')"
        )
        frame = tab.page.frames[1]
        await frame.wait_for_load_state()
        header, line, added = await lines(tab)
        assert (header, line) == ("changes", 'frame "inner" about:srcdoc')
        assert added.endswith('.in button "In"')
        await frame.evaluate("document.querySelector('button').disabled = true")
        assert await lines(tab) == ["changes", f"~ {added.split()[1]} disabled none → true"]
        await tab.run("document.querySelector('iframe').remove()")
        assert await lines(tab) == ["changes", f'- {added.split()[1]} button "In"']

    scenarios.look(FORM, scenario)
