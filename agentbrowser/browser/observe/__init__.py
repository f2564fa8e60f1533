"""Observation: refs, looks, screenshots, accessibility trees, page content."""
