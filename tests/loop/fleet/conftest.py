"""A Valkey for the tests of a file, and keys that seal what is saved in it."""

import base64
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.valkey import Valkey, open_valkey


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    """Return a store that the tests of a file share; each uses an owner and ids of its own."""
    with open_valkey(tmp_path_factory.mktemp("valkey")) as running:
        yield running


def write_keys(path: Path, *keys: str) -> str:
    """Write a file of keys for its owner only, and return its path."""
    path.write_text("# keys of a test\n" + "\n".join(keys) + "\n")
    path.chmod(0o600)
    return str(path)


def new_key() -> str:
    return base64.b64encode(os.urandom(32)).decode()


@pytest.fixture
def key_file(tmp_path: Path) -> str:
    return write_keys(tmp_path / "keys", new_key())
