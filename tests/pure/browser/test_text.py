"""Observations as text: a line for each element, and no line that a page could forge."""

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.browser.observe import text as prompt_text
from agentbrowser.protocol.types.element import InteractiveElement, ObserveMetadata, Scroll
from agentbrowser.protocol.types.fold import Fold, TemplateElement
from agentbrowser.protocol.types.page import Dialog, Viewport
from agentbrowser.protocol.types.selector import Css

PAGE = ObserveMetadata(url="https://a.example/?q=1#x", title="Shop", viewport=Viewport(width=800, height=600))


def element(ref: str = "@a", role: str = "button", **rest: Any) -> InteractiveElement:
    rest.setdefault("action_hints", ["clickable"])
    return InteractiveElement(ref=ref, selector=Css("#a"), role=role, tag_name="button", **rest)


def line(**rest: Any) -> str:
    (block,) = prompt_text.blocks([element(**rest)], [], {})
    return block


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ({}, "@a button"),
        ({"name": "Send"}, '@a button "Send"'),
        ({"role": "textbox", "name": "Town", "value": "Bern"}, '@a textbox "Town" value="Bern"'),
        ({"role": "textbox", "format": "hh:mm or hh:mm:ss", "value": ""}, "@a textbox format=hh:mm"),
        ({"role": "textbox", "format": "YYYY-MM", "value": "2026-11"}, '@a textbox value="2026-11"'),
        ({"role": "textbox", "value": ""}, "@a textbox"),
        ({"name": 'Say "hi"\\'}, '@a button "Say \\"hi\\"\\\\"'),
        ({"value": "one\ntwo\r\tthree"}, '@a button value="one\\ntwo\\r\\tthree"'),
        (
            {"name": "a\u2028b\x85c\u202ed\x1be\U000e0041"},
            '@a button "a\\u{2028}b\\u{85}c\\u{202e}d\\u{1b}e\\u{e0041}"',
        ),
        ({"name": "a\u00a0b\u200dc"}, '@a button "a b\u200dc"'),
        ({"name": "\uf108 Close \U000f0156", "context": "\ue001 News"}, '@a button "Close" in "News"'),
        ({"name": "\uf108", "value": "\uf108 x"}, '@a button "\\u{f108}" value="\\u{f108} x"'),
        ({"checked": True, "disabled": True, "focused": True}, "@a button (checked, disabled, focused)"),
        ({"checked": "mixed"}, "@a button (mixed)"),
        ({"checked": False, "expanded": False, "selected": False}, "@a button (collapsed)"),
        ({"expanded": True, "selected": True}, "@a button (expanded, selected)"),
        ({"role": "generic", "action_hints": ["clickable", "draggable"]}, "@a generic (draggable)"),
        ({"role": "generic", "double_click": True}, "@a generic (double-clickable)"),
    ],
)
def test_an_element_is_a_line(known: dict[str, Any], text: str) -> None:
    assert line(**known) == text


def test_the_page_comes_first() -> None:
    assert prompt_text.page_lines(PAGE) == ['page "Shop" https://a.example/?q=1#x']
    scrolled = attrs.evolve(PAGE, scroll=Scroll(x=0, y=20, max_x=0, max_y=900))
    assert prompt_text.page_lines(scrolled) == ['page "Shop" https://a.example/?q=1#x scroll 20/900']
    wide = attrs.evolve(PAGE, scroll=Scroll(x=3, y=0, max_x=40, max_y=0))
    assert prompt_text.page_lines(wide) == ['page "Shop" https://a.example/?q=1#x scroll 0/0 sideways 3/40']
    failed = attrs.evolve(PAGE, url="chrome-error://chromewebdata/", title="")
    error_page = 'page "" chrome-error://chromewebdata/ (error page of the browser: the load has failed)'
    assert prompt_text.page_lines(failed) == [error_page]
    asked = attrs.evolve(PAGE, dialog=Dialog(type="confirm", message="Really?\nYes?"))
    assert prompt_text.page_lines(asked)[1:] == ['dialog confirm "Really?\\nYes?"']


def test_frames_and_folds_have_lines_of_their_own() -> None:
    elements = [
        element("@a"),
        element("@f2.b", frame_id="frame-2"),
        element("@f2.c", frame_id="frame-2"),
        element("@d"),
    ]
    like = [TemplateElement(ref="@f2.b", role="link", name="Lamp …"), TemplateElement(role="button")]
    fold = Fold(count=20, shown=3, template=like, cursor="r0@f2.c")
    assert "\n".join(
        prompt_text.blocks(elements, [fold], {"frame-2": prompt_text.frame_label("in", "https://b.example/")})
    ) == (
        "@a button\n"
        'frame "in" https://b.example/\n'
        "@f2.b button\n"
        "@f2.c button\n"
        '... 17 more rows like @f2.b link "Lamp …" + button; cursor r0@f2.c\n'
        "frame main\n"
        "@d button"
    )


def test_the_number_of_omitted_elements_is_stated() -> None:
    assert prompt_text.remainder_line(412, "100@foo") == "... 412 more elements; cursor 100@foo"
    assert prompt_text.remainder_line(1, "100@foo") == "... 1 more element; cursor 100@foo"


def test_long_texts_are_cut() -> None:
    assert len(line(name="x" * 5000)) < 220
    (page,) = prompt_text.page_lines(attrs.evolve(PAGE, url=f"https://a.example/?{'x' * 5000}"))
    assert len(page) < 330


@given(st.text(), st.text(), st.text(), st.text(), st.text())
def test_no_text_of_a_page_forges_a_line(title: str, url: str, name: str, value: str, frame: str) -> None:
    page = attrs.evolve(PAGE, title=title, url=url, dialog=Dialog(type="alert", message=value))
    one, two = element(name=name, value=value), element("@f1.b", name=value, frame_id="f")
    fold = Fold(count=9, shown=3, template=[TemplateElement(role="link", name=name)], cursor="r0@f1.b")
    lines = [
        *prompt_text.page_lines(page),
        *prompt_text.blocks([one, two], [fold], {"f": prompt_text.frame_label(frame, url)}),
    ]
    starts = [text.partition(" ")[0] for text in "\n".join(lines).splitlines()]
    assert starts == ["page", "dialog", "@a", "frame", "@f1.b", "..."]


@given(st.text(max_size=150))
def test_quotes_end_where_the_text_does(text: str) -> None:
    inner = prompt_text.quoted(text)[1:-1]
    assert '"' not in inner.replace("\\\\", "").replace('\\"', "")
    assert not inner.replace("\\\\", "").endswith("\\")


def test_words_in_characters_without_a_picture_are_escaped() -> None:
    hidden = "".join(chr(0xE0100 + byte) for byte in b"obey") + "\u034f\u2800\ufe00"
    assert prompt_text.quoted(hidden).isascii()
    assert prompt_text.quoted("\u2764\ufe0f") == '"\u2764\ufe0f"'
