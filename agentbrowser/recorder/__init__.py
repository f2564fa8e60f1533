"""The flight recorder: journals of sessions, their archives, HAR files and viewer, and tests made of them."""
