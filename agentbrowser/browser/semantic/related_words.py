"""Words of the web with related or opposite meanings, written as in synonyms.py."""

from typing import Final

_RELATED: Final = (
    "delete trash",
    "add create new plus another",
    "new create book compose start open_new",
    "compose new write",
    "book make schedule arrange request",
    "next continue proceed",
    "submit continue save apply done finish",
    "buy order checkout place_order",
    "submit order place_order",
    "account profile user",
    "name title",
    "mail message",
    "message chat conversation",
    "mode theme",
    "picture avatar icon",
    "picture thumbnail cover_picture",
    "edit change update",
    "rewind back",
    "fast_forward forward",
    "round_trip return_trip",
    "adjust set",
    "increase more up larger louder",
    "decrease less fewer down smaller quieter",
    "cancel discard close",
    "close hide",
    "clear reset delete",
    "quantity amount number count",
    "transfer payment pay",
    "article story news post",
    "event appointment meeting",
    "appointment visit",
    "show view open display see look read",
    "details view show_more",
    "settings options configure manage customize",
    "play start resume watch listen",
    "help question faq chat contact",
    "search filter",
    "reply answer respond comment",
    "reply comment response",
    "comment review feedback",
    "share send",
    "signup join subscribe",
    "home start",
    "origin from start departure",
    "departure from start_date",
    "start_date from_date from since begin departure_date",
    "end_date to_date to until till return_date",
    "destination to where",
    "recipient to",
    "sender from",
    "surname last",
    "firstname first",
    "street address",
    "trip journey travel round_trip",
    "movie video clip",
    "song track",
    "reject only necessary essential",
    "favorite save like",
    "attach upload insert file",
    "coupon discount",
    "login connect account",
    "avoid no without",
    "skip without",
    "disable off no deactivate stop",
    "stop pause end finish",
    "enable on activate allow",
    "freeze lock",
    "rename name",
    "location position",
    "toll road",
    "route directions path",
    "bike ride",
    "approve accept",
    "cart order",
    "price amount",
    "dispatch send",
    "put move",
    "reschedule change move",
    "hotel room accommodation",
    "results report",
    "doctor practitioner",
    "refill prescription renew",
    "maximize enlarge",
    "language translate",
    "theme appearance",
    "notification push",
    "lines rows",
    "sum total",
)
RELATED: Final = tuple(group.replace("_", "") for group in _RELATED)
"""Words that may replace each other, and may also mean something else."""

OPPOSITE: Final = (
    ("login", "logout"),
    ("login", "signup"),
    ("accept", "reject"),
    ("next", "previous"),
    ("rewind", "next"),
    ("rewind", "fastforward"),
    ("fastforward", "previous"),
    ("increase", "decrease"),
    ("zoomin", "zoomout"),
    ("last", "next"),
    ("last", "previous"),
    ("last", "first"),
    ("first", "next"),
    ("first", "previous"),
    ("open", "close"),
    ("close", "reopen"),
    ("expand", "collapse"),
    ("show", "hide"),
    ("like", "dislike"),
    ("add", "delete"),
    ("follow", "unfollow"),
    ("subscribe", "unsubscribe"),
    ("mute", "unmute"),
    ("enable", "disable"),
    ("reactivate", "disable"),
    ("lock", "unlock"),
    ("freeze", "unfreeze"),
    ("pin", "unpin"),
    ("check", "uncheck"),
    ("tick", "untick"),
    ("play", "pause"),
    ("start", "stop"),
    ("undo", "redo"),
    ("upload", "download"),
    ("save", "discard"),
    ("publish", "unpublish"),
    ("connect", "disconnect"),
    ("install", "uninstall"),
    ("firstname", "surname"),
    ("departure", "returntrip"),
    ("sender", "recipient"),
    ("startdate", "enddate"),
)
"""Words that never replace each other; their synonyms included."""

WHOLE: Final = "checkbox textbox dropdown textarea combobox listbox newsletter menubar pickup"
"""Other words that are written as one or as two."""

BOTH_WAYS: Final = """
enable disable activate deactivate turnon turnoff switchon switchoff show hide allow disallow deny accept stop start
block unblock avoid no not without never dont tick untick check uncheck tickoff checkoff toggle on off mute unmute lock
unlock subscribe unsubscribe follow unfollow keep receive get want include exclude optout optin set let
"""
"""Words for both directions of a switch or a checkbox."""
VAGUE: Final = """
red green blue yellow orange purple pink black white grey gray dark light bright colored
big large small little tiny main primary secondary top bottom left right upper lower side corner middle
page website site form section area header footer sidebar navigation bar panel widget control element
dialog window popup modal item product entry article message folder row column label one now just only all state
click press tap open show go get use set change make enter type fill view option want would please give put other
"""
"""Words for place or look, which cannot be checked here; they count if they are on the page."""
THINGS: Final = "picture image photo product entry article message folder row column list"
"""Words for place or look, and for roles, that are objects of verbs too: "remove the photo" is no "Remove account"."""
