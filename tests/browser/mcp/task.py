"""A task that the official client does with the tools, whatever its transport."""

import re
from typing import Any

import trio
from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult

from tests.browser.site import Site

PAGE = """<label>Name <input id=n></label><p id=o role=status></p><a href=/file download>Get</a>
<button onclick="o.textContent = 'Hello ' + n.value">Go</button><button onclick="prompt('Who?')">Sign</button>
<button onclick="window.open('/popup')">More</button>"""
POPUP = "<table><tr><th>Tea<th>Price</tr><tr><td>Assam<td>4</tr><tr><td>Ceylon<td>5</tr></table>"


async def answer(context: Any, params: Any) -> ElicitResult:
    """Choose the second answer."""
    return ElicitResult(action="accept", content={"answer": params.requested_schema["properties"]["answer"]["enum"][1]})


async def do_task(target: StdioServerParameters | str, mode: str, site: Site) -> None:
    """Fill a form, answer a dialog, download a file, read a popup, and ask the user."""
    url = site.html("/", PAGE)
    site.html("/popup", POPUP)
    site.serve("/file", b"a,b", Content_Disposition='attachment; filename="list.csv"')
    with trio.fail_after(200):
        async with Client(target, mode=mode, elicitation_callback=answer) as client:

            async def call(name: str, **arguments: Any) -> Any:
                return await client.call_tool(f"browser_{name}", arguments)

            assert len((await client.list_tools()).tools) == 7
            assert (await client.list_prompts()).prompts == []
            asked = await call("ask_human", question="Which?", choices=["red", "blue"])
            assert asked.content[0].text == "The user answered: blue"
            look = (await call("navigate", url=url)).content[0].text
            field, button = re.findall(r"(@\w+) (?:textbox|button) \"(?:Name|Go)", look)
            steps = [{"do": "fill", "on": field, "value": "Ada"}, {"do": "click", "on": button, "expect": "Hello Ada"}]
            assert "Hello Ada" in (await call("act", steps=steps)).content[0].text
            assert (await call("screenshot")).content[1].mime_type == "image/jpeg"
            failed = await call("act", steps=[{"do": "click", "on": "@gone"}])
            assert failed.is_error
            steps = [{"do": "click", "on": "Get"}, {"do": "click", "on": "Sign"}]
            (_, link) = (await call("act", steps=steps)).content
            assert "accepted prompt" in (await call("act", steps=[{"do": "dialog", "value": "Ada"}])).content[0].text
            (contents,) = (await client.read_resource(link.uri)).contents
            assert (link.name, getattr(contents, "blob", None)) == ("list.csv", "YSxi")
            await call("act", steps=[{"do": "click", "on": "More"}])
            (popup,) = re.findall(r"tab (\S+) .*opened by", (await call("tabs")).content[0].text)
            teas = await call("extract", fields=["tea", "price: number"], list="teas", tab=popup)
            assert '{"tea":"Ceylon","price":5}' in teas.content[0].text
