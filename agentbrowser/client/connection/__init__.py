"""Connection of a client to its server: transport, handshake, pending requests, reconnection."""
