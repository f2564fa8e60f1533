"""Parity of observe/element: after the titles of retarget, elementhandle-convenience and locator-is-visible."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from playwright.async_api import Locator, Page

from tests.parity.ours import OurPage
from tests.parity.pair import PairThread
from tests.parity.scenario import Scenario
from tests.parity.verdict import every, judge

LABELS = "<label ID>Text {0}</label>", "<label ID for=target{1}><h1>Text</h1></label>{0}"
"""Labels around a control and for one."""


def labelled(*controls: str) -> list[str]:
    return [
        label.format(control.replace("ID", f"id=target{number}"), number)
        for number, control in enumerate(controls)
        for label in LABELS
    ]


VISIBLE = [
    "<p ID>x</p>",
    "<p ID></p>",
    "<p ID hidden>x</p>",
    "<p ID style='visibility:hidden'>x</p>",
    "<p ID style='opacity:0'>x</p>",
    "<p ID style='position:absolute;left:-999px'>x</p>",
    "<p ID style='width:0;height:0;overflow:hidden'>x</p>",
    "<p ID style='transform:scale(0)'>x</p>",
    "<p style='visibility:hidden'><b ID style='visibility:visible'>x</b></p>",
    "<p ID style='display:contents'>x</p>",
    "<p ID style='display:contents'> </p>",
    "<p ID style='display:contents'><b></b></p>",
    "<p ID style='display:contents'><b style='display:contents'><i>x</i></b></p>",
    "<p ID style='display:contents'><b hidden>x</b></p>",
    "<p hidden><b ID style='display:contents'>x</b></p>",
    "<details><summary>s</summary><ul><li ID>x</ul></details>",
    "<details open><summary>s</summary><ul><li ID>x</ul></details>",
    "<div style='content-visibility:hidden'><p ID>x</p></div>",
    "<button><b ID></b>x</button>",
    "<select><option ID>1</select>",
    "<input ID type=hidden>",
    "<label ID><input type=checkbox style='width:0;height:0;margin:0'>x</label>",
    "<svg width=9 height=9><g ID><rect width=9 height=9 /></g></svg>",
    "<br ID>",
]
ENABLED = [
    "<button ID>x</button>",
    "<button ID disabled>x</button>",
    "<p ID disabled>x</p>",
    "<button disabled><b ID>x</b></button>",
    "<button disabled><input ID></button>",
    "<fieldset disabled><legend><button ID>x</button></legend></fieldset>",
    "<fieldset disabled><button ID>x</button></fieldset>",
    "<select><option ID disabled>1</select>",
    "<select><optgroup ID disabled><option>1</optgroup></select>",
    "<div role=group aria-disabled=true><button ID>x</button></div>",
    "<div role=toolbar aria-disabled=true><i role=button aria-disabled=false ID>x</i></div>",
    "<p ID aria-disabled=true>x</p>",
    "<input ID readonly>",
    *labelled("<input ID>", "<input ID disabled>"),
]
CHECKED = [
    "<input ID type=checkbox>",
    "<input ID type=radio checked>",
    *(
        f"<p ID role={role} aria-checked={state}>x</p>"
        for role in ("checkbox", "switch", "menuitemradio", "option", "treeitem")
        for state in ("true", "false", "mixed")
    ),
    *labelled("<input ID type=checkbox>", "<input ID type=checkbox checked>"),
]
VALUES = [
    "<input ID value=a>",
    "<textarea ID>a</textarea>",
    "<select ID><option value=a>A<option value=b selected>B</select>",
    "<select ID multiple><option value=a selected>A<option value=b selected>B</select>",
    "<input ID type=checkbox value=a>",
    "<input ID type=date value=2020-01-02>",
    "<label>Text <b ID>part</b> <input value=a></label>",
    *labelled("<input ID value=a>", "<select ID><option value=b>B</select>"),
]
TEXTS = [
    "<p ID>a<br>b <b>c</b>   d</p>",
    "<p ID style='text-transform:uppercase'>a</p>",
    "<p ID>a<i hidden>b</i>c</p>",
    "<table ID><tr><td>1<td>2<tr><td>3</table>",
    "<pre ID>a\n  b</pre>",
    "<select ID><option>A<option>B</select>",
    "<p ID hidden>x y</p>",
]
BOXES = [
    "<p ID style='position:absolute;left:100.5px;top:50.25px;width:40.5px;height:30px'></p>",
    "<svg width=200 height=200><rect ID x=30 y=50 width=100 height=20 /></svg>",
    "<span ID><i style='position:absolute;left:-1000px'>x</i>y</span>",
    "<p ID style='transform:rotate(45deg);width:10px;height:10px'></p>",
    "<p ID style='visibility:hidden;width:9px;height:9px'></p>",
    "<p ID hidden>x</p>",
]


def theirs(read: Callable[[Locator], Awaitable[Any]], count: int) -> Callable[[Page], Awaitable[object]]:
    async def states(page: Page) -> list[Any]:
        return [await read(page.locator(f"#e{number}")) for number in range(count)]

    return states


def ours(state: str, count: int) -> Callable[[OurPage], Awaitable[object]]:
    async def states(page: OurPage) -> list[Any]:
        asked = [{"selector": f"#e{number}", "properties": [state]} for number in range(count)]
        return [(await page(("observe/element", one))).get(state) for one in asked]

    return states


def of_all(title: str, state: str, read: Callable[[Locator], Awaitable[Any]], parts: Sequence[str]) -> Scenario:
    html = "".join(part.replace("ID", f"id=e{number}", 1) for number, part in enumerate(parts))
    return Scenario(f"state: {title}", html, theirs(read, len(parts)), ours(state, len(parts)))


SCENARIOS = [
    of_all("visible", "visible", lambda one: one.is_visible(), VISIBLE),
    of_all("enabled", "enabled", lambda one: one.is_enabled(), ENABLED),
    of_all("checked", "checked", lambda one: one.is_checked(), CHECKED),
    of_all("value", "value", lambda one: one.input_value(), VALUES),
    of_all("text", "text", lambda one: one.inner_text(), TEXTS),
    of_all("box", "boundingBox", lambda one: one.bounding_box(), BOXES),
    of_all(
        "an area of an image is visible",
        "visible",
        lambda one: one.is_visible(),
        ["<map name=m><area ID href=# coords=0,0,9,9></map><img usemap=#m width=20 height=20>"],
    ),
    of_all(
        "what a disabled group or an inert part holds is not enabled",
        "enabled",
        lambda one: one.is_enabled(),
        ["<fieldset ID disabled></fieldset>", "<select disabled><option ID>1</select>", "<p inert><b ID>x</b></p>"],
    ),
]


@every(SCENARIOS)
def test_page_sees_the_same(pair: PairThread, scenario: Scenario) -> None:
    judge(pair, scenario)
