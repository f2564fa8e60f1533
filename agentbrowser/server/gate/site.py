"""Pages of the server itself at ``/live``: origins, the form of a response, and what the gate needs of the site."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Protocol

from agentbrowser.server.gate.head import SITE_PATH, Head, Refusal, check_origin

if TYPE_CHECKING:
    from agentbrowser.server.gate.auth import Keyring
    from agentbrowser.server.gate.socket import Socket

SOCKET_PATH: Final = SITE_PATH + b"/socket"

_HEADERS: Final = (
    # No foreign request, no frame around the page, no form: what it shows comes from pages that nobody trusts.
    "Content-Security-Policy: default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options: nosniff",
    "X-Frame-Options: DENY",
    "Referrer-Policy: no-referrer",
    "Cross-Origin-Opener-Policy: same-origin",
    "Cross-Origin-Resource-Policy: same-origin",
    "Cache-Control: no-store",
    "Connection: close",
)


class Site(Protocol):
    """Pages of the server itself, and their socket."""

    async def respond(self, head: Head, keyring: "Keyring") -> bytes:
        """Return the complete response to a request. [trio]

        Raises:
          Refusal: the request is refused.
        """
        ...

    def admit(self, head: Head, keyring: "Keyring") -> Any:
        """Return the access of a socket.

        Raises:
          Refusal: it has none.
        """
        ...

    async def serve(self, socket: "Socket", access: Any) -> None:
        """Serve a socket until its peer leaves. [trio]"""


def is_site(head: Head) -> bool:
    """Return True for a request to the site."""
    return head.path == SITE_PATH or head.path.startswith(SITE_PATH + b"/")


def check_site_origin(head: Head, url: str | None, *, has_tls: bool) -> None:
    """Raise for a request to the site from any web page but its own. The Host was checked.

    Args:
      url: the URL of the server behind a proxy, if the operator has named it.

    A link on another page may lead to the site, which then opens in a tab of its own: it shows nothing without a key.

    Raises:
      Refusal: 403, the origin is not the server's own.
    """
    is_opened = (head.sole(b"sec-fetch-mode"), head.sole(b"sec-fetch-dest")) == (b"navigate", b"document")
    if head.path == SITE_PATH and is_opened and not head.upgrade and not head.values(b"origin"):
        return
    host = (head.sole(b"host") or b"").decode("ascii").lower()
    check_origin(head, (f"{'https' if has_tls else 'http'}://{host}", *([url.rstrip("/")] if url else ())))


def response(head: Head, kind: str, body: bytes, status: int = 200) -> bytes:
    """Return a complete response; one to HEAD has no body."""
    lines = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        *_HEADERS,
    )
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + (b"" if head.method == b"HEAD" else body)


def not_found() -> Refusal:
    """Return the refusal of an unknown path."""
    return Refusal(404, "Nothing is here.")
