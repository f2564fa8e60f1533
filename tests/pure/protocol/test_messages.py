"""Good and bad messages, one file for the tests of the TypeScript client too: all who judge them say the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentbrowser.methods import EVENTS, METHODS
from agentbrowser.protocol import openrpc
from agentbrowser.protocol.codec import structure, structure_params
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.jsonschema import schema_name
from tests.pure.wild import fits

MESSAGES = json.loads((Path(__file__).parents[1] / "messages.json").read_text())
DOCUMENT = openrpc.document(METHODS, EVENTS, "1.2.3")
SCHEMAS = DOCUMENT["components"]["schemas"]


def named(message: dict[str, Any]) -> str:
    """Say what a message is about."""
    return f"{message['of']}: {message['why']}"


def kind_of(message: dict[str, Any]) -> Any:
    """Return the class that a message should be of."""
    part, _, name = message["of"].partition(" of ")
    if name in EVENTS:
        return EVENTS[name].params
    return METHODS[name].result if part == "result" else METHODS[name].params


@pytest.mark.parametrize("message", MESSAGES, ids=named)
def test_the_codec_accepts_the_good_and_rejects_the_bad_messages(message: dict[str, Any]) -> None:
    try:
        judge = structure_params if message["of"].startswith("params of ") else structure
        judge(kind_of(message), message["value"])
    except InvalidParams:
        assert not message["good"]
    else:
        assert message["good"]


@pytest.mark.parametrize("message", [one for one in MESSAGES if "null" not in one["why"]], ids=named)
def test_the_schema_accepts_the_good_and_rejects_the_bad_messages(message: dict[str, Any]) -> None:
    """A schema does not say that null is the same as nothing."""
    assert fits(message["value"], SCHEMAS[schema_name(kind_of(message))], DOCUMENT) is message["good"]


def test_there_are_good_and_bad_ones_of_all_parts() -> None:
    assert {one["of"].partition(" of ")[0] for one in MESSAGES} == {"params", "result"}
    assert {one["good"] for one in MESSAGES} == {True, False}
