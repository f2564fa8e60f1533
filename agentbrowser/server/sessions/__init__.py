"""Sessions: the state of clients, which outlives their connections."""
