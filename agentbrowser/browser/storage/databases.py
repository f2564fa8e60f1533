"""Databases (IndexedDB) of a context's origins, read and written by documents that are served locally."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import attrs
from playwright.async_api import Page

from agentbrowser.browser.scripts.bundle import PROGRAMS
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import structure, unstructure
from agentbrowser.protocol.types.storage import MAX_DATABASE_LENGTH, MAX_RECORDS, Database, UnsavedDatabase

_PROGRAM: Final = PROGRAMS["databases"]


@attrs.frozen
class SavedDatabases:
    """Databases by origin, and those that a state can't hold."""

    saved: Mapping[str, list[Database]] = attrs.field(factory=dict)
    unsaved: list[UnsavedDatabase] = attrs.field(factory=list)


async def save_databases(page: Page, origins: Iterable[str]) -> SavedDatabases:
    """Return the databases of these origins, of which the page can open empty documents. [asyncio]"""
    room = {"parts": MAX_RECORDS, "chars": MAX_DATABASE_LENGTH}
    saved: dict[str, list[Database]] = {}
    unsaved: list[UnsavedDatabase] = []
    for origin in origins:
        answer = await _handle(page, origin, {"room": room})
        room = answer["room"]
        saved[origin] = structure(list[Database], answer["databases"])
        unsaved += [UnsavedDatabase(origin=origin, **one) for one in answer["refused"]]
    return SavedDatabases(saved, unsaved)


async def restore_databases(page: Page, databases: Mapping[str, Sequence[Database]]) -> list[str]:
    """Write databases, of whose origins the page can open empty documents; return the refused ones. [asyncio]"""
    refused: list[str] = []
    for origin, of_origin in databases.items():
        answer = await _handle(page, origin, {"databases": unstructure(list(of_origin))})
        refused += [f"{one['database']} of {origin}: {one['reason']}" for one in answer["refused"]]
    return refused


async def _handle(page: Page, origin: str, request: Mapping[str, Any]) -> Any:
    await page.goto(origin)
    return wire.load(await page.evaluate(_PROGRAM, wire.dump(request).decode()))
