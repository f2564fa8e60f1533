"""Settings of all tests: how many run at once, and that none of them fails because the machine is busy."""

import os
from collections.abc import Callable

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_xdist_auto_num_workers() -> int:
    """Return three workers for two cores: half of the browser tests' time is waiting."""
    return (os.cpu_count() or 1) * 3 // 2


def _sparing_the_tests(send: Callable[[int, int], None]) -> Callable[[int, int], None]:
    def checked(pid: int, number: int) -> None:
        # The pid 0 is the sender's group, and -1 is everybody: a SIGSTOP there once stopped a whole CI run.
        assert pid not in (0, -1), "a signal to the process group of the tests"
        send(pid, number)

    return checked


os.kill = _sparing_the_tests(os.kill)
if hasattr(os, "killpg"):
    os.killpg = _sparing_the_tests(os.killpg)
