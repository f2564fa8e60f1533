"""The command live: the address in its link, and a server that is not there."""

import pytest
from click.testing import CliRunner

from agentbrowser.cli.commands import main
from agentbrowser.cli.live import reachable


@pytest.mark.parametrize(
    ("link", "url", "shown"),
    [
        ("http://127.0.0.1:9222/live#k", "ws://127.0.0.1:9222", "http://127.0.0.1:9222/live#k"),
        ("http://127.0.0.1:9222/live#k", "ws://browser.example:80", "http://browser.example:80/live#k"),
        ("http://localhost:9222/live#k", "wss://browser.example", "https://browser.example/live#k"),
        ("http://[::1]:9222/live#k", "ws://[::1]:9333", "http://[::1]:9333/live#k"),
        ("https://named.example/live#k", "ws://127.0.0.1:9222", "https://named.example/live#k"),
    ],
)
def test_the_link_has_the_address_at_which_the_server_was_reached(link: str, url: str, shown: str) -> None:
    assert reachable(link, url) == shown


def test_a_server_that_is_not_there_is_an_error_without_a_trace() -> None:
    ran = CliRunner().invoke(main, ["live", "--url", "ws://127.0.0.1:1", "--no-open"])
    assert ran.exit_code == 1
    assert ran.stderr.startswith("agentbrowser: ")
    assert ran.stdout == ""
