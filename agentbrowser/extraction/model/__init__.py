"""Learned model: features, weights and trees."""
