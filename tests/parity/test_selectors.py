"""Parity of selectors: after the titles of selectors-css, selectors-get-by, selectors-role, selectors-text and queryselector."""

from collections.abc import Callable
from typing import Any

from playwright.async_api import Locator, Page

from tests.parity.pair import PairThread
from tests.parity.scenario import BRIEF_MS, Playwright, Scenario, click
from tests.parity.verdict import every, judge

Find = Callable[[Page], Locator]


def css(value: str) -> tuple[Find, Any]:
    return lambda page: page.locator(f"css={value}"), {"type": "css", "value": value}


def xpath(value: str) -> tuple[Find, Any]:
    return lambda page: page.locator(f"xpath={value}"), {"type": "xpath", "value": value}


def text(value: str, **exact: bool) -> tuple[Find, Any]:
    return lambda page: page.get_by_text(value, **exact), {"type": "text", "value": value, **exact}


def label(value: str, **exact: bool) -> tuple[Find, Any]:
    return lambda page: page.get_by_label(value, **exact), {"type": "label", "value": value, **exact}


def placeholder(value: str, **exact: bool) -> tuple[Find, Any]:
    return lambda page: page.get_by_placeholder(value, **exact), {"type": "placeholder", "value": value, **exact}


def by_test_id(value: str) -> tuple[Find, Any]:
    return lambda page: page.get_by_test_id(value), {"type": "testId", "value": value}


def role(name_of_role: Any, **options: Any) -> tuple[Find, Any]:
    return lambda page: page.get_by_role(name_of_role, **options), {"type": "role", "role": name_of_role, **options}


def shadow(html: str) -> str:
    return f"<div id=h></div><script>h.attachShadow({{mode:'open'}}).innerHTML = `{html}`</script>"


ROWS = "<ul><li class=x>1<li class='x y'>2<li id=b data-k='a b'>3<li>4</ul>"
FORM = "<label for=i>Name</label><input id=i><label>Mail <input id=m></label><input id=a aria-label='Full address'>"
FOUND = {
    "css by id": ("<p id=b>x</p>", css("#b")),
    "css by class": (ROWS, css(".x.y")),
    "css by attribute": (ROWS, css("[data-k='a b']")),
    "css by a part of an attribute": (ROWS, css("[data-k^=a]")),
    "css with child and space": ("<div><p><i id=b>x</i></p></div>", css("div > p i")),
    "css with a list": (ROWS, css("#nothing, #b")),
    "css with nth-child": (ROWS, css("li:nth-child(2)")),
    "css with nth-child of": (ROWS, css("li:nth-child(2 of .x)")),
    "css with not": (ROWS, css("li:not(.x):not(#b)")),
    "css with is": (ROWS, css("li:is(.y, .z)")),
    "css with has": ("<p>1</p><p><i>2</i></p>", css("p:has(i)")),
    "css with siblings": (ROWS, css("#b + li")),
    "css with later siblings": (ROWS, css(".y ~ #b")),
    "css with a numerical id": ("<p id=123>x</p>", css("[id='123']")),
    "css with an escaped id": ("<p id='1:2'>x</p>", css("#\\31 \\:2")),
    "css in an open shadow root": (shadow("<p id=b>x</p>"), css("#b")),
    "css across a shadow root": (shadow("<p id=b>x</p>"), css("#h p")),
    "css of a slotted element": (
        "<div id=h><p id=b>x</p></div><script>h.attachShadow({mode:'open'}).innerHTML='<slot></slot>'</script>",
        css("div > p"),
    ),
    "css by tag in capitals": ("<section id=b>x</section>", css("SECTION")),
    "css of the root": ("<p>x</p>", css(":root")),
    "xpath by tag": (ROWS, xpath("//li[3]")),
    "xpath by text": (ROWS, xpath("//li[text()='2']")),
    "xpath by attribute": (ROWS, xpath("//*[@id='b']")),
    "xpath by position": (ROWS, xpath("(//li)[last()]")),
    "xpath from the root": ("<div id=b>x</div>", xpath("/html/body/div")),
    "xpath with an axis": (ROWS, xpath("//li[@id='b']/following-sibling::li")),
    "xpath with a union": ("<p id=b>x</p>", xpath("//article | //p")),
    "xpath with contains": ("<p id=b class='one two'>x</p>", xpath("//p[contains(@class, 'two')]")),
    "text of a button": ("<button id=b>Log in</button>", text("Log in")),
    "text, in another case": ("<button id=b>Log in</button>", text("LOG IN")),
    "a part of a text": ("<button id=b>Log in now</button>", text("og in")),
    "exact text": ("<p>Log in now</p><p id=b>Log in</p>", text("Log in", exact=True)),
    "text with spaces": ("<p id=b>  two \n  words </p>", text("two words")),
    "text across elements": ("<p id=b>two <i>wor</i>ds</p>", text("two words")),
    "text of the smallest element": ("<div><p><b id=b>deep</b></p></div>", text("deep")),
    "text of an input button": ("<input id=b type=submit value='Send it'>", text("Send it")),
    "text without scripts": ("<script>var x = 'hidden text'</script><p id=b>hidden text</p>", text("hidden text")),
    "text in a shadow root": (shadow("<p id=b>in the shadow</p>"), text("in the shadow")),
    "text with quotes": ("<p id=b>say \"yes\" or 'no'</p>", text("say \"yes\" or 'no'")),
    "text with symbols": ("<p id=b>a > b >> c / [d]</p>", text("a > b >> c / [d]")),
    "text with a no-break space": ("<p id=b>a&nbsp;b</p>", text("a b")),
    "text of an option-like list": ("<ul><li id=b>Apple pie<li>Banana</ul>", text("Apple")),
    "label by for": (FORM, label("Name")),
    "label around": (FORM, label("Mail")),
    "label by ARIA": (FORM, label("Full address")),
    "label, in another case": (FORM, label("full ADDRESS")),
    "exact label": ("<label>Name of pet <input></label><label>Name <input id=b></label>", label("Name", exact=True)),
    "label by labelledby": ("<i id=l>Age</i><input id=b aria-labelledby=l>", label("Age")),
    "label with nested elements": ("<label for=b>Last <b>Name</b></label><input id=b>", label("last name")),
    "one of two labels": ("<label for=b>First</label><label for=b>Second</label><input id=b>", label("Second")),
    "label of a select": ("<label for=b>Size</label><select id=b><option>S</select>", label("Size")),
    "label of a button": ("<button id=b aria-label=Close>x</button>", label("Close")),
    "placeholder": ("<input id=b placeholder='Your name'>", placeholder("Your name")),
    "a part of a placeholder": ("<input id=b placeholder='Your name'>", placeholder("name")),
    "exact placeholder": (
        "<input placeholder='Name it'><input id=b placeholder=Name>",
        placeholder("Name", exact=True),
    ),
    "placeholder of a textarea": ("<textarea id=b placeholder='Say it'></textarea>", placeholder("say it")),
    "placeholder with quotes": ("<input id=b placeholder='a \"b\"'>", placeholder('a "b"')),
    "test id": ("<p id=b data-testid=hello>x</p>", by_test_id("hello")),
    "test id with quotes": ("<p id=b data-testid='he\"llo'>x</p>", by_test_id('he"llo')),
    "test id in a shadow root": (shadow("<p id=b data-testid=hello>x</p>"), by_test_id("hello")),
    "role button": ("<button id=b>Go</button>", role("button")),
    "role and name": ("<button>Go</button><button id=b>Stop now</button>", role("button", name="stop")),
    "role and exact name": (
        "<button>Stop now</button><button id=b>Stop</button>",
        role("button", name="Stop", exact=True),
    ),
    "role link": ("<a>no link</a><a id=b href=#x>link</a>", role("link")),
    "role heading": ("<h2 id=b>Title</h2>", role("heading", name="Title")),
    "role textbox": ("<input id=b type=email>", role("textbox")),
    "role searchbox": ("<input id=b type=search>", role("searchbox")),
    "role checkbox": ("<input id=b type=checkbox>", role("checkbox")),
    "role radio": ("<input id=b type=radio>", role("radio")),
    "role combobox": ("<select id=b><option>1</select>", role("combobox")),
    "role listbox": ("<select id=b multiple><option>1</select>", role("listbox")),
    "role spinbutton": ("<input id=b type=number>", role("spinbutton")),
    "role slider": ("<input id=b type=range>", role("slider")),
    "role listitem": ("<ul><li id=b>1</ul>", role("listitem")),
    "role cell": ("<table><tr><th>a<td id=b>1</table>", role("cell")),
    "role columnheader": ("<table><tr><th id=b scope=col>a<th scope=row>1</table>", role("columnheader")),
    "role row by name": (
        "<table cellspacing=0><tr id=a><td>1<td>2<tr id=b><td>3<td>4</table>",
        role("row", name="3 4"),
    ),
    "role navigation": ("<nav id=b>x</nav>", role("navigation")),
    "role img": ("<img id=b alt=cat width=9 height=9>", role("img", name="cat")),
    "role dialog": ("<dialog id=b open>x</dialog>", role("dialog")),
    "role given": ("<div id=b role=button tabindex=0>x</div>", role("button")),
    "first valid role of several": ("<div id=b role='foo button'>x</div>", role("button")),
    "role without the hidden": ("<button hidden>1</button><button id=b>1</button>", role("button")),
    "role without aria-hidden": (
        "<div aria-hidden=true><button>1</button></div><button id=b>1</button>",
        role("button"),
    ),
    "role in a shadow root": (shadow("<button id=b>Go</button>"), role("button", name="Go")),
    "name by labelledby": ("<i id=l>Send</i><button id=b aria-labelledby=l>x</button>", role("button", name="Send")),
    "name by title": ("<button id=b title=Send></button>", role("button", name="Send")),
    "name by an image": ("<button id=b><img alt=Send width=9 height=9></button>", role("button", name="Send")),
    "name with generated text": (
        "<style>#b::before{content:'New '}</style><button id=b>mail</button>",
        role("button", name="New mail"),
    ),
    "name by a label": ("<label for=b>Agree</label><input id=b type=checkbox>", role("checkbox", name="Agree")),
    "name by a legend": ("<fieldset id=b><legend>Size</legend>x</fieldset>", role("group", name="Size")),
    "name by a caption": ("<table id=b><caption>Prices</caption><tr><td>1</table>", role("table", name="Prices")),
    "name with quotes": ('<button id=b>say "hi"</button>', role("button", name='say "hi"')),
    "name without hidden text": ("<button id=b>Go<i hidden> away</i></button>", role("button", name="Go", exact=True)),
}
"""Pages and a selector, by Playwright and by us, that matches one element."""

UNFOUND = {
    "css of a closed shadow root": (
        "<div id=h></div><script>h.attachShadow({mode:'closed'}).innerHTML='<p id=b>x</p>'</script>",
        css("#b"),
        "ElementNotFound",
    ),
    "css below a frame": ("<iframe srcdoc='<p id=b>x</p>'></iframe>", css("#b"), "ElementNotFound"),
    "css of two elements": (ROWS, css(".x"), "SelectorAmbiguous"),
    "text of two elements": ("<p>same</p><p>same</p>", text("same"), "SelectorAmbiguous"),
    "role of nothing": ("<p>x</p>", role("button"), "ElementNotFound"),
    "exact text in another case": ("<p>Log in</p>", text("log in", exact=True), "ElementNotFound"),
    "role of a presentation": (
        "<button role=none tabindex=-1 disabled>x</button><ul role=none><li>1</ul>",
        role("list"),
        "ElementNotFound",
    ),
    "label of nothing": (FORM, label("Phone"), "ElementNotFound"),
    "test id of a part": ("<p data-testid=hello>x</p>", by_test_id("hell"), "ElementNotFound"),
    "name of a hidden label": ("<button aria-hidden=true>Go</button>", role("button", name="Go"), "ElementNotFound"),
}


def clicking(find: Find, **options: Any) -> Playwright:
    """Return the click that shows which element was found."""
    return lambda page: find(page).click(**options)


SCENARIOS = [
    *(
        Scenario(f"selector: {name}", html, clicking(find), click(selector))
        for name, (html, (find, selector)) in FOUND.items()
    ),
    *(
        Scenario(
            f"selector is refused: {name}",
            html,
            clicking(find, timeout=BRIEF_MS),
            click(selector, timeout=BRIEF_MS),
            error=error,
        )
        for name, (html, (find, selector), error) in UNFOUND.items()
    ),
]


@every(SCENARIOS)
def test_page_sees_the_same(pair: PairThread, scenario: Scenario) -> None:
    judge(pair, scenario)
