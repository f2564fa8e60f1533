"""Where one observation ends and the next goes on."""

import attrs

from agentbrowser.browser.page.frame_tree import FrameObservation, FrameTree, JsonObject, ref_prefix_of


@attrs.frozen
class Cursor:
    """Where an observation goes on: behind the element of a ref, or at an offset in its frame should that be gone."""

    offset: int
    ref: str
    is_behind_fold: bool = False
    """Whether it goes through what a fold hides."""

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """Read what ``nextCursor`` was, or the cursor of a fold."""
        offset, _, name = text.partition("@")
        return cls(int(offset.removeprefix("r")), f"@{name}", offset.startswith("r"))

    def __str__(self) -> str:
        return f"{'r' if self.is_behind_fold else ''}{self.offset}{self.ref}"


def select_elements(sights: list[FrameObservation], most: int) -> tuple[list[tuple[FrameObservation, JsonObject]], int]:
    """Return the elements to tell of, each with the frame it is in, and how many are left that no fold stands for."""
    told = [(sight, plain) for sight in sights for plain in sight.answer["elements"]]
    asked = [sight.answer for sight in sights if sight.answer["isListed"]]
    left = sum(answer["chosen"] - answer["start"] for answer in asked) - most
    return told[:most], max(0, left) + sum(answer["hidden"] for answer in asked)


def cursor_after(elements: list[tuple[FrameObservation, JsonObject]], is_behind_fold: bool) -> str:
    """Return where to go on behind the last of some elements."""
    last, plain = elements[-1]
    count = sum(sight is last for sight, _ in elements)
    return str(Cursor(last.answer["start"] + count, plain["ref"], is_behind_fold))


def includes_cursor(sights: list[FrameObservation], cursor: Cursor, tree: FrameTree) -> bool:
    """Tell whether the frame is among those that were looked at in which the cursor is."""
    return any(tree.ref_prefix(sight.frame) == ref_prefix_of(cursor.ref) for sight in sights)
