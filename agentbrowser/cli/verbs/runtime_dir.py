"""Runtime directory of the user: socket, token, locks and log of the daemon. Only its user may enter it."""

# Every verb imports this module, so it imports nothing but os and stat.
import os
import stat

VARIABLE = "AGENTBROWSER_RUNTIME_DIR"
SOCKET, TOKEN, LOG = "socket", "token", "log"
START_LOCK, DAEMON_LOCK = "start.lock", "daemon.lock"
_OTHERS = 0o077
_MAX_SOCKET_PATH = 103
"""The shortest limit of the systems that have Unix sockets, that of macOS."""


class BadRuntimeDir(Exception):
    """Runtime directory that can't be trusted; the text is one line with the reason."""


def runtime_dir() -> str:
    """Return the path of the directory, which may not exist yet."""
    if own := os.environ.get(VARIABLE):
        return os.path.abspath(own)
    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and os.path.isdir(base):
        return f"{base}/agentbrowser"
    # A hyphen would make it look like a directory of a driver, which the next server removes.
    return f"{os.environ.get('TMPDIR') or '/tmp'}/agentbrowser.{os.geteuid()}"


def check(directory: str) -> None:
    """Check that the directory is a real one of this user, and closed to all others.

    Otherwise another user could wait there for the token, or put a socket there.

    Raises:
      FileNotFoundError: it does not exist.
      BadRuntimeDir: it can't be trusted.
    """
    hint = f"remove it, or set {VARIABLE} to a directory of your own"
    try:
        found = os.lstat(directory)
    except (NotADirectoryError, PermissionError) as error:
        raise BadRuntimeDir(f"{directory} can't be reached ({error.strerror}); {hint}") from None
    if not stat.S_ISDIR(found.st_mode):
        raise BadRuntimeDir(f"{directory} is no directory; {hint}")
    if found.st_uid != os.geteuid():
        raise BadRuntimeDir(f"{directory} belongs to another user; {hint}")
    if found.st_mode & _OTHERS:
        raise BadRuntimeDir(f"{directory} is open to other users; chmod 700, or {hint}")
    if len(os.fsencode(f"{directory}/{SOCKET}")) > _MAX_SOCKET_PATH:
        raise BadRuntimeDir(f"{directory} is too long for the address of a socket; set {VARIABLE} to a shorter path")


def create(directory: str) -> None:
    """Create the directory if there is none, with its missing parents, and check it.

    Raises:
      BadRuntimeDir: it can't be trusted, or can't be created.
    """
    try:
        _make(directory)
    except OSError as error:
        reason = f"{directory} can't be created ({error.strerror or error})"
        raise BadRuntimeDir(f"{reason}; set {VARIABLE} to a directory of your own") from None
    check(directory)


def _make(directory: str) -> None:
    try:
        os.mkdir(directory, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        _make(os.path.dirname(directory))
        os.mkdir(directory, 0o700)
