"""JSON-RPC texts: what is a message, what is not, and what is said about it."""

import contextlib
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import ElementNotFound, InvalidRequest, ParseError
from agentbrowser.protocol.wire import BadMessage, ErrorReply, Notification, Reply, Request

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
IDS = st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=128)


def refused(text: str) -> ErrorReply:
    with pytest.raises(BadMessage) as caught:
        wire.parse(text)
    return caught.value.error_reply


@given(IDS, st.text(), st.none() | st.dictionaries(st.text(), PLAIN, max_size=4))
def test_a_request_survives_the_wire(id_: Any, method: str, params: Any) -> None:
    request = Request(id_, method, params)
    assert wire.parse(wire.encode(request).decode()) == request


@given(st.text(), st.none() | st.dictionaries(st.text(), PLAIN, max_size=4))
def test_a_notification_survives_the_wire(method: str, params: Any) -> None:
    assert wire.parse(wire.encode(Notification(method, params)).decode()) == Notification(method, params)


@given(IDS, PLAIN)
def test_a_reply_survives_the_wire(id_: Any, result: Any) -> None:
    assert wire.parse(wire.encode(Reply(id_, result)).decode()) == Reply(id_, result)


def test_an_error_reply_survives_the_wire_as_its_class() -> None:
    error = ElementNotFound("Nothing matches.", selector={"type": "css"}, waited_ms=7)
    parsed = wire.parse(wire.encode(ErrorReply(3, error)).decode())
    assert isinstance(parsed, ErrorReply)
    assert isinstance(parsed.error, ElementNotFound)
    assert parsed.error.to_wire() == error.to_wire()


@given(st.text())
def test_any_text_is_a_message_or_an_error_reply(text: str) -> None:
    with contextlib.suppress(BadMessage):
        wire.parse(text)
        return
    assert isinstance(refused(text).error, ParseError | InvalidRequest)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "nul",
        "{'a':1}",
        '{"a":NaN}',
        '{"a":Infinity}',
        '{"jsonrpc":"2.0","id":1e400,"method":"m"}',
        "\ufeff{}",
        "{}x",
    ],
)
def test_invalid_json_is_a_parse_error_without_an_id(text: str) -> None:
    fault = refused(text)
    assert isinstance(fault.error, ParseError)
    assert fault.id is None


@pytest.mark.parametrize(
    ("members", "id_"),
    [
        ('"id":1,"method":"m"', 1),  # no version
        ('"jsonrpc":"2","id":1,"method":"m"', 1),
        ('"jsonrpc":2.0,"id":1,"method":"m"', 1),
        ('"jsonrpc":"2.0","id":1', 1),
        ('"jsonrpc":"2.0","id":1,"method":null', 1),
        ('"jsonrpc":"2.0","id":1,"method":["m"]', 1),
        ('"jsonrpc":"2.0","id":1,"method":"m","params":[1]', 1),
        ('"jsonrpc":"2.0","id":1,"method":"m","params":"p"', 1),
        ('"jsonrpc":"2.0","id":1,"error":"e"', 1),
        ('"jsonrpc":"2.0","id":true,"method":"m"', None),
        ('"jsonrpc":"2.0","id":null,"method":"m"', None),
        ('"jsonrpc":"2.0","id":1.0,"method":"m"', None),
        ('"jsonrpc":"2.0","id":1.5,"method":"m"', None),
        ('"jsonrpc":"2.0","id":9007199254740992,"method":"m"', None),
        ('"jsonrpc":"2.0","id":{},"method":"m"', None),
        ('"jsonrpc":"2.0","id":"' + "x" * 129 + '","method":"m"', None),
        ('"jsonrpc":"2.0","method":"a","method":"b"', None),
        ('"jsonrpc":"2.0","id":1,"id":1,"method":"m"', None),
        ('"jsonrpc":"2.0","id":1,"\\u0069d":2,"method":"m"', None),
        ('"jsonrpc":"2.0","id":12,"method":"m","id":1', None),
    ],
)
def test_an_invalid_request_keeps_its_readable_id(members: str, id_: Any) -> None:
    fault = refused("{" + members + "}")
    assert isinstance(fault.error, InvalidRequest)
    assert fault.id == id_


@given(st.dictionaries(st.text(max_size=5), PLAIN, min_size=1, max_size=4), st.data())
def test_a_duplicate_key_is_detected_at_any_position(extra: dict[str, Any], data: Any) -> None:
    pairs = [*{**extra, "jsonrpc": "2.0", "id": 1, "method": "m"}.items()]
    again = data.draw(st.sampled_from(pairs))
    order = data.draw(st.permutations([*pairs, (again[0], data.draw(PLAIN))]))
    blank = data.draw(st.sampled_from(["", " ", "\n\t "]))
    text = "{" + ",".join(f"{blank}{json.dumps(k)}{blank}:{blank}{json.dumps(v)}{blank}" for k, v in order) + "}"
    assert isinstance(refused(text).error, InvalidRequest)


@pytest.mark.parametrize("depth", [63, 64, 100_000])
@pytest.mark.parametrize("pair", ["[]", "{}"])
def test_nesting_is_bounded(depth: int, pair: str) -> None:
    # The message and its params are two of the levels.
    inner = "[" * (depth - 2) + "]" * (depth - 2) if pair == "[]" else '{"a":' * (depth - 2) + "1" + "}" * (depth - 2)
    text = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"p":' + (inner or "1") + "}}"
    if depth <= wire.MAX_DEPTH:
        assert isinstance(wire.parse(text), Request)
    else:
        assert isinstance(refused(text).error, InvalidRequest)


def test_brackets_and_commas_in_strings_do_not_count() -> None:
    value = "[{," * 100_000
    parsed = wire.parse(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"value": value}}))
    assert parsed == Request(1, "m", {"value": value})


@given(st.lists(st.text('[]{},\\"\\\\a', max_size=12), max_size=8))
def test_no_string_affects_the_count_of_levels(texts: list[str]) -> None:
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"texts": texts, "padding": "[" * 65}})
    assert wire.parse(text) == Request(1, "m", {"texts": texts, "padding": "[" * 65})


def test_a_message_of_very_many_parts_is_refused_but_an_answer_may_be_large() -> None:
    parts = "[" + "0," * (wire.MAX_STRUCTURE + 1) + "0]"
    assert isinstance(
        refused('{"jsonrpc":"2.0","id":1,"method":"m","params":{"p":' + parts + "}}").error, InvalidRequest
    )
    assert isinstance(wire.parse('{"jsonrpc":"2.0","id":1,"result":' + parts + "}"), Reply)


def test_a_crowded_request_is_refused_by_its_id_and_commas_in_texts_are_no_parts() -> None:
    members = ",".join(f'"a{number}":0' for number in range(wire.MAX_STRUCTURE + 1))
    head = '{"jsonrpc":"2.0","id":7,"method":"m"'
    for crowded in (f"{head},{members}}}", head + ',"params":{"p":[' + '"",' * (2 * wire.MAX_STRUCTURE) + '""]}}'):
        fault = refused(crowded)
        assert fault.id == 7
        assert "parts" in fault.error.message
    texts = [",[]{}\\" * wire.MAX_STRUCTURE, '\\",[{']
    request = wire.parse(head + ',"params":' + wire.dump({"p": texts}).decode() + "}")
    assert isinstance(request, Request)
    assert request.params == {"p": texts}
    assert "nested" in refused(head + ',"params":{"p":' + "[" * 65 + '"]"' + "]" * 65 + "}}").error.message


def test_a_key_has_a_limit() -> None:
    key = "k" * wire.MAX_KEY_LENGTH
    assert isinstance(wire.parse('{"jsonrpc":"2.0","id":1,"method":"m","' + key + '":1}'), Request)
    fault = refused('{"jsonrpc":"2.0","id":1,"method":"m","' + key + '\\"":1}')
    assert "128 characters" in fault.error.message


def test_values_without_json_form_are_replaced() -> None:
    result = {"text": "a\ud800b", "numbers": [math.nan, math.inf], "\udfff": ("\ud83d\ude00",)}
    sent = json.loads(wire.encode(Reply(1, result)))["result"]
    assert sent == {"text": "a\ufffdb", "numbers": [None, None], "\ufffd": ["\U0001f600"]}


LONE = "a\ud800b"
MESSAGES = [
    Reply(1, {"text": LONE, LONE: [LONE, (LONE,)]}),
    Reply(LONE, {}),
    ErrorReply(1, ElementNotFound(f"No {LONE}.", selector={"value": LONE}, hint=LONE)),
    Notification("notifications/network", {"headers": {LONE: LONE}, "url": LONE}),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_no_lone_surrogate_reaches_the_wire(message: wire.Message) -> None:
    text = wire.encode(message).decode()  # strictly
    assert "a\ufffdb" in text
    assert "\\ud8" not in text.lower()


@given(
    st.dictionaries(st.text(max_size=3), st.text(max_size=40) | st.integers() | st.lists(st.text(max_size=40))),
    st.integers(0, 50),
)
def test_the_size_of_data_with_long_texts_is_that_of_its_encoding(value: dict[str, Any], limit: int) -> None:
    is_long = any(isinstance(member, str) and len(member) > limit for member in value.values())
    assert wire.size_with_long_texts(value, limit) == (len(wire.dump(value)) if is_long else None)


def test_the_size_of_a_text_of_many_parts_is_that_of_its_encoding() -> None:
    text = 'ü"\n\u2028\U0001f600x' * 100_000
    assert wire.text_size(text) == len(wire.dump(text))
    assert "".join(wire.parts(text)) == text


@given(st.lists(st.text() | st.integers() | st.dictionaries(st.text(), st.none()), max_size=5))
def test_items_are_those_of_the_array(items: list[Any]) -> None:
    assert list(wire.load_items(json.dumps(items))) == items


def test_only_an_array_has_items() -> None:
    with pytest.raises(ValueError):
        list(wire.load_items('{"0": 1}'))


def test_sorted_data_does_not_depend_on_the_order_of_members() -> None:
    assert wire.dump_sorted({"b": [{"d": 1, "c": "\ud800"}], "a": 2}) == '{"a":2,"b":[{"c":"\ufffd","d":1}]}'.encode()
