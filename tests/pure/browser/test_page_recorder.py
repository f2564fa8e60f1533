"""Pictures of a recording: when they are taken."""

import asyncio
from unittest.mock import Mock

from agentbrowser.browser.background_tasks import BackgroundTasks
from agentbrowser.browser.recording.page_recorder import PageRecorder


def test_a_picture_that_could_not_begin_keeps_no_timer_running() -> None:
    """The timer held all of a closed session, and fired twenty times a second."""
    background = BackgroundTasks()
    tabs = Mock(run_in_background=background.start)
    tab = Mock(dialog=None)
    tab.hold.holder, tab.crash_signal.is_set = None, False
    recorder = PageRecorder(tabs)

    async def close_at_once() -> None:
        for _ in range(2):
            recorder.note_action(tab)
            due = recorder._due[tab]
            due.first_s = due.last_s = -10.0
            recorder._check(tab, due)
            background.cancel()
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    asyncio.run(close_at_once())
    assert recorder._due == {}
