"""Log lines say which connection, request and page they are about."""

import json
from typing import Any

import trio
from trio.testing import MockClock

from agentbrowser.config import Config
from tests.loop.memory_client import dialogue
from tests.pure.logbook import logged


def read(text: str, event: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in text.splitlines()]
    return [line for line in lines if line["event"] == event]


async def test_a_line_names_the_request_and_its_page(autojump_clock: MockClock) -> None:
    with logged(Config(log_format="json")) as lines:
        async with dialogue() as client:
            for id_ in (7, "eight"):
                await client.ask(id_, "page/reload")  # which the scripted browser can't do
                await client.hear()
    about = [(one["request"], one["method"], one["page"]) for one in read(lines.getvalue(), "incident")]
    assert about == [(7, "page/reload", "page-1"), ("eight", "page/reload", "page-1")]
    assert {one["session"] for one in read(lines.getvalue(), "incident")} == {client.session.number}


async def test_what_one_request_is_about_stays_with_it(autojump_clock: MockClock) -> None:
    with logged(Config(log_format="json")) as lines:
        async with dialogue() as client, trio.open_nursery() as nursery:
            for id_ in range(20):
                nursery.start_soon(client.ask, id_, "frame/list")
            await client.hear_all(20)
            await client.ask("last", "no/such")
            await client.hear()
    incidents = read(lines.getvalue(), "incident")
    assert sorted(one["request"] for one in incidents) == list(range(20))
    assert {one["method"] for one in incidents} == {"frame/list"}
