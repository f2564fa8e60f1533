"""Listening port: HTTP, handshakes, authentication and WebSocket framing."""
