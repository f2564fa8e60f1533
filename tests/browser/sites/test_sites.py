"""Twelve sites, written without sight of the code: an agent that reads only looks does a job on each."""

import itertools
import json
from collections.abc import Iterator
from typing import Final

import pytest

from agentbrowser.client import Browser
from tests.browser.sites.agent import ScriptedAgent
from tests.browser.sites.serving import HERE, open_sites

SITES: Final = sorted(path.parent.name for path in HERE.glob("*/task.json"))
WAYS: Final = ("changes", "looks")
"""Reports that the agent asks for after an action: with "changes" what the action changed, else a whole look."""


@pytest.fixture(scope="module")
def sites() -> Iterator[str]:
    with open_sites(HERE) as url:
        yield url


@pytest.mark.slow
# Each site has one of the ways: with both, two thirds of the requests are the same.
@pytest.mark.parametrize(("name", "way"), [*zip(SITES, itertools.cycle(WAYS), strict=False)])
async def test_the_task_of_a_site_is_done_from_looks_alone(name: str, way: str, browser: Browser, sites: str) -> None:
    assert len(SITES) == 12
    task = json.loads((HERE / name / "task.json").read_text(encoding="utf-8"))
    assert 8 <= len(task["steps"]) <= 15
    await ScriptedAgent(browser, changes=way == "changes").run(f"{sites}/{name}/{task['start']}", task["steps"])
    judged = await browser.request("script/evaluate", {"expression": task["oracle"], "world": "main"})
    assert judged["value"] is True, "all steps were done, but not the job, or more than it"
