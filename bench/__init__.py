"""Measurements: one question a script, answered with ratios against a baseline of the same run."""
