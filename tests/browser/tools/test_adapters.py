"""The adapters of docs/agents.md, each in its framework. `.ci/run` installs them into an environment of their own."""

import ast
import os
import re
import sys
from pathlib import Path
from subprocess import STDOUT
from typing import Final

import pytest
import trio

import agentbrowser
from agentbrowser.client import Browser
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site

ROOT: Final = Path(__file__).parents[3]
PYTHON: Final = ROOT / ".venv-adapters" / "bin" / "python"
PAGE: Final = (Path(agentbrowser.__file__).parent / "docs/agents.md").read_text(encoding="utf-8")
HELLO: Final = (
    "<label>Name <input id=n></label><button onclick=\"o.textContent = 'Hello ' + n.value\">Go</button>"
    "<p id=o role=status>"
)
STEPS: Final = [{"do": "fill", "on": "Name", "value": "Ada"}, {"do": "click", "on": "Go"}]
MISSING: Final = [{"do": "click", "on": "Nobody"}]
MAIN: Final = f"""
import asyncio, os, sys
from agentbrowser.client import aio

async def main():
    async with aio.connect(os.environ["AGENT_URL"], token=os.environ["AGENT_TOKEN"]) as browser:
        by_name = {{NAME(tool): tool for tool in TOOLS(browser)}}
        assert len(by_name) == 7, by_name
        async def call(name, **arguments):
            print(await CALL(by_name["browser_" + name], arguments))
        await call("navigate", url=sys.argv[1])
        await asyncio.gather(call("act", steps={STEPS}), call("look"))
        await call("screenshot")
        await call("act", steps={MISSING})
"""
LANGCHAIN: Final = """
TOOLS, NAME = langchain_tools, lambda tool: tool.name
async def CALL(tool, arguments):
    assert tool.tool_call_schema["properties"].keys() >= arguments.keys(), tool.tool_call_schema
    message = await tool.ainvoke({"type": "tool_call", "id": "1", "name": tool.name, "args": arguments})
    return message.status == "error", str(message.content)[:9999]
asyncio.run(main())
"""
LLAMAINDEX: Final = """
TOOLS, NAME = llamaindex_tools, lambda tool: tool.metadata.name
async def CALL(tool, arguments):
    function = tool.metadata.to_openai_tool()["function"]
    assert function["parameters"]["properties"].keys() >= arguments.keys(), function
    output = await tool.acall(**arguments)
    return output.is_error, str(output.blocks)[:9999]
asyncio.run(main())
"""
OF_PYTEST: Final = """
def test_first(page):
    page.goto(URL)
    page["#n"].fill("Ada")
    page["button"].click()
    assert "Hello Ada" in page.observe().text

def test_second(page):
    assert "Hello" not in page.observe().text
"""


FAILS: Final = """
def test_welcome(page):
    page.goto(URL)
    page.wait_for("Welcome", timeout_ms=50)
"""


def example(word: str) -> str:
    """Return the only program of the page that has this word."""
    (found,) = [one for one in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if word in one]
    return str(found)


async def run(server: SharedServer, *command: str | Path, code: int = 0) -> str:
    """Run a command with the address of the shared server; return its output if its exit code is right."""
    environ = {**os.environ, "AGENT_URL": server.url, "AGENT_TOKEN": server.token}
    done = await trio.run_process(command, env=environ, capture_stdout=True, stderr=STDOUT, check=False)
    output = done.stdout.decode()
    assert done.returncode == code, output
    return output


@pytest.mark.skipif(not PYTHON.exists(), reason="the frameworks of .ci/adapters.txt are not in .venv-adapters")
@pytest.mark.parametrize(("word", "driver"), [("langchain_core", LANGCHAIN), ("llama_index", LLAMAINDEX)])
async def test_a_framework_calls_the_tools(
    word: str, driver: str, browser: Browser, shared_server: SharedServer, site: Site
) -> None:
    program = example(word) + MAIN + driver
    output = await run(shared_server, PYTHON, "-c", program, site.html("/hello", HELLO))
    navigated, acted, looked, shot, missed = map(ast.literal_eval, output.splitlines()[-5:])
    assert [failed for failed, _ in (navigated, acted, looked, shot, missed)] == [False, False, False, False, True]
    assert "Hello" not in navigated[1]
    assert "Hello Ada" in acted[1]
    assert "Hello Ada" in looked[1]
    assert "image" in shot[1]
    assert "ElementNotFound" in missed[1]
    assert "hint: " in missed[1]


@pytest.mark.parametrize("has_context", [False, True])
async def test_pytest_gives_each_test_a_page(
    has_context: bool, browser: Browser, shared_server: SharedServer, site: Site, tmp_path: Path
) -> None:
    url = site.html("/hello", HELLO)
    fixtures = example('scope="session"') + (example("context.create") if has_context else "")
    assert "2 passed" in await run_pytest(shared_server, tmp_path, fixtures, f"URL = {url!r}\n{OF_PYTEST}")


async def test_a_failed_test_has_what_was_waited_for_and_the_page(
    browser: Browser, shared_server: SharedServer, site: Site, tmp_path: Path
) -> None:
    fixtures = example('scope="session"') + example("makereport")
    test = f"URL = {site.html('/hello', HELLO)!r}\n{FAILS}"
    output = await run_pytest(shared_server, tmp_path, fixtures, test, code=1)
    assert "{'text': 'Welcome'}" in output
    assert 'button "Go"' in output


async def run_pytest(server: SharedServer, directory: Path, fixtures: str, test: str, code: int = 0) -> str:
    """Run a test with these fixtures, and return the output of pytest."""
    await trio.Path(directory, "conftest.py").write_text(fixtures)
    await trio.Path(directory, "test_page.py").write_text(test)
    plain = ["-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist", "-q", "--rootdir", str(directory)]
    return await run(server, sys.executable, "-m", "pytest", *plain, directory, code=code)
