"""Second process for the half of a fit that does not depend on the other."""

import multiprocessing
from collections.abc import Callable
from typing import Final, Generic, TypeVar

_Result = TypeVar("_Result")
_FORKED: Final = multiprocessing.get_context("fork")
"""A child has the gathered corpus at no cost, and any function of its parent: nothing but its result is copied."""


class Beside(Generic[_Result]):
    """Work in a child process, beside that of its parent. What it changes in memory stays in the child."""

    def __init__(self, work: Callable[[], _Result]) -> None:
        self._results, sender = _FORKED.Pipe(duplex=False)
        self._process = _FORKED.Process(target=lambda: sender.send(work()), daemon=True)
        self._process.start()
        sender.close()  # so that the end of the child is noticed

    def result(self) -> _Result:
        """Wait for the result.

        Raises:
          EOFError: the work failed; its traceback is in the standard error.
        """
        found: _Result = self._results.recv()
        self._process.join()
        return found
