"""Extraction without a language model: from what a page holds, and a schema, to typed data.

Pure but for ``reading.py``, which asks the page: nothing else here needs a browser.
"""
