"""The shared data types of the protocol, one file a subject. Python names here; `codec` knows the wire names."""
