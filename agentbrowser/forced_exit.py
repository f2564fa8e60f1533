"""Forced exit of a program that runs a server: after a time limit of its shutdown, or at a further signal."""

import os
import signal
import threading
import time
from types import FrameType
from typing import Final

EXIT_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_ONE_SIGNAL_S: Final = 1.0
"""Signals within this time are one: GNU timeout, and others, signal a process and then its group."""


def exit_within(limit_s: float) -> None:
    """Kill the process after a time limit, or at a signal that is not the first one once more."""
    first_s = time.monotonic()

    def exit_at_second(number: int, frame: FrameType | None) -> None:
        if time.monotonic() - first_s >= _ONE_SIGNAL_S:
            _exit_now()

    for number in EXIT_SIGNALS:
        signal.signal(number, exit_at_second)
    timer = threading.Timer(limit_s, _exit_now)
    timer.daemon = True
    timer.start()


def _exit_now() -> None:
    from agentbrowser.browser.engine.driver_dirs import kill_all  # a program may end before it needs the browser side

    kill_all()  # drivers end when their pipes to this process break, but not while they are suspended
    os._exit(1)
