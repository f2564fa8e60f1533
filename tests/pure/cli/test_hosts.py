"""Configuration for MCP hosts: complete, with absolute paths, in the host's format and place."""

import json
import sys
import tomllib
from pathlib import Path, PurePath
from typing import Any

import pytest
from click.testing import CliRunner

from agentbrowser.cli.commands import main
from agentbrowser.cli.hosts import HOSTS, host_config

HOME = Path("/home/ada")
JSON_HOSTS = {
    "claude-code": "mcpServers",
    "claude-desktop": "mcpServers",
    "cursor": "mcpServers",
    "vscode": "servers",
    "gemini": "mcpServers",
}


def server_of(host: str, text: str) -> dict[str, Any]:
    """Return the entry of the server, read as the host reads it."""
    if host == "codex":
        server: dict[str, Any] = tomllib.loads(text)["mcp_servers"]["agentbrowser"]
        return server
    (servers,) = json.loads(text).items()
    assert servers[0] == JSON_HOSTS[host]
    found: dict[str, Any] = servers[1]["agentbrowser"]
    return found


@pytest.mark.parametrize("host", HOSTS)
def test_the_entry_names_this_python_and_its_arguments(host: str) -> None:
    text = host_config(host, ["--tools", "evaluate"], {}, "linux", HOME).text
    server = server_of(host, text)
    assert PurePath(server["command"]).is_absolute()
    assert server["command"] == sys.executable
    assert server["args"] == ["-m", "agentbrowser", "mcp", "--tools", "evaluate"]
    assert "env" not in server


@pytest.mark.parametrize("host", HOSTS)
def test_the_browsers_folder_is_kept(host: str) -> None:
    path = r'C:\browsers "x"'
    text = host_config(host, (), {"PLAYWRIGHT_BROWSERS_PATH": path, "SECRET": "no"}, "linux", HOME).text
    assert server_of(host, text)["env"] == {"PLAYWRIGHT_BROWSERS_PATH": path}


@pytest.mark.parametrize(
    ("host", "platform", "file"),
    [
        ("claude-code", "linux", ".claude.json"),
        ("claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"),
        ("claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("cursor", "linux", ".cursor/mcp.json"),
        ("vscode", "linux", ".config/Code/User/mcp.json"),
        ("vscode", "darwin", "Library/Application Support/Code/User/mcp.json"),
        ("codex", "linux", ".codex/config.toml"),
        ("gemini", "darwin", ".gemini/settings.json"),
    ],
)
def test_each_host_has_its_file(host: str, platform: str, file: str) -> None:
    assert host_config(host, (), {}, platform, HOME).file == HOME / file


def test_the_command_prints_the_entry_alone_on_standard_output() -> None:
    ran = CliRunner().invoke(main, ["mcp", "config", "cursor", "--tools", "evaluate"])
    assert ran.exit_code == 0, ran.output
    assert server_of("cursor", ran.stdout)["args"][-2:] == ["--tools", "evaluate"]
    assert "mcp.json" in ran.stderr


def test_an_entry_that_joins_a_server_says_where_the_token_belongs() -> None:
    words = ["mcp", "config", "cursor"]
    joining = CliRunner().invoke(main, [*words, "--", "--url", "ws://127.0.0.1:9222"])
    assert "AGENT_TOKEN" in joining.stderr
    assert "ws://127.0.0.1:9222" in joining.stdout
    assert "AGENT_TOKEN" not in CliRunner().invoke(main, words).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["config", "emacs"], "there are claude-code, claude-desktop, cursor"),
        (["config", "cursor", "--tools", "evaluate, bogus"], "No group of tools is called bogus"),
        (["config", "cursor", "--tols", "evaluate"], "No such option"),
        (["config", "cursor", "--scope", "ful"], "--scope must be readonly"),
        (["config", "cursor", "--url", "http://127.0.0.1:9222"], "--url must be ws:// or wss://"),
        (["--url", "localhost:9222"], "--url must be ws:// or wss://"),
        (["--tools", "evaluate,bogus"], "No group of tools is called bogus"),
        (["--tools", "x", "config", "cursor"], "behind"),
    ],
)
def test_wrong_usage_is_explained(words: list[str], said: str) -> None:
    ran = CliRunner().invoke(main, ["mcp", *words])
    assert ran.exit_code == 2
    assert said in ran.stderr
