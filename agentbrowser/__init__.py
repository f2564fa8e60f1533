"""A server that lets an AI agent control a real browser over one WebSocket.

Layout, each layer importing only from those above it (tests/house keeps the table):
  errors, types/            what can go wrong; the shared data types of the protocol
  wire, codec, registry     messages, typed values, declared methods and events: no input or output
  policy, globs, redaction, subscriptions, approval   what may pass, and in what form: rules, likewise pure
  config, credentials       the settings, and the file of tokens that let clients in
  vault, masking            the secrets that agents may use and not see; taking them out of what clients are told
  shapes, openrpc, typescript   the types as JSON Schema, as an OpenRPC document, in TypeScript
  census, tokens, nursery   what is open; how many tokens a text costs a model; a nursery for context managers
  methods/                  one block for each method of the protocol
  browser/                  the browser thread (asyncio, Playwright); js/ runs in pages
  client/                   the clients for Trio, asyncio and neither; blocking/ is generated where it can be
  server/                   the port, the connections, the corridor between them (Trio)
  cli, settings, readers    the command line, and how it, the environment and a file become a Config
  serve, install, doctor, demo/, logs   what the commands do, and what they say of it
  schema, reference, twins, docs/, sdk/   generated files; the documentation; the TypeScript client
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


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})


def __getattr__(name: str) -> Any:
    # On first use only: a program that is just a client needs neither Playwright nor Hypercorn.
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_PUBLIC[name]), name)
