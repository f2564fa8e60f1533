"""The claims of safety and their tests, compared in both directions."""

import re

import pytest

from tests.spec.claims import BOUNDARIES, README, README_LIMITS, Claim
from tests.spec.rule import DOCS, TESTS, missing


def _section(text: str, title: str) -> str:
    return re.split(r"^##+ ", text.partition(f"# {title}\n")[2], flags=re.MULTILINE)[0]


def _sentences() -> list[str]:
    """Return the sentences of the README's list of what is safe."""
    section = _section((TESTS.parent / "README.md").read_text(encoding="utf-8"), "Safety")
    bullets = [" ".join(bullet.split()) for bullet in re.split(r"^- ", section, flags=re.MULTILINE)[1:]]
    return [sentence for bullet in bullets for sentence in re.split(r"(?<=\.) (?=[A-Z`])", bullet)]


def _boundaries() -> list[str]:
    """Return the names of the rows of the table of boundaries."""
    section = _section((DOCS / "security.md").read_text(encoding="utf-8"), "Boundaries")
    names = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")]
    return [name for name in names if name != "boundary"]


@pytest.mark.parametrize("claim", README + BOUNDARIES, ids=lambda claim: claim.words)
def test_a_claim_has_tests_that_exist(claim: Claim) -> None:
    assert claim.tests
    assert missing(claim.tests) == []


def test_every_sentence_on_safety_is_a_claim_or_a_limit() -> None:
    sentences = _sentences()
    known = [claim.words for claim in README] + list(README_LIMITS)
    assert [sentence for sentence in sentences if not any(words in sentence for words in known)] == []
    assert [words for words in known if not any(words in sentence for sentence in sentences)] == []


def test_every_boundary_is_a_claim() -> None:
    assert _boundaries() == [claim.words for claim in BOUNDARIES]
