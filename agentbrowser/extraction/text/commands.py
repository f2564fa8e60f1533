"""Commands: words of links and buttons that do something with a value, and are none, such as "Edit"."""

import re
from typing import Final

from agentbrowser.extraction.caching import memoize

_COMMAND: Final = re.compile(
    r"(add|edit|change|modify|delete|remove|clear|reset|choose|browse|upload|download|print|export|copy|share|revoke"
    r"|show|view|see|read|learn|hide|manage|update)"
    r"( (it|this|now|all|more|less|details|here|another|new|pdf|csv|to (cart|basket|wishlist)))?"
    r"|today|now|more|details|save|cancel|log ?in|sign (in|up)|apply|assign|enable|disable|upgrade|locate( me)?"
    r"|hinzufügen|bearbeiten|ändern|löschen|entfernen|auswählen|anzeigen|mehr|heute|jetzt|anmelden"
    r"|ajouter|modifier|supprimer|choisir|afficher|voir( plus)?|aujourd['’]hui|se connecter"
    r"|añadir|editar|cambiar|eliminar|borrar|elegir|mostrar|ver( más)?|hoy|adicionar|alterar|excluir|hoje"
    r"|aggiungi|modifica|elimina|scegli|mostra|vedi|oggi|toevoegen|bewerken|wijzigen|verwijderen|kiezen|tonen|vandaag",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(
    r"(Add|Edit|Change|Set|Choose|Select|Enter|Assign|Enable|Disable|Upgrade|Request|Log in|Sign in|Verify|Confirm|View"
    r"|Show|See|Download|Print|Export|Copy|Share|Revoke|Call|Contact|Send|Upload|Connect|Invite|Create|Get|Manage|Configure|Update|Join|Subscribe|Use)"
    r"( [a-z][a-z'’]*){1,5}"
)
"""Command in some words, of which only the first is capitalized: names and titles capitalize others, too."""


@memoize
def is_command(text: str) -> bool:
    """Return True if a text is a command alone: "Edit", "Show more"."""
    return _COMMAND.fullmatch(text.rstrip(" …›»→")) is not None


@memoize
def reads_as_command(text: str) -> bool:
    """Return True if a text begins as commands do: "Log in to see", which may also be the title of a task."""
    return is_command(text) or _SENTENCE.fullmatch(text.rstrip(" .…›»→")) is not None
