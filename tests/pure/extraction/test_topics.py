"""Topic of an instruction: requested and excluded items."""

import pytest

from agentbrowser.extraction.schema.topics import QueryTopic


@pytest.mark.parametrize(
    ("said", "about", "without"),
    [
        ("current offers, not the expired ones", ["current", "offer"], ["expire"]),
        ("the products of the grid (not the recently viewed ones)", ["product", "grid"], ["recently", "view"]),
        ("una fila por región, sin el total nacional", ["region"], ["total", "nacional"]),
        ("Beiträge ohne Werbung", ["beitrage"], ["werbung"]),
        ("every component; groups are not components", ["component", "group"], []),
        ("items that are in stock", ["item"], []),
        ("invoices with invoice no and status", ["invoice", "status"], []),
        ("os produtos no carrinho", ["carrinho"], []),
    ],
)
def test_excluded_words_are_separated_from_the_topic(said: str, about: list[str], without: list[str]) -> None:
    topic = QueryTopic.of(said)
    assert set(about) <= {word.stem for word in topic.about.all}
    assert set(without) <= {word.stem for word in topic.without.all}
    assert bool(without) == bool(topic.without.all)


@pytest.mark.parametrize(
    ("text", "is_excluded"),
    [("Expired", True), ("Expired offers", True), ("Offers", False), ("Expired since May", False), ("Current", False)],
)
def test_only_a_text_without_other_words_marks_an_excluded_item(text: str, is_excluded: bool) -> None:
    assert QueryTopic.of("current offers, not the expired ones").excludes(text) == is_excluded


def test_the_topic_mentions_sidebars_cards_and_tables() -> None:
    assert QueryTopic.of("categories in the left column").places == (True, False, False)
    assert QueryTopic.of("the KPI cards at the top").places == (False, True, False)
    assert QueryTopic.of("die Tabelle der Flüsse").places == (False, False, True)
