"""Settings of all tests: how many run at once, and that none of them fails because the machine is busy."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_xdist_auto_num_workers() -> int:
    """Return three workers for two cores: half of the browser tests' time is waiting."""
    return (os.cpu_count() or 1) * 3 // 2
