"""The start of a server as a program."""

import errno
import os

import pytest

from agentbrowser.cli.serve import CannotListen, _open_gate
from agentbrowser.config import Config


async def test_only_the_gate_blames_the_address() -> None:
    with pytest.raises(OSError, match="Too many open files"):
        async with _open_gate(Config(port=0)):
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    async with _open_gate(Config(port=0)) as gate:
        with pytest.raises(CannotListen, match="is in use"):
            async with _open_gate(Config(port=gate.port)):
                pytest.fail("opened twice")
