"""States that exclude each other: a field for one is false where the page has another, as isPublic is for "Private"."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.text.words import plain

_STATES: Final = """
open, offen, ouvert, abierto, aperto, aberto | closed, geschlossen, fermé, cerrado, chiuso, fechado | merged
~open, ~new, ~reopened, ~in progress, ~in review, ~pending, ~todo, ~to do, ~backlog, ~blocked, ~not started, ~offen,
  ~in bearbeitung, ~en cours, ~en curso, ~in corso, ~incomplete |
  resolved, solved, fixed, done, completed, complete, finished, gelöst, erledigt, abgeschlossen, terminé, completado
paid, bezahlt, payé, payée, pagado, pagata, betaald |
  unpaid, ~open, ~due, ~due soon, ~pending, ~outstanding, ~draft, ~partially paid, unbezahlt, ~offen, ~fällig, impayée |
  overdue, past due, überfällig, en retard, vencida, scaduta
public, öffentlich, publique, público, pubblico | private, privat, privé, privée, privado, privato | internal | unlisted
active, enabled, valid, running, live, aktiv, gültig, actif, activo, vigente, attivo, valido |
  inactive, disabled, inaktiv, inactif, inactivo, inattivo | expired, abgelaufen, expiré, caducado, scaduto |
  cancelled, canceled, storniert, gekündigt, annulé, annulée, cancelado, annullato | archived, archiviert, archivé |
  suspended, gesperrt, suspendu, suspendido | paused, pausiert | stopped, gestoppt | ended, beendet | ~confirmed |
  ~on time | ~scheduled | ~upcoming
new, brand new, neu, neuf, nuevo, nuovo, novo |
  used, pre-owned, second hand, second-hand, gebraucht, occasion, usado, usato | refurbished, renewed, generalüberholt
remote, fully remote, work from home, homeoffice, home office, télétravail, remoto, en remoto |
  hybrid, hybride, híbrido, ibrido | on-site, onsite, on site, in office, in-office, vor ort, sur site, presencial
approved, accepted, genehmigt, angenommen, approuvé, accepté, aprobado, approvato |
  rejected, declined, denied, refused, abgelehnt, refusé, rechazado, rifiutato |
  ~pending, ~in review, ~submitted, ~awaiting approval, ~ausstehend, ~en attente, ~pendiente
published, veröffentlicht, publié, publicado, pubblicato | draft, entwurf, brouillon, borrador, bozza |
  scheduled, geplant, programmé, programado | ~open | ~closed | ~merged
confirmed, bestätigt, confirmé, confirmado | ~pending, ~tentative, ~ausstehend, ~pendiente | ~cancelled, ~canceled
delivered, zugestellt, geliefert, livré, livrée, entregado, consegnato |
  ~in transit, ~out for delivery, ~shipped, ~dispatched, ~processing, ~preparing, ~unterwegs, ~en camino
passed, pass, success, successful, succeeded, bestanden, réussi, aprobado |
  failed, fail, failure, error, fehlgeschlagen, échoué, fallido | ~skipped | ~running | ~queued
won, win, gewonnen | lost, loss, verloren | draw, drawn, unentschieden
delayed, late, verspätet, retardé, retrasado, in ritardo | on time, pünktlich, à l'heure, a tiempo, in orario |
  ~cancelled, ~canceled
sold, verkauft, vendu, vendido, venduto | ~available, ~for sale, ~active, ~reserved, ~in stock, ~verfügbar
full time, full-time, fulltime, vollzeit, temps plein, tiempo completo, tempo pieno |
  part time, part-time, parttime, teilzeit, temps partiel, tiempo parcial
vegan | ~vegetarian, ~vegetarisch, ~contains meat
admin, administrator | ~member, ~user, ~viewer, ~editor, ~guest, ~read-only, ~contributor, ~reader
free, kostenlos, gratuit, gratis | ~paid, ~premium, ~kostenpflichtig, ~payant
required, mandatory, erforderlich, pflicht, obligatoire, obligatorio | optional, facultatif, opcional
visible, shown, sichtbar | hidden, versteckt, masqué
automatic, automatik, automatique, automático | manual, schaltgetriebe, manuelle
indoor | outdoor
read, gelesen, lu, leído | unread, ungelesen, non lu, no leído
"""
"""Axes, a line each: groups of words for the same state. No field is for a word with a tilde."""

Axis = Sequence[frozenset[str]]
_AXES: Final[Sequence[Axis]] = [
    [frozenset(word.strip() for word in group.split(",")) for group in line.split("|")]
    for line in re.sub(r"\n  +", " ", _STATES).strip().splitlines()
]
_BEHIND: Final = re.compile(r"\s*(?:[·⋅•|,;:(]|\s[–—-]\s)")
"""The end of a state, before details: "Open · Closes 9 PM"."""
_NEGATING: Final = re.compile(r"(?:un|in(?!\s|stock)|dis|non[- ]?|not )(?=[^\W\d_]{4})")
_DENIED: Final = re.compile(
    r"(?:non|not|no|without|ohne|nicht|keine?|sans|sin|senza|sem|zonder|geen|niet|bez|uden|ikke|utan|ej)\b",
    re.IGNORECASE,
)


def _folded(word: str) -> str:
    return plain(word).strip(" .!")


_NAMED: Final = [[{_folded(word) for word in group if not word.startswith("~")} for group in axis] for axis in _AXES]
_VALUES: Final = [[{_folded(word.lstrip("~")) for word in group} for group in axis] for axis in _AXES]


@lru_cache(maxsize=1000)
def states_of(name: str) -> "Sequence[tuple[set[str], set[str]]]":
    """Return the texts that mean yes and those that mean no for a field, on each axis that its name is on.

    Args:
      name: the words of the field's name, in lower case.
    """
    ends = {name.split(" ", skip)[-1] for skip in range(name.count(" ") + 1)}
    found = []
    for named, values in zip(_NAMED, _VALUES, strict=True):
        own = next((at for at, group in enumerate(named) if not ends.isdisjoint(group)), None)
        if own is not None:
            found.append((values[own], set[str]().union(*(group for at, group in enumerate(values) if at != own))))
    return found


@memoize
def state_in(text: str) -> str:
    """Return the state in a text, without details behind it, in the form of `states_of`."""
    return _folded(_BEHIND.split(text.strip(), maxsplit=1)[0])


def truth_of_state(name: str, text: str) -> bool | None:
    """Return True for the state that a field is for, False for one that excludes it, None for other texts."""
    state = state_in(text)
    for yes, no in states_of(name):
        if state in yes or state in no:
            return state in yes
    if f" {name}".endswith(f" {state.replace('-', ' ')}"):
        return None
    *_, last = name.split() or [""]
    denied, positive = _NEGATING.sub("", state, count=1), _NEGATING.sub("", last, count=1)
    is_negation = (denied != state) != (positive != last) and denied == positive
    return False if is_negation else None


def is_denial(text: str) -> bool:
    """Return True for a text that begins with a word for "not" or "without"."""
    return _DENIED.match(text) is not None
