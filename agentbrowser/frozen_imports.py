"""Import of the server in the programs that run it: `serve`, `mcp` and the daemon of the verbs.

It is a module of its own since each of them has to open its port, or its streams, before it loads anything else.
"""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def frozen_imports() -> Iterator[None]:
    """Freeze what the block imports: a garbage collection that scans it would hold the loops up for 0.1 s.

    No collection runs meanwhile: nearly all of the objects stay, and to scan them again and again takes a seventh of
    the import.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
    gc.collect()
    gc.freeze()
