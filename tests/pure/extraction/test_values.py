"""Typed values of texts: numbers, yes and no, kinds, and words, in several languages."""

import itertools
import random
from typing import Literal

import pytest

from agentbrowser.extraction.columns.code_values import bare_code
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.embedded_data import embedded_data
from agentbrowser.extraction.columns.value_reader import Reader, parted
from agentbrowser.extraction.match.assignment import best_assignment
from agentbrowser.extraction.model.weights import share_right
from agentbrowser.extraction.schema.schema_fields import SchemaField, extraction_query
from agentbrowser.extraction.text.kinds import currency_in, date_in
from agentbrowser.extraction.text.numerals import decimal_mark, numbers_in, stars
from agentbrowser.extraction.text.truth import truth
from agentbrowser.extraction.text.words import likeness, words
from agentbrowser.protocol.types.extract import ExtractionSchema
from tests.pure.extraction.test_evidence_rules import field


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("1,234.56", "en", 1234.56),
        ("1.234,56", "de", 1234.56),
        ("1 234,56 €", "fr", 1234.56),
        ("1\u202f234,56", "fr", 1234.56),
        ("1’234.50", "de-CH", 1234.5),
        ("1.234", "de", 1234),
        ("1.234", "en", 1.234),
        ("1,234", "en", 1234),
        ("1,234", "de", 1.234),
        ("0,08", "es", 0.08),
        ("12,34,567", "en", 1234567),
        ("$19.99", "en", 19.99),
        ("R$ 1.150", "pt", 1150),
        ("-7,35", "de", -7.35),
        ("−118,00", "de", -118),
        ("(1,234.00)", "en", -1234),
        ("(1,208)", "en", 1208),
        ("+12.4%", "en", 12.4),
        ("9.3k", "en", 9300),
        ("1,2 Mio.", "de", 1_200_000),
        ("3.5万", "ja", 35000),
        ("412 m", "en", 412),
        ("£1.2m", "en", 1_200_000),
        ("5 km", "en", 5),
        ("8 m²", "en", 8),
        ("€ 425.000 k.k.", "nl", 425_000),
        ("52m", "en", 52),
        ("120m users", "en", 120_000_000),
        ("Revenue 12m", "en", 12_000_000),
        ("Kungsgatan 12 B", "sv", 12),
        ("1.2m", "en", 1_200_000),
        ("1,480m", "en", 1480),
        ("£1,480m", "en", 1_480_000_000),
        ("79:50 kr", "sv", 79.5),
        ("1 250:00 SEK", "sv", 1250),
        ("kr 79:50", "nb", 79.5),
    ],
)
def test_a_number_is_read_by_its_locale(text: str, language: str, value: float) -> None:
    (number,) = numbers_in(text, decimal_mark([text], language))
    assert number.value == value


def test_other_numbers_decide_an_ambiguous_decimal_mark() -> None:
    assert decimal_mark(["1.250", "3,50"], "en") == ","
    assert decimal_mark(["1,250", "3.50"], "de") == "."


def test_of_a_rating_out_of_something_only_the_rating_counts() -> None:
    assert [number.value for number in numbers_in("4.5 out of 5 (12)", ".")] == [4.5, 12]
    assert [number.value for number in numbers_in("4,5 von 5", ",")] == [4.5]


def test_stars_are_counted() -> None:
    assert stars("★★★★☆") == 4
    assert stars("★★½") == 2.5
    assert stars("★ 4.9") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("yes", True),
        ("Ja", True),
        ("Oui", True),
        ("Sí", True),
        ("はい", True),
        ("✓", True),
        ("In stock", True),
        ("Auf Lager", True),
        ("3 disponibles", True),
        ("no", False),
        ("Nein", False),
        ("✗", False),
        ("Out of stock", False),
        ("Nicht verfügbar", False),
        ("Rupture de stock", False),
        ("Agotado", False),
        ("0 left", False),
        ("Uitverkocht", False),
        ("perhaps", None),
        ("Yesterday it rained a lot in the north", None),
    ],
)
def test_yes_and_no_are_read(text: str, said: bool | None) -> None:
    assert truth(text) is said


@pytest.mark.parametrize(
    ("asked_for", "text", "said"),
    [
        ("refundable", "Non-refundable", False),
        ("refundable", "Refundable", True),
        ("nonSmoking", "Non-smoking", True),
        ("nonstop", "Nonstop", True),
        ("nonstop", "1 stop", None),
        ("isPublic", "Private", False),
        ("isPrivate", "Public", False),
        ("resolved", "Open", False),
        ("resolved", "Closed", None),
        ("isPaid", "Overdue", False),
        ("isPaid", "Partially paid", False),
        ("isOpen", "Open · Closes 9 PM", True),
        ("archived", "Active", False),
        ("sold", "Available", False),
        ("remote", "Hybrid", False),
        ("remote", "Remote possible", True),
        ("emailVerified", "Unverified", False),
        ("valid", "Invalid", False),
        ("unread", "Read", False),
        ("inStock", "In stock", True),
        ("inStock", "InStock", True),
        ("inStock", "https://schema.org/InStock", None),
        ("soldOut", "Available", False),
        ("admin", "Owner", None),
    ],
)
def test_the_name_of_a_field_is_yes_unless_denied_or_excluded(asked_for: str, text: str, said: bool | None) -> None:
    assert read(asked_for, "boolean", text) is said


def test_the_other_of_two_values_is_no_if_one_is_the_name_and_yes_if_one_denies_it() -> None:
    field = field_of("refundable", "boolean")
    for known, other, value in (("Refundable", "Flexible", False), ("Non-refundable", "Flexible", True)):
        both = Column(key="", kind="text", tag="td", total=2, rows=[0, 1], texts=[known, other], spots=[0, 1])
        assert [Reader(field, both).read(text) for text in both.texts] == [not value, value]


def field_of(
    name: str, kind: Literal["string", "number", "integer", "boolean"], form: str | None = None
) -> SchemaField:
    """Return the field of a schema with one property."""
    schema = ExtractionSchema(type="object", properties={name: ExtractionSchema(type=kind, format=form)})
    (field,) = extraction_query(schema, None, None).fields
    return field


def read(
    name: str, kind: Literal["string", "number", "integer", "boolean"], text: str, form: str | None = None
) -> object:
    """Return the value that a field of this name, type and format reads from a text."""
    field = field_of(name, kind, form)
    return Reader(field, Column(key="", kind="text", tag="span", total=1, rows=[0], texts=[text], spots=[0])).read(text)


@pytest.mark.parametrize(
    ("asked_for", "text", "value"),
    [
        ("startDate", "Starts 12 January 2027", "12 January 2027"),
        ("orderDate", "Bestellung vom 18.11.2026", "18.11.2026"),
        ("eventDate", "Saturday 12 January 2027", "Saturday 12 January 2027"),
        ("author", "Brunner, Karin |", "Brunner, Karin"),
        ("dateAdded", "12/03/97)", "12/03/97"),
        ("basePrice", "(5,90 € / 1 kg)", "5,90 € / 1 kg"),
        ("subject", "(no subject)", "(no subject)"),
        ("status", "[For sale]", "For sale"),
        ("tutor", "with Maeve Tolland", "Maeve Tolland"),
        ("doctor", "De Luca Renzo", "De Luca Renzo"),
        ("director", "Directed by Ann Lee", "Ann Lee"),
        ("hostedBy", "Hosted by Ann", "Ann"),
        ("seller", "Sold by Acme", "Acme"),
        ("brand", "by Acme", "Acme"),
        ("owner", "Gift of Ann, restored by Bob", "Gift of Ann, restored by Bob"),
        ("lastModifiedBy", "Modified by Ann on May 3", "Modified by Ann on May 3"),
        ("deliveryDate", "Arrives Tuesday, May 3", "Tuesday, May 3"),
        ("deliveryDate", "Delivered May 3", "May 3"),
        ("opens", "Opens at 9 AM", "9 AM"),
        ("checkIn", "From 15:00 to 22:00", "From 15:00 to 22:00"),
        ("checkOut", "Until 11:00", "Until 11:00"),
        ("author", "Von Anna Berg", "Anna Berg"),
        ("updated", "» sab 7 nov 2026", "sab 7 nov 2026"),
        ("version", "Version 7.4.1", "7.4.1"),
        ("email", "Not provided", None),
        ("phone", "Keine Angabe", None),
        ("assignee", "Unassigned", None),
        ("courier", "noch offen", None),
        ("courier", "Non renseigné", None),
        ("deliveryDate", "To be confirmed", None),
        ("duration", "Duration 8h 45m", "8h 45m"),
        ("duration", "About 3 hours", "About 3 hours"),
        ("nextPayment", "Next payment: 2 May 2025", "2 May 2025"),
        ("subject", "Re: Next payment", "Re: Next payment"),
        ("reportedOn", "gemeld op 2 juni 2025", "2 juni 2025"),
        ("phone", "37.5", None),
        ("firstName", "ann@example.com", None),
    ],
)
def test_separators_and_labels_around_a_value_are_removed(asked_for: str, text: str, value: str | None) -> None:
    assert read(asked_for, "string", text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("Soon", None), ("Never", None), ("1 May 2026", "1 May 2026"), ("yesterday", "yesterday")],
)
def test_a_field_for_dates_takes_no_text_without_a_day(text: str, value: str | None) -> None:
    assert read("lastSeen", "string", text, "date") == value


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("red, green,blue", ["red", "green", "blue"]),
        ("1,200 sq ft", ["1,200 sq ft"]),
        ("Ø 1,5 mm, Ø 2 mm", ["Ø 1,5 mm", "Ø 2 mm"]),
        ("oak · ash, elm", ["oak", "ash, elm"]),
        ("oak • ash", ["oak", "ash"]),
        ("oak / ash", ["oak", "ash"]),
        ("and/or, both", ["and/or", "both"]),
        ("one", ["one"]),
    ],
)
def test_a_list_in_one_text_is_split(text: str, parts: list[str]) -> None:
    assert parted(text) == parts


@pytest.mark.parametrize(
    ("asked_for", "text", "value"),
    [
        ("durationMinutes", "2 h 15 min", 135),
        ("durationMinutes", "45 min", 45),
        ("runtime_min", "PT1H54M", 114),
        ("durationHours", "PT1H30M", 1.5),
        ("durationSeconds", "PT1M30S", 90),
        ("durationMinutes", "1,5 h", 90),
        ("durationMinutes", "2.5 hours", 150),
        ("durationMinutes", "1 day 2 h", 1560),
        ("minHours", "8 h", 8),
        ("minLoadWeight", "2 t", 2),
        ("salaryMin", "54.000 - 62.500 kr.", 54000),
        ("salaryMax", "54.000 - 62.500 kr.", 62500),
        ("salaryMin", "54.000–62.500 kr.", 54000),
        ("deathYear", "(1861–1938)", 1938),
        ("birthYear", "(1861–1938)", 1861),
        ("openedYear", "30 August 1910", 1910),
        ("releaseYear", "30.08.1910", 1910),
        ("foundedYear", "August 30, 1910", 1910),
        ("year", "12 men in 1910", 1910),
        ("yearsOfExperience", "5 years since 2019", 5),
        ("minTemperature", "-8 – -2 °C", -8),
        ("maxTemperature", "-8 – -2 °C", -2),
        ("change", "– 3.5 %", -3.5),
        ("floorAreaSqm", "1,528 sq ft (142 m²)", 142),
        ("weightKg", "3.5 lb (1.6 kg)", 1.6),
        ("widthCm", "120 × 60 cm", 120),
        ("distanceKm", "3 to 5 mi (5 to 8 km)", 5),
        ("stars", "4 ud af 5 stjerner", 4),
        ("subtotal", "Subtotal (3 items): $45.00", 45),
        ("tax", "Tax (8%): $3.60", 3.6),
        ("taxRate", "Tax (8%): $3.60", 8),
        ("unitPrice", "3 x $5.00", 5),
        ("storageGb", "1 TB SSD", 1000),
        ("responseTimeSeconds", "350 ms", 0.35),
        ("volumeL", "750 ml", 0.75),
        ("caloriesKcal", "1,046 kJ / 250 kcal", 250),
        ("height", "1920 × 1080", 1080),
        ("longitude", "52.5200° N, 13.4050° E", 13.405),
        ("latitude", "52.5200, -13.4050", 52.52),
        ("port", "127.0.0.1:8080", 8080),
        ("stars", "Release 1.2.3", None),
        ("price", "₹1,29,999", 129_999),
        ("salaryMax", "$120K/yr - $150K/yr", 150_000),
        ("salaryMax", "£35,000 to £40,000 a year", 40_000),
        ("high", "72°/55°", 72),
        ("tempLow", "72°/55°", 55),
        ("marketCap", "$1.2T", 1.2e12),
        ("capacityTonnes", "1.2 T", 1.2),
        ("season", "S02E05 Pilot", 2),
        ("episode", "S02E05 Pilot", 5),
        ("episode", "Season 2, Episode 5", 5),
        ("age", "Jan 1, 1998 (27)", 27),
        ("rating", "8.7/10 1.2M", 8.7),
        ("total", "3 of 5 tasks", 5),
        ("completed", "3 of 5 tasks", 3),
        ("stops", "Nonstop", 0),
        ("transfers", "Direkt", 0),
        ("weightKg", "2 lbs", 0.90718474),
        ("distanceKm", "3 mi", 4.828032),
        ("price", "Was $20 Now $15", 15),
        ("oldPrice", "Was $20 Now $15", 20),
        ("changePercent", "▼ 2.3%", -2.3),
        ("weightKg", "1,250 g", 1.25),
        ("weightGrams", "1.25 kg", 1250),
        ("heightCm", "5'11\" (180 cm)", 180),
        ("heightM", "180 cm", 1.8),
        ("heightM", "1.80 m", 1.8),
        ("durationMinutes", "1:30:00", 90),
        ("durationSeconds", "4:05", 245),
        ("durationHours", "7:30", 7.5),
        ("durationMinutes", "4:05", None),
        ("homeGoals", "3 : 1", 3),
        ("awayScore", "3–1", 1),
        ("subscribers", "1.2 lakh subscribers", 120_000),
        ("views", "2万回視聴", 20_000),
        ("reviewCount", "No reviews yet", 0),
        ("reviewCount", "No comments", None),
        ("shippingCost", "Free delivery", 0),
        ("price", "Free delivery", None),
        ("rating", "4.2 out of 5 Stars. 13244 reviews", 4.2),
        ("rating", "4.2 out of 5 stars, 2,210 ratings", 4.2),
        ("rating", "7 reviews, 4.2 out of 10", 4.2),
        ("rating", "(212) 4.5", 4.5),
        ("ratingsCount", "4.2 out of 5 stars, 2,210 ratings", 2210),
        ("reviewCount", "4.6 (2,210)", 2210),
    ],
)
def test_the_number_with_the_words_of_the_field_is_read(asked_for: str, text: str, value: float | None) -> None:
    assert read(asked_for, "number", text) == value


def test_dates_and_currencies_are_found_in_texts() -> None:
    assert date_in("Posted on 3 May 2024 by Ann") == "3 May 2024"
    assert date_in("no date") is None
    assert currency_in("12,50 €") == "€"
    assert currency_in("12.50 EUR") == "EUR"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("price", "Preis"),
        ("price", "Gesamtpreis"),
        ("author", "Verfasser"),
        ("quantity", "Menge"),
        ("releaseDate", "release-date"),
        ("reviewCount", "Number of reviews"),
        ("phone", "Téléphone"),
        ("price", "価格"),
        ("dimmable", "Dimmbar"),
        ("category", "cat"),
    ],
)
def test_words_of_one_concept_are_similar(asked: str, said: str) -> None:
    assert likeness(words(asked), words(said)) > 0.4


@pytest.mark.parametrize(("asked", "said"), [("price", "Name"), ("author", "Weight"), ("date", "Ort"), ("price", "")])
def test_words_of_different_concepts_are_not_similar(asked: str, said: str) -> None:
    assert likeness(words(asked), words(said)) < 0.3


@pytest.mark.parametrize(("one", "other"), [("foeles", "føles"), ("maalet", "målet")])
def test_two_spellings_of_a_vowel_are_equal(one: str, other: str) -> None:
    assert likeness(words(one), words(other)) > 0.9


def test_a_better_name_is_more_similar() -> None:
    price = words("price")
    assert likeness(price, words("price")) == 1
    assert likeness(price, words("old price")) < likeness(price, words("Preis"))


def _best(score: list[list[float]]) -> float:
    rows, columns = len(score), len(score[0])
    small, large = min(rows, columns), max(rows, columns)
    choices = itertools.permutations(range(large), small)
    if rows <= columns:
        return max(sum(score[row][column] for row, column in enumerate(choice)) for choice in choices)
    return max(sum(score[row][column] for column, row in enumerate(choice)) for choice in choices)


@pytest.mark.parametrize("seed", range(40))
def test_the_assignment_has_the_greatest_score(seed: int) -> None:
    dice = random.Random(seed)
    rows, columns = dice.randint(1, 5), dice.randint(1, 6)
    score = [[round(dice.random(), 3) for _ in range(columns)] for _ in range(rows)]
    chosen = best_assignment(score)
    used = [column for column in chosen if column >= 0]
    assert len(set(used)) == len(used) == min(rows, columns)
    total = sum(score[row][column] for row, column in enumerate(chosen) if column >= 0)
    assert total == pytest.approx(_best(score))


def test_one_pair_yields_if_the_total_score_grows() -> None:
    assert best_assignment([[0.9, 0.8], [0.85, 0.1]]) == [1, 0]
    assert best_assignment([]) == []


def test_embedded_data_of_any_structure_is_read() -> None:
    text = """{"@graph": [{"@type": "ItemList", "itemListElement": [
      {"@type": "ListItem", "item": {"name": "A", "offers": {"price": 3, "availability": "https://schema.org/InStock"}}},
      {"@type": "ListItem", "item": {"name": "B", "offers": {"price": 4.5, "availability": "https://schema.org/SoldOut"}}}
    ]}]}"""
    (group, *_), _ = embedded_data([{"spot": 3, "text": text}])
    columns = {column.key: column.texts for column in group.columns}
    assert columns["name"] == ["A", "B"]
    assert columns["offers.price"] == ["3", "4.5"]
    assert columns["offers.availability"] == ["InStock", "SoldOut"]
    assert all(column.spots == [3, 3] for column in group.columns)


@pytest.mark.parametrize("text", ["", "{", "[" * 5000, "null", '"text"', "[1, [2, [3]]]"])
def test_useless_embedded_data_is_ignored(text: str) -> None:
    groups, facts = embedded_data([{"spot": 0, "text": text}])
    assert all(column.texts for group in groups for column in group.columns)
    assert all(fact.texts for fact in facts)


def test_confidence_grows_with_the_fit() -> None:
    poor, good = (0.1, 0.0, 0.0, 0.3, 1.0), (0.9, 0.8, 0.4, 1.0, 1.0)
    assert 0 < share_right(poor, is_list=False) < share_right(good, is_list=False) < 1
    poor_list = (*poor, 0.1, 0.2, -0.5, 0.0, 0.5, 1.0, 1.0, 0.5, 0.5, 1.0)
    good_list = (*good, 0.8, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.2, 0.0)
    assert 0 < share_right(poor_list, is_list=True) < share_right(good_list, is_list=True) < 1


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("vatNumber", "VAT no. GB 318 5540 72", "GB 318 5540 72"),
        ("vatNumber", "P.IVA 01234560987", "01234560987"),
        ("vatNumber", "GB 318 5540 72", "GB 318 5540 72"),
        ("fax", "Fax 0555 20 48-19", "0555 20 48-19"),
        ("statementNumber", "Nr. 11/2026", "11/2026"),
        ("orderNumber", "Order W-88213", "W-88213"),
        ("reference", "Ref. 44-1207", "44-1207"),
        ("id", "cat. no. 17", "17"),
        ("id", "No. 5 Squadron", "No. 5 Squadron"),
        ("standardNumber", "ISO 9001", "ISO 9001"),
    ],
)
def test_a_code_is_read_without_the_label_before_it(name: str, text: str, code: str) -> None:
    assert bare_code(text, field(name)) == code


@pytest.mark.parametrize(
    ("text", "value"), [("72.000 km", 72_000), ("124.500 km", 124_500), ("1.250 million", 1_250_000)]
)
def test_a_whole_number_has_no_decimals(text: str, value: int) -> None:
    assert read("mileageKm", "integer", text) == value


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("upc", "SKU"),
        ("mpn", "UPC"),
        ("clicks", "Impressions"),
        ("dependents", "Dependencies"),
        ("median", "Average"),
        ("adults", "Children"),
        ("gold", "Silver"),
        ("previousClose", "Close"),
        ("bounceRate", "Conversions"),
        ("sessions", "Users"),
        ("shipsFrom", "Sold by"),
    ],
)
def test_what_stands_beside_something_is_not_the_same(name: str, other: str) -> None:
    assert likeness(words(name), words(other)) < 0.7
    assert likeness(words(name), words(name.capitalize())) > 0.9
