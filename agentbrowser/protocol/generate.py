"""What is generated: ``python -m agentbrowser.protocol.generate --write`` makes it, ``--check`` compares it."""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import attrs
import click

from agentbrowser.cli.settings import SETTINGS, Setting
from agentbrowser.methods import EVENTS, METHODS
from agentbrowser.methods.lifecycle import PROTOCOL_VERSION
from agentbrowser.protocol import openrpc, reference, typescript, wire
from agentbrowser.protocol.blocking_client import CLIENT, TWINS, twin_of
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.jsonschema import described, in_markdown

ROOT: Final = Path(__file__).parents[2]


@attrs.frozen
class Target:
    """A file with something generated in it."""

    path: Path
    render: Callable[[str], str]
    """Returns what the file should hold, for what it holds now; raises ValueError where it has no place for it."""

    @property
    def name(self) -> str:
        """The path as it is shown."""
        return str(self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path)

    def refresh(self, *, write: bool) -> bool:
        """Return whether the file was stale; with ``write`` it is no more."""
        now = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        fresh = self.render(now)
        if write and fresh != now:
            self.path.write_text(fresh, encoding="utf-8")
        return fresh != now


def method_table() -> str:
    """Return the methods as a Markdown table: name, scope, summary."""
    rows = [(f"`{name}`", method.scope.word, in_markdown(method.summary)) for name, method in sorted(METHODS.items())]
    return _table(("method", "scope", "what it does"), rows)


def error_table() -> str:
    """Return the errors as a Markdown table: code, class, when, whether the same request may succeed later."""
    kinds = reversed(openrpc.error_kinds())
    rows = [(f"{kind.code}", f"`{kind.__name__}`", described(kind), _retry(kind)) for kind in kinds]
    return _table(("code", "name", "when", "retryable"), rows)


def _retry(kind: type[AgentBrowserError]) -> str:
    pause = f", after {kind.retry_after_ms} ms" if kind.retry_after_ms else ""
    return f"yes{pause}" if kind.retryable else "no"


def settings_table() -> str:
    """Return the settings as a Markdown table: flag, variable, default, help."""
    rows = [(_flags(setting), f"`{setting.variable}`", setting.default, setting.help) for setting in SETTINGS]
    return _table(("flag", "variable", "default", "what it says"), rows)


def _flags(setting: Setting) -> str:
    return " / ".join(f"`{flag}`" for flag in (setting.flag, setting.opposite) if flag)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    cells = [head, *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


TABLES: Final[dict[str, Callable[[], str]]] = {
    "settings": settings_table,
    "methods": method_table,
    "errors": error_table,
}
"""What README shows between ``<!-- name -->`` and ``<!-- /name -->``."""


def with_tables(text: str) -> str:
    """Return the text with each table between its markers.

    Raises:
      ValueError: markers are missing.
    """
    for name, table in TABLES.items():
        text = _with_table(text, f"<!-- {name} -->", table(), f"<!-- /{name} -->")
    return text


def _with_table(text: str, begin: str, table: str, end: str) -> str:
    before, begun, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not begun or not ended:
        raise ValueError(f"there is no {begin} … {end}")
    return f"{before}{begin}\n{table}\n{end}{after}"


def document() -> dict[str, Any]:
    """Return the protocol as an OpenRPC document."""
    return openrpc.document(METHODS, EVENTS, PROTOCOL_VERSION)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of every type of the protocol, by name."""
    definitions = wire.dump(document()["components"]["schemas"]).decode()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": wire.load(definitions.replace('"#/components/schemas/', '"#/$defs/')),
    }


def _twin(name: str) -> Target:
    return Target(CLIENT / "blocking" / f"{name}.py", lambda _: twin_of(name))


def _generated(path: str, render: Callable[[], str]) -> Target:
    return Target(ROOT / "agentbrowser" / "sdk" / path, lambda _: render())


def _as_json(made: Callable[[], dict[str, Any]]) -> Callable[[], str]:
    return lambda: json.dumps(made(), indent=1, ensure_ascii=False) + "\n"


def method_reference() -> str:
    """Return the page of the documentation that has every method, event, error and type."""
    return reference.reference(METHODS, EVENTS, PROTOCOL_VERSION)


TARGETS: Final = (
    Target(ROOT / "README.md", with_tables),
    Target(ROOT / "agentbrowser" / "docs" / "methods.gen.md", lambda _: method_reference()),
    *map(_twin, TWINS),
    _generated("openrpc.gen.json", _as_json(document)),
    _generated("schema.gen.json", _as_json(json_schema)),
    _generated("typescript/src/types.gen.ts", lambda: typescript.types(document())),
    _generated("typescript/src/schemas.gen.ts", lambda: typescript.schemas(document())),
    _generated("typescript/src/tables.gen.ts", lambda: typescript.tables(document())),
    _generated("typescript/src/errors.gen.ts", lambda: typescript.errors(document())),
)


@click.command()
@click.option("--write", "writes", is_flag=True, help="write what is stale")
@click.option("--check", "checks", is_flag=True, help="exit with 1 if something is stale, and say what")
def main(writes: bool, checks: bool) -> None:
    """Keep what is generated from methods, settings and errors up to date."""
    if writes == checks:
        raise click.UsageError("say either --write or --check")
    stale = [target.name for target in TARGETS if _refreshed(target, writes)]
    for name in stale:
        click.echo(
            f"{name} was written" if writes else f"{name} is stale: python -m agentbrowser.protocol.generate --write"
        )
    sys.exit(1 if stale and checks else 0)


def _refreshed(target: Target, write: bool) -> bool:
    try:
        return target.refresh(write=write)
    except ValueError as error:
        raise click.ClickException(f"{target.name}: {error}") from None


if __name__ == "__main__":
    main()
