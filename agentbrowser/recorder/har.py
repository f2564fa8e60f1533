"""HAR 1.2 of a recording's network events. Credentials in headers and URLs were removed when they were recorded."""

import base64
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from agentbrowser import __version__
from agentbrowser.protocol import wire

_PHASES: Final = (
    ("dns", "domainLookupStart", "domainLookupEnd"),
    ("connect", "connectStart", "connectEnd"),
    ("send", "requestStart", "requestStart"),
    ("wait", "requestStart", "responseStart"),
    ("receive", "responseStart", "responseEnd"),
)


def is_traffic(event: Mapping[str, Any]) -> bool:
    """Return True if a HAR has something of an entry."""
    return event["kind"] in ("network", "body")


def har_pieces(events: Iterable[Mapping[str, Any]], blobs: Mapping[str, bytes]) -> Iterator[bytes]:
    """Yield the HAR of a recording's entries in pieces.

    Args:
      blobs: bodies of responses by the names of their files.
    """
    exchanges = exchanges_of(events)
    started: dict[str | None, float] = {}
    for one in exchanges.values():
        page = one["request"]["pageId"]
        started[page] = min(started.get(page, math.inf), _start(one))
    head = {
        "version": "1.2",
        "creator": {"name": "agentbrowser", "version": __version__},
        "pages": [
            {"startedDateTime": _time(since), "id": page or "none", "title": page, "pageTimings": {}}
            for page, since in started.items()
        ],
    }
    yield b'{"log":' + wire.dump(head).removesuffix(b"}") + b',"entries":['
    mark = b""
    for exchange in exchanges.values():
        yield mark + wire.dump(_entry(exchange, blobs))
        mark = b","
    yield b"]}}"


def exchanges_of(events: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return requests by id, each with its events ``request``, ``response``, ``failed`` and ``body``."""
    exchanges: dict[str, dict[str, Any]] = {}
    for event in events:
        if event["kind"] == "network" and event["type"] == "request":
            exchanges[event["requestId"]] = {"request": event}
        elif is_traffic(event) and event["requestId"] in exchanges:
            exchanges[event["requestId"]][event.get("type", "body")] = event
    return exchanges


def _entry(exchange: Mapping[str, Any], blobs: Mapping[str, bytes]) -> dict[str, Any]:
    request, response = exchange["request"], exchange.get("response") or {}
    ended = exchange.get("failed") or response
    timings = _timings(ended.get("timing") or {})
    return {
        "pageref": request["pageId"] or "none",
        "startedDateTime": _time(_start(exchange)),
        "time": sum(value for value in timings.values() if value > 0),
        "request": {
            "method": request["method"],
            "url": request["url"],
            "httpVersion": "",
            "cookies": [],
            "headers": _headers(request.get("headers")),
            "queryString": [
                {"name": name, "value": value}
                for name, value in parse_qsl(urlsplit(request["url"]).query, keep_blank_values=True)
            ],
            **(
                {"postData": {"mimeType": "", "text": request["postData"], "params": []}}
                if request.get("postData")
                else {}
            ),
            "headersSize": -1,
            "bodySize": -1,
        },
        "response": {
            "status": response.get("status", 0),
            "statusText": "",
            "httpVersion": "",
            "cookies": [],
            "headers": _headers(response.get("headers")),
            "content": _content(exchange, response.get("headers") or {}, blobs),
            "redirectURL": (response.get("headers") or {}).get("location", ""),
            "headersSize": -1,
            "bodySize": -1,
            **({"_error": ended["error"]} if ended.get("error") else {}),
        },
        "cache": {},
        "timings": timings,
        "_resourceType": request["resourceType"],
    }


def _content(exchange: Mapping[str, Any], headers: Mapping[str, str], blobs: Mapping[str, bytes]) -> dict[str, Any]:
    body = blobs.get(exchange["body"]["file"]) if "body" in exchange else None
    content = {"size": len(body or b""), "mimeType": headers.get("content-type", "x-unknown")}
    if body is None:
        return content
    try:
        return content | {"text": body.decode()}
    except UnicodeDecodeError:
        return content | {"text": base64.b64encode(body).decode("ascii"), "encoding": "base64"}


def _start(exchange: Mapping[str, Any]) -> float:
    ended = exchange.get("failed") or exchange.get("response") or {}
    return float((ended.get("timing") or {}).get("startTime", exchange["request"]["t"]))


def _timings(timing: Mapping[str, float]) -> dict[str, float]:
    phases = {
        name: round(timing[end] - timing[start], 3) if start in timing and end in timing else -1
        for name, start, end in _PHASES
    }
    # HAR wants these three as numbers of at least 0.
    return phases | {name: max(0, phases[name]) for name in ("send", "wait", "receive")}


def _headers(headers: Mapping[str, str] | None) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in (headers or {}).items()]


def _time(ms: float) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
