"""Errors of the client's own: a failed sequence, and an extraction without data."""

from typing import TYPE_CHECKING

from agentbrowser.client.typed import structure
from agentbrowser.protocol.errors import AgentBrowserError

if TYPE_CHECKING:
    from agentbrowser.client.outcomes import SequenceOutcome, StepOutcome
    from agentbrowser.protocol.types.extract import ExtractedField


class SequenceFailed(AgentBrowserError):
    """A step of a sequence failed. Details: those of the step's error, and step, action, label.

    ``code``, ``retryable`` and ``recovery_hint`` are those of the step's error. `page.act` does not raise it with
    ``check=False``.
    """

    def __init__(
        self, action: str, failed: "StepOutcome", error: AgentBrowserError, outcome: "SequenceOutcome"
    ) -> None:
        label = f" ({failed.label})" if failed.label else ""
        super().__init__(
            f"Step {failed.step}{label}, {action}, failed: {error.message}",
            retryable=error.retryable,
            retry_after_ms=error.retry_after_ms,
            hint=error.recovery_hint,
        )
        self.__dict__["code"] = error.code
        self.details = error.details | {"step": failed.step, "action": action}
        if failed.label is not None:
            self.details["label"] = failed.label
        self._write_notes()
        self.step = failed.step
        """Number of the step, from 0."""
        self.label = failed.label
        self.error = error
        """Error of the step, as the class of its code."""
        self.outcome = outcome
        """Result of the whole sequence."""

    @property
    def results(self) -> "list[StepOutcome]":
        """Return the results of the steps that ran, the failed one among them."""
        return self.outcome.results


class ExtractionFailed(AgentBrowserError):
    """The page has no data that fits the schema. Details: missing (the field without a value), confidence, fields."""

    recovery_hint = "Look at the page to see whether it holds the data; name the fields as the page does."

    @property
    def fields(self) -> "dict[str, ExtractedField]":
        """Return the evidence for each requested field, with its confidence; empty if nothing was looked at."""
        from agentbrowser.protocol.types.extract import ExtractedField

        return {name: structure(ExtractedField, one) for name, one in (self.details.get("fields") or {}).items()}
