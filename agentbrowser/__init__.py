"""A server that lets an AI agent control a real browser over one WebSocket.

Layout, each layer importing only from those above it (tests/house keeps the table):
  protocol/      errors, data types, messages, codec, registry of methods; the generated contract. No input or output
  policy/        what may pass: URLs, globs, redaction, masking, secrets, approvals, credentials, subscriptions. Pure
  config, nursery, spans, long_work   settings; a nursery for context managers; spans for tracing; threads that give way
  frozen_imports   the import of the server in the programs that run it
  recorder/      flight recorder: journals, archives, viewer, HAR; replay and export of recordings
  methods/       one block for each method of the protocol: declaration and handler
  extraction/    from page data and a schema to typed data. Pure; text schema columns model match output
  browser/       the browser thread (asyncio, Playwright): engine page act observe semantic events; in-page scripts
  client/        the clients for Trio, asyncio and neither; blocking/ is generated where it can be
  tools/         tools for models, on the client: definitions for each API, and the dispatch of calls
  server/        the port and the request path (Trio); rooms gate corridor sessions egress watch
  live/          the live view at /live: persons watch, take pages over and answer approval requests
  forced_exit    the end of the programs that run a server, when their shutdown takes too long
  mcp/           the MCP server: the tools on standard input and output
  cli/           the command line: commands, settings, install, doctor, serve, logs, demo/, verbs/
  deploy/        files for containers, systemd, Kubernetes and the proxy of a fleet
  docs/          the documentation; one page is generated
  sdk/           generated schemas; the TypeScript client
"""

__version__ = "0.1.0"

# Type checkers know this name. To import typing would take a fifth of the time of a warm verb.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from agentbrowser.client import Browser as Browser
    from agentbrowser.client import ConnectionLost as ConnectionLost
    from agentbrowser.client import connect as connect
    from agentbrowser.config import Config as Config
    from agentbrowser.protocol.registry import Scope as Scope
    from agentbrowser.server.app import Server as Server
    from agentbrowser.server.app import open_server as open_server

_PUBLIC = {
    "Browser": "agentbrowser.client",
    "Config": "agentbrowser.config",
    "ConnectionLost": "agentbrowser.client",
    "Scope": "agentbrowser.protocol.registry",
    "Server": "agentbrowser.server.app",
    "connect": "agentbrowser.client",
    "open_server": "agentbrowser.server.app",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})


def __getattr__(name: str) -> "Any":
    # On first use only: a program that is just a client needs neither Playwright nor Hypercorn.
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_PUBLIC[name]), name)
