"""Resolution of a description in words, such as "the search box" or "submit button", without a model."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.browser.semantic.query import FIELDS, ROLE_WORDS, VERBS, SemanticQuery, is_noise
from agentbrowser.browser.semantic.ranking import Ranking
from agentbrowser.browser.semantic.scoring import ElementScore
from agentbrowser.browser.semantic.words import SAME, similarity, split, stem
from agentbrowser.protocol.errors import SelectorAmbiguous
from agentbrowser.protocol.types.selector import Semantic, describe

_MIN_SCORE: Final = 0.36
"""Minimum score of an element to act on."""
_MIN_CANDIDATE_SCORE: Final = 0.1
"""Minimum score of an element to report as a candidate."""
_CLEAR_LEAD: Final = 0.1
"""Minimum lead of the best over the second."""
_EQUAL_DISTANCE: Final = 0.05
"""Maximum distance from the best for elements that an ordinal counts."""
_SURE_SCORE: Final = 0.85
"""From this score on, "first" and "last" are part of a name."""
_LABEL_WORDS: Final = frozenset({"at", "by", "for", "from", "to", "until"})
_ARTICLES: Final = frozenset({"a", "an", "the"})
_FILE_WORDS: Final = frozenset({"a", "an", "file", "files", "the", "upload"})
"""Words that every file input has."""
_CHOOSE_VERBS: Final = frozenset(map(stem, ("choose", "pick", "select")))
_MAX_CANDIDATES: Final = 5
"""Candidates that an error shows."""
_MAX_NEAR_CHARS: Final = 60

_TICKED_ROLES: Final = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
_WRITTEN_ROLES: Final = frozenset(FIELDS.split()) | {"slider", "scrollbar", "separator"}
_BUTTON_ROLE: Final = "button"
"""Some lists that a page draws itself are opened by a button."""
_OPENED_ROLES: Final = frozenset({"combobox", "listbox"})
_SUITED_ROLES: Final[dict[str, Callable[[str], bool]]] = {
    "check": lambda role: role in _TICKED_ROLES,
    "uncheck": lambda role: role in _TICKED_ROLES,
    "fill": lambda role: role in _WRITTEN_ROLES,
    "type": lambda role: role in _WRITTEN_ROLES,
    "press": lambda role: role in _WRITTEN_ROLES,
    "clear": lambda role: role in _WRITTEN_ROLES,
    "select": lambda role: role in _OPENED_ROLES,
    "dblclick": lambda role: role not in _TICKED_ROLES,
}
"""Roles that an action is for: a checkbox and the text beside it may have the same name."""
_INPUT_ACTIONS: Final = frozenset({"check", "uncheck", "fill", "type", "clear", "select"})
"""Actions that set a control; their errors name the controls that there are, though unlike the description."""
_STRICT_ACTIONS: Final = _INPUT_ACTIONS - {"type"}
"""Actions that an element of another kind refuses; keys go to whatever takes the focus."""
_ITEM_ROLE: Final = "listitem"
"""Role of the items of many menus that a page draws itself: their words are their own, though no accessible name."""
_CONTAINER_ROLES: Final = frozenset({"cell", "columnheader", "generic", "gridcell", "row", "rowheader"})
"""Roles of parts of a page that handle clicks themselves; a control of the same name is one without doubt."""
_UNFIT_ROLES: Final = _CONTAINER_ROLES | {"img", "link", "listitem", "none", "presentation"}
"""Roles that nothing is ticked or written in; the control that is meant may be beside the element, or in it."""
_TEXT_ACTIONS: Final = frozenset({"clear", "fill"})
"""Actions that no button takes, too: the field that is meant may have its words."""

_Ranked = list[tuple[ElementScore, ElementFeatures]]


def best_element(
    description: str, elements: Sequence[ElementFeatures], selector: Semantic, action: str | None = None
) -> ElementFeatures | None:
    """Return the clearly best element; None if no score is high enough.

    Args:
      action: what is to be done; of elements that fit about as well, one whose role suits it is meant.

    Raises:
      SelectorAmbiguous: several fit about as well.
    """
    found = _best_match(description, elements, selector, action)
    unfit = _UNFIT_ROLES | {_BUTTON_ROLE} if action in _TEXT_ACTIONS else _UNFIT_ROLES
    if found is None or action not in _STRICT_ACTIONS or found.kind == "editable" or found.role not in unfit:
        return found
    return _control_beside(found, elements, selector, action) or found


def _control_beside(
    unfit: ElementFeatures, elements: Sequence[ElementFeatures], selector: Semantic, action: str
) -> ElementFeatures | None:
    """Return the control that an action is for, where the words are those of the cell or the text beside it.

    That is the only control in the element or in its row, or else one that has all of the words.

    Raises:
      SelectorAmbiguous: several controls have them, such as the parts of a date, or are in the row.
    """
    description = selector.description
    suited = [
        element
        for element in elements
        if _SUITED_ROLES[action](element.role) or (action == "select" and element.role == _BUTTON_ROLE)
    ]
    row = _row_of(unfit)
    inner = [element for element in suited if row is not None and _is_around(row, element)]
    if inner:
        if len(inner) > 1:
            ranked = _ranked(Ranking(description, inner))
            raise _ambiguous(f"{len(inner)} elements of the row take this action.", ranked, ranked, selector)
        return inner[0]
    found = _best_match(description, suited, Semantic(description), action)
    return None if found is None or lacks_words(description, found) else found


def _row_of(element: ElementFeatures) -> ElementFeatures | None:
    """Return the row that an element is in, or is; else the element itself."""
    holder: ElementFeatures | None = element
    while holder is not None and holder.role != "row":
        holder = holder.holder
    return holder or element


def _best_match(
    description: str, elements: Sequence[ElementFeatures], selector: Semantic, action: str | None
) -> ElementFeatures | None:
    is_suited = _SUITED_ROLES.get(action or "", bool)
    ranking = Ranking(description, elements)
    ranked = _ranked(ranking)
    if named := _of_exact_name(description, elements, is_suited) or _of_leading_label(description, elements):
        return named
    counted = ranking.query(ordinals=True)
    if counted.nth and (not ranked or ranked[0][0].score < _SURE_SCORE):
        return _pick_nth(ranking, counted)
    near = _near_best(ranked, _MIN_SCORE)
    if not near or near[0][0].is_doubtful or near[0][0].does_other_action or not ranking.has_all_names(counted):
        return None
    if _only_chooses(description, near[0][1]):
        return None
    near = _innermost(_acting_in_row(counted, _of_distinct_label(description, near), ranked))
    near += _closer_in_words(description, near[0][1], ranked[len(near) :])
    near = [pair for pair in near if is_suited(pair[1].role)] or near
    placed = [
        (fit, element) for fit, element in near if _is_symbol(element.name) and _is_in_its_place(description, element)
    ]
    near = placed if len(placed) == 1 else near
    if len(near) > 1:
        raise _ambiguous(f"{len(near)} elements fit the description about as well.", near, ranked, selector)
    return near[0][1]


def partial_match_error(
    description: str, elements: Sequence[ElementFeatures], selector: Semantic
) -> SelectorAmbiguous | None:
    """Return the error for a description of which the elements match only a part; None if nothing matches."""
    ranking = Ranking(description, elements)
    query = ranking.query(ordinals=True)
    if query.nth or not ranking.has_all_names(query):
        return None
    ranked = [pair for pair in _ranked(ranking) if not pair[0].does_other_action]
    near = _near_best(ranked, _MIN_CANDIDATE_SCORE)
    return _ambiguous("No element fits the description clearly.", near, ranked, selector) if near else None


def fallback_candidates(
    description: str, elements: Sequence[ElementFeatures], action: str | None = None
) -> list[dict[str, Any]]:
    """Return the candidates for a description that fits no element: those with one of its words, or for the action.

    A model that has not found its field is mostly helped by the fields that there are.
    """
    is_suited = _SUITED_ROLES.get(action or "", None)
    ranked = [pair for pair in _ranked(Ranking(description, elements)) if not pair[0].does_other_action]
    alike = [
        pair
        for pair in ranked
        if pair[0].score >= _MIN_CANDIDATE_SCORE and (is_suited is None or is_suited(pair[1].role))
    ]
    others = [pair for pair in ranked if is_suited and action in _INPUT_ACTIONS and is_suited(pair[1].role)]
    return [_candidate(*pair) for pair in [*alike, *(pair for pair in others if pair not in alike)][:_MAX_CANDIDATES]]


def rank(description: str, elements: Sequence[ElementFeatures]) -> list[tuple[float, ElementFeatures]]:
    """Return each element with its score from 0 to 1, best first; equal ones in page order."""
    return [(fit.score, element) for fit, element in _ranked(Ranking(description, elements))]


def _ranked(ranking: Ranking) -> _Ranked:
    fits = ranking.fits(ranking.query(ordinals=False))
    return sorted(zip(fits, ranking.elements, strict=True), key=lambda pair: -pair[0].score)


def _near_best(ranked: _Ranked, least: float) -> _Ranked:
    """Return the best element, and those about as good."""
    return [pair for pair in ranked if pair[0].score >= max(least, ranked[0][0].score - _CLEAR_LEAD)]


def _of_exact_name(
    description: str, elements: Sequence[ElementFeatures], is_suited: Callable[[str], bool]
) -> ElementFeatures | None:
    """Return the only element whose name is the description itself: "Email", where there is a "Your email" too.

    The role may stand before or behind it, as errors show their candidates. A name of its own comes before one from
    what is near, and a control before a cell or the like.
    """
    wanted = _normalized(description)
    named = [element for element in elements if element.name and _normalized(element.name) == wanted]
    unquoted = _normalized(wanted.replace('"', ""))
    named = named or [
        element
        for element in elements
        if element.name
        and unquoted in (_normalized(f"{element.name} {element.role}"), _normalized(f"{element.role} {element.name}"))
    ]
    named = [element for element in named if is_suited(element.role)] or named
    named = [element for element in named if not element.derived or element.role == _ITEM_ROLE] or named
    named = [
        element
        for element in named
        if element.role not in _CONTAINER_ROLES and (not element.derived or element.role == _ITEM_ROLE)
    ] or named
    if len(named) > 1:  # what opens the file chooser of a field has its name, too
        named = [element for element in named if element.kind != "file"]
    named = [element for element in named if not any(_is_around(element, other) for other in named)]
    if len(named) > 1:  # "Add Variable" beside "Add variable"
        named = [element for element in named if element.name == description.strip()]
    return named[0] if len(named) == 1 else None


def _acting_in_row(query: SemanticQuery, near: _Ranked, ranked: _Ranked) -> _Ranked:
    """Return the elements of a row that do what the description says, if the row itself is the best match.

    "Delete Person 2" means the "Delete" of that row: a click on the row would select it, or open it.
    """
    top = near[0][1]
    if query.verb not in VERBS or _begins_with_verb(top, query.verb):
        return near
    row = top if any(_is_around(top, element) for _, element in ranked) else top.holder
    inner = [pair for pair in ranked if pair[0].score >= _MIN_SCORE and row is not None and _is_around(row, pair[1])]
    return [
        (fit, element) for fit, element in inner if _begins_with_verb(element, query.verb) and not fit.does_other_action
    ] or near


def _only_chooses(description: str, element: ElementFeatures) -> bool:
    """Return True for a bare "Choose" where the description says what: it may be for something else on the page."""
    first, name = split(description)[:1], split(element.name or "")
    is_bare = len(name) == 1 and stem(name[0]) in _CHOOSE_VERBS
    return is_bare and bool(first) and stem(first[0]) in _CHOOSE_VERBS and lacks_words(description, element)


def _begins_with_verb(element: ElementFeatures, verb: str) -> bool:
    """Return True if the name of an element begins with the verb, or with a synonym of it."""
    return any(similarity(verb, stem(word)) >= SAME for word in split(element.name or "")[:1])


def _innermost(near: _Ranked) -> _Ranked:
    """Return the elements without those around one that has no other words: an option around its checkbox."""
    elements = [element for _, element in near]
    return [
        (fit, element)
        for fit, element in near
        if not any(_is_around(element, other) and _has_words_of(element, other) for other in elements)
    ]


def _is_around(outer: ElementFeatures, inner: ElementFeatures) -> bool:
    holder = inner.holder
    while holder is not None and holder is not outer:
        holder = holder.holder
    return holder is not None


def _has_words_of(outer: ElementFeatures, inner: ElementFeatures) -> bool:
    return bool(inner.name) and set(split(inner.name or "")) <= set(split(outer.name or ""))


def _of_leading_label(description: str, elements: Sequence[ElementFeatures]) -> ElementFeatures | None:
    """Return the only element whose name begins with a label that is no word elsewhere: "the From field"."""
    labels = [word for word in split(description) if word not in ROLE_WORDS and word not in _ARTICLES]
    if len(labels) != 1 or labels[0] not in _LABEL_WORDS:
        return None
    begun = [element for element in elements if element.name and split(element.name)[:1] == (labels[0],)]
    return begun[0] if len(begun) == 1 else None


def _of_distinct_label(description: str, near: _Ranked) -> _Ranked:
    """Return, of elements whose names differ only in words without a meaning of their own, the one that has its word.

    "From airport" means "From Choose airport", and not "To Choose airport".
    """
    names = [split(element.name or "") for _, element in near]
    if len({tuple(word for word in name if not is_noise(word)) for name in names}) != 1:
        return near
    described = set(split(description))
    shared = set(names[0]).intersection(*names)
    own = [set(name) - shared for name in names]
    meant = [pair for pair, words in zip(near, own, strict=True) if words and words <= described]
    others = [words for words in own if not (words and words <= described)]
    return meant if len(meant) == 1 and all(words and words.isdisjoint(described) for words in others) else near


def is_input_for(action: str | None, element: ElementFeatures) -> bool:
    """Return True for a control, and an action that sets such controls and nothing else."""
    return action in _INPUT_ACTIONS and _SUITED_ROLES[action or ""](element.role)


def is_whole_name(description: str, element: ElementFeatures) -> bool:
    """Return True if a description is the element's whole name."""
    return _normalized(description) == _normalized(element.name or "")


def lacks_words(description: str, element: ElementFeatures) -> bool:
    """Return True if nothing of an element is like one of the description's words."""
    stems = _stems_of(element)
    return any(not any(similarity(word, other) for other in stems) for word in _stems_in(description))


def has_words(description: str, element: ElementFeatures) -> bool:
    """Return True if an element has each word of a description itself, and no synonym of it."""
    return _stems_of(element).issuperset(_stems_in(description))


def _stems_of(element: ElementFeatures) -> set[str]:
    texts = (element.name, element.placeholder, element.key, element.value, element.near, element.role, element.kind)
    return {stem(word) for text in texts if text for word in split(text)}


def _stems_in(description: str) -> list[str]:
    return [stem(word) for word in split(description) if word not in ROLE_WORDS and not is_noise(word)]


def namesakes(description: str, fitting: ElementFeatures, elements: Sequence[ElementFeatures]) -> list[ElementFeatures]:
    """Return the elements whose whole name is the description, while the fitting file input also has other words.

    A drop zone may open the chooser of another input than the one whose words are like its own.
    """
    described = set(split(description))
    name = [word for word in split(fitting.name or "") if not is_noise(word)]
    if described <= _FILE_WORDS or all(word in described for word in name):
        return []
    others = [element for element in elements if element.kind not in ("file", "submit")]
    return [element for element in others if is_whole_name(description, element)]


def ambiguity_error(elements: Sequence[ElementFeatures], selector: Semantic) -> SelectorAmbiguous:
    """Return the error for a description that may mean each of the elements."""
    ranked = _ranked(Ranking(selector.description, elements))
    return _ambiguous(f"{len(elements)} elements fit the description about as well.", ranked, ranked, selector)


def _normalized(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" :*")


def _closer_in_words(description: str, top: ElementFeatures, others: _Ranked) -> _Ranked:
    """Return the elements that have the very words of the description if the best has not: "Orders" is no "Order"."""
    words = set(split(description))
    if not top.name or words <= set(split(top.name)) or _is_in_its_place(description, top):
        return []
    return [
        (fit, element)
        for fit, element in others
        if fit.score >= _MIN_SCORE and element.name and words <= set(split(element.name))
    ]


def _is_in_its_place(description: str, element: ElementFeatures) -> bool:
    """Return True if a description is the element's whole name and words of its row: "✎ Desk 39", "Open Desk 39"."""
    words, name = split(description), split(element.name or "")
    has_name = set(name) <= set(words) or (element.name or "").strip() in description.split()
    return has_name and bool(element.near) and set(words) <= {*name, *split(element.near or "")}


def _is_symbol(name: str | None) -> bool:
    return bool(name) and not any(map(str.isalnum, name or ""))


def _pick_nth(ranking: Ranking, query: SemanticQuery) -> ElementFeatures | None:
    """Return the element that an ordinal picks from those as good as the best."""
    fits = ranking.fits(query)
    least = max(_MIN_SCORE, max((fit.score for fit in fits), default=0.0) - _EQUAL_DISTANCE)
    pairs = [pair for pair in zip(fits, ranking.elements, strict=True) if pair[0].score >= least]
    equals = [element for fit, element in pairs if not (fit.is_doubtful or fit.does_other_action)]
    nth = query.nth or 1
    index = nth - 1 if nth > 0 else nth
    return equals[index] if -len(equals) <= index < len(equals) else None


def _ambiguous(message: str, near: _Ranked, ranked: _Ranked, selector: Semantic) -> SelectorAmbiguous:
    shown = [pair for pair in ranked[:_MAX_CANDIDATES] if pair[0].score or pair in near]
    return SelectorAmbiguous(
        message, selector=describe(selector), count=len(near), candidates=[_candidate(*pair) for pair in shown]
    )


def _candidate(fit: ElementScore, element: ElementFeatures) -> dict[str, Any]:
    known = {"ref": element.ref, "near": element.near and element.near[:_MAX_NEAR_CHARS]}
    return {
        **describe(element.selector),
        "text": element.name or element.role,
        "role": element.role,
        "name": element.name,
        **{name: text for name, text in known.items() if text},
        "score": fit.score,
    }
