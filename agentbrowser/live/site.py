"""Pages of the live view: its files, the login, and its socket."""

import json
from importlib.resources import files
from typing import Final, Protocol

import attrs

from agentbrowser.browser.portal import Portal
from agentbrowser.live.access import Access, AccessBook
from agentbrowser.live.view import LiveView
from agentbrowser.live.watcher import Watcher
from agentbrowser.server.corridor.approvals import Approvals
from agentbrowser.server.corridor.connection import Connection
from agentbrowser.server.gate.accept import Gate
from agentbrowser.server.gate.auth import Grant, Keyring
from agentbrowser.server.gate.head import LOGIN_PATH, SITE_PATH, Head, Refusal
from agentbrowser.server.gate.site import not_found, response
from agentbrowser.server.gate.socket import Socket
from agentbrowser.server.sessions.handoffs import Handoffs
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.sessions import Sessions

_KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_INDEX: Final = "index.html"


def _read_files() -> dict[bytes, tuple[str, bytes]]:
    """Return the files of the page, by path: content type and contents."""
    found = [one for one in files("agentbrowser.live").joinpath("page").iterdir() if one.is_file()]
    read = {one.name: (_KINDS[one.name.rpartition(".")[2]], one.read_bytes()) for one in found}
    return {SITE_PATH if name == _INDEX else SITE_PATH + f"/{name}".encode(): file for name, file in read.items()}


@attrs.define(eq=False)
class LiveSite:
    """Pages of the live view behind the gate."""

    view: LiveView
    book: AccessBook
    _files: dict[bytes, tuple[str, bytes]] = attrs.field(factory=_read_files, init=False)

    async def respond(self, head: Head, keyring: Keyring) -> bytes:
        """Return the response to a request: a file of the page, or a key. [trio]

        Raises:
          Refusal: there is no such file, or the token or link gives no access.
        """
        if head.path == LOGIN_PATH:
            if head.method != b"POST":
                raise Refusal(405, "Only POST is answered here.", ("Allow: POST",))
            key, access = self.book.log_in(head, keyring)
            return response(head, "application/json", json.dumps({"key": key, "name": access.name}).encode())
        if head.path not in self._files:
            raise not_found()
        return response(head, *self._files[head.path])

    def admit(self, head: Head, keyring: Keyring) -> Access:
        """Return the access of a socket.

        Raises:
          Refusal: it has none, or there are too many watchers.
        """
        access = self.book.admit(head, keyring)
        if not access.has_room_among(one.access for one in self.view.watchers):
            raise Refusal(503, "The live view is full.", ("Retry-After: 1",))
        return access

    async def serve(self, socket: Socket, access: Access) -> None:
        """Serve a watcher until it leaves. [trio]"""
        socket.intake = self.view.intake_of(access)
        await Watcher(socket, access, self.view).serve()


class WatchedServer(Protocol):
    """The part of a server that the live view shows."""

    gate: Gate
    portal: Portal
    approvals: Approvals
    handoffs: Handoffs
    sessions: Sessions
    connections: dict[Connection, Grant]


def open_live_view(server: WatchedServer) -> LiveView:
    """Open the live view of a server on its gate."""
    book, config = AccessBook(), server.gate.config
    own_url = _own_url(server.gate) if server.gate.ports else None

    def sessions() -> list[Session]:
        connected = {one.session: None for one in server.connections}
        return [*connected, *(one for one in server.sessions.parked_sessions if one not in connected)]

    def grant_of(session: Session) -> Grant | None:
        return next((grant for one, grant in server.connections.items() if one.session is session), None)

    view = LiveView(
        portal=server.portal,
        approvals=server.approvals,
        handoffs=server.handoffs,
        book=book,
        sessions=sessions,
        grant_of=grant_of,
        base_url=own_url if config.live_url is None else config.live_url.rstrip("/"),
        idle_s=config.takeover_idle_s,
    )
    server.gate.site = LiveSite(view, book)
    return view


def _own_url(gate: Gate) -> str:
    """Return the URL of the server for browsers on its machine."""
    config = gate.config
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(config.host, config.host)
    return f"{'http' if config.tls_cert is None else 'https'}://{f'[{host}]' if ':' in host else host}:{gate.port}"
