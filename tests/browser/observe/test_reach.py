"""Elements that no scrolling brings into view are no part of a look, and their words are none."""

from typing import Final

from agentbrowser.methods.agent_observe import ObserveParams
from tests.browser.watched_page import Scenarios, WatchedTab

DRAWER: Final = "position:fixed;right:0;top:0;width:300px;height:100%;transform:translateX(100%)"
LONG: Final = "<div style='height:4000px'></div>"
# Each markup with the names of the elements that are listed.
REACHED: Final[dict[str, tuple[str, list[str]]]] = {
    "a drawer beside the viewport": (
        f"<div style='{DRAWER}'><button>Checkout</button><input placeholder=Coupon></div>",
        [],
    ),
    "a close button at the corner of a drawer": (
        f"<div style='{DRAWER}'><button style='position:absolute;top:0;right:0'>Close</button></div>",
        [],
    ),
    "a sheet below the viewport of a long page": (
        f"<div style='position:fixed;bottom:0;height:200px;transform:translateY(100%)'><p><button>Share</button></div>"
        f"{LONG}<button>Last</button>",
        ["Last"],
    ),
    "a menu left of the page": ("<nav style='position:absolute;left:-300px;width:300px'><a href=x>Home</a></nav>", []),
    "a drawer that scrolls": (
        f"<div style='{DRAWER};overflow:auto'>{LONG}<button>Checkout</button></div>",
        [],
    ),
    "an open drawer that scrolls": (
        f"<div style='{DRAWER.replace('100%)', '0)')};overflow:auto'>{LONG}<button>Checkout</button></div>",
        ["None", "Checkout"],
    ),
    "a carousel": (
        "<div style='width:300px;overflow-x:auto;white-space:nowrap'><button>One</button>"
        "<div style='display:inline-block;width:4000px'></div><button>Two</button></div>",
        ["None", "One", "Two"],
    ),
    "a carousel without a scroll bar": (
        "<div style='width:300px;overflow:hidden;white-space:nowrap'><button>One</button>"
        "<div style='display:inline-block;width:4000px'></div><button>Two</button></div>",
        ["One", "Two"],
    ),
    "the end of a long page": (f"{LONG}<button>Last</button>", ["Last"]),
    "the side of a wide page": ("<div style='width:4000px;text-align:right'><button>Last</button></div>", ["Last"]),
    "a page that a dialog holds in place": (
        f"<body style='position:fixed;top:-300px;width:100%'><button>First</button>{LONG}<button>Last</button>",
        ["First", "Last"],
    ),
    "a skip link": ("<a href='#m' style='position:absolute;left:-999px'>Skip</a><main id=m>x</main>", ["Skip"]),
    "the input of a terminal": (
        "<div style='position:absolute;top:0'>"
        "<textarea aria-label=Input style='position:absolute;left:-9999px'></textarea></div>",
        ["Input"],
    ),
    "a file field": ("<input type=file title=CV style='position:absolute;left:-9999px'>", ["CV"]),
}


def test_elements_are_listed_if_scrolling_or_the_keyboard_reaches_them(scenarios: Scenarios) -> None:
    shown: dict[str, list[str]] = {}

    async def scenario(tab: WatchedTab) -> None:
        for case, (markup, _) in REACHED.items():
            await tab.page.set_content(f"<!doctype html>{markup}")
            shown[case] = [str(element.name) for element in (await tab.see()).values()]

    scenarios.page("/nowhere", scenario)
    assert shown == {case: names for case, (_, names) in REACHED.items()}


def test_opening_a_drawer_adds_its_words_and_elements_and_closing_it_removes_them(scenarios: Scenarios) -> None:
    changes: list[list[str]] = []

    async def scenario(tab: WatchedTab) -> None:
        await tab.refs.observe(ObserveParams(format="text"))
        for shift in ("0", "100%"):
            await tab.run(f"document.querySelector('div').style.transform = 'translateX({shift})'")
            text = (await tab.refs.observe(ObserveParams(format="text", incremental=True))).text
            assert text is not None
            changes.append(text.splitlines())

    drawer = f"<h1>Shop</h1><div style='{DRAWER}'><h3>Your bag</h3><p>Total $129</p><button>Checkout</button></div>"
    scenarios.look(drawer, scenario)
    words = ['### "Your bag"', '"Total $129"', '@checkout button "Checkout"']
    assert changes[0] == ["changes", *(f"+ {line}" for line in words)]
    assert changes[1][0] == "changes"
    assert sorted(changes[1][1:]) == ['- "Total $129"', '- "Your bag"', '- @checkout button "Checkout"']


def test_a_frame_in_a_closed_drawer_is_listed_once_the_drawer_is_open(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        shown = [[str(element.name) for element in (await tab.see()).values()]]
        for shift in ("0", "100%"):
            await tab.run(f"document.querySelector('div').style.transform = 'translateX({shift})'")
            shown.append([str(element.name) for element in (await tab.see()).values()])
        assert shown == [["Below"], ["Pay", "Below"], ["Below"]]

    drawer = f"<div style='{DRAWER}'><iframe srcdoc='<button>Pay</button>'></iframe></div>"
    below = f"{LONG}<iframe srcdoc='<button>Below</button>'></iframe>"
    scenarios.look(drawer + below, scenario)
