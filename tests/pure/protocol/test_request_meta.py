"""Metadata of requests."""

import pytest

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.request_meta import split_meta


def test_only_metadata_that_is_no_object_is_refused() -> None:
    assert split_meta({"url": "x", "_meta": {"traceparent": "00-1", "other": 1}}) == ({"url": "x"}, "00-1")
    # Null is absent, as for any optional parameter, and a malformed traceparent is ignored.
    for meta in (None, {}, {"traceparent": 1}, {"traceparent": None}):
        assert split_meta({"url": "x", "_meta": meta}) == ({"url": "x"}, None)
    assert split_meta(None) == (None, None)
    with pytest.raises(InvalidParams) as caught:
        split_meta({"_meta": "x"})
    assert caught.value.details == {"path": "_meta", "expected": "an object", "got": "string"}
