"""Extraction without a language model: from the data gathered in a page, and a schema, to typed data.

Pure: `agentbrowser.browser.extraction` gathers the data of a tab. The rooms are layers, from the lowest to the highest:
``text``, ``schema``, ``columns``, ``model``, ``match``, ``output``; ``extract.py`` is the entry.
"""
