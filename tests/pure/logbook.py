"""Logging as a program sets it up, in a test: into a text, and undone at the end."""

import contextlib
import io
import logging
import warnings
from collections.abc import Iterator

import structlog

from agentbrowser.cli.logs import set_up_logging
from agentbrowser.config import Config


@contextlib.contextmanager
def logging_restored() -> Iterator[None]:
    """Undo at the end whatever the block does to logging."""
    root, ours = logging.getLogger(), logging.getLogger("agentbrowser")
    handlers, level, our_level, show = root.handlers[:], root.level, ours.level, warnings.showwarning
    try:
        yield
    finally:
        logging.captureWarnings(False)
        warnings.showwarning = show
        root.handlers[:] = handlers
        root.setLevel(level)
        ours.setLevel(our_level)
        structlog.reset_defaults()


@contextlib.contextmanager
def logged(config: Config) -> Iterator[io.StringIO]:
    """Give the text that takes all log lines."""
    with logging_restored():
        stream = io.StringIO()
        set_up_logging(config, stream)
        yield stream
