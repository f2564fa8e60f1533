"""True causes of failed connections, which the browser takes for failures of its proxy."""

import time

import attrs
import pytest

from agentbrowser.protocol.errors import DomainNotAllowed, InvalidParams
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


def test_a_refusal_stays_an_old_one_when_the_system_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    log = DenialLog()
    log.refuse_document("page-1", "http://evil.test/", DomainNotAllowed("No.", domain="evil.test"))
    log.fail(Destination("closed.test", 80), "ERR_CONNECTION_REFUSED")
    an_hour_ago_s = time.time() - 3600
    monkeypatch.setattr(time, "time", lambda: an_hour_ago_s)
    log.check_arrival("page-1", time.monotonic())
    fresh = attrs.evolve(failed("closed.test"), timing={"startTime": an_hour_ago_s * 1000 + 2000})
    assert log.named(fresh).error == "ERR_CONNECTION_FAILED"
    log.refuse_document("page-1", "http://evil.test/", DomainNotAllowed("No.", domain="evil.test"))
    with pytest.raises(DomainNotAllowed):
        log.check_arrival("page-1", time.monotonic() - 1)


def test_other_events_stay_as_they_are() -> None:
    log = DenialLog()
    log.fail(Destination("closed.test", 80), "ERR_CONNECTION_REFUSED")
    event = failed("closed.test", "ERR_EMPTY_RESPONSE")
    assert log.named(event) is event
