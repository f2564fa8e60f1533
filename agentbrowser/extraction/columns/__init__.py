"""Columns of values that a page holds, and their names, shapes and typed values."""
