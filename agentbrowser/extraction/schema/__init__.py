"""Extraction schemas: the fields that a client requests."""
