"""Blocks of a look, as the frames report them."""

import itertools
from collections.abc import Callable, Iterable, Sequence, Set
from typing import Final
from urllib.parse import urlsplit

import attrs
from playwright.async_api import Frame

from agentbrowser.browser.observe.memory import BlockKey
from agentbrowser.browser.page.frame_tree import FrameObservation, JsonObject
from agentbrowser.long_work import give_way
from agentbrowser.protocol.types.content import ContentBlock, ContentPart

NEW_LIVE: Final = 0
"""Rank of messages in live regions that the client has not seen; see ``scripts/observe/look/blocks.js``."""
REPEATED: Final = 7
"""Rank of the rows of a list behind the first ones."""
_THIRD_PARTY: Final = 0.5
"""Addition to the rank of blocks of other sites."""

_PARTS_ON_LOOP: Final = 500
"""Words and elements that a loop may go through: 45,000 cells of a table held it for 0.8 s."""

Delivered = dict[str, list[int]]
"""By block, the number of its items that a client has received, and of characters of its words; -1 for all."""


@attrs.frozen(kw_only=True, eq=False)
class Block:
    """A block of one frame, with what its delivery means for the next page of the look."""

    content: ContentBlock
    refs: Sequence[str]
    """Refs of its elements."""
    rank: float
    """The smaller, the more a client needs it."""
    prefix: str
    """Ref prefix of its frame."""
    id: int
    """Id in its document, the same as long as its unit stays there."""
    done: list[int]
    chars: int
    """Number of characters of its words."""
    is_old: bool = False
    """True if the client knows it, or its words are those of a block that it knows or that a cursor leads to."""
    rows: int = 0
    """Number of rows of its list behind it that the next page of the look holds."""
    is_again: bool = False
    """True for a message in a live region that was there at the last look and has been shown again since."""
    is_back: bool = False
    """True if other words stood in its place since the last look, and the same words as then are back."""

    @property
    def key(self) -> BlockKey:
        """The key of the block in the memory of the page."""
        return self.prefix, self.id


@attrs.frozen(kw_only=True)
class Omitted:
    """Numbers of elements and characters that an answer leaves to the next one."""

    elements: int = 0
    chars: int = 0

    def __bool__(self) -> bool:
        """Return True if anything was omitted."""
        return self.elements > 0 or self.chars > 0

    def plus(self, blocks: Iterable[Block]) -> "Omitted":
        """Return what is omitted if these blocks are not delivered either."""
        more = list(blocks)
        return Omitted(
            elements=self.elements + sum(len(block.refs) for block in more),
            chars=self.chars + sum(block.chars for block in more),
        )


def are_many(observations: list[FrameObservation]) -> bool:
    """Return True if a loop may not be held for all blocks of the frames."""
    counts = (len(plain["parts"]) for one in observations for plain in one.answer.get("blocks", ()))
    return any(count > _PARTS_ON_LOOP for count in itertools.accumulate(counts))


def listed_blocks(
    observations: list[FrameObservation], prefix_of: Callable[[Frame], str], refs: Set[str]
) -> tuple[list[Block], Omitted]:
    """Return the blocks of which all elements are among these refs, and what the others and the frames leave out."""
    listed, others = list[Block](), list[Block]()
    for block in _blocks_of(observations, prefix_of):
        (listed if refs >= set(block.refs) else others).append(block)
    return listed, _omitted_by(observations).plus(others)


def _blocks_of(observations: list[FrameObservation], prefix_of: Callable[[Frame], str]) -> list[Block]:
    """Return the blocks of all frames in reading order; those without words and elements too."""
    site = _host(observations[0].answer["metadata"]["url"]) if observations else ""
    blocks: list[Block] = []
    for observation in observations:
        host, prefix = _host(observation.answer["metadata"]["url"]), prefix_of(observation.frame)
        is_foreign = host != "" and not _is_same_site(host, site)
        listed = observation.answer.get("blocks", ())
        blocks += [_block(plain, observation.frame_id, prefix, is_foreign=is_foreign) for plain in listed]
    return blocks


def _omitted_by(observations: list[FrameObservation]) -> Omitted:
    """Return what the frames have left out."""
    counts = [observation.answer["left"] for observation in observations if "left" in observation.answer]
    return Omitted(elements=sum(count["elements"] for count in counts), chars=sum(count["chars"] for count in counts))


def _block(plain: JsonObject, frame_id: str | None, prefix: str, *, is_foreign: bool) -> Block:
    give_way()
    parts = [ContentPart(**part) for part in plain["parts"]]
    content = ContentBlock(
        kind=plain["kind"],
        level=plain.get("level"),
        region=plain.get("region"),
        region_name=plain.get("regionName"),
        new=plain.get("isNew"),
        parts=parts,
        frame_id=frame_id,
        third_party=is_foreign or None,
    )
    return Block(
        content=content,
        refs=[part.ref for part in parts if part.ref],
        rank=plain["rank"] + (_THIRD_PARTY if is_foreign else 0),
        prefix=prefix,
        id=plain["id"],
        done=plain["done"],
        chars=plain["chars"],
        is_old=plain.get("isOld", False),
        rows=plain.get("rows", 0),
        is_again=plain.get("isAgain", False),
        is_back=plain.get("isBack", False),
    )


def _host(url: str) -> str:
    """Return the host of a web address; empty for documents that belong to their parent, as ``about:srcdoc``."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _is_same_site(host: str, site: str) -> bool:
    """Return True for the same host or a subdomain of it; without a list of public suffixes, siblings are others."""
    one, other = host.removeprefix("www."), site.removeprefix("www.")
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")
