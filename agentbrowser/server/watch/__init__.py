"""Supervision, metrics and housekeeping of a running server."""
