"""The demonstration: it works, it shows what it says, and it notices when the page does not play along."""

import json
import struct
import sys
from pathlib import Path

import attrs
import pytest
import trio

from agentbrowser.cli.demo import Chapter, DemoFailed, perform, site
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope

LIMIT_S = 90
METHODS = [
    "page/navigate",
    "agent/observe",
    "action/fill",
    "action/click",
    "agent/act",
    "observe/element",
    "observe/screenshot",
]


def png_size(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack("!II", data[16:24])
    return width, height


async def command(*words: str, cwd: Path) -> tuple[int, str, str]:
    with trio.fail_after(LIMIT_S):
        done = await trio.run_process(
            [sys.executable, "-m", "agentbrowser", "demo", *words],
            capture_stdout=True,
            capture_stderr=True,
            check=False,
            cwd=cwd,
        )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.slow
async def test_the_story_is_the_same_whatever_the_operator_allows(tmp_path: Path) -> None:
    told: list[Chapter] = []
    strict = Config(scope=Scope.READONLY, allowed_domains=("a.com",), private_network="deny", log_level="error")
    await perform(strict, tmp_path / "picture.png", told.append)
    assert [chapter.method for chapter in told] == METHODS
    assert all(0 < chapter.duration_ms < LIMIT_S * 1000 for chapter in told)
    observed, acted, read = told[1], told[4], told[5]
    assert any("textbox 'Captain'" in line for line in observed.lines)
    assert acted.title == "3 of 3 steps in one request"
    assert "Ada's large boat with a flag is at sea." in read.title
    assert png_size((tmp_path / "picture.png").read_bytes()) == (1280, 720)


async def test_demo_prints_its_requests_and_writes_a_screenshot(tmp_path: Path) -> None:
    code, out, err = await command(cwd=tmp_path)
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == METHODS
    assert png_size((tmp_path / "agentbrowser-demo.png").read_bytes()) == (1280, 720)


@pytest.mark.slow
async def test_demo_prints_json(tmp_path: Path) -> None:
    code, out, _ = await command("--json", "--output", "x.png", cwd=tmp_path)
    assert code == 0
    chapters = [json.loads(line) for line in out.splitlines()]
    assert [chapter["method"] for chapter in chapters] == METHODS
    assert set(chapters[0]) == {attribute.name for attribute in attrs.fields(Chapter)}


@pytest.mark.slow
async def test_a_picture_that_can_not_be_written_is_a_failure(tmp_path: Path) -> None:
    code, _, err = await command("--output", "no/such/folder.png", cwd=tmp_path)
    assert code == 1
    assert err == "agentbrowser: no/such/folder.png: No such file or directory\n"


async def test_a_path_that_takes_no_file_is_reported_before_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Chapter] = []
    with pytest.raises(IsADirectoryError):
        await perform(Config(), tmp_path, told.append)
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path)  # root may write anywhere
    with pytest.raises(PermissionError):
        await perform(Config(), tmp_path / "picture.png", told.append)
    assert told == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("there", "instead", "said"),
    [
        (b"Paper boats</title>", b"Paper planes</title>", "the title should be 'Paper boats'"),
        (b">Captain<", b">Pilot<", "should show a textbox called 'Captain'"),
        (b"is at sea", b"has sunk", "the log should be"),
        (b'$("boat").hidden = false', b"", "the steps should be True"),
    ],
)
async def test_a_page_that_does_not_play_along_is_noticed(
    there: bytes, instead: bytes, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert there in site._PAGE
    monkeypatch.setattr(site, "_PAGE", site._PAGE.replace(there, instead))
    with pytest.raises(BaseExceptionGroup) as failed:
        await perform(Config(log_level="error"), tmp_path / "picture.png", lambda chapter: None)
    assert failed.group_contains(DemoFailed, match=said)
    assert not (tmp_path / "picture.png").exists()
