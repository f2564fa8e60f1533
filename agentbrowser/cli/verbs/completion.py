"""Completion scripts for bash, zsh and fish. They hold all words, so that a completion starts no Python."""

from collections.abc import Iterator
from typing import Final

import attrs
import click

from agentbrowser.cli.verbs.table import VERBS, options_of

_NAME: Final = "agentbrowser"


@attrs.frozen
class CompletedWord:
    """A command or verb, with what may follow it."""

    name: str
    help: str
    options: tuple[str, ...]
    values: tuple[str, ...] = ()
    """Accepted values of its arguments."""
    takes_files: bool = False


def words_of(group: click.Group) -> list[CompletedWord]:
    """Return the verbs, then the commands of the command line."""
    return [*_verbs(), *_commands(group)]


def script(shell: str, words: list[CompletedWord]) -> str:
    """Return the completion script for a shell."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](words)


def _verbs() -> Iterator[CompletedWord]:
    for verb in VERBS:
        options = tuple(option.name for option in options_of(verb))
        values = tuple(choice for argument in verb.arguments for choice in argument.choices)
        takes_files = any(argument.is_file for argument in verb.arguments)
        yield CompletedWord(verb.name, verb.help, (*options, "--help"), values, takes_files)


def _commands(group: click.Group) -> Iterator[CompletedWord]:
    context = click.Context(group)
    for name, command in group.commands.items():
        params = command.get_params(context)
        shown = [one for one in params if not getattr(one, "hidden", False)]
        options = [option for one in shown for option in (*one.opts, *one.secondary_opts)]
        values = [str(choice) for one in params if isinstance(one.type, click.Choice) for choice in one.type.choices]
        inner = list(command.commands) if isinstance(command, click.Group) else []
        flags = tuple(option for option in options if option.startswith("--"))
        yield CompletedWord(name, command.get_short_help_str(100).rstrip("."), flags, (*inner, *values))


def _bash(words: list[CompletedWord]) -> str:
    cases = "\n".join(
        f"    {word.name}) words='{_following(word)}'; files={int(word.takes_files)} ;;" for word in words
    )
    return f"""# Completion of {_NAME} for bash
_{_NAME}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} verb= words= files=0 index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case ${{COMP_WORDS[index]}} in
    -s | --session | --tab) ((index++)) ;;
    -*) ;;
    *) verb=${{COMP_WORDS[index]}}; break ;;
    esac
  done
  case $verb in
    '') words='{" ".join(word.name for word in words)} --session --tab --json --help --version' ;;
{cases}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  if ((files)) && [[ $word != -* ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$word")
  fi
}}
complete -F _{_NAME} {_NAME}
"""


def _zsh(words: list[CompletedWord]) -> str:
    described = "\n".join(f"      {_quoted(f'{word.name}:{word.help}')}" for word in words)
    cases = "\n".join(
        f"      {word.name}) compadd -- {_following(word)}{'; _files' if word.takes_files else ''} ;;" for word in words
    )
    return f"""#compdef {_NAME}
_{_NAME}() {{
  local -a verbs
  local index verb=
  for ((index = 2; index < CURRENT; index++)); do
    case ${{words[index]}} in
      -s|--session|--tab) ((index++)) ;;
      -*) ;;
      *) verb=${{words[index]}}; break ;;
    esac
  done
  if [[ -z $verb ]]; then
    verbs=(
{described}
    )
    _describe verb verbs
  else
    case $verb in
{cases}
    esac
  fi
}}
if [[ ${{funcstack[1]}} == _{_NAME} ]]; then _{_NAME} "$@"; else compdef _{_NAME} {_NAME}; fi
"""


def _fish(words: list[CompletedWord]) -> str:
    lines = [f"# Completion of {_NAME} for fish", f"complete -c {_NAME} -f"]
    for word in words:
        lines.append(f"complete -c {_NAME} -n __fish_use_subcommand -a {word.name} -d {_quoted(word.help)}")
        seen = f"-n '__fish_seen_subcommand_from {word.name}'"
        lines += [f"complete -c {_NAME} {seen} -l {option.removeprefix('--')}" for option in word.options]
        if word.values:
            lines.append(f"complete -c {_NAME} {seen} -a '{' '.join(word.values)}'")
        if word.takes_files:
            lines.append(f"complete -c {_NAME} {seen} -F")
    return "\n".join(lines) + "\n"


def _following(word: CompletedWord) -> str:
    return " ".join((*word.values, *word.options))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
