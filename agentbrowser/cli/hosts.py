"""Configuration of `agentbrowser mcp` in MCP hosts: the text to add, and the file that it belongs to."""

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from agentbrowser.cli.failures import BadUsage

NAME: Final = "agentbrowser"
_KEPT_VARIABLES: Final = ("PLAYWRIGHT_BROWSERS_PATH",)
"""Variables that the browser is found by. A host with a window of its own does not inherit the shell's."""
_STARTUP_TIMEOUT_S: Final = 30


class HostConfig(NamedTuple):
    """The configuration for one host."""

    file: Path
    """The host's file for the configuration of the user."""
    text: str
    """What to add to it, in its format."""
    command: str | None = None
    """A command of the host that adds it."""


def host_config(
    host: str,
    arguments: Sequence[str] = (),
    environ: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    home: Path | None = None,
) -> HostConfig:
    """Return the configuration for one of `HOSTS`, with absolute paths: hosts with windows lack the shell's PATH.

    Args:
      arguments: further arguments of `agentbrowser mcp`.
      platform: as `sys.platform`; it decides where the file is.
      home: the user's directory; by default that of the process.
    """
    words = [sys.executable, "-m", "agentbrowser", "mcp", *arguments]
    variables = {name: environ[name] for name in _KEPT_VARIABLES if name in environ}
    server: dict[str, Any] = {"command": words[0], "args": words[1:]} | ({"env": variables} if variables else {})
    return HOSTS[host](server, _Folders(home or Path.home(), environ, platform))


def read_groups(text: str) -> tuple[str, ...]:
    """Read the value of ``--tools``: groups of tools, separated by commas.

    Raises:
      BadUsage: there is no such group.
    """
    from agentbrowser.protocol.errors import InvalidParams
    from agentbrowser.tools.table import tools_of

    groups = tuple(filter(None, (group.strip() for group in text.split(","))))
    try:
        tools_of(groups)
    except InvalidParams as unknown:
        raise BadUsage(unknown.message) from None
    return groups


class _Folders(NamedTuple):
    """Folders in which hosts keep their configuration."""

    home: Path
    environ: Mapping[str, str]
    platform: str

    def of_application(self, *names: str) -> Path:
        """Return the path below the folder for the settings of applications."""
        if self.platform == "darwin":
            return self.home.joinpath("Library", "Application Support", *names)
        if self.platform == "win32":
            return Path(self.environ.get("APPDATA", self.home / "AppData" / "Roaming"), *names)
        return Path(self.environ.get("XDG_CONFIG_HOME", self.home / ".config"), *names)


def _claude_code(server: Mapping[str, Any], folders: _Folders) -> HostConfig:
    variables = [word for name, value in server.get("env", {}).items() for word in ("--env", f"{name}={value}")]
    # --env takes all words up to the next option, so the name does not follow it.
    words = ["claude", "mcp", "add", *variables, "--scope", "user", NAME, "--", server["command"], *server["args"]]
    text = _as_json("mcpServers", {"type": "stdio", **server})
    return HostConfig(folders.home / ".claude.json", text, shlex.join(words))


def _claude_desktop(server: Mapping[str, Any], folders: _Folders) -> HostConfig:
    return HostConfig(folders.of_application("Claude", "claude_desktop_config.json"), _as_json("mcpServers", server))


def _cursor(server: Mapping[str, Any], folders: _Folders) -> HostConfig:
    return HostConfig(folders.home / ".cursor" / "mcp.json", _as_json("mcpServers", server))


def _vscode(server: Mapping[str, Any], folders: _Folders) -> HostConfig:
    text = _as_json("servers", {"type": "stdio", **server})
    command = shlex.join(["code", "--add-mcp", json.dumps({"name": NAME, **server})])
    return HostConfig(folders.of_application("Code", "User", "mcp.json"), text, command)


def _codex(server: Mapping[str, Any], folders: _Folders) -> HostConfig:
    """Return TOML; its strings and arrays of strings are written as in JSON."""
    lines = [
        f"[mcp_servers.{NAME}]",
        f"command = {json.dumps(server['command'])}",
        f"args = {json.dumps(server['args'])}",
        f"startup_timeout_sec = {_STARTUP_TIMEOUT_S}",
    ]
    if variables := server.get("env"):
        lines += ["", f"[mcp_servers.{NAME}.env]"]
        lines += [f"{name} = {json.dumps(value)}" for name, value in variables.items()]
    root = Path(folders.environ.get("CODEX_HOME", folders.home / ".codex"))
    return HostConfig(root / "config.toml", "\n".join(lines))


def _gemini(server: Mapping[str, Any], folders: _Folders) -> HostConfig:
    return HostConfig(folders.home / ".gemini" / "settings.json", _as_json("mcpServers", server))


def _as_json(key: str, server: Mapping[str, Any]) -> str:
    return json.dumps({key: {NAME: server}}, indent=2)


HOSTS: Final[Mapping[str, Callable[[Mapping[str, Any], _Folders], HostConfig]]] = {
    "claude-code": _claude_code,
    "claude-desktop": _claude_desktop,
    "cursor": _cursor,
    "vscode": _vscode,
    "codex": _codex,
    "gemini": _gemini,
}
