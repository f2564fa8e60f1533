"""Readers of text: words, numbers, dates, kinds of values, in several languages."""
