"""The server: one port, its connections, and the way of a request through them."""
