"""One block for each method of the protocol: its params, its result, its scope, its handler.

An area is imported when it is first used: `find_method` and `find_event` import that of their name. `METHODS` and
`EVENTS` import all areas, so that they are complete.
"""

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from agentbrowser.methods import action as action
    from agentbrowser.methods import agent_act as agent_act
    from agentbrowser.methods import agent_extract as agent_extract
    from agentbrowser.methods import agent_observe as agent_observe
    from agentbrowser.methods import approval as approval
    from agentbrowser.methods import browser as browser
    from agentbrowser.methods import context as context
    from agentbrowser.methods import dialog as dialog
    from agentbrowser.methods import discovery as discovery
    from agentbrowser.methods import download as download
    from agentbrowser.methods import emulate as emulate
    from agentbrowser.methods import events as events
    from agentbrowser.methods import frame as frame
    from agentbrowser.methods import handoff as handoff
    from agentbrowser.methods import lifecycle as lifecycle
    from agentbrowser.methods import live as live
    from agentbrowser.methods import network as network
    from agentbrowser.methods import observe as observe
    from agentbrowser.methods import page as page
    from agentbrowser.methods import recording as recording
    from agentbrowser.methods import rpc as rpc
    from agentbrowser.methods import script as script
    from agentbrowser.methods import session as session
    from agentbrowser.methods import storage as storage
    from agentbrowser.methods import stream as stream
    from agentbrowser.methods import trace as trace
    from agentbrowser.protocol.registry import EVENTS as EVENTS
    from agentbrowser.protocol.registry import METHODS as METHODS
    from agentbrowser.protocol.registry import Event, Method

_AREAS: Final = {
    "initialize": "lifecycle",
    "shutdown": "lifecycle",
    "rpc.discover": "rpc",
    "agent/act": "agent_act",
    "agent/extract": "agent_extract",
    "agent/observe": "agent_observe",
    "notifications": "events",
    "notifications/handoff": "handoff",
}
"""Areas of the names, or of their first parts, that are not the area's own name."""


def find_method(name: str) -> "Method[..., Any] | None":
    """Return the method of this name; None if there is none."""
    from agentbrowser.protocol import registry

    _import_area_of(name)
    return registry.METHODS.get(name)


def find_event(name: str) -> "Event | None":
    """Return the event of this name; None if there is none."""
    from agentbrowser.protocol import registry

    _import_area_of(name)
    return registry.EVENTS.get(name)


def _import_area_of(name: str) -> None:
    first = name.partition("/")[0]
    area = _AREAS.get(name) or _AREAS.get(first, first)
    if area in _areas():
        importlib.import_module(f"{__name__}.{area}")


@cache
def _areas() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(__path__))


def __getattr__(name: str) -> Any:
    if name in _areas():
        return importlib.import_module(f"{__name__}.{name}")
    if name not in ("EVENTS", "METHODS"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for area in sorted(_areas()):
        importlib.import_module(f"{__name__}.{area}")
    from agentbrowser.protocol import registry

    globals().update(EVENTS=registry.EVENTS, METHODS=registry.METHODS)
    return globals()[name]
