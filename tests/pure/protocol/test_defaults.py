"""The defaults that the protocol states."""

import pytest

from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("host", "127.0.0.1"),
        ("port", 9222),
        ("scope", Scope.STANDARD),
        ("max_message_bytes", 10_485_760),
        ("request_timeout_s", 30),
        ("max_timeout_s", 300),
        ("max_pages", 10),
        ("max_contexts", 5),
        ("dialog_timeout_s", 5),
        ("readonly_navigation", False),
        ("allowed_domains", None),
    ],
)
def test_a_default_is_the_protocols(name: str, value: object) -> None:
    assert getattr(Config(), name) == value
