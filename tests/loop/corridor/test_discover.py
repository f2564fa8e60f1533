"""rpc.discover: the document is made once, in a thread, and sent as it is."""

import threading
from typing import Any

import pytest

from agentbrowser.methods import rpc
from agentbrowser.protocol import openrpc
from agentbrowser.protocol.registry import METHODS
from tests.loop.memory_client import dialogue


async def test_simultaneous_requests_share_one_document_that_no_loop_has_made(monkeypatch: pytest.MonkeyPatch) -> None:
    makers: list[threading.Thread] = []
    make = openrpc.document

    def counted(*args: Any) -> dict[str, Any]:
        makers.append(threading.current_thread())
        return make(*args)

    monkeypatch.setattr(openrpc, "document", counted)
    rpc._document.cache_clear()
    async with dialogue() as client:
        for id_ in range(8):
            await client.ask(id_, "rpc.discover")
        answers = {reply["id"]: reply["result"] for reply in [await client.hear() for _ in range(8)]}
    assert len(makers) == 1
    assert makers[0] is not threading.current_thread()
    assert set(answers) == set(range(8))
    assert all({one["name"] for one in answer["methods"]} == set(METHODS) for answer in answers.values())
