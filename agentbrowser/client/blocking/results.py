# Generated from agentbrowser/client/results.py: python -m agentbrowser.protocol.generate --write
"""Results of actions, with pages and downloads as objects in place of their ids."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from agentbrowser import methods
from agentbrowser.client.blocking.download import FileDownload
from agentbrowser.client.outcomes import SequenceOutcome, StepOutcome
from agentbrowser.client.typed import structure
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.types.action import ActionResult
from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.protocol.types.sequence import ExecutionStep, StepResult

if TYPE_CHECKING:
    from agentbrowser.client.blocking.page import Page


@attrs.frozen(kw_only=True)
class ActionOutcome(ActionResult):
    """The observed effects of an action."""

    new_pages: "list[Page] | None" = None  # type: ignore[assignment]
    """The opened pages."""
    download: FileDownload | None = None  # type: ignore[assignment]
    """The download that the action started."""
    observation_error: AgentBrowserError | None = None  # type: ignore[assignment]
    """The reason why a requested observation is missing; the action was done all the same."""

    @classmethod
    def of(cls, page: "Page", wire: Mapping[str, Any]) -> "ActionOutcome":
        """Return the result of an action from its wire form, where an opened page may be its id alone."""
        own = ("newPages", "download", "observationError")
        pages, download, missing = map(wire.get, own)
        known = structure(ActionResult, {name: value for name, value in wire.items() if name not in own})
        return cls(
            **attrs.asdict(known, recurse=False)
            | {
                "new_pages": pages and [page.sibling(one if isinstance(one, str) else one["pageId"]) for one in pages],
                "download": download and FileDownload.of(page.browser, download),
                "observation_error": missing and AgentBrowserError.from_wire(missing),
            }
        )


def sequence_outcome(page: "Page", steps: Sequence[ExecutionStep], wire: Mapping[str, Any]) -> SequenceOutcome:
    """Return the result of a sequence from its wire form."""
    known = structure(methods.agent_act.act.result, wire)
    missing = known.post_observation_error
    return SequenceOutcome(
        **attrs.asdict(known, recurse=False)
        | {
            "results": [_step_outcome(page, steps[one.step].action, one) for one in known.results],
            "pre_observation": _look(known.pre_observation),
            "post_observation": _look(known.post_observation),
            "post_observation_error": missing and AgentBrowserError.from_wire(missing),
        }
    )


def _look(wire: Any) -> AgentObserveResult | None:
    return None if wire is None else structure(AgentObserveResult, wire)


def _step_outcome(page: "Page", action: str, step: StepResult) -> StepOutcome:
    declared = methods.find_method(action)
    result = step.result
    if result is not None and declared is not None:
        is_action = declared.result is ActionResult
        result = ActionOutcome.of(page, result) if is_action else structure(declared.result, result)
    fields: dict[str, Any] = attrs.asdict(step, recurse=False) | {"result": result}
    return StepOutcome(**fields)
