"""Private names of Playwright and Hypercorn: they exist in the installed versions, and their loss is never silent."""

import asyncio
import inspect
import json
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hypercorn
import hypercorn.trio.tcp_server
import hypercorn.trio.worker_context
import playwright
import pytest
from playwright._impl import _driver, _errors
from playwright._impl.connection import Connection
from playwright._impl.transport import PipeTransport
from playwright.async_api import Error

from agentbrowser.browser import faults
from agentbrowser.browser.engine import vendor
from agentbrowser.browser.events.driver_pipe import PipeMeter

ROOT = Path(__file__).parents[3]
PRIVATE = re.compile(r"_impl_obj|playwright\._(?!_file__)|_artifact\b|_initializer\b|hypercorn\.(?!Config\b|typing\b)")


class PublicSession:
    """A CDP session of a Playwright without the private names."""

    async def send(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return {"method": method, **params}


def test_playwright_has_the_short_path_for_commands() -> None:
    assert list(inspect.signature(Connection.send_message_to_server).parameters) == [
        "self", "object", "method", "params", "options"
    ]  # fmt: skip


def test_commands_take_the_public_path_without_the_short_one() -> None:
    answer = asyncio.run(vendor.send(PublicSession(), "DOM.enable", {"depth": 1}))  # type: ignore[arg-type]
    assert answer == {"method": "DOM.enable", "depth": 1}


def transport() -> Any:
    made = vendor._metered_transport(SimpleNamespace(), lambda: None)  # type: ignore[arg-type]
    return made.__new__(made)


def test_the_metered_pipe_writes_what_playwright_would() -> None:
    message = {
        "id": 1,
        "guid": "page@1",
        "params": {"text": "ü\u2028 \U0001f600", "none": None, "parts": [1, 0.5, True, ("a",)]},
    }
    written = transport().serialize_message(message)
    assert json.loads(written) == json.loads(json.dumps(message))
    sent: list[bytes] = []
    made = transport()
    made._output = SimpleNamespace(write=sent.append)
    made.send(message)
    assert sent == [len(written).to_bytes(4, "little") + written]


def test_the_metered_pipe_keeps_lone_surrogates_and_refuses_infinite_numbers() -> None:
    assert json.loads(transport().serialize_message({"text": "\ud800"})) == {"text": "\ud800"}
    for number in (float("nan"), float("inf")):
        with pytest.raises(Error):
            transport().serialize_message({"params": [{"x": number}]})


def test_the_metered_pipe_does_not_copy_a_large_message() -> None:
    sent: list[bytes] = []
    made = transport()
    made._output = SimpleNamespace(write=sent.append)
    made.send({"text": "x" * 100_000})
    assert sent == [(100_011).to_bytes(4, "little"), b'{"text":"' + b"x" * 100_000 + b'"}']


@pytest.mark.parametrize(
    "text", ['{"id":1,"x":[1e400,-1e400]}', '{"id":1,"x":"\\ud800 \\ud83d\\ude00"}', '{"id":1,"x":' + "9" * 30 + "}"]
)
def test_the_metered_pipe_reads_what_playwright_would(text: str) -> None:
    assert transport().deserialize_message(text.encode()) == json.loads(text)


@pytest.mark.parametrize("type_", ["JSHandle", "ElementHandle"])
def test_a_console_message_keeps_a_hundred_arguments_and_results_all(
    type_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line with 100,000 of them held both loops for 0.3 s, to collect the objects that Playwright made of them."""
    known: dict[str, Any] = {}
    heard: list[dict[str, Any]] = []

    async def connect(self: PipeTransport) -> None: ...

    def dispatch(message: dict[str, Any]) -> None:
        heard.append(message)
        if (params := message.get("params", {})).get("type") == type_:
            known[params["guid"]] = SimpleNamespace(_dispose=lambda reason: known.pop(params["guid"]))

    monkeypatch.setattr(PipeTransport, "connect", connect)
    kind = vendor._metered_transport(PipeMeter(), lambda: known)
    made = kind.__new__(kind)
    made._proc, made.on_message = SimpleNamespace(stdout=None), dispatch  # type: ignore[assignment]
    asyncio.run(made.connect())

    def create(guid: str) -> dict[str, Any]:
        return {"guid": "page", "method": "__create__", "params": {"type": type_, "guid": guid}}

    guids = [f"argument-{index}" for index in range(5000)]
    for guid in guids:
        made.on_message(create(guid))
    assert list(known) == guids[:100]
    made.on_message({"guid": "page", "method": "console", "params": {"args": [{"guid": guid} for guid in guids]}})
    assert [argument["guid"] for argument in heard[-1]["params"]["args"]] == guids[:100]
    assert not known
    for index in range(200):
        made.on_message(create(f"result-{index}"))
        made.on_message({"id": index})
    assert len(known) == 200
    for guid in guids:
        made.on_message(create(guid))
    made.on_message({})  # in the place of a message that is too long
    assert list(known) == [f"result-{index}" for index in range(200)]


def download(initializer: object) -> Any:
    return SimpleNamespace(_impl_obj=SimpleNamespace(_artifact=SimpleNamespace(_initializer=initializer)))


@pytest.mark.parametrize(
    "changed",
    [
        SimpleNamespace(),
        SimpleNamespace(_impl_obj=SimpleNamespace()),
        SimpleNamespace(_impl_obj=SimpleNamespace(_artifact=SimpleNamespace())),
        download({}),
        download(None),
        download({"absolutePath": None}),
        download({"absolutePath": "relative/file"}),
    ],
    ids=["no_impl", "no_artifact", "no_initializer", "no_path", "no_mapping", "no_text", "relative"],
)
def test_a_download_without_its_path_is_an_error(changed: Any) -> None:
    with pytest.raises(vendor.VendorChanged, match="Playwright"):
        vendor.partial_paths(changed)


def test_a_download_has_two_partial_paths() -> None:
    assert vendor.partial_paths(download({"absolutePath": "/tmp/d/f.1"})) == [
        Path("/tmp/d/f.1"),
        Path("/tmp/d/f.1.crdownload"),
    ]


def test_hypercorn_has_the_server_of_one_connection() -> None:
    server = hypercorn.trio.tcp_server.TCPServer
    assert list(inspect.signature(server).parameters) == ["app", "config", "context", "state", "stream"]
    assert inspect.iscoroutinefunction(server.run)
    assert list(inspect.signature(hypercorn.trio.worker_context.WorkerContext).parameters) == ["max_requests"]


@pytest.mark.parametrize(
    ("module", "name"), [(hypercorn.trio.tcp_server, "TCPServer"), (hypercorn.trio.worker_context, "WorkerContext")]
)
def test_a_server_does_not_start_with_a_changed_hypercorn(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str
) -> None:
    monkeypatch.delattr(module, name)
    with pytest.raises(vendor.VendorChanged, match="Hypercorn"):
        vendor.http_server(lambda *_: None, hypercorn.Config())  # type: ignore[arg-type]


def test_playwright_reports_a_closed_target_by_the_class_that_faults_recognizes() -> None:
    assert issubclass(_errors.TargetClosedError, Error)
    assert faults.is_closed(_errors.TargetClosedError("gone"))


def test_playwright_starts_the_node_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", "/some/node")
    assert _driver.compute_driver_executable()[0] == "/some/node"


def test_playwright_lists_its_browsers_where_the_search_reads_them() -> None:
    package = Path(playwright.__file__).parent / "driver" / "package"
    browsers = json.loads((package / "browsers.json").read_bytes())["browsers"]
    assert {"chromium", "chromium-headless-shell", "firefox", "webkit"} <= {browser["name"] for browser in browsers}


def test_no_other_module_uses_private_names() -> None:
    own = Path(vendor.__file__)
    modules = [
        path for path in (ROOT / "agentbrowser").rglob("*.py") if path != own and "node_modules" not in path.parts
    ]
    assert [str(path) for path in modules if PRIVATE.search(path.read_text())] == []
    assert PRIVATE.search(own.read_text())


@pytest.mark.parametrize("name", ["playwright", "hypercorn"])
def test_the_dependency_has_an_upper_bound(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (requirement,) = [one for one in project["optional-dependencies"]["server"] if re.match(rf"{name}\b", one)]
    assert re.search(r">=\d+\.\d+,<\d+\.\d+$", requirement)
