"""Facts that a field of a single object may have."""

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import PageLabel, Relation
from agentbrowser.extraction.match import singles
from agentbrowser.extraction.schema.schema_fields import extraction_query
from agentbrowser.protocol.types.extract import ExtractionSchema


def _fact(key: str, kind: str, text: str, spot: int) -> Column:
    return Column(key, kind, "a", 1, [0], [text], [spot], labels={PageLabel(Relation.NAME, "Website"): 1})


def _options(facts: list[Column], **properties: ExtractionSchema) -> list[list[str]]:
    fields = extraction_query(ExtractionSchema(type="object", properties=properties), None, None).fields
    return [[option.fact.texts[0] for option in row] for row in singles.options(fields, facts)]


def test_a_field_for_an_address_has_the_link_and_not_its_text() -> None:
    facts = [_fact("fact0", "text", "isolde.example", 7), _fact("fact1", "href", "https://isolde.example/", 7)]
    assert _options(facts, website=ExtractionSchema(type="string")) == [["https://isolde.example/"]]


def test_a_field_for_an_address_has_a_text_that_is_no_link() -> None:
    facts = [_fact("fact0", "text", "isolde.example", 7), _fact("fact1", "href", "https://elsewhere.example/", 9)]
    assert "isolde.example" in _options(facts, website=ExtractionSchema(type="string"))[0]
