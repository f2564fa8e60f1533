"""Files of the operator's by path: only with ``--upload-root``, only below it, and read before the browser is asked."""

import base64
import os
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from tests.loop.memory_client import Client, FakeTab, FakeTabs, dialogue

INPUT: Final = {"type": "css", "value": "#a"}
BUFFER: Final = base64.b64encode(b"by hand").decode()

pytestmark = pytest.mark.usefixtures("autojump_clock")


@attrs.define(eq=False)
class Uploads:
    """Takes down the files that the browser is given."""

    given: list[Any] = attrs.field(factory=list)

    async def tab(self, page_id: str | None) -> Any:
        return self

    @property
    def actions(self) -> Any:
        return self

    @property
    def tabs(self) -> FakeTabs:
        return FakeTabs()

    @property
    def settler(self) -> FakeTab:
        return FakeTab(self)

    @property
    def hold(self) -> FakeTab:
        return FakeTab(self)

    async def upload(self, selector: Any, files: Any, options: Any) -> Any:
        self.given.append([(file.name, file.path, base64.b64decode(file.buffer)) for file in files])
        return {"url": "", "navigated": False}


@pytest.fixture
def uploads(monkeypatch: pytest.MonkeyPatch) -> Uploads:
    uploads = Uploads()
    monkeypatch.setattr(FakeTabs, "tab", uploads.tab, raising=False)
    return uploads


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "forms").mkdir(parents=True)
    (root / "forms" / "photo.png").write_bytes(b"photo")
    (root / "six").write_bytes(b"123456")
    (tmp_path / "secret").write_bytes(b"secret")
    (root / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(root / "fifo")
    return root


async def answer(client: Client, *files: Any) -> Any:
    await client.ask(1, "action/upload", selector=INPUT, files=list(files))
    return await client.hear()


async def test_the_browser_gets_what_is_in_the_file(root: Path, uploads: Uploads) -> None:
    async with dialogue(Config(upload_root=root), scope=Scope.FULL) as client:
        said = await answer(client, {"path": "forms/photo.png"}, {"name": "a", "buffer": BUFFER})
        assert "result" in said
        await answer(client, {"path": "six", "name": "renamed.txt"})
    assert uploads.given == [
        [("forms/photo.png", None, b"photo"), ("a", None, b"by hand")],
        [("renamed.txt", None, b"123456")],
    ]


PATH: Final = {"path": "six"}
REFUSED: Final[dict[str, tuple[Any, str, str]]] = {
    "both": ({"path": "six", "buffer": BUFFER}, "buffer", "both"),
    "neither": ({"name": "a"}, "buffer", "neither"),
    "no name": ({"buffer": BUFFER}, "name", "nothing"),
    "absolute": ({"path": "/etc/passwd"}, "path", "absolute"),
    "traversal": ({"path": "forms/../../secret"}, "path", "absolute"),
    "link": ({"path": "link"}, "path", "link"),
    "missing": ({"path": "forms/none"}, "path", "not there"),
    "directory": ({"path": "forms"}, "path", "no file"),
    "fifo": ({"path": "fifo"}, "path", "no file"),
    "empty": ({"path": ""}, "path", "0 characters"),
    "long": ({"path": "x" * 1001}, "path", "1001 characters"),
    "number": ({"path": 7}, "path", "7"),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_a_file_that_can_t_be_had_is_named(root: Path, uploads: Uploads, case: str) -> None:
    file, field, got = REFUSED[case]
    async with dialogue(Config(upload_root=root), scope=Scope.FULL) as client:
        error = (await answer(client, PATH, file))["error"]
    assert error["code"] == -32602
    assert error["data"]["details"]["path"] == f"files[1].{field}"
    assert got in error["data"]["details"]["got"]
    assert str(root.parent) not in str(error)
    assert not uploads.given


async def test_without_the_operator_s_option_no_path_is_taken(uploads: Uploads) -> None:
    async with dialogue(scope=Scope.FULL) as client:
        error = (await answer(client, PATH))["error"]
        assert "result" in await answer(client, {"name": "a", "buffer": BUFFER})
    assert error["code"] == -32602
    assert error["data"]["details"]["path"] == "files[0].path"
    assert "--upload-root" in error["data"]["recoveryHint"]
    assert uploads.given == [[("a", None, b"by hand")]]


async def test_below_full_nothing_is_read(root: Path, uploads: Uploads) -> None:
    async with dialogue(Config(upload_root=root), scope=Scope.STANDARD) as client:
        assert (await answer(client, PATH))["error"]["code"] == -32003
    assert not uploads.given


async def test_all_files_together_are_no_larger_than_a_message(root: Path, uploads: Uploads) -> None:
    async with dialogue(Config(upload_root=root, max_message_bytes=12), scope=Scope.FULL) as client:
        assert "result" in await answer(client, PATH, PATH)
        error = (await answer(client, PATH, {"path": "forms/photo.png"}, PATH))["error"]
    assert error["data"]["details"] == {
        "path": "files[2].path",
        "expected": "that of a file of at most 1 bytes",
        "got": "a larger one",
    }


async def test_a_step_may_upload_and_is_checked_before_any_step_runs(root: Path, uploads: Uploads) -> None:
    def step(path: str) -> Any:
        return {"action": "action/upload", "params": {"selector": INPUT, "files": [{"path": path}]}}

    async with dialogue(Config(upload_root=root), scope=Scope.FULL) as client:
        await client.ask(1, "agent/act", steps=[step("six"), step("../secret")])
        error = (await client.hear())["error"]
        assert error["data"]["details"]["path"] == "steps[1].params.files[0].path"
        assert error["message"].startswith("steps[1]: files[0].path ")
        assert not uploads.given
        await client.ask(2, "agent/act", steps=[step("six"), step("link")])
        result = (await client.hear())["result"]
    assert [one["success"] for one in result["results"]] == [True, False]
    assert result["results"][1]["error"]["data"]["details"]["path"] == "files[0].path"
    assert uploads.given == [[("six", None, b"123456")]]
