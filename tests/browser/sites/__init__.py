"""Twelve small sites with a task each, and a scripted agent that reads only looks."""
