"""Words of field names and labels: concepts and similarity."""

import pytest

from agentbrowser.extraction.text.lexicon import CONCEPTS, RELATED
from agentbrowser.extraction.text.words import likeness, stem, words
from tests.work import calls_in


def _concepts(name: str) -> set[str]:
    return {concept for word in words(name).all for concept in word.concepts}


@pytest.mark.parametrize(
    ("name", "concept"),
    [
        ("lastPoster", "author"),
        ("commenter", "author"),
        ("submitter", "author"),
        ("uploadedBy", "author"),
        ("createdAt", "published"),
        ("posted_on", "published"),
        ("openedAt", "opened"),
        ("closedAt", "closed"),
        ("mergedAt", "merged"),
        ("shippedAt", "shipped"),
        ("eta", "arrival"),
        ("età", "age"),
        ("bio", "bio"),
        ("restarts", "restarts"),
        ("minSalary", "salary"),
        ("callNumber", "accession"),
        ("copiesAvailable", "stock"),
        ("voteShare", "percent"),
        ("gdpPerCapita", "gdp"),
        ("venueName", "venue"),
        ("organizer", "organizer"),
        ("moderators", "moderators"),
        ("lineItems", "thing"),
        ("nReviews", "count"),
        ("totalReviews", "count"),
        ("totalPrice", "total"),
        ("Bestellnummer", "order"),
        ("Wohnfläche", "area"),
        ("wohnflaeche", "area"),
        ("Lieferdatum", "delivery"),
        ("startdate", "start"),
        ("numer_telefonu", "phone"),
        ("ürünAdı", "thing"),
        ("datePublished", "published"),
        ("#", "id"),
        ("№", "id"),
    ],
)
def test_a_name_has_concepts(name: str, concept: str) -> None:
    assert concept in _concepts(name)


@pytest.mark.parametrize(
    ("name", "concept"),
    [
        ("lastPoster", "image"),
        ("opened", "reporter"),
        ("waitlist", "old"),
        ("list", "old"),
        ("restarts", "doctor"),
        ("eta", "age"),
        ("fine", "end"),
        ("current", "rent"),
        ("minSalary", "low"),
        ("unit", "department"),
        ("cap", "postcode"),
        ("totalReviews", "total"),
        ("isOpen", "job"),
        ("restaurant", "rent"),
    ],
)
def test_a_name_does_not_have_other_concepts(name: str, concept: str) -> None:
    assert concept not in _concepts(name)


@pytest.mark.parametrize(
    ("name", "stems"),
    [
        ("lengthKm", ["length"]),
        ("priceEur", ["price"]),
        ("durationMin", ["duration"]),
        ("priceMin", ["price", "min"]),
        ("areaM2", ["area"]),
        ("Weight (kg)", ["weight"]),
        ("isPinned", ["pinned"]),
        ("lastName", ["lastname"]),
        ("createdAt", ["created", "date"]),
    ],
)
def test_a_name_is_split_into_words(name: str, stems: list[str]) -> None:
    assert [word.stem for word in words(name).all] == [stem(one) for one in stems]


@pytest.mark.parametrize(
    ("one", "other"),
    [("closes", "closed"), ("require", "required"), ("verify", "verified"), ("prices", "price"), ("shipping", "ship")],
)
def test_forms_of_one_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["status", "series", "species", "address", "analysis", "bus"])
def test_words_that_only_look_like_plurals_are_kept(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        (
            "quantity",
            ["Qty", "Menge", "Qté", "Cantidad", "Quantità", "Aantal", "Ilość", "Antal", "Määrä", "Adet", "数量"],
        ),
        (
            "departureTime",
            ["Departs", "Abfahrt", "Départ", "Salida", "Partenza", "Vertrek", "Odjazd", "Avgång", "出発"],
        ),
        ("author", ["Posted by", "Verfasser", "Auteur", "Autore", "Författare", "Kirjoittaja", "作者", "Автор"]),
        (
            "dueDate",
            ["Due", "Fällig am", "Échéance", "Vencimiento", "Scadenza", "Termin płatności", "Eräpäivä", "期限"],
        ),
        ("bedrooms", ["Beds", "Schlafzimmer", "Chambres", "Camere da letto", "Slaapkamers", "Sovrum", "Soverom"]),
        ("points", ["Pts", "Punkte", "Puntos", "Punti", "Poäng", "Poeng", "Pisteet", "勝点", "Очки"]),
        (
            "createdAt",
            ["Created", "Erstellt am", "Créé le", "Utworzono", "Oprettet", "Luotu", "Oluşturulma", "作成日時"],
        ),
        ("updatedAt", ["Last updated", "Mis à jour", "Aggiornato", "Bijgewerkt", "Senast uppdaterad", "更新日"]),
        ("phone", ["Tel.", "Telefon", "Téléphone", "Puhelin", "Numer telefonu", "電話番号", "Телефон"]),
        ("mileage", ["Kilometerstand", "Przebieg", "Kilométrage", "Mittarilukema", "走行距離", "Пробег"]),
        ("yearBuilt", ["Baujahr", "Byggår", "Bouwjaar", "Rok budowy", "Année de construction", "築年"]),
        ("deposit", ["Kaution", "Caution", "Fianza", "Borg", "Kaucja", "Depositum", "敷金"]),
        ("reviewCount", ["Number of reviews", "Reviews", "Bewertungen", "Avis", "Recensioni", "Opinie"]),
        ("votes", ["Stimmen", "Voix", "Votos", "Voti", "Głosy", "Röster", "Hlasy", "得票数", "Голоса"]),
        ("ingredients", ["Zutaten", "Ingrédients", "Składniki", "Ainekset", "Malzemeler", "材料"]),
        (
            "createdBy",
            ["Erstellt von", "Créé par", "Creado por", "Creato da", "Utworzone przez", "Skapad av", "创建者"],
        ),
        (
            "shippingCost",
            ["Lieferkosten", "Frais de livraison", "Spese di spedizione", "Bezorgkosten", "Koszty dostawy", "Poštovné"],
        ),
        (
            "details",
            ["Einzelheiten", "Detalles", "Dettagli", "Detalhes", "Overzicht", "Szczegóły", "Podrobnosti", "详情"],
        ),
        ("profession", ["Beruf", "Métier", "Profesión", "Beroep", "Zawód", "Povolání", "Yrke", "Ammatti", "Meslek"]),
        ("supplier", ["Lieferant", "Fournisseur", "Proveedor", "Dodavatel", "Leverantör", "Tedarikçi", "供应商"]),
        (
            "insurance",
            ["Krankenversicherung", "Seguro", "Ubezpieczenie", "Pojišťovna", "Forsikring", "Vakuutus", "保险"],
        ),
        (
            "priority",
            ["Dringlichkeit", "Urgencia", "Pilność", "Důležitost", "Viktighet", "Önem", "優先順位", "紧急程度"],
        ),
        (
            "fuelType",
            ["Kraftstoffart", "Type de carburant", "Tipo de combustible", "Rodzaj paliwa", "Druh paliva", "Yakıt tipi"],
        ),
        (
            "seats",
            ["Sitzplätze", "Nombre de sièges", "Sedili", "Siddepladser", "Sitteplasser", "Istumapaikat", "座位数"],
        ),
        (
            "nationality",
            [
                "Staatsangehörigkeit",
                "Cittadinanza",
                "Obywatelstwo",
                "Medborgarskap",
                "Statsborgerskab",
                "Uyruk",
                "国籍",
            ],
        ),
        ("returns", ["Rückgabe", "Remboursement", "Reembolso", "Rimborso", "Zwrot towaru", "Vrácení", "返品", "退款"]),
        ("reason", ["Begründung", "Motif", "Motivo", "Powód", "Důvod", "Anledning", "Årsag", "Syy", "Sebep", "理由"]),
        (
            "remaining",
            ["Restlich", "Restant", "Pozostało", "Zbývá", "Återstår", "Gjenstår", "Jäljellä", "Kalan", "剩余"],
        ),
    ],
)
def test_labels_of_the_same_meaning_are_similar(asked: str, labels: list[str]) -> None:
    unlike = {label: likeness(words(asked), words(label)) for label in labels}
    assert {label: score for label, score in unlike.items() if score < 0.55} == {}


@pytest.mark.parametrize(
    ("asked", "label"),
    [
        ("price", "Author"),
        ("departure", "Department"),
        ("published", "Publisher"),
        ("postcode", "Postad av"),
        ("price", "Print"),
        ("team", "Temperature"),
        ("rank", "Rent"),
        ("carrier", "Car"),
        ("bedrooms", "Bathrooms"),
        ("width", "With"),
        ("sku", "Skill"),
        ("weight", "Width"),
        ("manager", "Leder"),
        ("goals", "Treffer"),
        ("taxes", "Tasse"),
        ("weight", "Masa"),
        ("tags", "Hasła"),
        ("team", "Laget av"),
        ("registration", "Placa"),
        ("rank", "Derece"),
        ("purpose", "Ragione sociale"),
    ],
)
def test_labels_of_another_meaning_are_not_similar(asked: str, label: str) -> None:
    assert likeness(words(asked), words(label)) < 0.4


def test_a_modifier_weighs_less_than_a_noun() -> None:
    asked = words("maxSalary")
    assert (
        likeness(asked, words("Maximum salary")) > likeness(asked, words("Salary")) > likeness(asked, words("Maximum"))
    )


def test_related_concepts_are_in_the_lexicon() -> None:
    assert {concept for pair in RELATED for concept in pair} <= CONCEPTS.keys()
    assert all(0 < score <= 1 for score in RELATED.values())
    assert not any((b, a) in RELATED for a, b in RELATED)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("address", "العنوان"),
        ("name", "الإسم"),
        ("tenderNumber", "رقم المناقصة"),
        ("price", "המחיר"),
        ("openingHours", "שעות קבלה"),
        ("total", "סה״כ"),
        ("phone", "전화번호"),
        ("price", "판매가"),
        ("product", "προϊόν"),
        ("name", "ім'я"),
        ("shippingCost", "szállítási költség"),
        ("salary", "salariul"),
        ("address", "alamat"),
        ("postalCode", "Código postal"),
        ("orderNumber", "Nº do pedido"),
        ("paymentMethod", "支払方法"),
        ("orderDate", "受注日"),
    ],
)
def test_labels_of_further_languages_name_the_property(name: str, label: str) -> None:
    assert likeness(words(name), words(label)) > 0.6


@pytest.mark.parametrize("label", ["Welcome", "Logged in as", "Angemeldet als", "Bienvenue", "أهلا"])
def test_a_greeting_names_the_user_who_is_logged_in(label: str) -> None:
    assert likeness(words("loggedInUser"), words(label)) > 0.7


@pytest.mark.parametrize("sign", ["t", "é", "价", "Ab", "a1", "x "])
def test_the_words_of_a_text_of_a_page_take_bounded_work(sign: str) -> None:
    words(sign * 4_000)
    assert calls_in(lambda: words(sign * 40_000)) <= 1.2 * calls_in(lambda: words(sign * 4_000)) + 1_000
