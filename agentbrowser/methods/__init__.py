"""One block for each method of the protocol: its params, its result, its scope, its handler.

An area is imported when it is first used. `METHODS` and `EVENTS` import all areas, so that they are complete.
"""

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    areas = [module.name for module in pkgutil.iter_modules(__path__)]
    if name in areas:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in ("EVENTS", "METHODS"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for area in areas:
        importlib.import_module(f"{__name__}.{area}")
    from agentbrowser.protocol import registry

    globals().update(EVENTS=registry.EVENTS, METHODS=registry.METHODS)
    return globals()[name]
