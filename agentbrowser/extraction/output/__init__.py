"""Typed output: values, lists and nested lists."""
