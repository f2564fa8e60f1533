"""AGENT_* variables of a verb, compared with the settings of the running daemon: a limit that is set must hold."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from agentbrowser.cli.settings import CONFIG_VARIABLE, SETTINGS, BadSetting, load
from agentbrowser.cli.verbs.client import working_directory

_OF_THE_PORT: Final = frozenset(
    {
        *("host", "port", "token", "tokens", "tls_cert", "tls_key", "allowed_hosts", "allowed_origins"),
        *("trusted_proxies", "max_connections", "head_timeout_s", "live_url"),
    }
)
"""Fields that concern a listening port, which the daemon's server has not: AGENT_TOKEN is a client's, too."""
_COMPARED: Final = {setting.variable: setting for setting in SETTINGS if setting.attribute.name not in _OF_THE_PORT}

_READ_AT_START: Final[tuple[str, ...]] = (CONFIG_VARIABLE, "AGENT_APPROVALS", "AGENT_SECRETS_FILE")


@attrs.frozen
class StartSettings:
    """Settings that the daemon was started with, as text by variable, and the folder that paths are relative to."""

    texts: Mapping[str, str]
    cwd: str
    stamps: Mapping[str, tuple[int, int] | None] = attrs.field(factory=dict)
    """Time and size of the files that were read at the start, by variable."""

    @classmethod
    def of(cls, flags: Mapping[str, Any], environ: Mapping[str, str]) -> "StartSettings":
        """Return those of this process: a flag overrides its variable."""
        texts = {name: environ[name] for name in (CONFIG_VARIABLE, *_COMPARED) if name in environ}
        if flags.get("config"):
            texts[CONFIG_VARIABLE] = flags["config"]
        for name, setting in _COMPARED.items():
            if (value := flags.get(setting.key)) not in (None, ()):
                texts[name] = _text(value)
        cwd = working_directory()
        stamps = {name: _stamp(os.path.join(cwd, texts[name])) for name in _READ_AT_START if name in texts}
        return cls(texts, cwd, stamps)

    def problem(self, variables: Mapping[str, str], cwd: str, defaults: Mapping[str, Any]) -> str | None:
        """Return the reason why a verb with these variables can't use the daemon, in one line; None if it can.

        Args:
          cwd: folder of the verb.
          defaults: settings of the daemon that differ from those of a server, by field.
        """
        different = [name for name in (CONFIG_VARIABLE, *_COMPARED) if not self._agrees(name, variables, cwd)]
        if not different:
            return None
        try:
            # The daemon has neither the folder nor the variables for the files of the verb.
            load({}, {name: variables[name] for name in different if not _is_path(name)}, defaults)
        except BadSetting as bad:
            return str(bad)
        verb, it = ("differs", "it") if len(different) == 1 else ("differ", "them")
        return (
            f"{_listed(different)} {verb} from what the running daemon was started with; "
            f"agentbrowser close --all ends it, and the next verb starts one with {it}"
        )

    def _agrees(self, name: str, variables: Mapping[str, str], cwd: str) -> bool:
        if (text := variables.get(name)) is None:
            return True
        started = self.texts.get(name)
        if started is None or not _is_path(name):
            return text == started
        path = os.path.join(self.cwd, started)
        is_as_read = name not in self.stamps or self.stamps[name] == _stamp(path)
        return os.path.join(cwd, text) == path and is_as_read


def _stamp(path: str) -> tuple[int, int] | None:
    """Return the time and the size of a file; None if it can't be read."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _is_path(name: str) -> bool:
    """Return True for a variable whose value may be a relative path."""
    setting = _COMPARED.get(name)
    return setting is None or setting.metavar in ("FILE", "DIRECTORY") or setting.name == "audit-log"


def _text(value: Any) -> str:
    """Return the value of a flag as its variable has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else ",".join(value)


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
