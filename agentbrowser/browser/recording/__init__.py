"""Pictures, bodies and event kinds that the flight recorder takes from pages."""
