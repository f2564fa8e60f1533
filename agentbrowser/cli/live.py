"""agentbrowser live: print a link to the live view of a running server, and open it."""

import sys
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import click

_DEFAULT_URL: Final = "ws://127.0.0.1:9222"
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


@click.command()
@click.argument("session", required=False)
@click.option("--url", default=_DEFAULT_URL, show_default=True, help="running server")
@click.option("--token", envvar="AGENT_TOKEN", help="token of scope privileged  [AGENT_TOKEN]")
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="open the link in a browser")
def live(session: str | None, url: str, token: str | None, opens: bool) -> None:
    """Print a link to the live view, and open it.

    SESSION is the id or the number of the only session to show. The link is good for one use within ten minutes.
    """
    from agentbrowser.cli.failures import check_server, reported
    from agentbrowser.client import blocking

    check_server(url, token)
    with reported(), blocking.connect(url, token=token) as browser:
        params = {} if session is None else {"session": session}
        link = reachable(str(browser.request("live/link", params)["url"]), url)
    click.echo(link)
    if opens and sys.stdout.isatty():
        click.launch(link)


def reachable(link: str, url: str) -> str:
    """Return a link with the address at which the server was reached, unless the operator has named another."""
    made, reached = urlsplit(link), urlsplit(url)
    if made.hostname not in _LOOPBACK:
        return link
    scheme = "https" if reached.scheme == "wss" else "http"
    return urlunsplit((scheme, reached.netloc, made.path, made.query, made.fragment))
