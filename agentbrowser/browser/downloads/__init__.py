"""Downloads of pages: the files of each client, and the guard of their disk space."""
