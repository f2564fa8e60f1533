"""Roles, names, values and states, compared with the standards, the browser and Playwright."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.async_api import CDPSession, Page

from agentbrowser.browser.scripts.bundle import PROGRAMS
from tests.browser.watched_page import Scenarios, WatchedTab

PAGE: Final = "/observe_accuracy.html"
# The program of the isolated world, which returns some of its functions instead of the one that installs it.
BODY: Final = PROGRAMS["isolated_world"].rpartition("return install;")[0]
SOURCE: Final = f"{BODY} return {{ hasAttribute, nameOf, rawValue, roleOf, statesOf }}; }})()"

# What our scripts say of every marked element, those in shadow roots too.
ASK: Final = f"""(() => {{ const {{ hasAttribute, nameOf, rawValue, roleOf, statesOf }} = {SOURCE};
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
  return all(document).filter((e) => e.id && hasAttribute(e, "data-role")).map((e) => [e.id, {{
    expected: [e.dataset.role, e.dataset.name],
    role: roleOf(e) ?? "", name: nameOf(e), value: rawValue(e, roleOf(e)) ?? null, ...statesOf(e, roleOf(e)),
  }}]);
}})()"""


async def _said(session: CDPSession) -> dict[str, dict[str, Any]]:
    tree = await session.send("Page.getFrameTree")
    made = await session.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]})
    asked = {"contextId": made["executionContextId"], "expression": ASK, "returnByValue": True}
    return dict((await session.send("Runtime.evaluate", asked))["result"]["value"])


def test_roles_and_names_are_those_of_the_standards(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        expected = await _said(await tab.cdp())
        assert len(expected) > 200
        found = {id_: [one["role"], one["name"]] for id_, one in expected.items()}
        assert found == {id_: one["expected"] for id_, one in expected.items()}

    scenarios.page(PAGE, scenario)


# The browser's own tree

# Where the browser goes another way than the standards or than `getByRole`, which must find what a selector names.
FORMS = "ARIA 1.2 and getByRole know a form only by its name"
NEWER = "the browser uses names of ARIA 1.3"
OWN_WORD = "the browser uses a word of its own"
FORBIDDEN = "ARIA 1.2 forbids the name"
CLOSED = "the wire's `expanded` is for what is opened to be seen, not for a field's own list"
UNSAID = "ARIA: without the attribute it is not known whether it can be selected"
DIFFERENT: Final = {
    ("r7", "name"): "ARIA 1.2 forbids a term's name",
    ("r19", "name"): "HTML-AAM names a figure by its caption",
    ("r21", "role"): FORMS,
    ("r39", "role"): NEWER,
    ("r40", "role"): NEWER,
    ("r41", "role"): NEWER,
    ("r43", "role"): OWN_WORD,
    ("f20", "expanded"): CLOSED,
    ("f24", "expanded"): CLOSED,
    ("b14", "expanded"): CLOSED,
    ("p8", "expanded"): CLOSED,
    ("q26", "expanded"): CLOSED,
    ("w4", "expanded"): CLOSED,
    ("c14", "name"): "ARIA names a row by its content",
    ("c23", "name"): "HTML-AAM takes the title where alt is empty",
    ("c26", "name"): FORBIDDEN,
    ("a7", "name"): FORBIDDEN,
    ("b4", "name"): "accname 2A: a hidden label still names",
    ("t22", "name"): "getByRole looks for the text as written",
    ("t30", "name"): "getByRole leaves out what has no width",
    ("q10", "expanded"): "ARIA: a value that is unknown counts as none",
    ("q22", "selected"): "the browser tells nothing of a disabled option",
    ("t24", "selected"): UNSAID,
    ("t25", "selected"): UNSAID,
    ("w7", "value"): "ARIA: the text of the value goes before the number",
    ("w11", "role"): OWN_WORD,
}
WORDS: Final = {
    "image": "img", "generic": "", "none": "", "presentation": "", "ignored": "", "DisclosureTriangle": "",
}  # fmt: skip
STATES: Final = ("checked", "expanded", "selected", "disabled")


def test_observations_agree_with_the_browser(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        session = await tab.cdp()
        known = await _known(session)
        different = set()
        for id_, one in (await _said(session)).items():
            ours = {"role": WORDS.get(one["role"], one["role"]), "name": one["name"], "value": one["value"] or None}
            ours |= {state: one.get(state) for state in STATES}
            theirs = known.get(id_, dict.fromkeys(ours) | {"role": "", "name": ""})
            different |= {(id_, part) for part in ours if ours[part] != theirs[part]}
        assert different == set(DIFFERENT)

    scenarios.page(PAGE, scenario)


async def _known(session: CDPSession) -> dict[str, dict[str, Any]]:
    """Return the nodes of the browser's accessibility tree, by the ids of the elements."""
    document = await session.send("DOM.getDocument", {"depth": -1, "pierce": True})
    ids = dict(_ids(document["root"]))
    nodes = (await session.send("Accessibility.getFullAXTree"))["nodes"]
    return {ids[node["backendDOMNodeId"]]: _facts(node) for node in nodes if node.get("backendDOMNodeId") in ids}


def _ids(node: dict[str, Any]) -> Iterator[tuple[int, str]]:
    attributes = node.get("attributes") or []
    if "id" in attributes[::2]:
        yield node["backendNodeId"], attributes[attributes.index("id") + 1]
    for inner in (*node.get("children", ()), *node.get("shadowRoots", ())):
        yield from _ids(inner)


def _facts(node: dict[str, Any]) -> dict[str, Any]:
    observed = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
    role = "ignored" if node["ignored"] else node["role"]["value"]
    value = node.get("value", {}).get("value")
    checked = observed.get("checked", observed.get("pressed"))
    return {
        "role": WORDS.get(role, role),
        "name": " ".join(str(node.get("name", {}).get("value", "")).split()),
        "value": None if value in (None, "") else str(value),
        "checked": {"true": True, "false": False, "mixed": "mixed"}.get(str(checked)),
        **{state: observed.get(state) for state in STATES if state != "checked"},
    }


# What Playwright finds


@pytest.mark.slow
def test_playwright_finds_every_element_by_its_role_and_name(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        lost = []
        for id_, one in (await _said(await tab.cdp())).items():
            role, name = one["role"], one["name"]
            if role not in ("", "none", "presentation") and not await _is_found(tab.page, role, name, id_):
                lost.append((id_, role, name))
        assert lost == []

    scenarios.page(PAGE, scenario)


# By the standards, and by the browser, these have a role or name that they lack to `getByRole`. No selector names it.
NOT_TO_PLAYWRIGHT: Final = {"r46", "r47", "r48", "d1", "d2", "d3", "d5", "d6", "d7"}


async def _is_found(page: Page, role: str, name: str, id_: str) -> bool:
    found = page.get_by_role(role, name=name, exact=True) if name else page.get_by_role(role)  # type: ignore[arg-type]
    ids = await found.evaluate_all("all => all.map(e => e.id)")
    return (id_ in ids) is (id_ not in NOT_TO_PLAYWRIGHT)
