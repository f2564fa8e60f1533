"""Storage of a context: cookies, web storage and databases."""
