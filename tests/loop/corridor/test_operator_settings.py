"""What names a path, a program or a proxy is the operator's: no client sets it, with whatever scope."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import attrs
import pytest

from agentbrowser.config import Config
from agentbrowser.methods import METHODS
from agentbrowser.methods.browser import LaunchParams
from agentbrowser.protocol.codec import wire_fields
from agentbrowser.protocol.registry import Scope
from tests.loop.memory_client import FakeTabs, dialogue

PROXY = {"server": "direct://"}
HOSTILE: dict[str, list[Any]] = {
    "executablePath": ["/bin/sh", "", "chromium", 7],
    "userDataDir": ["/home/ada/.config/chromium", ".", {"x": 1}],
    "downloadsPath": ["/etc", "../.."],
    "cdpUrl": ["http://127.0.0.1:9222", "ws://169.254.169.254/"],
    "proxy": [PROXY, "socks5://evil.test:1", {}],
    "env": [{"LD_PRELOAD": "/tmp/x.so"}, ["A=b"]],
    "channel": ["chrome", "/bin/sh", "msedge"],
    "browser": ["firefox", "webkit", "/bin/sh"],
    "headless": [False],
    "args": [
        ["--proxy-server=direct://"],
        ["--remote-debugging-port=9223"],
        ["--renderer-cmd-prefix=/bin/sh"],
        ["--host-resolver-rules=MAP * 127.0.0.1"],
        ["--disable-gpu", "--load-extension=/tmp/x"],
        ["--user-data-dir=/root"],
        [" --no-sandbox"],
        ["file:///etc/passwd"],
        "--no-sandbox",
    ],
    "ignoreDefaultArgs": [True],
    "chromiumSandbox": [False],
    "tracesDir": ["/etc"],
    "firefoxUserPrefs": [{}],
    "artifactsDir": ["/etc"],
    "downloads_path": ["/etc"],
    "executable_path": ["/bin/sh"],
}
CASES = [(name, value) for name, values in HOSTILE.items() for value in values]


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize(("name", "value"), CASES, ids=str)
async def test_a_launch_parameter_of_the_operator_s_is_refused_in_every_scope(
    name: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeTabs, "config", Config(), raising=False)
    for scope in Scope:
        async with dialogue(scope=scope) as client:
            await client.ask(1, "browser/launch", **{name: value})
            error = (await client.hear())["error"]
        if scope < Scope.STANDARD:
            assert error["code"] == -32003
        else:
            assert error["code"] == -32602
            assert error["data"]["details"]["path"].startswith(name)
            if error["data"]["details"]["path"] == "args[0]":
                assert "--no-sandbox" in error["data"]["details"]["expected"]


SUSPECT = re.compile(r"(?i)path|dir$|directory|file|program|command|executable|env|proxy|cdp|channel|args|bypass|csp")
HARMLESS = re.compile(r"(.*\.)?cookies\.path|files(\.path)?|.*\.indexedDB\.stores\.(indexes\.)?keyPath(Array)?")
"""Of a cookie's path only the URL's is meant, a key path leads into a database's values, and a file's path nowhere
without the operator's upload root."""


def fields_of(kind: Any, under: str = "") -> Iterator[str]:
    """Yield the wire names of all that a type can hold, however deep."""
    if attrs.has(kind):
        for name, one in wire_fields(kind).items():
            yield f"{under}{name}"
            yield from fields_of(one.type, f"{under}{name}.") if under.count(".") < 5 else ()
    else:
        for part in get_args(kind):
            yield from fields_of(part, under)


@pytest.mark.parametrize("name", sorted(METHODS.keys() - {"browser/launch"}))
def test_no_other_method_has_a_parameter_that_names_one(name: str) -> None:
    params: Any = METHODS[name].params
    suspects = [path for path in fields_of(params) if SUSPECT.search(path.rpartition(".")[2])]
    assert [path for path in suspects if not HARMLESS.fullmatch(path)] == []


def test_all_suspects_of_launch_are_tried() -> None:
    assert {path for path in fields_of(LaunchParams) if SUSPECT.search(path)} <= HOSTILE.keys()
