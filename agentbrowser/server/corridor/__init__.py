"""Request path: from a message on a connection to a handler, and back."""
