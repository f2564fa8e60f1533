"""Recording what happens in a context, for Playwright's trace viewer."""

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
    """The recording of one context, of which there is one at a time. It holds what was typed, and is kept private."""

    context: "Context"
    _is_recording: bool = attrs.field(default=False, init=False)

    @property
    def is_recording(self) -> bool:
        """Whether it is being recorded."""
        return self._is_recording

    async def start(self, *, title: str | None, screenshots: bool, snapshots: bool) -> None:
        """Start recording. [asyncio]

        Raises:
          ActionFailed: it was started before, or the client has used a secret of the operator's, which what its pages
            send and show would tell.
        """
        if self.context.tabs.secrets.used:
            reason = "a secret has been used, and the trace could hold it"
            raise _failed("trace/start", reason, "Record before secrets are used, or with another connection.")
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
          ResourceLimitExceeded: the trace is larger than 50 MB, or there is no room for files; it is thrown away.

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
        with tempfile.TemporaryDirectory(prefix="agentbrowser-trace-") as folder:  # 0700
            path = Path(folder) / "trace.zip"
            path.touch(mode=0o600)  # for the driver would make it readable for all
            await self.context.browser_context.tracing.stop(path=path)
            return await asyncio.to_thread(_read, path)

    async def _discard(self) -> None:
        """Have Playwright forget a trace that it may still be recording."""
        try:
            await self.context.browser_context.tracing.stop()
        except Error:
            return  # it had stopped


def _read(path: Path) -> str:
    size = os.path.getsize(path)
    if size > MAX_TRACE_BYTES:
        message = f"The trace is {size} bytes; it may have {MAX_TRACE_BYTES}."
        hint = "Record less, or without screenshots and snapshots."
        raise ResourceLimitExceeded(message, resource="trace", limit=MAX_TRACE_BYTES, current=size, hint=hint)
    return base64.b64encode(path.read_bytes()).decode("ascii")


def _failed(action: str, reason: str, hint: str) -> ActionFailed:
    return ActionFailed(f"The {action} failed: {reason}.", action=action, reason=reason, hint=hint)
