"""URL patterns: as Playwright reads them, and in bounded time."""

import re
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.policy import globs
from agentbrowser.policy.globs import fits, matches
from agentbrowser.protocol.errors import InvalidParams

PARTS = ("a", "b", "/", "ab", "b/", "*", "**", "/**/", "{a,b/}", "{,ab}", "?", r"\*", ".")


@pytest.mark.parametrize(
    ("glob", "url", "fits"),
    [
        ("**", "http://a/b?c#d", True),
        ("http://a/", "http://a/", True),
        ("http://a/", "http://a/b", False),
        ("**/*.png", "http://a/b/c.png", True),
        ("**/*.png", "http://a/b/c.png?x", False),
        ("**/*.{png,jpg}", "http://a/c.jpg", True),
        ("**/*.{png,jpg}", "http://a/c.gif", False),
        ("http://*/x", "http://a/x", True),
        ("http://*/x", "http://a/b/x", False),
        ("http://a/**/x", "http://a/x", True),
        ("http://a/**/x", "http://a/b/c/x", True),
        ("http://a/**/x", "http://a/bx", False),
        ("**/api/*?page=*", "http://a/api/list?page=2", True),
        ("**/api/*?page=*", "http://a/api/listXpage=2", False),
        (r"http://a/\*", "http://a/*", True),
        (r"http://a/\*", "http://a/b", False),
        ("http://a/b,c", "http://a/b,c", True),
        (r"http://a/{b\,c,d}", "http://a/b,c", True),
        ("http://a/.*", "http://a/b", False),
        ("**a*b", "axx/ab", True),
    ],
)
def test_a_pattern_matches_whole_urls(glob: str, url: str, fits: bool) -> None:
    assert matches(glob, url) is fits


def as_playwright(glob: str) -> re.Pattern[str]:
    """Return what Playwright makes of a glob, said as plainly as possible; it may backtrack."""
    said = re.sub(r"[.?]", r"\\\g<0>", glob.replace(r"\*", "\0"))
    said = re.sub(r"(/\*\*+)+/", "/((\1)|)", said)
    said = re.sub(r"\*\*+", "\2", said)
    said = said.replace("*", "[^/]*").replace("\2", ".*").replace("\1", ".+/").replace("\0", r"\*")
    said = re.sub(r"\{([^}]*)\}", lambda group: "(" + group[1].replace(",", "|") + ")", said)
    return re.compile(said, re.DOTALL)


@given(st.lists(st.sampled_from(PARTS), max_size=5).map("".join), st.text("ab/?*.", max_size=9))
def test_patterns_match_as_in_playwright(glob: str, url: str) -> None:
    if "//" in url:  # /**/ is /.+/ there and /.*/ here
        return
    assert matches(glob, url) is (as_playwright(glob).fullmatch(url) is not None)


@pytest.mark.parametrize("glob", ["{", "}", "{a", "a}", "{a,{b}}", "x" * 1001, "{a,b}" * 6, "/**/a" * 6])
def test_an_invalid_pattern_is_rejected(glob: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        matches(glob, "")
    assert caught.value.details["path"] == "urlPattern"


@pytest.mark.parametrize(
    ("glob", "expected"),
    [
        ("{a,b}" * 5 + "z" + "*a" * 480, "4000 characters long with its braces expanded"),
        ("{" + "," * 31 + "}" + "a" * 126, "4000 characters long with its braces expanded"),
        ("*a" * 129, "128 wildcards with its braces expanded"),
        ("{a,b}" * 5 + "**a" * 5, "128 wildcards with its braces expanded"),
    ],
)
def test_a_pattern_whose_expansions_take_long_to_compile_is_rejected(glob: str, expected: str) -> None:
    for refuse in (globs.check, globs.compiled):
        with pytest.raises(InvalidParams, match=expected):
            refuse(glob)


def test_the_limits_of_expansions_leave_room_for_patterns_of_use() -> None:
    kinds = "{png,jpg,jpeg,gif,webp,svg,ico,css,js,mjs,woff,woff2,ttf,mp4,webm,json}"
    assert matches(f"https://*.cdn.test/**/*.{kinds}", "https://a.cdn.test/static/x/logo.woff2")
    assert globs.check("{" + "," * 31 + "}" + "a" * 125) == globs.MAX_EXPANDED


def test_a_pattern_is_checked_without_being_compiled() -> None:
    before = globs.compiled.cache_info()
    globs.check("http://only-checked.test/{a,b}/**")
    assert globs.compiled.cache_info() == before


@pytest.mark.parametrize(
    "glob",
    [
        "*a" * 127 + "!",
        "**a" * 127 + "!",
        "**a*b" * 64,
        "**a*a*a*!" * 32,
        "**a*" + "a" * 960 + "{b,c,d,e}",  # took 3.5 s
        "**a*" + "a" * 960 + "{b,c,d,e}**",
        "**" + "*/" * 126 + "b**",
    ],
)
@pytest.mark.parametrize("url", ["a" * 100_000, "a/" * 50_000, "/" * 100_000])
def test_a_hostile_pattern_is_fast(glob: str, url: str) -> None:
    globs.compiled(glob)
    began_s = time.thread_time()
    assert not matches(glob, url)
    assert time.thread_time() - began_s < 2


def test_the_literals_of_a_pattern_are_searched_together_from_each_place() -> None:
    """To search them one by one from each of 2,000 slashes held a loop for 40 ms, for each URL of a page."""
    glob, searches, url = globs.compiled("**" + "/*" * 125 + "x**"), list[str](), "/" * globs.MAX_MATCHED
    assert not glob.match(url)
    sys.setprofile(lambda frame, event, argument: searches.append(event) if event == "c_call" else None)
    try:
        assert not glob.match(url)
    finally:
        sys.setprofile(None)
    assert len(searches) < 5 * globs.MAX_MATCHED


@pytest.mark.parametrize(
    ("wanted", "url", "is_met"),
    [
        ("/account", "http://a.test/account/7?tab=x", True),
        ("/account", "http://a.test/login?next=/account", False),
        ("/account", "http://a.test/login#account", False),
        ("/account", "http://account.test/login", False),
        ("/account", "http://account.test", False),
        ("account.test", "http://account.test/login", True),
        ("//account.test", "http://account.test/login", True),
        ("http://a.test/acc", "http://a.test/account", True),
        ("?next=", "http://a.test/login?next=/account", True),
        ("next=/account", "http://a.test/login?next=/account", True),
        ("&b", "http://a.test/?a&b", True),
        ("#top", "http://a.test/#top", True),
        ("/account", "http://a.test/app#/account/7", True),
        ("/account", "http://a.test/app#!/account", True),
        ("/account", "http://a.test/app#/login?next=/account", False),
        ("**/account*", "http://a.test/account", True),
        ("**/account", "http://a.test/login", False),
        ("*/thanks", "http://a.test/thanks", True),
        ("*/thanks", "http://a.test/shop/1/thanks?order=7", True),
        ("*thanks*", "http://a.test/shop/thanks.html", True),
        ("*/thanks", "http://a.test/login?next=/thanks", False),
        ("*/thanks", "http://a.test/thanks/not", False),
        ("*/thanks?order=*", "http://a.test/thanks?order=7", True),
        ("/order/*", "http://a.test/order/7", True),
        ("/order/*", "http://a.test/order/7/lines", False),
        ("*/account", "http://a.test/app#!/account", True),
        ("about:blank", "about:blank", True),
    ],
)
def test_a_part_of_a_url_is_none_of_its_query_unless_it_looks_so(wanted: str, url: str, is_met: bool) -> None:
    assert fits(wanted, url) is is_met
