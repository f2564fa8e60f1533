"""Files below the upload root, and all that pretends to be one."""

import os
import socket
from pathlib import Path

import pytest

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.server.corridor.uploads import read_upload

SECRET = "what nobody may have"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A directory with good files in it, and with ways out of it."""
    (tmp_path / "secret").write_text(SECRET)
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "file").write_text(SECRET)
    root = tmp_path / "root"
    (root / "deep" / "er").mkdir(parents=True)
    (root / "file.txt").write_text("good")
    (root / "deep" / "er" / "f ü.txt").write_text("deep")
    (root / "..dots").write_text("dots")
    (root / "link").symlink_to("../secret")
    (root / "inner").symlink_to("file.txt")
    (root / "out").symlink_to("../beside")
    (root / "loop").symlink_to("loop")
    (root / "within").symlink_to("deep")
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(root / "socket"))
    return root


MAX_BYTES = 1000


def refusal(root: Path, relative: str, max_bytes: int = MAX_BYTES) -> str:
    with pytest.raises(InvalidParams) as refused:
        read_upload(root, relative, path="files[0].path", max_bytes=max_bytes)
    assert refused.value.details["path"] == "files[0].path"
    said = str(refused.value.to_wire())
    assert SECRET not in said
    assert str(root) not in said
    return str(refused.value.details["got"])


def content(root: Path, relative: str, max_bytes: int = MAX_BYTES) -> bytes:
    return read_upload(root, relative, path="x", max_bytes=max_bytes)


@pytest.mark.parametrize(
    ("relative", "held"), [("file.txt", b"good"), ("deep/er/f ü.txt", b"deep"), ("..dots", b"dots")]
)
def test_a_file_below_the_root_is_read(root: Path, relative: str, held: bytes) -> None:
    assert content(root, relative) == held


def test_the_root_itself_may_be_a_link_of_the_operator_s(root: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    assert content(tmp_path / "alias", "file.txt") == b"good"


@pytest.mark.parametrize(
    "relative",
    [
        *("/etc/passwd", "//etc/passwd", "..", "../secret", "deep/../../secret", "deep/../file.txt", "./file.txt"),
        *("", "/", "file.txt/", "deep//er", ".", "file.txt\0", "..\\secret", "deep\\er"),
    ],
)
def test_a_path_that_is_more_than_names_is_refused(root: Path, relative: str) -> None:
    assert refusal(root, relative) == "one that is absolute, or has more in it than names"


UNREADABLE = "one that leads through a link, or can't be read"


@pytest.mark.parametrize("relative", ["link", "inner", "loop", "out/file", "within/er/f ü.txt", "gone/file"])
def test_a_link_leads_nowhere(root: Path, relative: str) -> None:
    (root / "gone").symlink_to("/nowhere")
    assert refusal(root, relative) == UNREADABLE


@pytest.mark.parametrize("relative", ["file.txt/x", "socket", "x" * 300])
def test_what_can_t_be_opened_is_refused(root: Path, relative: str) -> None:
    assert refusal(root, relative) == UNREADABLE


@pytest.mark.parametrize("relative", ["missing", "deep/missing", "missing/file"])
def test_a_file_that_is_not_there_is_said_to_be_so(root: Path, relative: str) -> None:
    assert refusal(root, relative) == "one that is not there"


@pytest.mark.parametrize("relative", ["deep", "fifo"])
def test_only_regular_files_are_read(root: Path, relative: str) -> None:
    assert refusal(root, relative) == "one of something that is no file"


def test_a_device_is_not_read() -> None:
    assert refusal(Path("/dev"), "zero") == "one of something that is no file"


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(root: Path) -> None:
    assert content(root, "file.txt", max_bytes=4) == b"good"
    assert refusal(root, "file.txt", max_bytes=3) == "a larger one"


def test_a_directory_that_becomes_a_link_meanwhile_leads_nowhere(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may write below the root puts a link in the place of a directory that was looked at."""
    opened: list[str] = []
    really = os.open

    def swap(name: str | Path, flags: int, **where: int) -> int:
        opened.append(str(name))
        if name == "er":  # deep is open by now, and is swapped
            (root / "deep").rename(root / "gone")
            (root / "deep").symlink_to("../beside")
        return really(name, flags, **where)

    monkeypatch.setattr(os, "open", swap)
    assert content(root, "deep/er/f ü.txt") == b"deep"
    assert opened == [str(root), "deep", "er", "f ü.txt"]
    monkeypatch.undo()
    assert refusal(root, "deep/file") == UNREADABLE


def test_no_descriptor_is_left_open(root: Path) -> None:
    for relative in ("file.txt", "deep/er/f ü.txt", "out/file", "fifo", "deep", "missing/x", "link"):
        try:
            content(root, relative, max_bytes=4)
        except InvalidParams:
            continue
    # Other threads, such as those of a shared server, open and close descriptors meanwhile.
    files = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    assert [file for file in files if file.startswith(str(root))] == []
