"""Shared data types of the protocol, one module for each area. Fields have Python names; `codec` maps wire names."""
