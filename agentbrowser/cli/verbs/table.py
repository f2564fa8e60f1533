"""Verb table: arguments and options of each verb. The parser, the help and the completion come from it."""

import argparse
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import attrs

MAX_TIMEOUT_S: Final = 240
_POINT: Final = re.compile(r"\d{1,5}(?:px)?,? ?\d{1,5}(?:px)?")


@attrs.frozen(kw_only=True)
class Argument:
    """A positional argument, or an option if its name begins with hyphens."""

    name: str
    help: str
    is_optional: bool = False
    """True for a positional argument that may be missing; options are always optional."""
    is_many: bool = False
    is_flag: bool = False
    choices: tuple[str, ...] = ()
    kind: Callable[[str], str | int | float] = str
    is_file: bool = False
    """True if its value is a path."""
    metavar: str | None = None

    @property
    def is_option(self) -> bool:
        """Return True for an option."""
        return self.name.startswith("-")

    @property
    def key(self) -> str:
        """Return the name of its attribute in the parsed arguments."""
        return self.name.lstrip("-").replace("-", "_")


@attrs.frozen(kw_only=True)
class Verb:
    """A verb: the first word of a command line."""

    name: str
    help: str
    arguments: tuple[Argument, ...] = ()


def seconds(text: str) -> float:
    """Read a timeout.

    Raises:
      ArgumentTypeError: it is no number above 0, or above the maximum.
    """
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.001 <= value <= MAX_TIMEOUT_S:
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, at most {MAX_TIMEOUT_S}, not {text!r}")
    return value


def given(text: str) -> str:
    """Read an argument that must not be empty: without the words of an unset variable, another element would be meant.

    Raises:
      ArgumentTypeError: it is empty.
    """
    if not text.strip():
        raise argparse.ArgumentTypeError("must not be empty")
    return text


def point(text: str) -> str:
    """Read a point in an element.

    Raises:
      ArgumentTypeError: it is none.
    """
    if not _POINT.fullmatch(text.strip()):
        raise argparse.ArgumentTypeError(f"must be a point in the element such as 30,40, not {text!r}")
    return text


def _flag(name: str, help: str) -> Argument:
    return Argument(name=name, help=help, is_flag=True)


_ON: Final = Argument(
    name="on", help='@ref, words that describe the element, or CSS after "css="', kind=given, metavar="ON"
)
_MAYBE_ON: Final = attrs.evolve(_ON, is_optional=True)
_TEXT: Final = Argument(name="value", help="the text; - reads it from standard input", metavar="TEXT")
_CURSOR: Final = Argument(name="--cursor", help="cursor of the last result, for what it left out")
_EXPECT: Final = Argument(
    name="--expect", help='words that must appear then, or part of the URL after "url:"', kind=given, metavar="WORDS"
)
_TIMEOUT: Final = Argument(
    name="--timeout",
    help=f"time for the element, and again for --expect; default 5, less at rest; at most {MAX_TIMEOUT_S}",
    kind=seconds,
    metavar="SECONDS",
)
_AT: Final = Argument(name="--at", help="point in the element, from its upper left corner", kind=point, metavar="X,Y")
_OUTPUT: Final = Argument(name="--output", help="file to write", is_file=True, metavar="FILE")

COMMON: Final = (
    Argument(
        name="--session", help="named session, with pages and cookies of its own  [AGENTBROWSER_SESSION]", kind=given
    ),
    Argument(name="--tab", help="id of a tab; default: the active one", kind=given),
    _flag("--json", "print JSON: ok, exit, text, error, files, results"),
)
"""Options of all verbs; -s is short for --session."""


def _step(name: str, help: str, *arguments: Argument) -> Verb:
    return Verb(name=name, help=help, arguments=(*arguments, _EXPECT, _TIMEOUT))


def _value(help: str, metavar: str, *, is_optional: bool = False, is_file: bool = False) -> Argument:
    return Argument(name="value", help=help, metavar=metavar, is_optional=is_optional, is_file=is_file)


VERBS: Final = (
    Verb(
        name="open",
        help="load a URL, and look",
        arguments=(Argument(name="url", help="URL", kind=given, metavar="URL"), _flag("--new", "in a new tab")),
    ),
    Verb(name="back", help="go back in the history, and look"),
    Verb(name="forward", help="go forward in the history, and look"),
    Verb(name="reload", help="load the page again, and look"),
    Verb(
        name="look",
        help="show the page: its words, and its elements with a @ref",
        arguments=(
            _flag("--text", "the whole prose instead"),
            _flag("--changes", "what has changed since the last look"),
            _flag("--console", "console messages instead"),
            _flag("--network", "responses instead"),
            Argument(
                name="--find", help="only lines with these words; with a @ref its long value whole", metavar="WORDS"
            ),
            _CURSOR,
            Argument(name="--max-tokens", help="length of the result", kind=int, metavar="N"),
        ),
    ),
    _step("click", "click an element", _ON, _AT),
    _step("dblclick", "double-click an element", _ON, _AT),
    _step("rightclick", "click an element with the right button", _ON, _AT),
    _step("hover", "move the mouse onto an element", _ON, _AT),
    _step("fill", "set the text of a field", _ON, _TEXT),
    _step("type", "type text into an element, key by key", _ON, _TEXT),
    _step("clear", "empty a field", _ON),
    _step("press", "press a key, or keys such as Control+a", _value("the key, such as Enter", "KEY"), _MAYBE_ON),
    _step("select", "choose an option of a list", _ON, _value("value or label, or a JSON list of several", "OPTION")),
    _step("check", "check a checkbox, radio button or switch", _ON),
    _step("uncheck", "uncheck a checkbox or switch", _ON),
    _step(
        "scroll", "scroll the page or an element", _value("down, up 600, page …", "HOW", is_optional=True), _MAYBE_ON
    ),
    _step("drag", "drag an element onto another one", _ON, _value('the target: as ON, or "by 120,-40" px', "TARGET")),
    _step("upload", "put a file into a file input", _ON, _value("the file", "FILE", is_file=True)),
    Verb(
        name="dialog",
        help="answer the open dialog, or the next one",
        arguments=(
            Argument(name="answer", help="accept or dismiss", choices=("accept", "dismiss")),
            _value("text for a prompt", "TEXT", is_optional=True),
        ),
    ),
    _step(
        "wait",
        "wait for words, a @ref or a URL; without any of them until the page has settled",
        attrs.evolve(_MAYBE_ON, help='words, @ref, css=… or "url:" and a part of it'),
        _flag("--gone", "until it is gone"),
    ),
    Verb(
        name="extract",
        help="print typed data of the page, a line of JSON for each item",
        arguments=(
            Argument(
                name="fields",
                help='names as on the page, with a type if not text: "price: number"',
                is_many=True,
                is_optional=True,
                kind=given,
                metavar="FIELD",
            ),
            Argument(name="--list", help="what one item is, for a list", metavar="WORDS"),
            Argument(name="--schema", help="JSON Schema instead of fields, or a file with one", is_file=True),
            Argument(name="--within", help="@ref or CSS of a part of the page", metavar="ON"),
            _CURSOR,
        ),
    ),
    Verb(
        name="screenshot",
        help="save a screenshot, and print its path",
        arguments=(
            Argument(
                name="path",
                help="file; default: screenshot-1.jpg, or the next number",
                is_optional=True,
                is_file=True,
                metavar="FILE",
            ),
            _flag("--marks", "draw the refs"),
            _flag("--full", "the whole page"),
            Argument(name="--of", help="an element, as ON of click", metavar="ON"),
        ),
    ),
    Verb(
        name="tabs",
        help="list tabs and downloads",
        arguments=(
            Argument(name="--use", help="make a tab the active one", metavar="ID"),
            Argument(name="--close", help="close a tab", metavar="ID"),
        ),
    ),
    Verb(
        name="download",
        help="click an element, or take a download of the list, and save the file",
        arguments=(attrs.evolve(_ON, help="@ref, words, css=…, or the id of a download"), _OUTPUT),
    ),
    Verb(
        name="eval",
        help="run JavaScript in the page, and print its value",
        arguments=(
            Argument(
                name="expression", help="the expression; - reads it from standard input", kind=given, metavar="JS"
            ),
            Argument(
                name="--world",
                help="isolated (default), or main: with the variables of the page's scripts",
                choices=("isolated", "main"),
            ),
            attrs.evolve(_TIMEOUT, help=f"time for the script; default 30, at most {MAX_TIMEOUT_S}"),
        ),
    ),
    Verb(
        name="run",
        help='run steps [{"do", "on", "value", "expect"}] until one fails',
        arguments=(
            Argument(
                name="steps", help="file with the steps; - reads them from standard input", is_file=True, metavar="FILE"
            ),
            attrs.evolve(
                _TIMEOUT,
                help=f"time for each element, and for its expect; default 5, less at rest; at most {MAX_TIMEOUT_S}",
            ),
        ),
    ),
    Verb(
        name="state",
        help="save or load cookies and storage; clear removes the cookies",
        arguments=(
            Argument(name="do", help="save, load or clear", choices=("save", "load", "clear")),
            Argument(name="path", help="file, readable by you alone", is_optional=True, is_file=True, metavar="FILE"),
        ),
    ),
    Verb(
        name="close",
        help="close the session and its pages",
        arguments=(_flag("--all", "close all sessions, and end the daemon"),),
    ),
)
BY_NAME: Final[Mapping[str, Verb]] = {verb.name: verb for verb in VERBS}


def options_of(verb: Verb) -> Iterable[Argument]:
    """Return the options of a verb, and those of all verbs."""
    return (*(argument for argument in verb.arguments if argument.is_option), *COMMON)
