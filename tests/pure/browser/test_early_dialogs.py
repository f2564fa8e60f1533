"""Dialogs of pages that have no tab yet."""

from types import SimpleNamespace
from typing import Any

from agentbrowser.browser.page.dialogs import ContextDialogs


def test_dialogs_of_refused_popups_are_not_kept() -> None:
    heard: dict[str, Any] = {}
    tabs: Any = SimpleNamespace(tab_of=lambda _: None)
    context: Any = SimpleNamespace(on=heard.__setitem__)
    dialogs = ContextDialogs(tabs, context)
    dialogs.attach()
    for _ in range(3):
        heard["dialog"](SimpleNamespace(page=SimpleNamespace(is_closed=lambda: True)))
    assert len(dialogs._early) == 1
