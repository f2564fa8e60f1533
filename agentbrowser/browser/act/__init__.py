"""Actions on elements: locate, prepare, act, verify."""
