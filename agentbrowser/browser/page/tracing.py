"""Trace recording of a context, for Playwright's trace viewer."""

import asyncio
import base64
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
from playwright.async_api import Error

from agentbrowser.browser import faults
from agentbrowser.protocol.errors import ActionFailed, ResourceLimitExceeded

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context

MAX_TRACE_BYTES: Final = 50 * 1024 * 1024


@attrs.define(eq=False)
class Tracing:
    """Trace recording of one context, one at a time. A trace contains typed text, so its file is private."""

    context: "Context"
    _is_recording: bool = attrs.field(default=False, init=False)

    @property
    def is_recording(self) -> bool:
        """Return True while a trace is being recorded."""
        return self._is_recording

    async def start(self, *, title: str | None, screenshots: bool, snapshots: bool) -> None:
        """Start recording. [asyncio]

        Raises:
          ActionFailed: a trace is being recorded, or the client has used a secret, which the trace could contain.
        """
        if self.context.tabs.secrets.used:
            reason = "a secret has been used, and the trace could hold it"
            raise _failed("trace/start", reason, "Record before secrets are used, or with another connection.")
        for tab in self.context.open_tabs:
            tab.hold.check()  # the trace would hold what the person types
        if self._is_recording:
            raise _failed("trace/start", "a trace is being recorded already", "Call trace/stop for that one first.")
        self._is_recording = True
        try:
            with faults.mapped(action="trace/start"):
                tracing = self.context.browser_context.tracing
                await tracing.start(title=title, screenshots=screenshots, snapshots=snapshots)
        except BaseException:
            self._is_recording = False
            raise

    async def stop(self) -> str:
        """Stop recording and return the trace, a zip file in base64. [asyncio]

        Raises:
          ActionFailed: nothing is being recorded.
          ResourceLimitExceeded: the trace is larger than 50 MB, or the disk is full; the trace is discarded.

        Cancel: the trace is lost.
        """
        if not self._is_recording:
            raise _failed("trace/stop", "no trace is being recorded", "Call trace/start first.")
        self._is_recording = False
        try:
            with faults.mapped(action="trace/stop"):
                return await self._save()
        except BaseException:
            self.context.tabs.run_in_background(self._discard())
            raise

    async def _save(self) -> str:
        with tempfile.TemporaryDirectory(prefix="agentbrowser-trace-") as folder:  # mode 0700
            path = Path(folder) / "trace.zip"
            path.touch(mode=0o600)  # otherwise the driver would make it readable for all
            await self.context.browser_context.tracing.stop(path=path)
            return await asyncio.to_thread(_read, path)

    async def _discard(self) -> None:
        """Discard a trace that Playwright may still be recording."""
        try:
            await self.context.browser_context.tracing.stop()
        except Error:
            return  # it had stopped already


def _read(path: Path) -> str:
    size = os.path.getsize(path)
    if size > MAX_TRACE_BYTES:
        message = f"The trace is {size} bytes; it may have {MAX_TRACE_BYTES}."
        hint = "Record less, or without screenshots and snapshots."
        raise ResourceLimitExceeded(message, resource="trace", limit=MAX_TRACE_BYTES, current=size, hint=hint)
    return base64.b64encode(path.read_bytes()).decode("ascii")


def _failed(action: str, reason: str, hint: str) -> ActionFailed:
    return ActionFailed(f"The {action} failed: {reason}.", action=action, reason=reason, hint=hint)
