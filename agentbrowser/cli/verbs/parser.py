"""Parser of the command lines of verbs."""

import argparse
from collections.abc import Sequence
from functools import cache, partial
from typing import Any, NoReturn

from agentbrowser.cli.verbs.client import split
from agentbrowser.cli.verbs.table import BY_NAME, COMMON, Argument, Verb

_PROGRAM = "agentbrowser"
_JSON = "--json"


class BadArguments(Exception):
    """Invalid command line; the text names the problem, and shows the usage."""


class _Parser(argparse.ArgumentParser):
    """Parser that raises instead of ending the process."""

    def error(self, message: str) -> NoReturn:
        raise BadArguments(f"{self.prog}: {message}\n{self.format_usage().strip()}")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return the arguments of a command line: ``verb``, those of the verb by their keys, and the common ones.

    Raises:
      BadArguments: it is invalid.
    """
    leading, rest = split(words)
    verb = BY_NAME.get(rest[0]) if rest else None
    if verb is None:
        raise BadArguments(f"{_PROGRAM}: no verb; there are {', '.join(BY_NAME)}")
    parsed, extra = parser_of(verb).parse_known_args([*leading, *rest[1:]], argparse.Namespace(verb=verb.name))
    if extra:
        _refuse(verb, rest[1:], extra)
    return parsed


def wants_json(words: Sequence[str]) -> bool:
    """Return True if a command line asks for JSON, even if it can't be parsed."""
    return _JSON in words


def help_of(words: Sequence[str]) -> str:
    """Return the help on the verb of a command line."""
    return parser_of(BY_NAME[split(words)[1][0]]).format_help()


def _refuse(verb: Verb, words: Sequence[str], extra: Sequence[str]) -> NoReturn:
    """Raise the error for arguments that are too many: mostly words that lack their quotes."""
    message = f"unexpected {' '.join(extra)}"
    if len(words) > 1 and not any(word.startswith("-") or " " in word for word in words):  # none that stood in quotes
        message += f'; quote words that belong together: "{" ".join(words)}"'
    parser_of(verb).error(message)


@cache
def parser_of(verb: Verb) -> "_Parser":
    """Return the parser of a verb."""
    parser = _Parser(
        prog=f"{_PROGRAM} {verb.name}",
        description=_sentence(verb.help),
        add_help=False,
        allow_abbrev=False,
        formatter_class=partial(argparse.HelpFormatter, width=100),
    )
    for argument in verb.arguments:
        _add(parser, argument)
    for argument in COMMON:
        _add(parser, argument)
    return parser


def _add(parser: argparse.ArgumentParser, argument: Argument) -> None:
    names = ["-s", argument.name] if argument.name == "--session" else [argument.name]
    names += ["-o"] if argument.name == "--output" else []
    more: dict[str, Any] = {"help": argument.help}
    if argument.is_flag:
        parser.add_argument(*names, action="store_true", **more)
        return
    more |= {"type": argument.kind, "metavar": argument.metavar, "choices": argument.choices or None}
    if not argument.is_option and (argument.is_many or argument.is_optional):
        more["nargs"] = "*" if argument.is_many else "?"
    parser.add_argument(*names, **more)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
