"""Fleet of nodes behind HAProxy and Valkey: simulated nodes with many sessions, and real ones with Chromium."""
