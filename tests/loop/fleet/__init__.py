"""Nodes of a fleet: the shared store, and two servers with scripted browsers."""
