"""Test page of the action benchmarks, which counts the actions on it."""

from typing import Any, Final

ACTIONS: Final = b"""<!doctype html><meta charset=utf-8><title>Actions</title>
<style>.filler { height: 12px } #menu:hover { color: red }</style>
<h1>Actions</h1>
<button id=add onclick="count('clicks')">Add</button> <button onclick="count('clicks')">More of it</button>
<button id=done onclick="count('clicks')">Done</button> <span id=menu onmouseenter="count('hovers')">Menu</span>
<p><label>Name <input id=name oninput="count('inputs')"></label> <label>Mail <input id=mail type=email></label>
<label><input id=agree type=checkbox onchange="count('changes')"> Agree</label>
<select id=fruit onchange="count('changes')"><option value=a>Apple<option value=b>Banana</select>
<output id=shown></output>
<section></section>
<script>
  const counts = { clicks: 0, hovers: 0, inputs: 0, changes: 0 };
  const count = (what) => { counts[what]++; shown.value = JSON.stringify(counts); };
  document.querySelector("section").innerHTML =
    Array.from({ length: 150 }, (_, n) =>
      `<div class=filler><a href="#${n}">Entry ${n}</a> <i>of the list</i></div>`).join("");
</script>"""


def css(value: str) -> dict[str, str]:
    """Return a CSS selector."""
    return {"type": "css", "value": value}


STEPS: Final[list[tuple[str, dict[str, Any]]]] = [
    ("action/fill", {"selector": css("#name"), "value": "Ada"}),
    ("action/fill", {"selector": css("#mail"), "value": "ada@example.org"}),
    ("action/check", {"selector": css("#agree")}),
    ("action/select", {"selector": css("#fruit"), "values": "b"}),
    ("action/click", {"selector": css("#add")}),
    ("action/click", {"selector": {"type": "role", "role": "button", "name": "More of it"}}),
    ("action/hover", {"selector": css("#menu")}),
    ("action/uncheck", {"selector": css("#agree")}),
    ("action/select", {"selector": css("#fruit"), "values": "a"}),
    ("action/click", {"selector": css("#done")}),
]


async def ten_steps(page: Any) -> None:
    """Run the steps by Playwright's own calls. [asyncio]"""
    await page.locator("#name").fill("Ada")
    await page.locator("#mail").fill("ada@example.org")
    await page.locator("#agree").check()
    await page.locator("#fruit").select_option("b")
    await page.locator("#add").click()
    await page.get_by_role("button", name="More of it").click()
    await page.locator("#menu").hover()
    await page.locator("#agree").uncheck()
    await page.locator("#fruit").select_option("a")
    await page.locator("#done").click()
