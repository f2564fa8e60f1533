"""Start of the daemon by the first verb. Of several verbs at once, one starts it, and the others wait."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from agentbrowser.cli.verbs.client import NoDaemon, connect, not_run
from agentbrowser.cli.verbs.runtime_dir import LOG, START_LOCK, create

READY: Final = b"ready"
_LAST_LINES: Final = 5
_BAD_USAGE, _NO_BROWSER, _BROKEN = 2, 69, 70

Spawn = Callable[[str], tuple[int, str] | None]
"""Starts a daemon for a directory, and waits until it listens; returns exit code and reason if it does not."""


def start_daemon(directory: str, words: list[str], spawn: Spawn | None) -> tuple[int, bytes] | None:
    """Start a daemon unless one listens; return the answer for the verb if it needs none, or can't have one.

    Raises:
      BadRuntimeDir: the directory can't be trusted.
    """
    from agentbrowser.cli.verbs.outcome import closed
    from agentbrowser.cli.verbs.parser import BadArguments, parse, wants_json

    try:
        verb = parse(words).verb  # a mistyped option starts no browser
    except BadArguments as bad:
        return not_run(words, str(bad), _BAD_USAGE)
    if verb == "close":
        return 0, closed(()).printed(as_json=wants_json(words))
    try:
        create(directory)
        with _locked(f"{directory}/{START_LOCK}"):
            try:
                connect(directory).close()
            except NoDaemon:
                failed = (spawn or _spawn)(directory)
                return None if failed is None else not_run(words, f"agentbrowser: {failed[1]}", failed[0])
    except OSError as error:
        return not_run(words, f"agentbrowser: no daemon could be started: {error}", _BROKEN)
    return None


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Hold a lock, which the system releases if the process dies."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _spawn(directory: str) -> tuple[int, str] | None:
    """Start the daemon in a session of its own, so that signals for the verb do not reach it."""
    log = _empty_log(f"{directory}/{LOG}")
    ready, notice = os.pipe()
    try:
        # -P: nothing is imported from the folder that the agent happens to work in.
        command = [sys.executable, "-P", "-m", "agentbrowser", "daemon", "--directory", directory]
        process = subprocess.Popen(
            [*command, "--ready", str(notice)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=(notice,),
            start_new_session=True,
        )
    finally:
        os.close(log)
        os.close(notice)
    with open(ready, "rb") as notices:
        if notices.read(len(READY)) == READY:
            process.returncode = 0  # it outlives this process, and nobody waits for it
            return None
    code = process.wait()
    with open(f"{directory}/{LOG}", encoding="utf-8", errors="replace") as file:
        lines = file.read().strip().splitlines()[-_LAST_LINES:]
    reason = "\n".join(lines).removeprefix("agentbrowser: ")
    # Its other codes are those of a command; for a verb, 1 is an action that has failed.
    code_of_verb = code if code in (_BAD_USAGE, _NO_BROWSER) else _BROKEN
    return code_of_verb, reason or f"the daemon has ended with {code}, and has written nothing to {directory}/{LOG}"


def _empty_log(path: str) -> int:
    """Open the log for a new daemon.

    Raises:
      OSError: it can't be written, such as on a full disk, where a daemon could not say why it ends.
    """
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        os.write(log, b"\n")
    except OSError as error:
        os.close(log)
        raise OSError(error.errno, error.strerror, path) from None
    return log
