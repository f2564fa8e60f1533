"""A server that lets an AI agent control a real browser over one WebSocket.

Layout, each layer importing only from those above it (tests/house keeps the table):
  errors, types/            what can go wrong; the shared data types of the protocol
  wire, codec, registry     messages, typed values, declared methods and events: no input or output
  policy, globs, redaction, subscriptions, approval   what may pass, and in what form: rules, likewise pure
  shapes, openrpc, config, credentials, nursery       JSON Schema of the types; settings; tokens; a nursery
  vault, masking            the secrets that agents may use and not see; taking them out of what clients are told
  methods/                  one block for each method of the protocol
  browser/ · client/        the browser thread (asyncio, Playwright) · the Trio client
  server/                   the port, the connections, the corridor between them (Trio)
  cli, settings, serve, install, doctor, demo/, logs, schema, twins   the command line, what is generated
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from agentbrowser.client import Browser as Browser
    from agentbrowser.client import ConnectionLost as ConnectionLost
    from agentbrowser.client import connect as connect
    from agentbrowser.config import Config as Config
    from agentbrowser.registry import Scope as Scope
    from agentbrowser.server.app import Server as Server
    from agentbrowser.server.app import open_server as open_server

_PUBLIC = {
    "Browser": "agentbrowser.client",
    "Config": "agentbrowser.config",
    "ConnectionLost": "agentbrowser.client",
    "Scope": "agentbrowser.registry",
    "Server": "agentbrowser.server.app",
    "connect": "agentbrowser.client",
    "open_server": "agentbrowser.server.app",
}


def __getattr__(name: str) -> Any:
    # On first use only: a program that is just a client needs neither Playwright nor Hypercorn.
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_PUBLIC[name]), name)
