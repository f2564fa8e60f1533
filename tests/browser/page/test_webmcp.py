"""discovery/discover: the tools that pages offer, in markup and by script."""

from typing import Any

import attrs
import pytest

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import discovery, page
from agentbrowser.methods.discovery import DiscoverOptions
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from tests.browser.site import Site

BOOKING = """
<form id=booking toolname=book_table tooldescription=" Book
    a table ">
  <label>Name <input name=name required minlength=2 maxlength=40 pattern="[A-Z].*" toolparamtitle="Your name"></label>
  <input type=number name=guests min=1 max=8 value=2 toolparamdescription="How many">
  <input type=number name=price step=any aria-label=Price>
  <input type=number name=odd min=1 step=2>
  <input type=range name=noise>
  <input type=date name=day required><input type=time name=hour><input type=email name=mail><input type=url name=site>
  <input type=color name=colour><input type=month name=month><input type=datetime-local name=moment>
  <select name=area><option value="">Any<option value=in>Inside<option value=out disabled>Outside</select>
  <select name=dishes multiple><option>Soup<option>Salad</select>
  <fieldset><legend>Size</legend>
    <label><input type=radio name=size value=s> Small</label>
    <label><input type=radio name=size value=m required> M</label>
  </fieldset>
  <label><input type=checkbox name=agree value=yes> I agree</label>
  <input type=checkbox name=tags value=x><input type=checkbox name=tags value=y>
  <textarea name=note maxlength=500 placeholder=Note></textarea>
  <input name=inner toolparamname=outer><input type=password name=secret value=canary>
  <input type=hidden name=csrf value=canary><input type=file name=file><input type=submit name=go>
  <button name=b>b</button>
  <input name=off disabled><input><input name=elements><input name=id>
</form>
"""
REGISTER = """<script>
document.modelContext.registerTool({
    name: 'add', description: 'Adds numbers', execute: async () => 3,
    inputSchema: {type: 'object', properties: {a: {type: 'number'}}},
});
</script>"""


async def tools_of(browser: Browser, **options: Any) -> list[dict[str, Any]]:
    result = await browser.request("discovery/discover", {"options": options})
    assert result["totalDiscovered"] == len(result["tools"])
    tools: list[dict[str, Any]] = result["tools"]
    return tools


async def test_a_form_is_a_tool_and_its_controls_are_its_schema(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", BOOKING))
    (tool,) = await tools_of(browser)
    schema = tool.pop("inputSchema")
    assert tool == {
        "name": "book_table",
        "description": "Book a table",
        "source": "webmcp-declarative",
        "formSelector": "#booking",
    }
    assert schema["type"] == "object"
    assert schema["required"] == ["name", "day", "size"]
    assert schema["properties"] == {
        "name": {
            "type": "string",
            "pattern": "^(?:[A-Z].*)$",
            "minLength": 2,
            "maxLength": 40,
            "title": "Your name",
            "description": "Name",
        },
        "guests": {"type": "number", "minimum": 1, "maximum": 8, "multipleOf": 1, "description": "How many"},
        "price": {"type": "number", "description": "Price"},
        "odd": {"type": "number", "minimum": 1},
        "noise": {"type": "number", "minimum": 0, "maximum": 100, "multipleOf": 1},
        "day": {"type": "string", "format": "date"},
        "hour": {"type": "string", "format": "time"},
        "mail": {"type": "string", "format": "email"},
        "site": {"type": "string", "format": "uri"},
        "colour": {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"},
        "month": {"type": "string", "pattern": r"^\d{4}-\d{2}$"},
        "moment": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$"},
        "area": {"type": "string", "enum": ["in"], "anyOf": [{"const": "in", "title": "Inside"}]},
        "dishes": {"type": "array", "items": {"type": "string", "enum": ["Soup", "Salad"]}, "uniqueItems": True},
        "size": {
            "type": "string",
            "enum": ["s", "m"],
            "anyOf": [{"const": "s", "title": "Small"}, {"const": "m", "title": "M"}],
            "description": "Size",
        },
        "agree": {"type": "boolean", "description": "I agree"},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}, "uniqueItems": True},
        "note": {"type": "string", "maxLength": 500, "description": "Note"},
        "outer": {"type": "string"},
        "secret": {"type": "string"},
        "elements": {"type": "string"},
        "id": {"type": "string"},
    }


async def test_a_form_can_be_filled_by_its_selector(browser: Browser, site: Site) -> None:
    twins = "<form toolname=a><input name=q></form><form toolname=b action=/sent><input name=q></form>"
    await browser.call(page.navigate, url=site.html("/", f"<div id=d><div>{twins}</div></div>"))
    first, second = await tools_of(browser)
    assert first["formSelector"] != second["formSelector"]
    selector = {"type": "css", "value": f"{second['formSelector']} input"}
    await browser.request("action/fill", {"selector": selector, "value": "x"})
    await browser.request("action/press", {"selector": selector, "key": "Enter"})
    assert site.paths()[-1] == "/sent?q=x"


async def test_a_form_in_a_shadow_root_and_one_whose_id_is_not_its_own(browser: Browser, site: Site) -> None:
    body = """<div id=host></div><form id=x toolname=plain></form><p id=x></p><form id=no></form><script>
        host.attachShadow({mode: 'open'}).innerHTML = '<form toolname=shadowed></form>' </script>"""
    await browser.call(page.navigate, url=site.html("/", body))
    for tool in await tools_of(browser):
        read = {"selector": {"type": "css", "value": tool["formSelector"]}, "properties": ["attributes"]}
        found = await browser.request("observe/element", read)
        assert found["attributes"]["toolname"] == tool["name"]


async def test_tools_that_scripts_registered_are_found(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", BOOKING + REGISTER))
    form, added = await tools_of(browser)
    assert form["source"] == "webmcp-declarative"
    assert added == {
        "name": "add",
        "description": "Adds numbers",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}}},
        "source": "webmcp-imperative",
    }
    assert [list(tool) for tool in await tools_of(browser, includeInputSchemas=False)] == [
        ["name", "description", "source", "formSelector"],
        ["name", "description", "source"],
    ]


async def test_tools_beyond_the_limit_are_counted(browser: Browser, site: Site) -> None:
    forms = "".join(f"<form toolname=f{n}></form>" for n in range(5))
    await browser.call(page.navigate, url=site.html("/", forms + REGISTER))
    for limit, names in ((3, ["f0", "f1", "f2"]), (6, ["f0", "f1", "f2", "f3", "f4", "add"])):
        found = await browser.call(discovery.discover, options=DiscoverOptions(max_tools=limit))
        assert [tool.name for tool in found.tools] == names
        assert found.total_discovered == 6


async def test_a_page_without_tools_and_one_with_too_long_texts(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", "<form><input name=q></form>"))
    assert await tools_of(browser) == []
    long = "<form toolname=a tooldescription={0}><input name=q toolparamdescription={0}></form>".format("x" * 100_000)
    await browser.call(page.navigate, url=site.html("/long", long))
    (tool,) = await tools_of(browser)
    assert len(tool["description"]) == 2000
    assert len(tool["inputSchema"]["properties"]["q"]["description"]) == 2000


async def test_an_observation_has_the_tools_too(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", BOOKING + REGISTER))
    seen = await browser.request("agent/observe", {"includeWebMCPTools": True})
    assert seen["webmcpTools"] == await tools_of(browser)
    assert "webmcpTools" not in await browser.request("agent/observe")


async def test_discovery_needs_the_scope_of_observations(config: Config) -> None:
    async with open_server(attrs.evolve(config, scope=Scope.READONLY)) as server, server.connect() as browser:
        assert await tools_of(browser) == []
        with pytest.raises(errors.InvalidParams) as caught:
            await tools_of(browser, maxTools=0)
        assert caught.value.details["path"] == "options.maxTools"
