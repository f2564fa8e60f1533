"""Client of the verbs: sends its arguments to the user's daemon, and prints the answer.

Each verb runs it in a new process, and most of its time is Python's start. So it imports next to nothing (a test pins
the modules): the daemon parses the arguments and makes the text, and what a cold start needs is imported then.
"""

import os
import sys

from agentbrowser import __version__
from agentbrowser.cli.verbs.runtime_dir import SOCKET, TOKEN, BadRuntimeDir, check, runtime_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    from collections.abc import Sequence

    from agentbrowser.cli.verbs.start import Spawn

NAMES = frozenset(
    {
        *("open", "back", "forward", "reload", "look", "click", "dblclick", "rightclick", "hover"),
        *("fill", "type", "clear", "press", "select", "check", "uncheck", "scroll", "drag", "upload"),
        *("dialog", "wait", "extract", "screenshot", "tabs", "download", "eval", "run", "state"),
        "close",
    }
)
"""The verbs; `agentbrowser.cli.verbs.table` describes them."""
SESSION_VARIABLE = "AGENTBROWSER_SESSION"
SETTINGS_PREFIX = "AGENT_"
"""Prefix of the variables of settings, which the daemon compares with its own."""
ACCEPTED, REPLACED, REJECTED = b"+", b"!", b"?"
"""First byte of an answer: the verb runs; the daemon has another version, and has ended; the token is wrong."""
_FLAGS_WITH_VALUE = ("-s", "--session", "--tab")
_HELP_FLAGS = ("-h", "--help")
_STDIN = "-"
_STDIN_READERS = frozenset({"fill", "type", "eval", "run", "extract", "state"})
"""Verbs that take text from standard input; for the others, ``-`` is a key, an option or a button's name."""
MAX_STDIN_BYTES = 16 * 1024 * 1024
_REMOVED = "/removed-folder"
_ATTEMPTS = 10
_SILENCE_S = 30.0
"""Time without a byte of the daemon, which accepts a verb at once, and repeats that while the verb runs."""
_FAILED, _BAD_USAGE, _BROKEN, _INTERRUPTED = 1, 2, 70, 130


class NoDaemon(Exception):
    """No daemon has accepted the verb, so it may be sent to the next one."""


class DaemonLost(Exception):
    """The daemon has ended while the verb ran; the text is one line."""


def is_verb(words: list[str]) -> bool:
    """Return True if the command line is that of a verb; the options of all verbs may stand before it."""
    _, rest = split(words)
    return bool(rest) and rest[0] in NAMES


def split(words: "Sequence[str]") -> "tuple[Sequence[str], Sequence[str]]":
    """Return the options before the verb, and the verb with all that follows."""
    index = 0
    while index < len(words) and words[index].startswith("-"):
        index += 2 if words[index] in _FLAGS_WITH_VALUE else 1
    return words[:index], words[index:]


def main(words: list[str]) -> int:
    """Run a verb, and return its exit code."""
    has_stdin = sys.stdin is not None
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _open_missing_streams()
    try:
        if any(word in _HELP_FLAGS for word in words):
            from agentbrowser.cli.verbs.parser import help_of

            return _print(help_of(words).encode(), 0)
        reads_stdin = _STDIN in words and split(words)[1][0] in _STDIN_READERS
        stdin = sys.stdin.buffer.read(MAX_STDIN_BYTES + 1) if reads_stdin and has_stdin else b""
        if reads_stdin and not has_stdin:
            code, output = not_run(words, "agentbrowser: - reads standard input, which is closed", _BAD_USAGE)
        elif len(stdin) > MAX_STDIN_BYTES:
            text = f"agentbrowser: - reads standard input, which has more than {MAX_STDIN_BYTES} bytes"
            code, output = not_run(words, text, _BAD_USAGE)
        else:
            code, output = ask(words, stdin)
        return _print(output, code)
    except KeyboardInterrupt:
        return _INTERRUPTED  # the daemon cancels the verb, since the connection is closed
    except (BadRuntimeDir, DaemonLost) as error:
        code, output = not_run(words, f"agentbrowser: {error}", _BROKEN, type(error).__name__)
        return _print(output, code)


def ask(
    words: list[str], stdin: bytes = b"", directory: str | None = None, spawn: "Spawn | None" = None
) -> tuple[int, bytes]:
    """Return the exit code and the output of a verb; start a daemon if there is none and the verb needs one.

    Args:
      spawn: starts a daemon; by default a process.

    Raises:
      BadRuntimeDir: the runtime directory can't be trusted.
      DaemonLost: no daemon could be started, or it has ended while the verb ran.
    """
    if not hasattr(os, "geteuid"):
        raise BadRuntimeDir("the verbs need a system with Unix sockets")
    directory = directory or runtime_dir()
    for _ in range(_ATTEMPTS):
        try:
            check(directory)
            return send(directory, words, stdin)
        except (NoDaemon, FileNotFoundError):
            from agentbrowser.cli.verbs.start import start_daemon

            if (answer := start_daemon(directory, words, spawn)) is not None:
                return answer
    raise DaemonLost("no daemon stays: each one has ended before it accepted the verb")


def send(directory: str, words: list[str], stdin: bytes = b"") -> tuple[int, bytes]:
    """Send a verb to the running daemon, and return its exit code and output.

    Raises:
      NoDaemon: none listens, or it ends and has not begun.
      DaemonLost: it has ended while the verb ran, or its process is stopped.
    """
    connection = connect(directory)
    connection.settimeout(_SILENCE_S)
    try:
        variables = [f"{name}={value}" for name, value in os.environ.items() if name.startswith(SETTINGS_PREFIX)]
        head = [_token(directory), __version__, os.environ.get(SESSION_VARIABLE, ""), working_directory()]
        head += [str(len(variables)), *variables, *words]
        encoded = "\0".join(head).encode("utf-8", "surrogateescape")
        try:
            connection.sendall(b"%d %d\n" % (len(encoded), len(stdin)) + encoded + stdin)
            answer = _received(connection)
        except TimeoutError:
            text = f"the daemon has not accepted the verb in {_SILENCE_S:g} s: {_remedy(connection)}"
            raise DaemonLost(text) from None
        except OSError:
            raise NoDaemon from None
    finally:
        connection.close()
    if answer.startswith(REJECTED):
        raise DaemonLost(f"the daemon rejects the token in {directory}: end the daemon, and remove the directory")
    if not answer.startswith(ACCEPTED):
        raise NoDaemon
    first, _, output = answer.lstrip(ACCEPTED).partition(b"\n")
    code, _, size = first.partition(b" ")
    if not size or len(output) != int(size):
        raise DaemonLost("the daemon has ended while the verb ran; look again before you repeat it")
    return int(code), output


def connect(directory: str) -> "_socket.socket":
    """Return a connection to the daemon's socket.

    Raises:
      NoDaemon: none listens.
    """
    # The module behind socket, which takes 5 ms to import.
    from _socket import AF_UNIX, SOCK_STREAM, socket

    connection = socket(AF_UNIX, SOCK_STREAM)
    try:
        connection.connect(f"{directory}/{SOCKET}")
    except OSError:
        connection.close()
        raise NoDaemon from None
    return connection


def working_directory() -> str:
    """Return the folder of the verb, also if it has been removed: only files in it can't be read or written then."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return os.environ.get("PWD") or _REMOVED  # some shells empty it


def _token(directory: str) -> str:
    try:
        with open(f"{directory}/{TOKEN}", encoding="utf-8") as file:
            return file.read()
    except OSError:
        raise NoDaemon from None


def _received(connection: "_socket.socket") -> bytes:
    """Return all that the daemon sends until it closes the connection; a reset after its first byte ends it, too.

    Raises:
      TimeoutError: it has sent nothing; DaemonLost if it has accepted the verb before.
    """
    parts: list[bytes] = []
    try:
        while part := connection.recv(1 << 18):
            parts.append(part)
    except TimeoutError:
        if not parts:
            raise
        text = f"the daemon has been silent for {_SILENCE_S:g} s while the verb ran"
        raise DaemonLost(f"{text}: {_remedy(connection)}, then look again") from None
    except OSError:
        if not parts:
            raise
    return b"".join(parts)


def _remedy(connection: "_socket.socket") -> str:
    """Return how to end the daemon: one that is stopped or hangs obeys no other signal."""
    try:
        from _socket import SO_PEERCRED, SOL_SOCKET
    except ImportError:  # only Linux names the peer of a socket so
        return "end its process"
    pid = int.from_bytes(connection.getsockopt(SOL_SOCKET, SO_PEERCRED, 4), sys.byteorder)
    return f"end it (kill -9 {pid})"


def not_run(words: "Sequence[str]", text: str, code: int, kind: str | None = None) -> tuple[int, bytes]:
    """Return the answer for a verb that no daemon has answered, with the class of its error."""
    from agentbrowser.cli.verbs.outcome import not_run as outcome_of
    from agentbrowser.cli.verbs.parser import wants_json

    return code, outcome_of(text, code, kind).printed(as_json=wants_json(words))


def _open_missing_streams() -> None:
    """Open /dev/null for each closed standard stream: a socket or the daemon's pipe would take its descriptor."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def _print(text: bytes, code: int) -> int:
    """Write all of an output, and return the exit code: that of the verb, also if its reader has enough.

    sys.stdout would hold some of it back until the end, where errors are noisy.
    """
    try:
        while text:
            text = text[os.write(1, text) :]
    except BrokenPipeError:
        return code
    except OSError as error:
        reason = f"the verb has ended with {code}, and its output can't be written: {error.strerror}"
        sys.stderr.write(f"agentbrowser: {reason}\n")
        return code or _FAILED
    return code
