"""Selectors and refs of observed elements: matches, and refusals after changes."""

import pytest
from playwright.async_api import Locator, Page

from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.errors import ElementChanged, ElementNotFound, Timeout
from agentbrowser.protocol.types.selector import Css, Role, Selector, TestId, Text
from tests.browser.watched_page import ALL, FakeScreenshots, Scenarios, WatchedTab

# Selectors


def _locator(page: Page, selector: Selector) -> Locator:
    match selector:
        case TestId(value=value):
            return page.get_by_test_id(value)
        case Role(role=role, name=name, exact=exact):
            return page.get_by_role(role, name=name, exact=exact)  # type: ignore[arg-type]
        case Text(value=value, exact=exact):
            return page.get_by_text(value, exact=exact)
        case Css(value=value):
            return page.locator(f"css={value}")
    raise TypeError(selector)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", ["/observe_selectors.html", "/observe.html", "/observe_names.html", "/observe_complete.html"]
)
def test_every_selector_hits_its_element_alone(scenarios: Scenarios, path: str) -> None:
    async def scenario(tab: WatchedTab) -> None:
        elements = await tab.see()
        assert len(elements) > 20
        for ref, element in elements.items():
            target = await tab.handle(ref)
            for selector in [element.selector, *(element.alternative_selectors or [])]:
                locator = _locator(tab.page, selector)
                is_alone = "(found, wanted) => found.length === 1 && found[0] === wanted"
                assert await locator.evaluate_all(is_alone, target), (selector, ref)

    scenarios.look_at(path, scenario)


def test_selectors_are_ordered_by_stability(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        (element,) = (await tab.see()).values()
        alternatives = element.alternative_selectors or []
        assert element.selector == TestId("pay")
        assert alternatives == [
            Role("button", "Pay now", exact=True), Css("#buy"), Text("Pay now", exact=True), Css("body > button"),
        ]  # fmt: skip

    scenarios.look("<button id=buy data-testid=pay>Pay now</button>", scenario)


def test_ambiguous_selectors_are_left_out(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        for element in (await tab.see()).values():
            assert isinstance(element.selector, Css)
            assert element.selector.value.startswith("body > ")
            assert element.alternative_selectors is None

    scenarios.look("<button id=x data-testid=y>Go</button><button id=x data-testid=y>Go</button>", scenario)


# Refs


def test_a_test_id_of_several_elements_makes_no_ref(scenarios: Scenarios) -> None:
    tools = "".join(f"<button data-testid=toolbar-button>{word}</button>" for word in ("Add row", "Search"))

    async def scenario(tab: WatchedTab) -> None:
        assert list(await tab.see()) == ["@addrow", "@search", "@save"]

    scenarios.look(f"{tools}<button data-testid=save>Keep</button>", scenario)


def test_refs_are_short_readable_and_unique(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        refs = ["@email", "@row3delete", "@size", "@send", "@send2", "@addtocart", "@textbox", "@city", "@street"]
        assert list(await tab.see()) == refs

    scenarios.look(
        """<input name=email id=e1><button id=row3-delete>×</button><select name=size></select><button>Send</button>
        <button>Send</button><a href=#>Add to cart</a><input id=:r17:>
        <input id=kit-sg61h2ofe aria-label=City><input id=field-r1__control aria-label=Street>""",
        scenario,
    )


def test_a_ref_stays_with_its_element(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        before = await tab.see()
        target = await tab.handle("@two")
        await tab.run("document.body.prepend(document.querySelectorAll('button')[1])")
        await tab.run("document.body.insertAdjacentHTML('afterbegin', '<button>Two</button>')")
        after = await tab.see()
        assert {ref: element.stability for ref, element in before.items()} == {"@one": "new", "@two": "new"}
        assert {ref: element.stability for ref, element in after.items()} == {
            "@two2": "new", "@two": "stable", "@one": "stable",
        }  # fmt: skip
        assert await target.evaluate("(old, now) => old === now", await tab.handle("@two"))

    scenarios.look("<button>One</button><button>Two</button>", scenario)


RENDER = "list.innerHTML = names.map((name) => `<li><button>${name}</button></li>`).join('')"


def test_a_ref_follows_to_the_node_that_takes_its_place(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.run(f"names = ['New', 'Two']; {RENDER}")
        assert await (await tab.handle("@two")).inner_text() == "Two"
        after = await tab.see(ObserveParams(include_ref_history=True))
        assert {ref: element.stability for ref, element in after.items()} == {"@new": "new", "@two": "stable"}
        await tab.run(RENDER)
        after = await tab.see(ObserveParams(include_ref_history=True))
        assert {ref: (element.stability, element.previous_ref) for ref, element in after.items()} == {
            "@new": ("moved", "@new"), "@two": ("moved", "@two"),
        }  # fmt: skip
        await tab.run(RENDER)
        assert set(await tab.see(ObserveParams(stable_refs=False))) == {"@new2", "@two2"}

    scenarios.markup(f"<ul id=list></ul><script>let names = ['One', 'Two']; {RENDER}</script>", scenario)


def test_a_ref_is_never_given_to_another_element(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.run("document.body.innerHTML = '<button>Go</button><button>Go</button>'")
        assert list(await tab.see()) == ["@go2", "@go3"]
        with pytest.raises(ElementChanged, match="has left the page; 2 elements have its role and name"):
            await tab.refs.resolve("@go")
        await tab.run("document.body.innerHTML = '<button>Stop</button>'")
        with pytest.raises(ElementNotFound, match="has left the page"):
            await tab.refs.resolve("@go")

    scenarios.look("<button>Go</button>", scenario)


@pytest.mark.parametrize(
    "change",
    [
        "target.textContent = 'Pay 900'",
        "target.replaceWith(Object.assign(document.createElement('button'), { textContent: 'Pay 900' }))",
        "target.setAttribute('role', 'link')",
        "target.setAttribute('type', 'reset')",
        "[...document.querySelectorAll('button')].reverse().forEach((b, i) => { b.textContent = i ? 'Other' : 'Pay' })",
    ],
)
def test_a_changed_element_is_not_acted_on(scenarios: Scenarios, change: str) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.run(f"const target = document.querySelector('button'); {change}")
        with pytest.raises((ElementChanged, ElementNotFound)) as caught:
            await tab.refs.resolve("@pay")
        if isinstance(caught.value, ElementChanged):
            assert caught.value.details["before"] != caught.value.details["after"]

    scenarios.look("<button>Pay</button><button>Other</button>", scenario)


def test_a_recycled_row_is_detected(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert list(await tab.see()) == ["@delete", "@delete2"]
        await tab.run("document.querySelector('td').textContent = 'Eve'")
        with pytest.raises(ElementChanged) as caught:
            await tab.refs.resolve("@delete")
        assert (caught.value.details["before"]["row"], caught.value.details["after"]["row"]) == ("Ann", "Eve")
        assert await tab.refs.resolve("@delete2")

    scenarios.look(
        "<table><tr><td>Ann<td><button>Delete</button></tr><tr><td>Bob<td><button>Delete</button></tr></table>",
        scenario,
    )


@pytest.mark.parametrize(
    "row",
    ["<div class=row><span>{}</span><button>Delete</button></div>", "<li><button>Delete</button> <span>{}</span></li>"],
    ids=["without a role", "with the button first"],
)
def test_rows_with_other_content_are_detected(scenarios: Scenarios, row: str) -> None:
    async def scenario(tab: WatchedTab) -> None:
        refs = list(await tab.see())
        await tab.run(
            "document.querySelectorAll('span').forEach((span, n) => { if (n < 2) span.textContent = `New ${n}`; })"
        )
        for ref in refs[:2]:
            with pytest.raises(ElementChanged):
                await tab.refs.resolve(ref)
        assert await (await tab.handle(refs[2])).inner_text() == "Delete"

    scenarios.look("".join(row.format(name) for name in ("Ann", "Bob", "Cleo")), scenario)


@pytest.mark.parametrize(
    ("markup", "ref", "change", "is_same"),
    [
        ("<button id=bag>0</button>", "@bag", "bag.textContent = '1'", True),
        ("<ul><li><a href=/s>Saved</a><li><a href=/b id=bag>9</a></ul>", "@bag", "bag.textContent = '11'", True),
        ("<button id=bid>50</button>", "@bid", "bid.textContent = '60'", False),
        ("<button id=bid>Bid 5</button>", "@bid", "bid.textContent = 'Bid 6'", False),
        ("<button id=bag>0</button>", "@bag", "bag.textContent = '1'; bag.value = 'all'", False),
        ("<button id=day>12</button><button>13</button>", "@day", "day.textContent = '11'", False),
        ("<button id=day>12</button><a href=/13>13</a>", "@day", "day.textContent = '11'", False),
    ],
)
def test_a_lone_counter_may_count_on(scenarios: Scenarios, markup: str, ref: str, change: str, is_same: bool) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.run(change)
        if is_same:
            assert await tab.id_of(ref) == ref.removeprefix("@")
        else:
            with pytest.raises(ElementChanged):
                await tab.refs.resolve(ref)

    scenarios.look(markup, scenario)


@pytest.mark.parametrize(
    ("ids", "is_same"),
    [(("menu-1-item-2", "menu-2-item-2"), True), (("user-17", "user-18"), False)],
)
def test_ids_of_options_by_rendering_and_place_are_no_identity(
    scenarios: Scenarios, ids: tuple[str, str], is_same: bool
) -> None:
    before, after = ids

    async def scenario(tab: WatchedTab) -> None:
        ref = next(iter(await tab.see()))
        await tab.run(f"document.getElementById('{before}').id = '{after}'")
        if is_same:
            assert await tab.id_of(ref) == after
        else:
            with pytest.raises(ElementChanged):
                await tab.refs.resolve(ref)

    scenarios.look(f"<div role=listbox><div role=option tabindex=0 id={before}>Quote</div></div>", scenario)


def test_a_change_that_keeps_the_identity_is_none(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.page.fill("input", "typed")
        await tab.run(
            "document.querySelector('input').className = 'busy'; document.querySelector('input').disabled = true"
        )
        assert await tab.id_of("@q") == "q"

    scenarios.markup("<label>Query <input id=q></label>", scenario)


def test_refs_are_invalid_after_a_navigation(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert "@link" in await tab.see()
        await tab.page.reload()
        with pytest.raises(ElementNotFound, match="gone to another document") as caught:
            await tab.refs.resolve("@link")
        assert caught.value.details["selector"] == {"type": "ref", "value": "@link"}
        assert caught.value.recovery_hint is not None
        assert "bserve" in caught.value.recovery_hint
        assert "@link" in await tab.see()
        assert await tab.id_of("@link") == "link"

    scenarios.page("/observe.html", scenario)


def test_an_unknown_ref_is_reported(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        with pytest.raises(ElementNotFound, match="No element was observed as @nothing") as caught:
            await tab.refs.resolve("@nothing")
        assert not caught.value.retryable

    scenarios.look_at("/observe.html", scenario)


def test_refreshed_refs_are_new_and_earlier_ones_invalid(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        after = await tab.see(ObserveParams(refresh_refs=True, include_ref_history=True))
        assert {ref: element.previous_ref for ref, element in after.items()} == {"@go2": "@go"}
        with pytest.raises(ElementNotFound):
            await tab.refs.resolve("@go")

    scenarios.markup("<button>Go</button>", scenario)


# What the client has not seen


def test_a_failed_observation_does_not_count_as_seen(scenarios: Scenarios, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object) -> None:
        raise Timeout("too late")

    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.run("pay.textContent = 'Pay 900'; other.replaceWith(document.createElement('input'))")
        with monkeypatch.context() as patch:
            patch.setattr(FakeScreenshots, "screenshot", fails)
            with pytest.raises(Timeout):
                await tab.refs.observe(ObserveParams(include_screenshot=True))
        with pytest.raises(ElementChanged):
            await tab.refs.resolve("@pay")
        changes = (await tab.refs.observe(ObserveParams(incremental=True))).changes
        assert changes is not None
        assert [element.ref for element in changes.updated] == ["@pay"]
        assert [(element.tag_name, element.stability) for element in changes.added] == [("input", "new")]
        assert changes.removed == ["@other"]

    scenarios.markup("<button id=pay>Pay 9</button><button id=other>Other</button>", scenario)


def test_a_ref_of_the_last_document_does_not_match_an_unlisted_element(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert "@send" in await tab.see()
        await tab.page.goto(f"{tab.page.url}?next")
        await tab.page.set_content("<button>A step on the way</button>" * 40 + "<button>Send</button>")
        assert "@send" not in await tab.see(ObserveParams(max_tokens=100))
        with pytest.raises(ElementNotFound):
            await tab.refs.resolve("@send")
        assert await (await tab.handle(list(await tab.see())[-1])).inner_text() == "Send"

    scenarios.markup("<button>Send</button>", scenario)


# Pages without measure


def test_extreme_depth_and_length_break_nothing(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.run("""
          let inner = deep;
          for (let n = 0; n < 3000; n++) inner = inner.appendChild(document.createElement('b'));
          document.title = long.textContent = 'x'.repeat(100_000);
        """)
        result = await tab.refs.observe(ALL)
        assert [element.ref for element in result.interactive_elements or []] == ["@deep", "@long"]
        await tab.run("long.textContent = 'y'.repeat(100_000)")
        with pytest.raises(ElementChanged) as caught:
            await tab.refs.resolve("@long")
        assert result.metadata is not None
        assert len(result.metadata.title) + len(str(caught.value.details)) < 3000

    scenarios.look("<button id=deep>Deep</button><button id=long></button>", scenario)


def test_an_empty_document_has_no_elements(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert len(await tab.see()) == 2
        await tab.run("document.documentElement.remove()")
        assert await tab.see() == {}

    scenarios.look("<button>Here</button><iframe srcdoc='<button>There</button>'></iframe>", scenario)
