"""Live picture of a page, and the input of a person who has taken it over."""
