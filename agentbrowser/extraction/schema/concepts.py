"""Concepts of the lexicon, grouped by the kind of value that they ask for."""

from typing import Final

MONEY: Final = frozenset((
    "price", "salary", "amount", "total", "subtotal", "tax", "revenue", "shipping", "unit", "balance", "fee", "rent",
    "deposit", "profit", "expense", "budget", "income", "debit", "credit",
))  # fmt: skip
DATES: Final = frozenset((
    "date", "published", "updated", "due", "birth", "join", "open", "opened", "closed", "merged", "founded", "death",
    "movein",
))  # fmt: skip
DAYS: Final = frozenset(("date", "weekday"))
SOMETIMES_FREE: Final = frozenset(("shipping", "delivery", "fee", "cost"))
"""Concepts of costs that pages waive, or waive from some amount on."""
TIMES: Final = frozenset(("time", "departure", "arrival", "start", "end", "scheduled", "expected"))
DURATIONS: Final = frozenset(("duration", "preptime", "cooktime"))
TITLES: Final = frozenset((
    "name", "title", "thing", "job", "question", "term", "dish", "recipe", "movie", "song", "book", "artwork", "event",
    "session", "task", "bug", "topic", "package", "repository", "app", "service", "restaurant", "hotel", "dataset",
    "metric", "album",
))  # fmt: skip
PROSE: Final = frozenset(("description", "summary", "text", "answer", "definition", "review", "comment", "step"))
MEASURES: Final = frozenset((
    "area", "weight", "height", "width", "length", "depth", "distance", "capacity", "volume", "temperature", "wind",
    "humidity", "power", "population", "age", "mileage", "attendance", "percent", "pressure", "precipitation",
    "memory", "storage", "cpu", "latency", "uptime", "calories", "protein", "fat", "sugar", "alcohol", "marketcap",
    "diameter", "speed", "density", "voltage", "emissions", "carbs", "salt", "fiber",
))  # fmt: skip
"""Concepts that are written with a number, also as texts."""
WORDED: Final = frozenset((
    "category", "genre", "material", "color", "brand", "maker", "seller", "team", "home", "away", "airline",
    "species", "language", "country", "region", "department", "weather", "breed", "variety", "technique",
    "specialty", "stadium", "winery", "roaster", "source", "publisher", "industry", "fuel", "gearbox",
    "neighborhood", "company", "city",
))  # fmt: skip
"""Concepts that are written without numbers."""
COUNTS: Final = frozenset((
    "count", "reply", "view", "review", "comment", "like", "stock", "follower", "visitor", "visits", "click",
    "adult", "child", "population", "votes",
    "download", "plays", "forks", "watchers", "members", "applicants", "restarts", "played", "win", "draws", "losses",
    "goals", "copies", "sold",
))  # fmt: skip
PEOPLE: Final = frozenset((
    "author", "person", "teacher", "owner", "assignee", "director", "speaker", "artist", "doctor", "reporter",
    "passenger", "narrator", "translator", "sender", "recipient", "chair", "beekeeper", "maintainer", "customer",
    "editor", "actor", "organizer", "host", "donor", "developer", "referee", "winner", "player", "candidate",
    "moderators", "manager", "chef", "curator", "patient", "student", "founder", "ceo", "writer", "producer",
))  # fmt: skip
