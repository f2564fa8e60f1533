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


@pytest.mark.parametrize(
    ("option", "value", "exit_code", "said"),
    [
        ("--url", "ws://127.0.0.1:1", 1, "No agentbrowser server answers at ws://127.0.0.1:1."),
        ("--url", "foo", 2, "--url must be ws:// or wss://, a host and perhaps a port"),
        ("--token", "two words", 2, "--token (AGENT_TOKEN) must be printable ASCII without spaces"),
    ],
)
def test_a_wrong_address_is_an_error_without_a_trace(option: str, value: str, exit_code: int, said: str) -> None:
    ran = CliRunner().invoke(main, ["live", option, value, "--no-open"])
    assert ran.exit_code == exit_code
    assert ran.stderr.startswith(f"agentbrowser: {said}")
    assert ran.stdout == ""
