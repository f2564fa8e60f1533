"""Replay of a recording: its requests run again in a browser of this process, and the first divergence is reported."""

import contextlib
import math
from collections import Counter
from typing import Any, Final
from urllib.parse import urlsplit

import attrs
import trio

from agentbrowser.browser.recording.event_streams import KIND as STREAM
from agentbrowser.browser.recording.replay_network import ReplayNetwork
from agentbrowser.cli.failures import BadUsage
from agentbrowser.client.browser import Browser
from agentbrowser.config import Config
from agentbrowser.methods.agent_observe import CHANGES
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.policy.secrets import MIN_LENGTH, Secret, SecretStore
from agentbrowser.protocol.errors import AgentBrowserError, BrowserNotLaunched
from agentbrowser.recorder.archive import Recording, damage_reported
from agentbrowser.recorder.har import exchanges_of
from agentbrowser.recorder.masks import recorded_result
from agentbrowser.recorder.steps import (
    Step,
    Substitutions,
    differences,
    permitted,
    secret_names_in,
    seen_in,
    steps_of,
    without_cancelled,
)
from agentbrowser.server.app import Server, open_server

_OBSERVE: Final = "agent/observe"
_NO_CHANGE: Final = ("changes", "no changes")
_OPENING: Final = ("page/create", "page/navigate")
_LOOK_AGAIN_S: Final = 10.0
"""Time for a look to agree: a page may be late, on a machine that is slower than the recorded one."""
_BETWEEN_LOOKS_S: Final = 0.1
_NOTABLE_MS: Final = 20
"""A pause between steps that is shorter makes no difference."""
_LATE_S: Final = 1.5
_CANCELLED_LATE_S: Final = 0.5
"""Time by which a request is cancelled later than recorded; the clock of the pages does not run on in it."""


@attrs.frozen(kw_only=True)
class ReplayOptions:
    """Options of a replay."""

    against: str | None = None
    """Site to visit in place of the recorded one; None: the recorded network."""
    longest_pause_s: float = 10.0
    masked: str | None = None
    """Text in place of text that was not recorded."""
    accepts: bool = False
    """True: take the present answers as the recorded ones, and go on."""


class SubstituteSecret(Secret):
    """Text that a replay types for a secret that the operator does not have; no site is to be kept from it."""

    def is_for(self, origin: str) -> bool:
        """Return True."""
        return True


@attrs.frozen(eq=False)
class Schedule:
    """Times of the recorded requests in the present run, on the clock of the pages."""

    server: Server
    network: ReplayNetwork
    longest_pause_s: float

    async def reach(self, step: Step) -> None:
        """Wait for the recorded begin of a step, and run the clock until its look, or its recorded end. [trio]"""
        clock = self.network.clock
        if clock.is_started:
            await trio.sleep(min(self.longest_pause_s, max(0, step.start_ms - clock.time_ms) / 1000))
        await self._run(step.start_ms, step.seen_ms)

    async def rest(self, following: Step | None) -> None:
        """Let the clock run on after a step, until the next one begins. [trio]"""
        if following is not None and following.start_ms - self.network.clock.time_ms > _NOTABLE_MS:
            await self._run(self.network.clock.time_ms, following.start_ms)

    async def release_late(self, step: Step) -> None:
        """Let the clock run on in a step that takes much longer than recorded: it may wait for a timer. [trio]"""
        await trio.sleep((step.end_ms - step.start_ms) / 1000 + _LATE_S / 2)
        if step.end_ms > self.network.clock.time_ms:
            await self._run(self.network.clock.time_ms, step.end_ms)
        await trio.sleep(_LATE_S / 2)
        await self._run(self.network.clock.time_ms, None)

    async def look_later(self) -> None:
        """Let the clock run on before another look. [trio]"""
        clock = self.network.clock
        await self._run(clock.time_ms, clock.time_ms + round(_BETWEEN_LOOKS_S * 1000))
        await trio.sleep(_BETWEEN_LOOKS_S)

    async def _run(self, from_ms: int, until_ms: int | None) -> None:
        await self.server.portal.run(self.network.run_clock, from_ms, until_ms)


@attrs.frozen(kw_only=True)
class Divergence:
    """Step whose answer differs from the recorded one."""

    number: int
    """Number of the step, from 1 on."""
    step: Step
    lines: list[str]
    """Diff of the answers."""


@attrs.frozen
class LateChanges:
    """Difference of a look at changes, which the next look makes up for: a change came one step earlier or later."""

    found: Divergence | None = None
    may_come: bool = False
    """True if the next step decides on it."""
    recorded: tuple[str, ...] = ()
    present: tuple[str, ...] = ()

    def followed_by(self, step: Step, result: Any, found: Divergence | None) -> "LateChanges":
        """Return the difference that is left after the next step.

        Args:
          found: the divergence of that step alone.
        """
        if self.found is None and found is None:
            return self
        if not step.is_incremental:
            if found is not None:
                return LateChanges(self.found or found)
            # A whole look that agrees shows the changes before it, too.
            return LateChanges() if step.can_look_again else attrs.evolve(self, may_come=True)
        recorded = (*self.recorded, *_changes_in(step.event.get("result")))
        present = (*self.present, *_changes_in(result))
        if sorted(recorded) == sorted(present):
            return LateChanges()
        return LateChanges(self.found or found, self.found is None, recorded, present)

    @property
    def lacks_some(self) -> bool:
        """Return True if recorded changes have not come yet, and none has come that was not recorded."""
        recorded, present = Counter(self.recorded), Counter(self.present)
        return bool(recorded - present) and not present - recorded

    def seen_later(self, result: Any) -> "LateChanges":
        """Return the difference that is left after a look at changes which was not recorded, behind the last step."""
        present = (*self.present, *_changes_in(result))
        return LateChanges() if sorted(self.recorded) == sorted(present) else attrs.evolve(self, present=present)


@attrs.frozen(kw_only=True)
class ReplayReport:
    """Outcome of a replay."""

    steps: int
    divergences: list[Divergence]
    missing: list[str]
    """Requests of pages that the recording has no answer for."""
    recording: Recording
    """The recording, with the present answers of steps that diverged."""


async def replay(recording: Recording, options: ReplayOptions, config: Config) -> ReplayReport:
    """Run the requests of a recording again until one diverges. [trio]

    What the client was refused is not run, and the configuration may refuse more.

    Raises:
      BadUsage: the text for what was not recorded is too short for a secret.
      BrowserNotLaunched: there is no browser that starts.
      BadRecording: entries are not as they were recorded.
    """
    has_network = options.against is None and bool(recording.meta.get("hasBodies"))
    with damage_reported("the recording"):
        steps, network = prepared(recording, has_network=has_network)
        present = Substitutions(origins=_origins(steps, options.against))
    if options.masked is not None:
        present.masked = options.masked
    divergences: list[Divergence] = []
    answers: dict[int, dict[str, Any]] = {}
    config = with_substitutes(config, steps, present.masked)
    async with open_server(config, listens=False) as server, server.connect() as browser:
        _use(server, network)
        schedule = Schedule(server, network, options.longest_pause_s)
        late = LateChanges()
        for number, step in enumerate(steps, 1):
            await schedule.reach(step)
            result, error, lines = await _run_until_alike(browser, schedule, step, present, has_network=has_network)
            await schedule.rest(steps[number] if number < len(steps) else None)
            found = Divergence(number=number, step=step, lines=lines) if lines else None
            if not options.accepts:
                late = late.followed_by(step, present.undo(result), found)
                if number == len(steps) and late.may_come and error is None:
                    late = await _look_on(browser, schedule, step, present, late)
                if late.found is not None and not (late.may_come and number < len(steps)):
                    divergences.append(late.found)
                    break
            elif found is not None:
                divergences.append(found)
                if step.ran is not None:
                    continue  # an answer without the refusals would let the next replay run the refused steps
                answers[id(step.event)] = {"error": error} if error else {"result": present.undo(result)}
    events = [_with_answer(event, answers.get(id(event))) for event in recording.events]
    return ReplayReport(
        steps=len(steps),
        divergences=divergences,
        missing=network.missing,
        recording=attrs.evolve(recording, events=events),
    )


def prepared(recording: Recording, *, has_network: bool) -> tuple[list[Step], ReplayNetwork]:
    """Return the steps to run, and the network for their pages; a damaged recording raises before any of it runs."""
    steps = permitted(steps_of(recording))
    network = ReplayNetwork(
        exchanges=without_cancelled(exchanges_of(recording.events).values(), steps),
        blobs=dict(recording.blobs),
        streams=[event for event in recording.events if event["kind"] == STREAM],
        seed=int(recording.meta.get("seed", 1)),
        is_closed=has_network,
    )
    for step in steps:  # all that the run reads of it
        differences(step, step.event.get("result"), step.event.get("error"))
        _ = step.seen_ms, step.can_look_again, step.is_incremental
    return steps, network


def with_substitutes(config: Config, steps: list[Step], text: str) -> Config:
    """Return a configuration with all secrets that the steps name; a text takes the place of those that it lacks.

    They are secrets too, so that the looks mask them as the recorded ones do.

    Raises:
      BadUsage: the text is too short to be masked.
    """
    known = config.secrets or SecretStore()
    lacking = [name for name in secret_names_in(steps) if known.find(name) is None]
    if lacking and len(text.strip()) < MIN_LENGTH:
        raise BadUsage(f"--masked stands for the secret {lacking[0]!r} too, so it needs {MIN_LENGTH} characters")
    substitutes = (SubstituteSecret(name=name, value=text, origins=()) for name in lacking)
    return attrs.evolve(config, secrets=attrs.evolve(known, secrets=(*known.secrets, *substitutes)))


def _use(server: Server, network: ReplayNetwork) -> None:
    """Have the only client's pages use a recorded network."""
    (connection,) = server.connections
    connection.session.tabs.page_recorder.network = network


async def _run_until_alike(
    browser: Browser, schedule: Schedule, step: Step, present: Substitutions, *, has_network: bool
) -> tuple[Any, dict[str, Any] | None, list[str]]:
    """Return what `_run` returns for a step, and the lines of its differences; a look has time to agree. [trio]"""
    limit_s = trio.current_time() + (_LOOK_AGAIN_S if step.can_look_again else 0)
    while True:
        async with open_quiet_nursery() as nursery:
            nursery.start_soon(schedule.release_late, step)
            result, error = await _run(browser, step, present)
            nursery.cancel_scope.cancel()
        if has_network and isinstance(result, dict) and isinstance(url := result.get("url"), str):
            result["url"] = schedule.network.final_url(url)
        lines = differences(step, present.undo(result), error)
        if not lines or trio.current_time() >= limit_s:
            return result, error, lines
        await schedule.look_later()


async def _run(browser: Browser, step: Step, present: Substitutions) -> tuple[Any, dict[str, Any] | None]:
    """Return the result of a step as the recorder would keep it, or its error; neither if it is cancelled again."""
    params = present.apply(step.params)
    page = step.event.get("page")
    if page is not None and "pageId" not in params and step.method != "page/create" and present.page(page):
        params["pageId"] = present.page(page)
    result: Any = None
    try:
        with trio.move_on_after(_limit_s(step)) as limit:
            result = await browser.request(step.method, params)
        if limit.cancelled_caught:
            return None, None
    except BrowserNotLaunched:
        raise  # no answer of a page: to report or keep it as a divergence would blame the site
    except AgentBrowserError as error:
        return None, recorded_result(error.to_wire())
    present.learn(step.event.get("result"), result)
    if page is not None and present.page(page) is None:
        pages = (await browser.request("page/list"))["pages"]
        present.learn_page(page, pages[-1]["id"] if pages else None)
    return recorded_result(result), None


def _limit_s(step: Step) -> float:
    """Return the time after which a step is cancelled."""
    return (step.end_ms - step.start_ms) / 1000 + _CANCELLED_LATE_S if step.is_cancelled else math.inf


async def _look_on(
    browser: Browser, schedule: Schedule, step: Step, present: Substitutions, late: LateChanges
) -> LateChanges:
    """Look at changes until those that the last step lacks have come. [trio]"""
    limit_s = trio.current_time() + _LOOK_AGAIN_S
    params = {**CHANGES, "pageId": present.page(step.event.get("page"))}
    with contextlib.suppress(AgentBrowserError):
        while late.lacks_some and trio.current_time() < limit_s:
            await schedule.look_later()
            late = late.seen_later(present.undo(recorded_result(await browser.request(_OBSERVE, params))))
    return late


def _changes_in(result: Any) -> list[str]:
    """Return what is compared of a look at changes: its first line depends on the others."""
    return [line for line in seen_in(result) if line not in _NO_CHANGE]


def _with_answer(event: dict[str, Any], answer: dict[str, Any] | None) -> dict[str, Any]:
    if answer is None:
        return event
    return {**{key: value for key, value in event.items() if key not in ("result", "error")}, **answer}


def _origins(steps: list[Step], against: str | None) -> tuple[str, str] | None:
    """Return the recorded origin and the one to visit in its place."""
    if against is None:
        return None
    first = next((step.params["url"] for step in steps if step.method in _OPENING and "url" in step.params), None)
    return None if first is None else (_origin(first), _origin(against))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
