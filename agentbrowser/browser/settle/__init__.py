"""Waiting for the effects of the client's actions on a page."""
