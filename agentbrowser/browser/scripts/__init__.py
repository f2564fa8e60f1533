"""Scripts that run in pages, as ES modules in rooms, and the bundle that is generated from them."""
