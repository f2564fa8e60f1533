"""Suggested names of downloads are names, and nothing else."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.policy.filenames import MAX_NAME_BYTES, safe_name


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("report.pdf", "report.pdf"),
        ("Übersicht 2026.tar.gz", "Übersicht 2026.tar.gz"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("/etc/", "download"),
        ("", "download"),
        (".", "download"),
        ("..", "download"),
        (" . . ", "download"),
        (".bashrc", ".bashrc"),
        ("a\0b\nc\x7f.txt", "abc.txt"),
        ("invoice\u202excod.exe", "invoicexcod.exe"),
        ("a\u200bb\ufeff.txt", "ab.txt"),
        ("\ud800x", "x"),
        ("CON", "_CON"),
        ("con.txt", "_con.txt"),
        ("nul .txt", "_nul .txt"),
        ("LPT1", "_LPT1"),
        ("console.txt", "console.txt"),
        ('a<b>:"|?*.txt', "a_b______.txt"),
        ("name. . ", "name"),
        ("x" * 300, "x" * 255),
        ("x" * 300 + ".html", "x" * 250 + ".html"),
        ("ü" * 300 + ".html", "ü" * 125 + ".html"),
        ("x." + "y" * 300, "x." + "y" * 253),
    ],
)
def test_an_unsafe_name_is_replaced(suggested: str, name: str) -> None:
    assert safe_name(suggested) == name


@given(st.text(st.characters(), max_size=400))
def test_every_result_is_safe_and_stable(suggested: str) -> None:
    name = safe_name(suggested)
    assert 0 < len(name.encode()) <= MAX_NAME_BYTES
    assert not set(name) & set("/\\\0")
    assert name.strip(".")
    assert all(unicodedata.category(one)[0] != "C" for one in name)
    assert safe_name(name).startswith(name.rstrip(" ."))
