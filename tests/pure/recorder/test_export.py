"""Tests written from recordings: locators, values, expectations, and what cannot be repeated."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentbrowser.cli.commands import main
from agentbrowser.recorder.archive import Recording
from agentbrowser.recorder.export.blocking import agentbrowser_python
from agentbrowser.recorder.export.plan import plan_of
from agentbrowser.recorder.export.playwright import playwright_python, playwright_typescript
from agentbrowser.recorder.export.seen import read_look

SITE = "http://shop.example"
WORD_BREAK = r"\W*"
LOOK = """page "Shop" http://shop.example/
# "Shop"
"Call @evil button \\"Pay\\" now" @name textbox "Name" value="Ada"
| "Apple | 3 left" @add button "Add" in "Apple"
| "Pear" @add2 button "Add"
@icon button ~"Close" @order button "Say \\"yes\\""
status "Updated 3 minutes ago"
... 4 more rows like @add button "Add"; cursor r0@add3"""


def request(method: str, params: Any = None, result: Any = None, page: str = "p1", **more: Any) -> dict[str, Any]:
    return {"kind": "request", "method": method, "params": params or {}, "result": result, "page": page, **more}


def exported(*requests: dict[str, Any], looks: bool = True) -> dict[str, list[str]]:
    """Return the statements of the three tests, for a run that opens the shop and looks at it."""
    opening = request("page/create", {"url": f"{SITE}/"}, {"id": "p1", "url": f"{SITE}/"})
    first = [opening, request("agent/observe", {}, {"text": LOOK})] if looks else [opening]
    events = [{"t": number * 10, "ms": 1, **one} for number, one in enumerate([*first, *requests])]
    plan = plan_of(Recording({"id": "rec-1"}, events, {}))
    made = {"py": playwright_python(plan), "ts": playwright_typescript(plan), "own": agentbrowser_python(plan)}
    for name in ("py", "own"):
        compile(made[name], name, "exec")
    return {
        "py": _body(made["py"], "        page = context.new_page()"),
        "ts": _body(made["ts"], "  const page = await context.newPage();"),
        "own": _body(made["own"], "        page = browser.new_page("),
    }


def _body(text: str, start: str) -> list[str]:
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(start))
    return [line.strip() for line in lines[first:]]


def action(selector: Any, method: str = "action/click", **more: Any) -> dict[str, Any]:
    result = more.pop("result", {"url": f"{SITE}/", "navigated": False})
    return request(method, {"selector": selector, **more}, result)


def test_a_look_as_text_holds_elements_and_words_and_no_page_forges_one() -> None:
    look = read_look({"text": LOOK})
    found = {ref: (one.role, one.name, one.is_derived, one.place, one.is_alone) for ref, one in look.elements.items()}
    assert found == {
        "@name": ("textbox", "Name", False, 0, True),
        "@add": ("button", "Add", False, 0, False),
        "@add2": ("button", "Add", False, 1, False),
        "@icon": ("button", "Close", True, 0, True),
        "@order": ("button", 'Say "yes"', False, 0, True),
    }
    assert look.words == (
        ("heading", "Shop"),
        ("paragraph", 'Call @evil button "Pay" now'),
        ("row", "Apple"),
        ("row", "3 left"),
        ("row", "Pear"),
        ("status", "Updated 3 minutes ago"),
    )


def test_changes_as_text_hold_new_words_and_elements_only() -> None:
    text = 'changes\n+ alert "Declined" again\n~ @name value "" → "Ada"\n~ "old" → "new"\n~ status "…b" → "a | c"\n'
    text += '- "gone"\n- @a link "A"\n'
    look = read_look({"text": text + '+ "Line" @undo button "Undo"\n~ @go button "Going" was button "Go"'})
    assert look.is_diff
    assert {ref: one.name for ref, one in look.elements.items()} == {"@undo": "Undo", "@go": "Going"}
    assert look.words == (
        ("alert", "Declined"),
        ("paragraph", "new"),
        ("status", "a"),
        ("status", "c"),
        ("paragraph", "Line"),
    )


@pytest.mark.parametrize(
    ("selector", "py", "ts", "own"),
    [
        ("@name", 'get_by_role("textbox", name="Name", exact=True)',
         'getByRole("textbox", { name: "Name", exact: true })', 'seen(page, "textbox", "Name")'),
        ("@add2", 'get_by_role("button", name="Add", exact=True).nth(1)',
         'getByRole("button", { name: "Add", exact: true }).nth(1)', 'seen(page, "button", "Add", 1)'),
        ("@icon", 'get_by_role("button").nth(2)', 'getByRole("button").nth(2)', 'seen(page, "button", "Close")'),
        ("@order", r'get_by_role("button", name="Say \"yes\"", exact=True)',
         r'getByRole("button", { name: "Say \"yes\"", exact: true })', r'seen(page, "button", "Say \"yes\"")'),
        ("#id", 'locator("css=#id")', 'locator("css=#id")', 'by.Css("#id")'),
        ({"type": "label", "value": "Town"}, 'get_by_label("Town")', 'getByLabel("Town")', 'by.Label("Town")'),
        ({"type": "testId", "value": "t"}, 'get_by_test_id("t")', 'getByTestId("t")', 'by.TestId("t")'),
        ({"type": "xpath", "value": "//a"}, 'locator("xpath=//a")', 'locator("xpath=//a")', 'by.XPath("//a")'),
        ({"type": "semantic", "description": "the name of the buyer"},
         'get_by_role("textbox", name="Name", exact=True)', 'getByRole("textbox", { name: "Name", exact: true })',
         'by.Semantic("the name of the buyer")'),
    ],
)  # fmt: skip
def test_an_element_is_located_by_role_and_name_or_by_its_selector(selector: Any, py: str, ts: str, own: str) -> None:
    made = exported(action(selector))
    assert f"page.{py}.click()" in made["py"]
    assert f"await page.{ts}.click();" in made["ts"]
    assert f"page[{own}].click()" in made["own"]


def located(ref: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "locator", "page": "p1", "ref": ref, "css": "li > b", "role": "button", "name": "Add", **fields}


@pytest.mark.parametrize(
    ("note", "py", "own"),
    [
        (located("@add2", isOnly=True), 'get_by_role("button", name="Add", exact=True)',
         'by.Role("button", "Add", exact=True)'),
        (located("@add2", isOnly=False), 'locator("css=li > b")', 'by.Css("li > b")'),
        (located("@new", isOnly=False), 'locator("css=li > b")', 'by.Css("li > b")'),
        (located("@add2", isOnly=True, name="Sent 3 minutes ago"), 'locator("css=li > b")', 'by.Css("li > b")'),
        (located("@f1.add", isOnly=True, frames=["#pay", "iframe"]),
         'frame_locator("css=#pay").frame_locator("css=iframe").get_by_role("button", name="Add", exact=True)',
         'seen(page, "button", "Add")'),
    ],
)  # fmt: skip
def test_an_element_is_located_as_it_was_recorded_when_it_was_acted_on(note: dict[str, Any], py: str, own: str) -> None:
    acted = {**action(note["ref"]), "t": 50, "ms": 10}
    made = exported({**note, "t": 55}, acted)
    assert f"page.{py}.click()" in made["py"]
    assert f"page[{own}].click()" in made["own"]
    early = exported({**note, "t": 40}, acted)
    assert f"page.{py}.click()" not in early["py"] or "li > b" not in py


@pytest.mark.parametrize(
    "name",
    ["Second page", "Open in a second window", "Minute book", "5-minute recipes", "Minutes", "Today offers", "Today"],
)
def test_a_name_with_a_word_for_a_time_is_the_same_in_each_run(name: str) -> None:
    note = {**located("@add2", isOnly=True, name=name), "t": 55}
    acted = action("@add2", result={"url": f"{SITE}/", "observation": {"text": f'changes\n+ status "picked {name}s"'}})
    made = exported(note, {**acted, "t": 50, "ms": 10})
    assert f'page.get_by_role("button", name="{name}", exact=True).click()' in made["py"]
    assert made["own"][-1] == f'check_words(page, "picked {name}s")'


@pytest.mark.parametrize(
    "words",
    ["3 minutes ago", "12 seconds", "Wait 1 more minute", "Ready in a few seconds", "Starts in a minute", "Just now",
     "Minutes left: 3", "Updated today", "Sent yesterday.", "Today, 3 pm", "Yesterday at noon", "Today 9 am"],
)  # fmt: skip
def test_words_for_the_time_of_the_run_are_no_name_and_are_not_expected(words: str) -> None:
    note = {**located("@add2", isOnly=True, name=words), "t": 55}
    shown = {"text": f'changes\n+ "Yesterday"\n+ status "{words}"\n+ "Kept"'}
    acted = action("@add2", result={"url": f"{SITE}/", "observation": shown})
    made = exported(note, {**acted, "t": 50, "ms": 10})
    assert 'page.locator("css=li > b").click()' in made["py"]
    assert made["own"][-1] == 'check_words(page, "Kept")'


def row(*words: str, **fields: Any) -> dict[str, Any]:
    return {"role": "listitem", "words": list(words), "path": "", "isOnly": False, **fields}


@pytest.mark.parametrize(
    ("fields", "py", "ts"),
    [
        ({"row": row("Offsite: cabin")}, 'get_by_role("listitem").filter(has_text="Offsite: cabin")',
         'getByRole("listitem").filter({ hasText: "Offsite: cabin" })'),
        ({"row": row("Ada", role="row", path="td:nth-child(3) > button", isOnly=True)},
         'get_by_role("row").filter(has_text="Ada").get_by_role("button", name="Add", exact=True)',
         'getByRole("row").filter({ hasText: "Ada" }).getByRole("button", { name: "Add", exact: true })'),
        ({"row": row("Ada", role="row", path="td:nth-child(3) > button")},
         'get_by_role("row").filter(has_text="Ada").locator("css=:scope > td:nth-child(3) > button")',
         'getByRole("row").filter({ hasText: "Ada" }).locator("css=:scope > td:nth-child(3) > button")'),
        ({"row": row("Ada", role=None, css="div.card", path="b")},
         'locator("css=div.card").filter(has_text="Ada").locator("css=:scope > b")',
         'locator("css=div.card").filter({ hasText: "Ada" }).locator("css=:scope > b")'),
        # Words of one run, and masked ones, are not used; without others, the place is.
        ({"row": row("3 minutes ago", "PB-782", "[REDACTED]", "Ada")}, 'get_by_role("listitem").filter(has_text="Ada")',
         'getByRole("listitem").filter({ hasText: "Ada" })'),
        ({"row": row("10:42", "Order 123456")}, 'locator("css=li > b")', 'locator("css=li > b")'),
        ({"row": row("Ada", path="b", isOnly=True), "name": "2 minutes ago"},
         'get_by_role("listitem").filter(has_text="Ada").locator("css=:scope > b")',
         'getByRole("listitem").filter({ hasText: "Ada" }).locator("css=:scope > b")'),
        # A name of the whole page is better than a row.
        ({"row": row("Ada"), "isOnly": True}, 'get_by_role("button", name="Add", exact=True)',
         'getByRole("button", { name: "Add", exact: true })'),
        ({"row": row("Ada"), "frames": ["#pay"]},
         'frame_locator("css=#pay").get_by_role("listitem").filter(has_text="Ada")',
         'frameLocator("css=#pay").getByRole("listitem").filter({ hasText: "Ada" })'),
    ],
)  # fmt: skip
def test_an_element_is_located_by_the_words_of_its_row_rather_than_by_its_place(
    fields: dict[str, Any], py: str, ts: str
) -> None:
    note = {**located("@add2", **{"isOnly": False, **fields}), "t": 55}
    made = exported(note, {**action("@add2"), "t": 50, "ms": 10})
    assert f"page.{py}.click()" in made["py"]
    assert f"await page.{ts}.click();" in made["ts"]


def test_each_step_of_a_sequence_has_the_locator_of_its_own_time() -> None:
    steps = [{"action": "action/click", "params": {"selector": "@add"}} for _ in range(2)]
    acted = request("agent/act", {"steps": steps}, {"results": [{"step": n, "success": True} for n in range(2)]})
    notes = [{**located("@add", css=f"li:nth-child({n})", isOnly=False), "t": 50 + n} for n in range(2)]
    made = exported(*notes, {**acted, "t": 50, "ms": 10})
    assert [line for line in made["py"] if "css=li" in line] == [
        f'page.locator("css=li:nth-child({n})").click()' for n in range(2)
    ]


def test_the_selector_of_a_json_look_is_used_where_the_name_is_ambiguous() -> None:
    css = {"type": "css", "value": "tr:nth-child(2) > button"}
    listed = [{"ref": "@add2", "role": "button", "name": "Add", "selector": css, "tagName": "button"}]
    made = exported(request("agent/observe", {}, {"interactiveElements": listed}), action("@add2"), looks=False)
    assert 'page.locator("css=tr:nth-child(2) > button").click()' in made["py"]
    assert 'page[by.Css("tr:nth-child(2) > button")].click()' in made["own"]


@pytest.mark.parametrize(
    ("done", "variable"),
    [
        (action("@name", "action/fill", value="[REDACTED]"), "TEST_NAME"),
        (action("#pin", "action/type", text="[REDACTED]"), "TEST_PIN"),
        (action("@name", "action/fill", value="{{secret:bank}}"), "TEST_SECRET_BANK"),
        (action("@name", "action/upload"), "TEST_FILE_NAME"),
        (action("@name", "action/press", key="[REDACTED]"), "TEST_KEY"),
        (request("page/navigate", {"url": f"{SITE}/?token=[REDACTED]"}, {"url": f"{SITE}/"}), "TEST_URL"),
    ],
)
def test_a_value_that_is_not_recorded_is_an_environment_variable(done: dict[str, Any], variable: str) -> None:
    for lines in exported(done).values():
        assert any(f'withheld("{variable}")' in line for line in lines)
        assert not [line for line in lines if "REDACTED" in line or "secret:" in line]


def visible(words: str) -> str:
    return f'expect(page.get_by_text("{words}").filter(visible=True).first).to_be_visible()'


def joined(*words: str) -> str:
    return f"check_words(page, {json.dumps(WORD_BREAK.join(words))})"


def test_the_words_and_urls_of_the_run_are_expected() -> None:
    went = {"url": f"{SITE}/done?a=1", "navigated": True, "observation": {"text": 'changes\n+ status "Thank you"'}}
    made = exported(
        request("page/waitFor", {"text": "Ready"}, {"outcome": "met"}),
        request("page/waitFor", {"url": "**/cart*"}, {"outcome": "met"}),
        action("@order", result=went),
    )
    assert made["py"] == [
        "page = context.new_page()",
        'page.goto(BASE_URL + "/")',
        'expect(page).to_have_url(BASE_URL + "/")',
        visible("Shop"),
        # A look may join the words of several elements.
        joined("Call", "evil", "button", "Pay", "now"),
        visible("Apple"),
        joined("3", "left"),
        visible("Pear"),
        visible("Ready"),
        'expect(page).to_have_url(re.compile(".*/cart.*"))',
        r'page.get_by_role("button", name="Say \"yes\"", exact=True).click()',
        'expect(page).to_have_url(BASE_URL + "/done?a=1")',
        joined("Thank", "you"),
        "browser.close()",
    ]
    assert 'await expect(page).toHaveURL(BASE_URL + "/done?a=1");' in made["ts"]
    assert f"await {joined('Thank', 'you').replace('check_words', 'checkWords')};" in made["ts"]
    assert made["own"][2] == r'check_words(page, "Shop", "Call @evil button \"Pay\" now", "Apple", "3 left", "Pear")'
    assert made["own"][-2:] == [
        'page.wait_for(url="*" + BASE_URL + "/done?a=1", **LIMIT)',
        'check_words(page, "Thank you")',
    ]


def test_codes_that_an_action_has_made_up_are_not_expected() -> None:
    shown = {"text": 'changes\n+ status "Created PB-782 in To do | Moved PB-12"'}
    before = request("agent/observe", {}, {"text": 'changes\n+ "PB-12 is new"'})
    done = action("#new", result={"url": f"{SITE}/", "navigated": False, "observation": shown})
    made = exported(before, done, looks=False)
    assert made["own"][-1] == 'check_words(page, "in To do", "Moved PB-12")'


def test_words_that_a_look_at_changes_elides_are_not_expected() -> None:
    shown = {
        "text": 'changes\n~ "Pay Ada …Balance: £20" → "Pay Ada …Balance after this payment: £3,671.90"\n+ "Loading…"'
    }
    made = exported(request("agent/observe", {}, shown), looks=False)
    assert made["own"][-1] == 'check_words(page, "Balance after this payment: £3,671.90")'


def test_the_number_of_a_ticker_is_not_expected() -> None:
    texts = ['+ "API – ms"', '+ "API 42 ms"\n+ "1 of 3 done"\n+ "Due on 2 May"\n+ "Due on 3 May"']
    texts += [
        '~ "API 42 ms" → "API 49 ms"\n~ "1 of 3 done" → "2 of 3 done"\n+ "Due on 4 May"',
        '~ "API 49 ms" → "API 46 ms"',
    ]
    looks = [request("agent/observe", {}, {"text": f"changes\n{text}"}) for text in texts]
    made = exported(*looks, looks=False)
    assert made["own"][2:] == [
        'check_words(page, "API – ms")',
        'check_words(page, "API", "1 of 3 done", "Due on 2 May", "Due on 3 May")',
        # A count that the run has changed, and one of several dates, are no tickers.
        'check_words(page, "API", "2 of 3 done", "Due on 4 May")',
        'check_words(page, "API")',
    ]


def test_words_of_changes_on_a_page_with_frames_are_looked_for_in_all_frames() -> None:
    def words(text: str) -> list[str]:
        whole = {"text": f'page "Shop" {SITE}/\n{text}'}
        changed = {"text": 'changes\n+ "Ready"'}
        return exported(*[request("agent/observe", {}, look) for look in (whole, changed)], looks=False)["py"]

    assert 'check_words(page, "Ready")' in words('frame main\n"Hello"\nframe "pay" http://b.test/\n"Pay"')
    assert visible("Ready") in words('frame main\n"Hello"')


def test_a_code_that_the_page_made_up_is_read_from_the_page_of_the_test() -> None:
    card, shown = 'changes\n+ - "PB-782"', 'changes\n~ status "" → "Created PB-782 in To do | Moved PB-12"'
    looks = [request("agent/observe", {}, {"text": text}) for text in (card, shown)]
    made = exported(*looks, action("#blocked", "action/fill", value="PB-782"))
    reading = r'"Created\\W*(PB\\-\\d+)\\W*in\\W*To\\W*do"'
    assert f"words1 = read_words(page, {reading})" in made["py"]
    assert 'page.locator("css=#blocked").fill(words1)' in made["py"]
    assert f"const words1 = await readWords(page, {reading});" in made["ts"]
    assert f"words1 = read_words(page, {reading})" in made["own"]
    assert made["own"][-1] == 'page[by.Css("#blocked")].fill(words1)'


def test_words_that_come_back_are_expected_again() -> None:
    looks = [
        request("agent/observe", {}, {"text": f'page "Shop" {SITE}/\n# "{words}"'}) for words in ("One", "Two", "One")
    ]
    assert exported(*looks)["own"][-3:] == [f'check_words(page, "{words}")' for words in ("One", "Two", "One")]


def test_steps_of_a_sequence_are_repeated_with_conditions_and_expectations() -> None:
    steps = [
        {"action": "action/fill", "params": {"selector": "@name", "value": "Bo"}, "expect": {"value": "Bo"}},
        {"action": "action/click", "params": {"selector": "#gone"}, "onError": "skip"},
        {
            "action": "action/click",
            "params": {"selector": "#go"},
            "condition": {"selector": "#go", "state": "enabled"},
            "expect": {"selector": "#done", "state": "visible", "text": "Done"},
        },
    ]
    results = [
        {"step": 0, "success": True, "result": {"value": "Bo"}},
        {"step": 1, "success": False, "error": {"message": "no\nelement"}},
        {"step": 2, "success": True, "result": {}},
    ]
    assert exported(request("agent/act", {"steps": steps}, {"results": results}))["py"][-8:-1] == [
        'page.get_by_role("textbox", name="Name", exact=True).fill("Bo")',
        'expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Bo")',
        "# left out: step 1, action/click, failed: no element",
        'expect(page.locator("css=#go")).to_be_enabled()',
        'page.locator("css=#go").click()',
        'expect(page.get_by_text("Done").filter(visible=True).first).to_be_visible()',
        'expect(page.locator("css=#done")).to_be_visible()',
    ]


def test_an_action_that_led_elsewhere_than_expected_is_repeated_without_its_expectation() -> None:
    steps = [{"action": "action/click", "params": {"selector": "#go"}, "expect": {"text": "Done"}}]
    missed = {
        "step": 0,
        "success": False,
        "result": {"url": f"{SITE}/"},
        "error": {"message": "action/click was done."},
    }
    made = exported(request("agent/act", {"steps": steps}, {"results": [missed]}), action("#next"))
    done = "left out: what step 0 was expected to lead to: action/click was done."
    assert made["py"][-4:-1] == ['page.locator("css=#go").click()', f"# {done}", 'page.locator("css=#next").click()']
    assert f"// {done}" in made["ts"]
    assert not any("Done" in line for line in made["py"])


def test_dialogs_get_their_answers_before_the_action_and_popups_a_variable() -> None:
    asked = action("@order", result={"url": f"{SITE}/", "navigated": False, "dialog": {"answered": "open"}})
    opened = action("#help", result={"url": f"{SITE}/", "navigated": False, "newPages": [{"pageId": "p2"}]})
    made = exported(
        asked,
        request("dialog/handle", {"action": "accept", "promptText": "[REDACTED]"}),
        opened,
        request("action/click", {"selector": "#x"}, {}, page="p2"),
    )
    assert made["py"][-7:-1] == [
        'page.once("dialog", lambda dialog: dialog.accept(withheld("TEST_PROMPT")))',
        r'page.get_by_role("button", name="Say \"yes\"", exact=True).click()',
        "with page.expect_popup() as opening:",
        'page.locator("css=#help").click()',
        "page2 = opening.value",
        'page2.locator("css=#x").click()',
    ]
    assert 'const openingpage2 = page.waitForEvent("popup");' in made["ts"]
    assert made["own"][-5:] == [
        'browser.request("dialog/handle", {"action": "accept", "promptText": withheld("TEST_PROMPT")}'
        ' | {"pageId": page.id})',
        'opened = page[by.Css("#help")].click().new_pages',
        'assert opened, "it opened no page"',
        "page2 = opened[0]",
        'page2[by.Css("#x")].click()',
    ]


def test_an_armed_answer_is_that_of_the_next_dialog() -> None:
    def asked(selector: str, answered: str) -> dict[str, Any]:
        return action(selector, result={"url": f"{SITE}/", "navigated": False, "dialog": {"answered": answered}})

    armed = {"handled": False}
    made = exported(
        asked("#a", "open"),
        request("dialog/handle", {"action": "accept"}, {"handled": True}),
        request("dialog/handle", {"action": "dismiss"}, armed),
        asked("#b", "dismissed"),
        request("dialog/handle", {"action": "accept"}, armed),
        request("dialog/handle", {"action": "disarm"}, {"handled": True}),
        request("dialog/handle", {"action": "accept"}, armed),
    )
    accept, dismiss = (
        f'browser.request("dialog/handle", {{"action": "{one}"}} | {{"pageId": page.id}})'
        for one in ("accept", "dismiss")
    )
    unused = 'raise AssertionError("TODO: an answer was armed for a dialog that no action opened")'
    clicks = [f'page[by.Css("#{one}")].click()' for one in "ab"]
    assert made["own"][-5:] == [clicks[0], accept, dismiss, clicks[1], unused]
    assert [line for line in made["py"] if "once" in line] == [
        'page.once("dialog", lambda dialog: dialog.accept())',
        'page.once("dialog", lambda dialog: dialog.dismiss())',
    ]


def meant(description: str, **element: str) -> dict[str, Any]:
    selector = {"type": "semantic", "description": description}
    return action(selector, result={"url": f"{SITE}/", "navigated": False, "element": element})


@pytest.mark.parametrize(
    ("element", "py", "ts"),
    [
        ({"role": "button", "name": "Add", "ref": "@add2"}, 'get_by_role("button", name="Add", exact=True).nth(1)',
         'getByRole("button", { name: "Add", exact: true }).nth(1)'),
        ({"role": "textbox", "name": "Name"}, 'get_by_role("textbox", name="Name", exact=True)',
         'getByRole("textbox", { name: "Name", exact: true })'),
        ({"role": "link", "name": "Help"}, 'get_by_role("link", name="Help", exact=True)',
         'getByRole("link", { name: "Help", exact: true })'),
        ({"role": "button", "name": "Close", "ref": "@icon"}, 'get_by_role("button").nth(2)',
         'getByRole("button").nth(2)'),
        # The result of an action cuts long names.
        ({"role": "link", "name": "a" * 80}, f'get_by_role("link", name="{"a" * 80}", exact=False)',
         f'getByRole("link", {{ name: "{"a" * 80}", exact: false }})'),
    ],
)  # fmt: skip
def test_an_element_that_words_meant_is_located_by_its_role_and_name(element: dict[str, str], py: str, ts: str) -> None:
    made = exported(meant("the second one", **element))
    assert f"page.{py}.click()" in made["py"]
    assert f"await page.{ts}.click();" in made["ts"]
    assert 'page[by.Semantic("the second one")].click()' in made["own"]


def test_the_state_of_an_element_that_words_meant_is_expected() -> None:
    selector = {"type": "semantic", "description": "Pear to the cart"}
    steps = [{"action": "action/click", "params": {"selector": selector}, "expect": {"state": "disabled"}}]
    result = {"url": f"{SITE}/", "element": {"role": "button", "name": "Add", "ref": "@add2"}}
    acted = request("agent/act", {"steps": steps}, {"results": [{"step": 0, "success": True, "result": result}]})
    element = 'page.get_by_role("button", name="Add", exact=True).nth(1)'
    assert exported(acted)["py"][-3:-1] == [f"{element}.click()", f"expect({element}).to_be_disabled()"]


@pytest.mark.parametrize(
    "element",
    [
        {"role": "button", "name": "Add"},
        {"role": "button", "name": "Pay", "ref": "@f1.pay"},
        {"role": "link"},
        {"role": "link", "name": "[REDACTED]"},
    ],
)
def test_an_element_that_words_meant_and_the_recording_does_not_tell_apart_fails_with_a_message(
    element: dict[str, str],
) -> None:
    made = exported(meant("the second one", **element))
    reason = "TODO: the second one: Playwright has no such selector"
    assert any(line.startswith(f'raise AssertionError("{reason}') for line in made["py"])


def test_files_of_an_upload_go_to_a_file_input_or_to_the_file_chooser_that_an_element_opens() -> None:
    made = exported(
        action("@name", "action/upload", files=["[REDACTED]", "[REDACTED]"], options={"force": True}),
        action("#br", "action/upload"),  # of a version that did not record the number of files
    )
    element = 'page.get_by_role("textbox", name="Name", exact=True)'
    assert made["py"][-3:-1] == [
        f'upload(page, {element}, [withheld("TEST_FILE_NAME"), withheld("TEST_FILE_NAME_2")])',
        'upload(page, page.locator("css=#br"), [withheld("TEST_FILE_BR")])',
    ]
    assert 'await upload(page, page.locator("css=#br"), [withheld("TEST_FILE_BR")]);' in made["ts"]
    assert made["own"][-2].endswith('.upload(withheld("TEST_FILE_NAME"), withheld("TEST_FILE_NAME_2"), force=True)')


@pytest.mark.parametrize(
    ("done", "reason"),
    [
        (action("@unseen"), "the recording has no look with @unseen: locate it here"),
        (action({"type": "semantic", "description": "the bin"}), "the bin: Playwright has no such selector"),
        (request("frame/switch", {"url": "x"}, {}), "frame/switch has no equal here"),
        (request("action/click", {"selector": "#x"}, {}, page="p7"), "page2 opened by itself: open it here"),
    ],
)
def test_what_cannot_be_repeated_fails_with_a_message(done: dict[str, Any], reason: str) -> None:
    assert any(line.startswith(f'raise AssertionError("TODO: {reason}') for line in exported(done)["py"])
    assert any(line.startswith(f'throw new Error("TODO: {reason}') for line in exported(done)["ts"])


def test_a_fork_is_a_page_with_the_elements_of_its_original() -> None:
    forked = request("session/fork", {}, {"pageId": "p2", "missing": []})
    clicked = request("action/click", {"selector": "@order"}, {"url": f"{SITE}/", "navigated": False}, page="p2")
    made = exported(forked, clicked)
    assert made["own"][-2:] == [
        "page2 = page.fork()",
        'page2[seen(page2, "button", "Say \\"yes\\"")].click()',
    ]
    assert 'raise AssertionError("TODO: session/fork has no equal here")' in made["py"]


def test_a_failed_request_is_left_out_with_a_comment() -> None:
    failed = {**action("#x"), "error": {"code": -32012, "message": "No\nelement."}, "result": None}
    assert exported(failed)["py"][-2] == "# left out: action/click failed with -32012: No element."


@pytest.mark.parametrize("words", ['"""', "'); import os; ('", "\\", "\u2028", "${1}", "\ud83d", "{0}"])
def test_words_of_pages_stay_literals(words: str) -> None:
    made = exported(action("#x", "action/fill", value=words), action({"type": "text", "value": words}))
    program = "\n".join(line for line in made["py"] if line.startswith('page.locator("css=#x")'))
    seen: list[str] = []

    class Page:
        def locator(self, _: str) -> "Page":
            return self

        def fill(self, value: str) -> None:
            seen.append(value)

    exec(program, {"page": Page()})
    assert seen == [words]


def test_the_command_writes_a_file_and_names_what_is_missing(tmp_path: Path) -> None:
    events = [
        {"t": 0, "ms": 1, **request("page/create", {"url": f"{SITE}/"}, {"id": "p1", "url": f"{SITE}/"})},
        {"t": 9, "ms": 1, **action("#pin", "action/fill", value="[REDACTED]")},
        {"t": 20, "ms": 1, **action("@unseen")},
    ]
    file = tmp_path / "run.zip"
    file.write_bytes(Recording({"format": 1, "id": "rec-1"}, events, {}).zipped())
    words = ["export", str(file), "--to", "playwright-python", "--output", str(tmp_path / "test_run.py")]
    ran = CliRunner().invoke(main, words)
    assert ran.exit_code == 0, ran.output
    assert "TEST_PIN" in ran.stderr
    assert "1 place " in ran.stderr
    assert 'withheld("TEST_PIN")' in (tmp_path / "test_run.py").read_text()


@pytest.mark.parametrize(
    ("content", "language", "code", "message"),
    [(b"text", "playwright-ts", 1, "is no recording"), (b"", "ruby", 2, "'playwright-python', 'playwright-ts'")],
)
def test_the_command_refuses_other_files_and_languages(
    tmp_path: Path, content: bytes, language: str, code: int, message: str
) -> None:
    (tmp_path / "run.zip").write_bytes(content)
    ran = CliRunner().invoke(main, ["export", str(tmp_path / "run.zip"), "--to", language])
    assert (ran.exit_code, message in ran.stderr) == (code, True)
