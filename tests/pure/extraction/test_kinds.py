"""Kinds of texts by their form, in several languages."""

import re

import pytest

from agentbrowser.extraction.text.kinds import PATTERNS, date_in, is_weekday, kinds_of

KINDS = {
    "money": [
        "from $12", "12,-", "249:-", "£1.2m", "249kr", "1 200 kr", "12EUR", "1,2 Mio. €", "NZ$ 40", "1.299,00 TL",
        "R$ 12,90", "Rs 499", "1 490 Kč", "8000円", "€ 12,50", "12.50 USD",
    ],
    "date": [
        "12/2025", "3 ledna 2024", "5. tammikuuta 2025", "12 Ocak 2025", "3 января 2024", "7. des. 2024", "5 set 2024",
        "14 mars 2025", "May 3, 2024", "2025年3月1日", "3. Mai", "3 May 2024", "3. Mai 2024", "2024-05-03",
    ],
    "ago": [
        "3 hours ago", "il y a 2 j", "för 2 dagar sedan", "for 3 timer siden", "5 dni temu", "3日前", "2d", "há 2 dias",
        "2 giorni fa", "3 päivää sitten", "2 gün önce", "5 дней назад", "hier à 14:20", "vor 2 Stunden", "před 3 dny",
        "3 days ago",
    ],
    "time": ["20.30 uur", "kl. 14", "9am", "14h30", "14 Uhr", "klo 18.30", "18時30分", "7:05 pm", "08:04", "18.42 GMT"],
    "duration": [
        "1 h 52 min", "1 t. 52 min.", "2 hr 25 min", "52 minutter", "3 nights", "2 Nächte", "1 godz. 20 min", "2時間",
        "45m", "3 uur", "2 tuntia",
    ],
    "rating": ["4,7 von 5", "4.5/5", "4.5 out of 5", "9,1 av 10", "4 Sterne", "★★★☆☆"],
    "version": ["v2.4", "1.2.3", "Python 3.11", "2.0-beta", "2.4.1-rc.2"],
    "period": ["2019–2021"],
    "percent": ["45 %", "3.2%"],
    "email": ["a.b@c.example"],
    "phone": ["+44 20 7946 0101", "91 555 0130"],
    "url": ["https://x.example/a"],
    "person": ["Ida Berg"],
    "status word": [
        "Verkauft", "Épuisé", "Reservado", "Esaurito", "Esgotado", "Uitverkocht", "Zamknięte", "Zrušeno", "Inställd",
        "Aflyst", "Utsolgt", "Peruttu", "İptal edildi", "欠航", "已取消", "Operational",
    ],
    "level word": ["Fortgeschritten", "Débutante", "Avançado", "Gevorderd", "Nybörjare", "初級", "高级"],
    "weather word": ["Bedeckt", "Averses", "Tormenta", "Nebbia", "Onweer", "Deszcz", "Bouřka", "Åska", "Lumisadetta"],
    "color word": ["Türkis", "Marrón", "Grigio", "Vermelho", "Paars", "Czarny", "Modrá", "Grön", "Hvid", "Punainen"],
    "type word": [
        "Festanstellung", "Estágio", "Umowa o pracę", "Plný úvazek", "Deltid", "Määräaikainen", "契約社員", "Full-time",
    ],
}  # fmt: skip
NOT = [
    ("4.7", "version"), ("03.05.2024", "version"), ("1.2m views", "duration"), ("8.9 Superb", "rating"),
    ("3/5/2024", "rating"), ("3 out of 5", "date"), ("7 listings", "date"), ("5 sets", "date"), ("2 novels", "date"),
    ("Try 3 months", "money"), ("Hier klicken", "ago"), ("12 marks", "date"), ("4.7", "time"), ("2019-2021", "date"),
    ("Lake 12", "money"), ("99.98%", "time"), ("for 3 hours", "ago"), ("Fast", "type word"), ("Viola", "color word"),
    ("Base", "level word"), ("Inställd av Ida", "status word"), ("910 555 123", "phone"), ("Lamp", "money"),
    ("12", "date"), ("", "date"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in KINDS.items() for text in texts])
def test_a_text_has_the_kind_of_its_form(kind: str, text: str) -> None:
    assert kind in kinds_of(text)


@pytest.mark.parametrize(("text", "kind"), NOT)
def test_a_similar_text_does_not_have_the_kind(text: str, kind: str) -> None:
    assert kind not in kinds_of(text)


def test_a_date_of_another_language_within_a_text() -> None:
    assert date_in("Publicerad 3 mars 2024 av Ida") == "3 mars 2024"


@pytest.mark.parametrize(
    "days",
    [
        "Monday Wednesday Thurs Sun", "Montag Mittwoch Sonnabend Do", "Måndag Tirsdag Lör Sön", "mercoledì venerdì Gio",
        "miércoles sábado domingo", "Terça quarta sex", "woensdag zo", "środa czw", "středa út", "keskiviikko ke",
        "среда пн", "perşembe Cumartesi", "月曜日 土 日曜",
    ],
)  # fmt: skip
def test_days_of_the_week_are_known_in_many_languages(days: str) -> None:
    assert [day for day in days.split() if not is_weekday(day)] == []


@pytest.mark.parametrize("word", ["Sample", "more", "Market", "tired", "Friend", "Manual"])
def test_words_that_begin_as_days_do_are_none(word: str) -> None:
    assert not is_weekday(word)


def test_skipped_patterns_would_not_match() -> None:
    for word in set(re.findall(r"[^\W\d_]+", " ".join(one.pattern for one in PATTERNS.values()))):
        for text in (f"5 {word}", f"5{word.upper()}", f"{word} 3.20", f"4 {word}wo", f"★{word},- 7%"):
            assert {name for name, one in PATTERNS.items() if one.search(text)} <= kinds_of(text), text
