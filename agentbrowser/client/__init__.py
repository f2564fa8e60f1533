"""The Trio client. It imports neither Playwright nor Hypercorn.

`agentbrowser.client.aio` is the asyncio client, `agentbrowser.client.blocking` the one without an event loop.
"""

from typing import TYPE_CHECKING, Any

from agentbrowser.client.browser import Browser as Browser
from agentbrowser.client.connection.dial import connect as connect
from agentbrowser.client.connection.dial import over as over
from agentbrowser.client.connection.handshake import SessionKey as SessionKey
from agentbrowser.client.connection.reconnect import ConnectionChange as ConnectionChange
from agentbrowser.client.connection.reconnect import Reconnect as Reconnect
from agentbrowser.client.connection.streams import StreamBroken as StreamBroken
from agentbrowser.client.connection.transport import ConnectionLost as ConnectionLost
from agentbrowser.client.connection.transport import Transport as Transport
from agentbrowser.client.feed import Feed as Feed
from agentbrowser.client.feed import PendingApproval as PendingApproval

if TYPE_CHECKING:
    from agentbrowser.client.download import FileDownload as FileDownload
    from agentbrowser.client.element import Element as Element
    from agentbrowser.client.failures import ExtractionFailed as ExtractionFailed
    from agentbrowser.client.failures import SequenceFailed as SequenceFailed
    from agentbrowser.client.outcomes import Extracted as Extracted
    from agentbrowser.client.outcomes import Image as Image
    from agentbrowser.client.outcomes import SequenceOutcome as SequenceOutcome
    from agentbrowser.client.outcomes import StepOutcome as StepOutcome
    from agentbrowser.client.outcomes import TextObservation as TextObservation
    from agentbrowser.client.page import Page as Page
    from agentbrowser.client.results import ActionOutcome as ActionOutcome
    from agentbrowser.client.selectors import at as at
    from agentbrowser.client.selectors import step as step

LineChange = ConnectionChange
"""Former name, for existing programs."""
Question = PendingApproval
"""Former name, for existing programs."""

# The classes of a page's requests and results take a third of the time that the client takes to import. A program that
# connects needs them with its first page only.
_MODULES_OF_PAGES = {
    "ActionOutcome": "results",
    "Element": "element",
    "Extracted": "outcomes",
    "ExtractionFailed": "failures",
    "FileDownload": "download",
    "Image": "outcomes",
    "TextObservation": "outcomes",
    "Page": "page",
    "SequenceFailed": "failures",
    "SequenceOutcome": "outcomes",
    "StepOutcome": "outcomes",
    "at": "selectors",
    "step": "selectors",
}

if not TYPE_CHECKING:  # for type checkers, a misspelt name is an error

    def __dir__() -> list[str]:
        return sorted({*globals(), *_MODULES_OF_PAGES})

    def __getattr__(name: str) -> Any:
        if name not in _MODULES_OF_PAGES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        return getattr(importlib.import_module(f"{__name__}.{_MODULES_OF_PAGES[name]}"), name)
