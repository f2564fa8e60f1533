"""Sessions: client state that outlives connections."""
