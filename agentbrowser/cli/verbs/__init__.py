"""Verbs for shell agents: a client that starts fast, and a daemon of the user that holds the browser."""
