"""Egress proxy ("the wall"): the only way from the browser to the network."""
