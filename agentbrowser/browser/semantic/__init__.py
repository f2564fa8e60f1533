"""Semantic selectors: elements found by a description in words."""
