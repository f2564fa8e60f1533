"""Trace recording of a context, for Playwright's trace viewer."""

import asyncio
import base64
import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
import structlog
from playwright.async_api import Error

from agentbrowser.browser import faults
from agentbrowser.browser.background_tasks import in_thread
from agentbrowser.browser.downloads.trace_files import TraceFiles, too_large
from agentbrowser.browser.engine.driver_dirs import OwnedDir
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.policy.trace_redaction import redact_archive
from agentbrowser.protocol.errors import ActionFailed, ResourceLimitExceeded

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context

log = structlog.get_logger("agentbrowser.browser")

MAX_TRACE_BYTES: Final = 50 * 1024 * 1024


@attrs.define(eq=False)
class Tracing:
    """Trace recording of one context, one at a time. Until it is redacted it contains what the agent has typed, so its
    files are private."""

    context: "Context"
    _is_recording: bool = attrs.field(default=False, init=False)
    _watch: asyncio.Future[None] | None = attrs.field(default=None, init=False)
    _excess: int | None = attrs.field(default=None, init=False)
    """Bytes for which the last trace was discarded: its files are gone, and Playwright would not write them again."""
    _has_joined: bool = attrs.field(default=False, init=False)
    _discarding: asyncio.Task[None] | None = attrs.field(default=None, init=False)
    """End of a trace that was cut short; the next one can begin only then."""

    @property
    def is_recording(self) -> bool:
        """Return True while a trace is being recorded."""
        return self._is_recording

    async def start(self, *, title: str | None, screenshots: bool, snapshots: bool) -> None:
        """Start recording. [asyncio]

        Raises:
          ActionFailed: a trace is being recorded, or the client has used a secret, which the trace could contain.
          ResourceLimitExceeded: the traces of the browser have the whole space, or those of this context had.

        Cancel: nothing is recorded.
        """
        if self.context.tabs.secrets.used:
            reason = "a secret has been used, and the trace could hold it"
            raise _failed("trace/start", reason, "Record before secrets are used, or with another connection.")
        for tab in self.context.open_tabs:
            tab.hold.check()  # the trace would hold what the person types
        if self._is_recording:
            raise _failed("trace/start", "a trace is being recorded already", "Call trace/stop for that one first.")
        if self._excess is not None:
            raise too_large(self._excess)
        self._is_recording = True
        try:
            if self._discarding is not None:
                await asyncio.wait({self._discarding})
            await self._join()
            with faults.mapped(action="trace/start"):
                tracing = self.context.browser_context.tracing
                await tracing.start(title=title, screenshots=screenshots, snapshots=snapshots)
        except BaseException:
            self._is_recording = False
            self._discard_soon()
            raise
        self._watch = asyncio.ensure_future(self._enforce_limit())

    async def stop(self) -> str:
        """Stop recording and return the trace, a zip file in base64. [asyncio]

        Raises:
          ActionFailed: nothing is being recorded.
          ResourceLimitExceeded: the trace is larger than 50 MB, or the disk is full; the trace is discarded.

        Cancel: the trace is lost.
        """
        if not self._is_recording and self._excess is not None:
            raise too_large(self._excess)
        if not self._is_recording:
            raise _failed("trace/stop", "no trace is being recorded", "Call trace/start first.")
        self._end()
        try:
            with faults.mapped(action="trace/stop"):
                return await self._save()
        except BaseException:
            self._discard_soon()
            raise

    @property
    def _files(self) -> TraceFiles:
        return self.context.tabs.engine.disk_guard.traces

    async def _join(self) -> None:
        if not self._has_joined:
            self._has_joined = True
            self.context.browser_context.on("close", safe_listener(lambda _: self._close()))
        await self._files.join(self)

    def _end(self) -> None:
        self._is_recording = False
        if self._watch is not None:
            self._watch.cancel()

    def _close(self) -> None:
        """End with the context: its files are not needed any more."""
        self._end()
        self._files.leave(self)

    async def _enforce_limit(self) -> None:
        """Discard the trace once the files of all traces exceed their limit, until it ends."""
        size = await self._files.until_exceeded()
        self._is_recording, self._excess = False, size
        log.warning("trace_over_quota", size=size)
        await self._discard()
        self._files.leave(self)

    async def _save(self) -> str:
        folder = OwnedDir.make("trace-")
        try:
            path = folder.path / "trace.zip"
            path.touch(mode=0o600)  # otherwise the driver would make it readable for all
            await self.context.browser_context.tracing.stop(path=path)
            shown = folder.path / "redacted.zip"
            shown.touch(mode=0o600)
            await in_thread(redact_archive, path, shown)
            return await asyncio.to_thread(_read, shown)
        finally:
            await asyncio.shield(asyncio.to_thread(folder.remove))

    def _discard_soon(self) -> None:
        self._discarding = self.context.tabs.run_in_background(self._discard())

    async def _discard(self) -> None:
        """Discard a trace that Playwright may still be recording."""
        with contextlib.suppress(Error):  # it had stopped already, or the browser is gone
            await self.context.browser_context.tracing.stop()


def _read(path: Path) -> str:
    size = os.path.getsize(path)
    if size > MAX_TRACE_BYTES:
        message = f"The trace is {size} bytes; it may have {MAX_TRACE_BYTES}."
        hint = "Record less, or without screenshots and snapshots."
        raise ResourceLimitExceeded(message, resource="trace", limit=MAX_TRACE_BYTES, current=size, hint=hint)
    return base64.b64encode(path.read_bytes()).decode("ascii")


def _failed(action: str, reason: str, hint: str) -> ActionFailed:
    return ActionFailed(f"The {action} failed: {reason}.", action=action, reason=reason, hint=hint)
