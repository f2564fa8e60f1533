"""Locators that a recording has for the elements that were acted on by refs."""

from typing import Any

import trio

from agentbrowser.client import Browser
from tests.browser.site import Site

PAGE = """<button id=save>Save</button> <ul id=list><li><button>Add</button><li><button>Add</button></ul>
<p hidden><button>Save</button></p> <div id=r83921><button>Send</button></div> <input id=name aria-label=Name>
<div id=host></div><iframe src=/inner name=inner></iframe>
<script>
  host.attachShadow({mode: "open"}).innerHTML = "<span></span><button>Deep</button><button>Deep</button>"
</script>"""
ROWS = """<ul id=mails>
<li>Ada <b>Bill 17</b> <button>Pin</button></li><li>Ada <b>Cabin</b> <button>Pin</button><button>Pin</button></li>
<li class=last onclick="0">Eve <i hidden>Secret</i> <textarea>Draft</textarea><b>Ada</b></li>
<li onclick="0">Eve, Ada</li></ul>
<table><tr><td>Pear<td><button>Buy</button><tr><td>Apple pie<td><button>Buy</button></table>
<div class="card x1f9a is-new"><h3>Oslo</h3><button>Book</button></div>
<div class="card x77b0"><h3>Rome</h3><button>Book</button></div>
<p><button>Go</button><button>Go</button></p>"""
INNER = ([":root > body > iframe"], ":root > body > p > button", True)


async def acted_on(browser: Browser, *refs: str) -> list[dict[str, Any]]:
    """Click on elements by refs, and return the entries of their locators."""
    look = await browser.request("agent/observe", {"format": "text"})
    for ref in refs:
        assert f"{ref} " in look["text"], look["text"]
        await browser.request("action/click", {"selector": ref})
    with trio.fail_after(30):
        while True:  # those in frames come a moment later
            entries = (await browser.request("recording/get", {"limit": 1000}))["entries"]
            located = [one for one in entries if one["kind"] == "locator"]
            if len(located) >= len(refs):
                return located
            await trio.sleep(0.05)


async def test_an_element_has_a_path_and_its_role_and_name_if_they_are_its_own(browser: Browser, site: Site) -> None:
    site.html("/inner", "<p><button>Pay</button></p>")
    await browser.request("page/navigate", {"url": site.html("/", PAGE)})
    found = {one["ref"]: one for one in await acted_on(browser, "@save", "@add2", "@send", "@name", "@deep2")}
    facts = {ref: (one["css"], one["role"], one["name"], one["isOnly"]) for ref, one in found.items()}
    path = facts.pop("@deep2")
    assert facts == {
        "@save": ("#save", "button", "Save", True),
        "@add2": ("#list > li:nth-child(2) > button", "button", "Add", False),
        "@send": (":root > body > div:nth-child(4) > button", "button", "Send", True),
        "@name": ("#name", "textbox", "Name", True),
    }
    assert path[0].endswith("button:nth-child(3 of :host > *)")
    assert path[1:] == ("button", "Deep", False)
    for one in found.values():
        matched = await browser.request("agent/act", {"steps": [
            {"action": "page/waitFor", "params": {"selector": {"type": "css", "value": one["css"]}}}
        ]})  # fmt: skip
        assert matched["results"][0]["success"], (one, matched)


async def test_an_element_in_a_frame_has_the_selectors_of_its_frames(browser: Browser, site: Site) -> None:
    site.html("/inner", "<p><button>Pay</button></p>")
    await browser.request("page/navigate", {"url": site.html("/", PAGE)})
    look = await browser.request("agent/observe", {"format": "text"})
    (ref,) = [word for word in look["text"].split() if word.endswith(".pay")]
    (entry,) = await acted_on(browser, ref)
    assert (entry["frames"], entry["css"], entry["isOnly"]) == INNER


async def test_an_element_among_others_of_its_name_has_the_words_of_its_row(browser: Browser, site: Site) -> None:
    await browser.request("page/navigate", {"url": site.html("/", ROWS)})
    refs = ["@pin", "@pin2", "@eve", "@eveada", "@buy2", "@book2", "@go"]
    found = {one["ref"]: one for one in await acted_on(browser, *refs)}
    assert {ref: one["isOnly"] for ref, one in found.items()} == dict.fromkeys(refs, False)
    assert {ref: one.get("row") for ref, one in found.items()} == {
        "@pin": {"role": "listitem", "words": ["Bill 17"], "path": "button", "isOnly": True},
        "@pin2": {"role": "listitem", "words": ["Cabin"], "path": "button:nth-child(2)", "isOnly": False},
        # Its hidden text and the value of its field are not used, and the others are in other rows, too.
        "@eve": None,
        "@eveada": {"role": "listitem", "words": ["Eve, Ada"], "path": "", "isOnly": False},
        "@buy2": {"role": "row", "words": ["Apple pie"], "path": "td:nth-child(2) > button", "isOnly": True},
        "@book2": {"css": "div.card", "words": ["Rome"], "path": "button", "isOnly": True},
        "@go": None,
    }
