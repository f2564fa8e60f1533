"""Comparison with other browser tools for agents: speed, and amount of text for the model."""
