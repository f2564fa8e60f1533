"""Look at a page as a document within a token budget."""
