"""True causes of failed connections, which the browser takes for failures of its proxy."""

import pytest

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.event import NetworkEvent
from agentbrowser.server.egress.denials import DenialLog
from agentbrowser.server.egress.socks import Destination


def failed(host: str, error: str = "ERR_SOCKS_CONNECTION_FAILED") -> NetworkEvent:
    return NetworkEvent(
        type="failed",
        request_id="r",
        page_id="p",
        url=f"http://{host}/a",
        method="GET",
        resource_type="fetch",
        error=error,
        timing={"startTime": 0.0},
    )


@pytest.mark.parametrize(
    ("host", "error"),
    [
        ("Closed.test", "ERR_CONNECTION_REFUSED"),
        ("[2001:db8::1]", "ERR_ADDRESS_UNREACHABLE"),
        ("inside.test", "refused: private"),
        ("unknown.test", "ERR_CONNECTION_FAILED"),
    ],
)
def test_an_event_of_a_failed_request_names_the_cause(host: str, error: str) -> None:
    log = DenialLog()
    log.fail(Destination("closed.test", 80), "ERR_NAME_NOT_RESOLVED")
    log.fail(Destination("closed.test", 80), "ERR_CONNECTION_REFUSED")
    log.fail(Destination("2001:db8::1", 80), "ERR_ADDRESS_UNREACHABLE")
    log.deny(Destination("inside.test", 80), "private", InvalidParams("It is private.", reason="private"))
    assert log.named(failed(host)).error == error


def test_other_events_stay_as_they_are() -> None:
    log = DenialLog()
    log.fail(Destination("closed.test", 80), "ERR_CONNECTION_REFUSED")
    event = failed("closed.test", "ERR_EMPTY_RESPONSE")
    assert log.named(event) is event
