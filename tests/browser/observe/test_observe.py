"""agent/observe on a real page: elements, roles, names, values and states."""

import asyncio
from typing import Any

import attrs
import pytest
from playwright.async_api import CDPSession

from agentbrowser.browser.semantic.candidates import interactive
from agentbrowser.methods import agent_observe
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.codec import structure, unstructure
from agentbrowser.protocol.errors import ElementChanged, InvalidParams
from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.protocol.types.page import Dialog, Viewport
from agentbrowser.protocol.types.selector import Role
from tests.browser.watched_page import Scenarios, WatchedTab

# What is found


def test_finds_everything_interactive_and_nothing_else(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        expected = await tab.page.locator("[data-found]").evaluate_all("all => all.map(e => [e.id, e.dataset.found])")
        elements = await tab.by_id()
        assert {id_: " ".join(element.action_hints) for id_, element in elements.items()} == dict(expected)

    scenarios.look_at("/observe.html", scenario)


def test_returns_values_and_states(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.page.focus("#text")
        found = await tab.by_id()
        assert {id_: element.value for id_, element in found.items() if element.value is not None} == {
            "fieldset": "", "text": "", "readonly": "r", "select": "Bern", "area": "lines", "edit": "Rich text",
            "combo": "Choice",
        }  # fmt: skip
        assert {id_: element.checked for id_, element in found.items() if element.checked is not None} == {
            "check": True, "toggle": True, "mixed": "mixed", "proxy": True, "gone": False, "plain": False,
        }  # fmt: skip
        assert {id_ for id_, element in found.items() if element.disabled} == {"disabled", "fieldset", "off"}
        assert [id_ for id_, element in found.items() if element.focused] == ["text"]
        expanded = {id_: element.expanded for id_, element in found.items() if element.expanded is not None}
        assert expanded == {"summary": True, "closed": False, "combo": False}
        assert (found["proxy"].role, found["gone"].role, found["pointer"].role) == ("checkbox", "radio", "generic")
        assert (found["pointer"].name, found["gone"].name) == ("Pointer root", "Gone")

    scenarios.look_at("/observe.html", scenario)


def test_a_modal_dialog_leaves_only_itself(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert list(await tab.see()) == ["@below"]
        await tab.run("document.querySelector('dialog').showModal()")
        assert list(await tab.see()) == ["@inside"]

    scenarios.look("<button>Below</button><dialog><button>Inside</button></dialog>", scenario)


def test_bounds_are_those_of_the_page(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        element = (await tab.see(ObserveParams(include_bounds=True)))["@go"]
        assert element.bounds is not None
        box = await (await tab.handle("@go")).bounding_box()
        assert box == attrs.asdict(element.bounds)
        assert (await tab.see())["@go"].bounds is None

    scenarios.look(
        "<button style='position: absolute; left: 30px; top: 40px; width: 50px; height: 20px'>Go</button>", scenario
    )


def test_metadata_describe_the_page_and_its_scroll_position(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.run("scrollTo(0, 250)")
        metadata = (await tab.refs.observe(ObserveParams(include_interactive_elements=False))).metadata
        assert metadata is not None
        assert metadata.scroll is not None
        assert (metadata.url, metadata.title, metadata.viewport) == (
            tab.page.url,
            "Tall",
            Viewport(width=1000, height=700),
        )
        assert (metadata.scroll.y, metadata.scroll.max_y) == (250, 1300)

    scenarios.markup("<title>Tall</title><body style='margin: 0; height: 2000px'>", scenario)


# Roles and names


def test_roles_and_names_are_those_of_the_standards(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        script = "all => all.map(e => [e.id, [e.dataset.role, e.dataset.name]])"
        expected = await tab.page.locator("[data-role]").evaluate_all(script)
        found = await tab.by_id()
        assert {id_: [found[id_].role, found[id_].name] for id_, _ in expected} == dict(expected)

    scenarios.look_at("/observe_names.html", scenario)


@pytest.mark.slow
def test_names_are_those_of_the_browser(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        session = await tab.cdp()
        for ref, element in (await tab.see()).items():
            handle = await tab.handle(ref)
            await handle.evaluate("element => { globalThis.target = element }")
            assert (element.name or "") == await _name_of_target(session), ref

    scenarios.page("/observe_names.html", scenario)


async def _name_of_target(session: CDPSession) -> str:
    """Ask the browser's own accessibility tree."""
    found = await session.send("Runtime.evaluate", {"expression": "target"})
    asked = {"objectId": found["result"]["objectId"], "fetchRelatives": False}
    tree = await session.send("Accessibility.getPartialAXTree", asked)
    return " ".join(str(tree["nodes"][0].get("name", {}).get("value", "")).split())


# Secrets


def test_secrets_never_leave_the_page(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        for _ in range(2):  # hidden, and then shown by the page
            result = await tab.refs.observe(ObserveParams(incremental=True))
            assert "SECRET" not in str(unstructure(result))
            await tab.page.click("#show")
        assert [element.value for element in (await tab.see()).values() if element.value] == ["open", "Ann"]
        await tab.run("labelled.removeAttribute('aria-labelledby'); labelled.ariaLabel = 'Other'")
        with pytest.raises(ElementChanged) as caught:
            await tab.refs.resolve("@labelled")
        assert "SECRET" not in str(caught.value.to_wire())

    scenarios.page("/observe_secrets.html", scenario)


# What is asked for


def _buttons(count: int) -> str:
    return "".join(f"<p><button>Act {n}</button><a href=#{n}>Go {n}</a></p>" for n in range(count))


def test_pages_through_all_elements_once(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        seen: list[str] = []
        cursor = None
        while cursor or not seen:
            result = await tab.refs.observe(ObserveParams(max_elements=7, cursor=cursor))
            assert result.total_interactive_elements == 40
            seen += [element.name or "" for element in result.interactive_elements or []]
            if cursor is None:  # what comes before the cursor shifts nothing
                await tab.run("document.body.prepend(document.createElement('button'))")
                await tab.run("document.querySelector('button').remove()")
            cursor = result.next_cursor
        assert seen == [name for n in range(20) for name in (f"Act {n}", f"Go {n}")]

    scenarios.look(_buttons(20), scenario)


def test_a_cursor_continues_after_its_element(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        first = await tab.refs.observe(ObserveParams(max_elements=2, text="none"))
        await tab.run("document.body.insertAdjacentHTML('afterbegin', '<button>Before</button>')")
        second = await tab.refs.observe(ObserveParams(max_elements=2, cursor=first.next_cursor, text="none"))
        assert [element.name for element in second.interactive_elements or []] == ["Act 1", "Go 1"]
        await tab.page.reload()
        with pytest.raises(InvalidParams) as caught:
            await tab.refs.observe(ObserveParams(cursor=second.next_cursor))
        assert caught.value.details["path"] == "cursor"

    scenarios.markup(_buttons(5), scenario)


def test_filters_by_role_and_viewport(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        result = await tab.refs.observe(ObserveParams(filter_roles=["Link "]))
        assert {element.role for element in result.interactive_elements or []} == {"link"}
        assert (len(result.interactive_elements or []), result.total_interactive_elements) == (60, 120)
        await tab.run(
            "document.body.style.margin = '0'; document.querySelectorAll('p').forEach((p) => p.style.margin = '0')"
        )
        await tab.run("document.querySelectorAll('p').forEach((p) => p.style.height = '70px'); scrollTo(0, 700)")
        names = [element.name for element in (await tab.see(ObserveParams(viewport_only=True))).values()]
        assert names == [name for n in range(10, 20) for name in (f"Act {n}", f"Go {n}")]

    scenarios.markup(_buttons(60), scenario)


def test_the_minimal_tier_is_minimal(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        params = ObserveParams(response_tier="minimal", include_bounds=True, include_screenshot=True)
        wire = unstructure(await tab.refs.observe(params))
        (element,) = wire["interactiveElements"]
        assert element == {
            "ref": "@q", "selector": {"type": "role", "role": "textbox", "name": "Query", "exact": True},
            "role": "textbox", "name": "Query", "actionHints": [], "tagName": "input",
        }  # fmt: skip
        assert set(wire) == {"metadata", "interactiveElements", "content", "totalInteractiveElements"}

    scenarios.look("<label>Query <input id=q value=typed></label>", scenario)


def test_the_full_tier_has_screenshots_on_request(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        params = ObserveParams(include_accessibility=True, include_screenshot=True, include_metadata=False)
        wire = unstructure(await tab.refs.observe(params))
        assert wire["screenshot"] == {"data": "", "format": "jpeg", "width": 1, "height": 2, "annotated": False}
        assert wire["accessibility"] == {"tree": [{"role": "RootWebArea"}]}
        assert "metadata" not in wire

    scenarios.look("<p>Text", scenario)


def test_returns_changes_since_the_last_observation(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        async def changes(**asked: Any) -> tuple[list[str], list[str], list[str]]:
            result = (await tab.refs.observe(ObserveParams(incremental=True, **asked))).changes
            assert result is not None
            return [e.ref for e in result.added], [e.ref for e in result.updated], result.removed

        first = await tab.refs.observe(ObserveParams(incremental=True))
        assert ([element.ref for element in first.elements], first.full) == (["@q", "@c", "@go", "@end"], "first")
        assert await changes() == ([], [], [])
        await tab.page.fill("#q", "typed")
        await tab.page.check("#c")
        await tab.run("document.body.insertAdjacentHTML('afterbegin', '<button>First</button>'); end.remove()")
        assert await changes(filter_roles=["button"]) == (["@first"], [], ["@end"])
        assert await changes(include_interactive_elements=False) == ([], ["@q", "@c"], [])
        await tab.page.reload()
        await tab.page.set_content("<button>Fresh</button>")
        other = await tab.refs.observe(ObserveParams(incremental=True))
        assert ([element.ref for element in other.elements], other.full) == (["@fresh"], "document")
        assert other.changes is None

    scenarios.markup("<input id=q><input id=c type=checkbox><button>Go</button><button id=end>End</button>", scenario)


def test_an_open_dialog_is_returned_without_a_call_to_the_page(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        tab.dialog = Dialog(type="alert", message="Stop")
        result = await tab.refs.observe(ObserveParams())
        assert result.metadata is not None
        assert (result.metadata.dialog, result.interactive_elements) == (tab.dialog, [])

    scenarios.markup("<button>Go</button>", scenario)


@attrs.frozen
class _Observed:
    async def observe(self, params: ObserveParams) -> AgentObserveResult:
        return AgentObserveResult(total_interactive_elements=params.max_elements)


async def _handler(params: ObserveParams) -> AgentObserveResult:
    return await agent_observe.observe.handler(_Observed(), params)


def test_the_method_takes_its_params_from_the_wire() -> None:
    asked = {"maxElements": 2000, "annotateScreenshot": {"enabled": False}, "filterRoles": None, "cursor": "5@go2"}
    result = asyncio.run(_handler(structure(ObserveParams, asked)))
    assert unstructure(result) == {"totalInteractiveElements": 2000}
    for wrong in ({"maxElements": 0}, {"maxElements": 2001}, {"cursor": "x"}, {"responseTier": "tiny"}):
        with pytest.raises(InvalidParams):
            structure(ObserveParams, wrong)


def test_lists_elements_for_ranking_without_assigning_refs(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        (thing,) = await interactive(tab)
        assert (thing.role, thing.name, thing.selector) == ("button", "Go", Role("button", "Go", exact=True))
        assert (await tab.see())["@go"].stability == "new"

    scenarios.look("<button>Go</button>", scenario)


@pytest.mark.slow
def test_the_cost_grows_no_faster_than_the_page(scenarios: Scenarios) -> None:
    """Sixteen thousand labels take half a second; quadratic time would take sixteen times as long."""

    async def busy_s(tab: WatchedTab) -> float:
        """Return the CPU time of the page's thread."""
        metrics = (await (await tab.cdp()).send("Performance.getMetrics"))["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    async def scenario(tab: WatchedTab) -> None:
        await (await tab.cdp()).send("Performance.enable", {"timeDomain": "threadTicks"})
        field = "<label>Field <input></label><label><input type=checkbox> Tick</label>"
        await tab.run(f"document.body.innerHTML = '{field}'.repeat(8000)")
        before_s = await busy_s(tab)
        result = await tab.refs.observe(ObserveParams())
        assert 0 < await busy_s(tab) - before_s < 4
        assert (result.total_interactive_elements, len(result.interactive_elements or [])) == (16_000, 100)

    scenarios.markup("<p>", scenario)


def test_elements_that_differ_only_by_their_row_have_it_as_context(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        rows = (await tab.refs.observe(ObserveParams(format="text", text="none"))).text or ""
        assert rows.splitlines()[1:] == [
            '@edit button "Edit" in "Ann"', '@edit2 button "Edit" in "Bob"', '@add button "Add"',
        ]  # fmt: skip
        assert [element.context for element in (await tab.see()).values()] == ["Ann", "Bob", None]

    rows = "".join(f"<tr><td>{name}<td><button>Edit</button>" for name in ("Ann", "Bob"))
    scenarios.markup(f"<table>{rows}<tr><td>All<td><button>Add</button></table>", scenario)
