"""A server that lets an AI agent control a real browser over one WebSocket."""

__version__ = "0.1.0"
