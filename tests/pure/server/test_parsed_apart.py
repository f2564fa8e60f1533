"""Bodies of MCP and commands of the live view: bounded in their parts before parsing, and large ones in a thread."""

import json
import threading

import pytest

from agentbrowser.live.watcher import command_of
from agentbrowser.mcp.endpoint import body_fault
from agentbrowser.protocol.errors import InvalidParams, InvalidRequest
from agentbrowser.server.gate import message_parser

CROWDED = '{"do": [' + "[]," * 30_000 + "[]]}"
DEEP = '{"do": ' + "[" * 64 + "]" * 64 + "}"


def test_a_crowded_or_deep_body_is_refused() -> None:
    assert body_fault(CROWDED.encode()) == "The message has more than 20000 parts."
    assert body_fault(DEEP.encode()) == "The message is nested deeper than 64 levels."


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32-be", "latin-1"])
def test_a_body_in_another_encoding_is_refused(encoding: str) -> None:
    fault = body_fault('{"do": "ä"}'.encode(encoding))
    assert fault is not None
    assert "UTF-8" in fault


def test_a_long_text_and_an_act_of_fifty_steps_are_let_through() -> None:
    step = {"action": "click", "selector": {"type": "css", "value": "[a], {b}"}, "expect": {"text": "a, b, c"}}
    for value in ({"text": "[],{}" * 100_000}, {"steps": [step] * 50}):
        assert body_fault(json.dumps(value).encode()) is None


def test_a_request_whose_id_is_none_is_refused() -> None:
    for text in ('{"id": {}, "method": "ping"}', '{"method": "ping", "id": null}', '{"id": 1.5, "method": "ping"}'):
        assert "The id must be" in (body_fault(text.encode()) or "")
    for text in (
        '{"id": "a", "method": "ping"}',
        '{"method": "ping"}',
        '{"id": null, "error": {}}',
        '[{"id": {}}]',
        "{",
    ):
        assert body_fault(text.encode()) is None


@pytest.mark.parametrize("text", [CROWDED, DEEP])
def test_a_crowded_or_deep_command_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest):
        command_of(text)


def test_a_command_is_an_object_and_its_files_may_be_large() -> None:
    command = {
        "do": "files",
        "files": [{"name": f"a,{number}.txt", "type": "", "data": "QUJD" * 50_000} for number in range(20)],
    }
    assert command_of(json.dumps(command)) == command
    for text in ("[]", "7", "{", ""):
        with pytest.raises(InvalidParams):
            command_of(text)


async def test_only_a_large_text_is_parsed_in_a_thread() -> None:
    async def is_apart(size: int) -> bool:
        return await message_parser.parse_with(lambda _: threading.current_thread(), "x" * size) is not here

    here = threading.current_thread()
    assert not await is_apart(1000)
    assert await is_apart(256 * 1024)
