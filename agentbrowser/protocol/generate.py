"""Generated files: ``python -m agentbrowser.protocol.generate --write`` updates them, ``--check`` compares them."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs
import click

from agentbrowser.cli.readers import choices
from agentbrowser.cli.settings import SETTINGS, Setting
from agentbrowser.config import MAXIMUM, MINIMUM
from agentbrowser.methods import EVENTS, METHODS
from agentbrowser.methods.lifecycle import PROTOCOL_VERSION
from agentbrowser.protocol import openrpc, reference, typescript, wire
from agentbrowser.protocol.blocking_client import CLIENT, GENERATED_MODULES, blocking_source

if TYPE_CHECKING:
    from agentbrowser.protocol.registry import Scope

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "agentbrowser" / "docs"


@attrs.frozen
class GeneratedFile:
    """A file with generated content."""

    path: Path
    render: Callable[[str], str]
    """Returns the new content for the present one; raises ValueError if markers are missing."""

    @property
    def name(self) -> str:
        """Return the path for messages, relative to the repository."""
        return str(self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path)

    def refresh(self, *, write: bool) -> bool:
        """Return True if the file was stale; with ``write``, update it."""
        present = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        fresh = self.render(present)
        if write and fresh != present:
            self.path.write_text(fresh, encoding="utf-8")
        return fresh != present


def method_table() -> str:
    """Return the methods as a Markdown table: area, and the names in it by scope."""
    areas: dict[str, dict[Scope, list[str]]] = {}
    for name, method in sorted(METHODS.items()):
        area, _, short = name.rpartition("/")
        areas.setdefault(area, {}).setdefault(method.scope, []).append(f"`{short}`")
    rows = [
        (f"`{area}/`" if area else "(none)", "; ".join(f"{scope.word}: {' '.join(by[scope])}" for scope in sorted(by)))
        for area, by in areas.items()
    ]
    return reference.table(("area", "methods, by the scope that they need"), rows)


def settings_table() -> str:
    """Return the settings as a Markdown table: flag, variable, values, default, help."""
    rows = [
        (_flags(setting), f"`{setting.variable}`", setting_values(setting), setting.default, setting.help)
        for setting in SETTINGS
    ]
    return reference.table(("flag", "variable", "values", "default", "meaning"), rows)


def _flags(setting: Setting) -> str:
    return " / ".join(f"`{flag}`" for flag in (setting.flag, setting.opposite) if flag)


def setting_values(setting: Setting) -> str:
    """Return the accepted values of a setting in words."""
    if words := choices(setting.kind):
        return ", ".join(f"`{word}`" for word in words)
    if setting.kind is bool:
        return "yes, no"
    low, high = (setting.attribute.metadata.get(bound) for bound in (MINIMUM, MAXIMUM))
    kind = setting.metavar.lower()
    if low is None or kind in ("text", "file", "directory"):
        return kind
    return f"{kind}, at least {low:,}" if high is None else f"{kind}, {low:,} to {high:,}"


README_TABLES: Final[dict[str, Callable[[], str]]] = {"methods": method_table}
OPERATIONS_TABLES: Final[dict[str, Callable[[], str]]] = {"settings": settings_table}
"""The tables that a page shows between ``<!-- name -->`` and ``<!-- /name -->``."""


def with_tables(text: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """Return the text with each table between its markers.

    Raises:
      ValueError: markers are missing.
    """
    for name, table in tables.items():
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


def _blocking_module(name: str) -> GeneratedFile:
    return GeneratedFile(CLIENT / "blocking" / f"{name}.py", lambda _: blocking_source(name))


def _generated(path: str, render: Callable[[], str]) -> GeneratedFile:
    return GeneratedFile(ROOT / "agentbrowser" / "sdk" / path, lambda _: render())


def _as_json(render: Callable[[], dict[str, Any]]) -> Callable[[], str]:
    return lambda: json.dumps(render(), indent=1, ensure_ascii=False) + "\n"


def method_reference() -> str:
    """Return the documentation page with every method, event, error and type."""
    return reference.reference(METHODS, EVENTS, PROTOCOL_VERSION)


TARGETS: Final = (
    GeneratedFile(ROOT / "README.md", lambda text: with_tables(text, README_TABLES)),
    GeneratedFile(DOCS / "operations.md", lambda text: with_tables(text, OPERATIONS_TABLES)),
    GeneratedFile(DOCS / "methods.gen.md", lambda _: method_reference()),
    *map(_blocking_module, GENERATED_MODULES),
    _generated("openrpc.gen.json", _as_json(document)),
    _generated("schema.gen.json", _as_json(json_schema)),
    _generated("typescript/src/types.gen.ts", lambda: typescript.types(document())),
    _generated("typescript/src/schemas.gen.ts", lambda: typescript.schemas(document())),
    _generated("typescript/src/tables.gen.ts", lambda: typescript.tables(document())),
    _generated("typescript/src/errors.gen.ts", lambda: typescript.errors(document())),
)


@click.command()
@click.option("--write", "writes", is_flag=True, help="write what is stale")
@click.option("--check", "checks", is_flag=True, help="exit with 1 if a file is stale, and name it")
def main(writes: bool, checks: bool) -> None:
    """Update or check the files that are generated from methods, settings and errors."""
    if writes == checks:
        raise click.UsageError("say either --write or --check")
    stale = [target.name for target in TARGETS if _refreshed(target, writes)]
    for name in stale:
        click.echo(
            f"{name} was written" if writes else f"{name} is stale: python -m agentbrowser.protocol.generate --write"
        )
    sys.exit(1 if stale and checks else 0)


def _refreshed(target: GeneratedFile, write: bool) -> bool:
    try:
        return target.refresh(write=write)
    except ValueError as error:
        raise click.ClickException(f"{target.name}: {error}") from None


if __name__ == "__main__":
    main()
