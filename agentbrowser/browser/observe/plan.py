"""Plan of an observation: the request to each frame."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import attrs
from playwright.async_api import Frame

from agentbrowser.browser.observe.cursor import Cursor
from agentbrowser.browser.observe.look.document import CHARS_PER_TOKEN, max_tokens
from agentbrowser.browser.observe.look.rests import Rest
from agentbrowser.browser.observe.memory import PageMemory
from agentbrowser.browser.page.frame_tree import FrameGeometry, FrameTree, JsonObject

if TYPE_CHECKING:
    from agentbrowser.methods.agent_observe import ObserveParams

_MAX_PARTS: Final = 60
_TOKENS_OF: Final = {"text": 30, "both": 30, "json": 250}
"""Upper estimate of the tokens of an element, so that a block fits the budget."""


@attrs.frozen
class StartPosition:
    """Position where an observation continues: behind an element, or with the rest of a document."""

    cursor: Cursor | None
    rest: Rest | None = None

    @property
    def fold(self) -> str | None:
        """Return the cursor of the fold that is listed, if one is."""
        if self.cursor is None or not self.cursor.is_behind_fold:
            return None
        return str(attrs.evolve(self.cursor, offset=0))


@attrs.frozen
class ObservationPlan:
    """The requests to all frames of one observation."""

    params: "ObserveParams"
    position: StartPosition
    prefixes: list[str]
    """Ref prefixes of the frames in order."""
    memory: PageMemory
    """Elements and words that the client has received."""

    @property
    def is_document(self) -> bool:
        """Return True if words are reported: not with the cursor of a list of elements."""
        if self.params.text == "none" or not (self.params.include_interactive_elements or self.params.is_diff):
            return self.position.rest is not None
        return self.position.cursor is None or self.position.cursor.is_behind_fold

    def arguments_for(self, tree: FrameTree, root: Frame) -> Callable[[Frame, FrameGeometry, int], JsonObject]:
        """Return the function that returns each frame's arguments; frames before the cursor's were listed already."""
        params, cursor, rest = self.params, self.position.cursor, self.position.rest
        part_of_cursor = cursor.part if cursor else ""
        first = self.prefixes.index(part_of_cursor) if cursor and part_of_cursor in self.prefixes else 0
        roles = params.filter_roles
        best = "best" if params.response_tier == "minimal" else "all"
        is_listed = params.format != "text"  # a text shows no selectors, nor what is covered or out of view
        selectors = best if is_listed else None
        known_refs, known_blocks = self.memory.refs_by_frame(), self.memory.blocks_by_frame()
        seen = self.memory.word_documents if self.is_document else self.memory.documents
        is_behind = cursor is not None and cursor.is_behind_fold
        limit = max_tokens(params)
        words = "brief" if params.text == "none" else params.text
        arguments: JsonObject = {
            "roles": [role.strip().lower() for role in roles] if roles is not None else None,
            "viewportOnly": params.viewport_only,
            "bounds": params.include_bounds or params.marks is not None,
            "isFull": (is_listed and params.response_tier != "minimal") or params.marks is not None,
            "stable": params.stable_refs,
            "refresh": params.refresh_refs,
            "history": params.include_ref_history,
            "fold": is_behind or ((params.response_tier == "minimal") if params.fold is None else params.fold),
            "isBehindFold": is_behind,
            "text": words if self.is_document else "none",
            "maxChars": None if limit is None else limit * CHARS_PER_TOKEN,
            "maxParts": _MAX_PARTS if limit is None else max(1, min(_MAX_PARTS, limit // _TOKENS_OF[params.format])),
            "isContinued": rest is not None,
        }

        def frame_arguments(frame: Frame, geometry: FrameGeometry, before: int) -> JsonObject:
            part = tree.ref_prefix(frame)
            has_cursor = cursor is not None and part == part_of_cursor
            is_listed_frame = has_cursor if is_behind else part not in self.prefixes[:first]
            return arguments | {
                "prefix": f"{part}." if part else "",
                "view": geometry.view and attrs.asdict(geometry.view),
                "isListed": is_listed_frame,
                "max": max(0, params.max_elements - (0 if params.is_diff else before)) if is_listed_frame else 0,
                "offset": cursor.offset if cursor and has_cursor else 0,
                "after": cursor.ref if cursor and has_cursor else None,
                "delivered": dict(rest.delivered.get(part, {})) if rest else {},
                # In other frames than the selected one, selectors would match something else.
                "selectors": selectors if frame is root else None,
                "known": known_refs[part],
                "knownBlocks": known_blocks[part],
                "since": seen.get(part) if params.is_diff else None,
            }

        return frame_arguments
