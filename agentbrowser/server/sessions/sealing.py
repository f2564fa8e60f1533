"""Sealing of snapshots for a store that others can read: compressed, then AES-256-GCM, bound to a row."""

import base64
import binascii
import hashlib
import os
import stat
import zlib
from pathlib import Path
from typing import Final, Self

import attrs
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from agentbrowser.server.sessions.store import MAX_SNAPSHOT_BYTES, BadStore

_KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_NAME_BYTES: Final = 8
_FORMAT: Final = b"\x01"
_LEVEL: Final = 1
"""Level of compression: the higher ones take several times as long, and save little."""


class CannotUnseal(Exception):
    """Sealed text of an unknown key, of another row, or damaged."""


@attrs.frozen
class SealingKeys:
    """Keys of the operator: the first one seals, and all of them open."""

    _keys: dict[bytes, AESGCM] = attrs.field(repr=False)
    """Ciphers by the names of their keys, the sealing one first."""

    @classmethod
    def read(cls, path: str) -> Self:
        """Read a file of keys: a line of base64 each; empty lines, and those that begin with #, are ignored. Blocks.

        Raises:
          BadStore: the file can't be read, every user can read it, or a line is no key.
        """
        expected = "each line must be 32 random bytes in base64, as `openssl rand -base64 32` prints"
        try:
            with Path(path).open(encoding="ascii") as file:
                # A group may read it: a secret that Kubernetes mounts is root's, and readable for the pod's group.
                exposed = os.fstat(file.fileno()).st_mode & (stat.S_IWGRP | stat.S_IRWXO)
                lines = [line.strip() for line in file]
        except OSError as error:
            raise BadStore(f"state_key_file {path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise BadStore(f"state_key_file {path}: {expected}") from None
        if exposed and os.name == "posix":
            raise BadStore(f"state_key_file {path}: every user can read or change the keys; chmod 600")
        keys = [_key(line) for line in lines if line and not line.startswith("#")]
        if not keys or None in keys:
            raise BadStore(f"state_key_file {path}: {expected}")
        return cls({_name(key): AESGCM(key) for key in keys if key is not None})

    def seal(self, text: bytes, row: bytes) -> bytes:
        """Return the text sealed for a row. Blocks for long texts."""
        name, cipher = next(iter(self._keys.items()))
        nonce = os.urandom(_NONCE_BYTES)
        return _FORMAT + name + nonce + cipher.encrypt(nonce, zlib.compress(text, _LEVEL), _FORMAT + name + row)

    def unseal(self, sealed: bytes, row: bytes) -> bytes:
        """Return the text that was sealed for a row. Blocks for long texts.

        Raises:
          CannotUnseal: the key is unknown, or the text is not that of the row.
        """
        start = len(_FORMAT) + _NAME_BYTES
        head, nonce, rest = sealed[:start], sealed[start : start + _NONCE_BYTES], sealed[start + _NONCE_BYTES :]
        cipher = self._keys.get(head[len(_FORMAT) :])
        if cipher is None or not head.startswith(_FORMAT):
            raise CannotUnseal("no key of --state-key-file has sealed it")
        try:
            return zlib.decompressobj().decompress(cipher.decrypt(nonce, rest, head + row), MAX_SNAPSHOT_BYTES)
        except (InvalidTag, ValueError, zlib.error):
            raise CannotUnseal("it is damaged, or another session's") from None


def _key(line: str) -> bytes | None:
    try:
        key = base64.b64decode(line, altchars=b"-_" if set(line) & set("-_") else None, validate=True)
    except binascii.Error:
        return None
    return key if len(key) == _KEY_BYTES else None


def _name(key: bytes) -> bytes:
    """Return the public name of a key."""
    return hashlib.sha256(b"agentbrowser state key" + key).digest()[:_NAME_BYTES]
