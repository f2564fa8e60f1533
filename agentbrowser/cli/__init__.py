"""Command line and its settings."""
