"""Cursors: where an observation ends and the next one continues."""

from collections.abc import Container

import attrs

from agentbrowser.browser.page.frame_tree import FrameObservation, JsonObject, ref_prefix_of
from agentbrowser.protocol.errors import InvalidParams


@attrs.frozen
class Cursor:
    """Position where an observation continues: after a ref's element, or at an offset in its frame if that is gone."""

    offset: int
    ref: str
    is_behind_fold: bool = False
    """True if it continues inside a fold."""

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """Parse a ``nextCursor`` or the cursor of a fold."""
        offset, _, name = text.partition("@")
        return cls(int(offset.removeprefix("r")), f"@{name}", offset.startswith("r"))

    @property
    def part(self) -> str:
        """Return the prefix of the refs of its frame."""
        return ref_prefix_of(self.ref)

    def __str__(self) -> str:
        return f"{'r' if self.is_behind_fold else ''}{self.offset}{self.ref}"


def lost_cursor(cursor: str | None) -> InvalidParams:
    """Return the error for a cursor that leads nowhere any more."""
    hint = "Observe again without a cursor."
    return InvalidParams("The cursor is of another document.", path="cursor", got=cursor, hint=hint)


def select_elements(
    observations: list[FrameObservation], max_elements: int
) -> tuple[list[tuple[FrameObservation, JsonObject]], int]:
    """Return the elements to list, each with its frame, and the number of elements left that no fold represents."""
    elements = [(observation, plain) for observation in observations for plain in observation.answer["elements"]]
    listed = [observation.answer for observation in observations if observation.answer["isListed"]]
    remaining = sum(answer["chosen"] - answer["start"] for answer in listed) - max_elements
    return elements[:max_elements], max(0, remaining) + sum(answer["hidden"] for answer in listed)


def select_changes(
    observations: list[FrameObservation], known: Container[str], max_new: int, *, has_words: bool
) -> tuple[list[tuple[FrameObservation, JsonObject]], int]:
    """Return all known elements and as many new ones as asked for, and the number of changes that are left.

    With words, the scripts have chosen the blocks, so that all of their elements are returned.
    """
    listed, new = [], 0
    for observation in observations:
        for plain in observation.answer["elements"]:
            new += (is_new := plain["ref"] not in known)
            if not is_new or new <= max_new or has_words:
                listed.append((observation, plain))
    return listed, (0 if has_words else max(0, new - max_new)) + sum(
        observation.answer["later"] for observation in observations
    )


def cursor_after(elements: list[tuple[FrameObservation, JsonObject]], is_behind_fold: bool) -> str:
    """Return the cursor after the last of some elements."""
    last, plain = elements[-1]
    count = sum(observation is last for observation, _ in elements)
    return str(Cursor(last.answer["start"] + count, plain["ref"], is_behind_fold))
