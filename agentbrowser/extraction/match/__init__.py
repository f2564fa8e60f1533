"""Matching of page data to the fields of a schema."""
