"""Command line, and the settings that it reads."""
