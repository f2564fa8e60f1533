"""Section 3 of the protocol: what the wire says of each error."""

import pytest

from agentbrowser.protocol import errors
from agentbrowser.protocol.errors import AgentBrowserError

TABLE = {
    -32700: ("ParseError", False, False),
    -32600: ("InvalidRequest", False, False),
    -32601: ("MethodNotFound", False, False),
    -32602: ("InvalidParams", False, False),
    -32603: ("InternalError", False, False),
    -32000: ("ServerBusy", True, True),
    -32001: ("NotInitialized", False, False),
    -32002: ("AlreadyInitialized", False, False),
    -32003: ("ScopeDenied", False, False),
    -32010: ("BrowserNotLaunched", True, True),
    -32011: ("PageNotFound", False, False),
    -32012: ("ElementNotFound", True, 500),
    -32013: ("ElementNotVisible", True, 500),
    -32014: ("ElementNotEnabled", True, 500),
    -32015: ("NavigationFailed", True, 1000),
    -32016: ("Timeout", True, False),
    -32017: ("TargetClosed", False, False),
    -32018: ("ExecutionContextDestroyed", True, 100),
    -32019: ("ElementChanged", False, False),
    -32020: ("SelectorAmbiguous", False, False),
    -32023: ("ContextNotFound", False, False),
    -32024: ("ResourceLimitExceeded", False, False),
    -32030: ("ApprovalDenied", False, False),
    -32031: ("ApprovalTimeout", False, False),
    -32032: ("ApprovalRequired", False, False),
    -32040: ("FrameNotFound", False, False),
    -32041: ("DomainNotAllowed", False, False),
    -32050: ("StreamNotFound", False, False),
    -32051: ("Cancelled", False, False),
}
"""Code: name, retryable, and what ``retryAfterMs`` is (True: some time, False: not there)."""

MENDABLE = [-32012, -32013, -32014, -32016, -32018, -32019, -32020]


def raised(code: int) -> AgentBrowserError:
    kind: type[AgentBrowserError] = getattr(errors, TABLE[code][0])
    return kind("It went wrong.", some_fact=1)


@pytest.mark.parametrize("code", TABLE)
def test_codes_match_the_table_of_the_protocol(code: int) -> None:
    _, retryable, retry_after_ms = TABLE[code]
    wire = raised(code).to_wire()
    assert (wire["code"], wire["message"]) == (code, "It went wrong.")
    assert wire["data"]["retryable"] is retryable
    assert wire["data"]["details"] == {"someFact": 1}
    if retry_after_ms is True:
        assert wire["data"]["retryAfterMs"] > 0
    else:
        assert wire["data"].get("retryAfterMs", False) == retry_after_ms


@pytest.mark.parametrize("code", MENDABLE)
def test_every_error_that_an_agent_can_fix_has_a_hint(code: int) -> None:
    assert raised(code).to_wire()["data"]["recoveryHint"].endswith(".")
