"""Units of measure, in texts of several languages and in names of fields."""

from typing import Final

_UNITS: Final[dict[str, frozenset[str]]] = {
    unit: frozenset(names.split())
    for unit, names in {
        "litre": "l liter liters litre litres litri litro litros litrów",
        "ml": "ml milliliter millilitre milliliters millilitres",
        "cl": "cl",
        "ms": "ms millisecond milliseconds millisekunden",
        "second": "s sec secs second seconds sekunde sekunden secondes segundos secondi",
        "minute": "min mins minute minutes minuten minuti minuto minutos minut minuter minutter minuttia",
        "hour": "h hr hrs hour hours stunden stunde heures heure horas hora ore ora uur timmar timer godzin",
        "day": "day days tage tagen jours días dias giorni dagen dagar dage dni",
        "week": "week weeks wochen woche semaines semanas settimane weken veckor uger tygodni",
        "month": "month months monate monat monaten mois mes meses mesi mese maanden maand månader miesięcy",
        "cm": "cm centimeter centimeters centimetre centimetres centimètres centimetri centímetros",
        "mm": "mm millimeter millimeters millimetres",
        "metre": "m meter meters metre metres mètres metri metros metrów متر مترا أمتار מטר מטרים метрів метров μέτρα",
        "sqm": "m² m2 sqm qm mq ㎡ м²",
        "sqft": "ft² ft2 sqft",
        "foot": "ft feet",
        "km": "km kilometer kilometers kilometre kilometres kilomètres chilometri kilómetros كم كيلومتر",
        "knot": "kn kt kts knot knots knoten nœuds nodi nudos nós",
        "nautical": "sjömil sømil zeemijl zeemijlen seemeilen nm",
        "mile": "mile miles mi",
        "kg": "kg kilo kilos kilogram kilograms kilogramm",
        "pound": "lb lbs",
        "ounce": "oz",
        "gram": "g gram grams gramm grammes grammi gramos",
        "milligram": "mg milligram milligrams",
        "celsius": "°c °",
        "percent": "% percent procent prozent",
        "kb": "kb",
        "mb": "mb",
        "gb": "gb",
        "tb": "tb",
        "kj": "kj",
        "kcal": "kcal",
        "watt": "w watt watts",
        "kw": "kw",
        "kwh": "kwh",
    }.items()
}
UNIT_OF: Final = {name: unit for unit, names in _UNITS.items() for name in names}
IN_NAMES: Final = {**UNIT_OF, "c": "celsius", "celsius": "celsius", "pct": "percent", "rate": "percent"}
"""Units by the last word of a field's name."""

UNITS: Final = frozenset((
    "mm", "cm", "km", "m", "kg", "g", "eur", "euro", "usd", "gbp", "min", "minute", "hour", "hr", "sec", "second",
    "percent", "pct", "watt", "w", "kw", "kwh", "litre", "liter", "l", "ml", "mb", "gb", "m2", "sqm", "celsius", "bar",
    "czk", "sek", "pln", "chf", "day", "year", "month", "iso",
))  # fmt: skip
"""Words of a field's name for the unit of its number."""


def unit_of(name: str, description: str) -> str:
    """Return the unit that a field's number is requested in: minutes of "wait minutes"; "" without one.

    Args:
      name: the words of the field's name.
      description: those of its name and its description.
    """
    parts = name.split()
    if "nautical" in parts:
        return "nautical"
    if "percent" in description or "%" in description:
        return "percent"
    if "per" in parts[1:]:  # hours per week
        return IN_NAMES.get(parts[parts.index("per", 1) - 1], "")
    return IN_NAMES.get(parts[-1], "") if len(parts) > 1 else ""
