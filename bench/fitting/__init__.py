"""Fitting of the extraction model."""
