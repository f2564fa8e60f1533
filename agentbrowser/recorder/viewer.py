"""Viewer of a recording: one HTML page that opens from disk, with the entries inside and the pictures beside it."""

from collections.abc import Mapping
from importlib import resources
from typing import Any

from agentbrowser.protocol import wire


def viewer(meta: Mapping[str, Any], events: list[dict[str, Any]]) -> str:
    """Return the page for a recording."""
    files = resources.files("agentbrowser.recorder").joinpath("viewer_page")
    page = files.joinpath("viewer.html").read_text(encoding="utf-8")
    shown = [event for event in events if event["kind"] != "body"]
    parts = {
        "style": files.joinpath("viewer.css").read_text(encoding="utf-8"),
        "script": files.joinpath("viewer.js").read_text(encoding="utf-8"),
        "data": _inert(wire.dump({"meta": dict(meta), "events": shown}).decode()),
    }
    for name, text in parts.items():
        before, _, after = page.partition(f"<!--{name}-->")
        page = before + text + after
    return page


def _inert(json: str) -> str:
    """Return JSON that can't end its script element: what pages say is in it."""
    return json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
