"""What the browser process calls a page: when that is surely the document's own title, and when perhaps its address."""

import pytest

from agentbrowser.browser.titles import certain_title, own_title


@pytest.mark.parametrize(
    ("title", "url"),
    [
        ("Shop", "http://shop.example/"),
        ("shop", "https://www.shop.example/shop"),
        ("page", "http://shop.example/my/page"),
        ("x" * 4095, "http://shop.example/"),
        ("Now: 10.5/12", "http://127.0.0.1:8000/a"),
    ],
)
def test_a_title_that_no_address_is_shown_as_is_sure(title: str, url: str) -> None:
    assert certain_title(title, url) == own_title(title, url) == title


@pytest.mark.parametrize(
    ("title", "url"),
    [
        ("", "http://shop.example/"),
        ("shop.example", "http://shop.example/"),
        ("shop.example/a b", "http://shop.example/a%20b"),
        ("Shop.Example - Home", "http://shop.example/"),
        ("127.0.0.1:8000/x?q=ä", "http://127.0.0.1:8000/x?q=%C3%A4"),
        ("https://shop.example", "https://shop.example/"),
        ("[::1]:8000", "http://[::1]:8000/"),
        ("münchen.example", "http://xn--mnchen-3ya.example/"),
        ("data:text/html,x y", "data:text/html,x%20y"),
        ("about:blank", "about:blank"),
        ("notes.txt", "file:///home/notes.txt"),
        ("x" * 4096, "http://shop.example/"),
    ],
)
def test_a_title_that_may_be_an_address_or_cut_is_not_sure(title: str, url: str) -> None:
    assert certain_title(title, url) is None
