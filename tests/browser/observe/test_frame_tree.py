"""One observation of all frames: elements, bounds, and refs."""

from typing import Any

import pytest

from agentbrowser.client import Browser
from agentbrowser.methods import frame, page
from agentbrowser.protocol import errors
from tests.browser.site import Site

COUNTED = "<script>hits = 0</script><button onclick='hits++'>{name}</button>"
MARGIN = (
    "<style>body { margin: 0 } button { margin: 20px; width: 80px; height: 30px } iframe { display: block }</style>"
)


async def observe(browser: Browser, **params: Any) -> dict[str, Any]:
    return dict(await browser.request("agent/observe", params))


async def elements(browser: Browser, **params: Any) -> dict[str, dict[str, Any]]:
    found = (await observe(browser, **params))["interactiveElements"]
    return {one["name"]: one for one in found}


async def click(browser: Browser, selector: dict[str, Any]) -> None:
    await browser.request("action/click", {"selector": selector})


async def hits(browser: Browser) -> list[int]:
    """Return the counters of all frames, main frame first."""
    counts = []
    for one in (await browser.call(frame.list_frames)).frames:
        await browser.call(frame.switch, frame_id=one.frame_id)
        asked = {"expression": "globalThis.hits ?? 0", "world": "main"}
        counts.append((await browser.request("script/evaluate", asked))["value"])
    await browser.call(frame.main)
    return counts


@pytest.fixture
async def framed(browser: Browser, site: Site) -> Browser:
    """Yield a page with a frame of its own origin and one of another, each with the same button as the page."""
    site.html("/same", MARGIN + COUNTED.format(name="same"))
    site.html("/deep", MARGIN + COUNTED.format(name="deep"))
    site.html("/other", MARGIN + COUNTED.format(name="other") + f"<iframe src='{site.url('/deep')}'></iframe>")
    frames = f"<iframe src=/same style='border: 7px solid; padding: 5px'></iframe><iframe src='{site.url('/other', 'localhost')}' height=300></iframe>"  # noqa: E501
    await browser.call(page.navigate, url=site.html("/", MARGIN + COUNTED.format(name="top") + frames))
    return browser


async def test_all_frames_are_in_one_list_with_refs_of_their_frames(framed: Browser) -> None:
    found = await elements(framed)
    assert list(found) == ["top", "same", "other", "deep"]
    infos = (await framed.call(frame.list_frames)).frames
    ids = [one.frame_id for one in infos]
    by_path = {one.url.rpartition("/")[2]: one.frame_id for one in infos}
    assert [one.get("frameId") for one in found.values()] == [None, by_path["same"], by_path["other"], by_path["deep"]]
    assert len({one["ref"] for one in found.values()}) == 4
    for one in list(found.values())[1:]:
        assert one["ref"].startswith(f"@f{one['frameId'].rpartition('-')[2]}.")
        assert one["selector"] == {"type": "ref", "value": one["ref"]}
        assert "alternativeSelectors" not in one
    assert ids[0] not in {one.get("frameId") for one in found.values()}


async def test_a_ref_hits_the_element_in_its_frame_whatever_frame_is_selected(framed: Browser) -> None:
    found = await elements(framed)
    for name in ("deep", "same", "other", "top"):
        await click(framed, {"type": "ref", "value": found[name]["ref"]})
    assert await hits(framed) == [1, 1, 1, 1]
    await framed.call(frame.switch, frame_id=found["other"]["frameId"])
    for name in ("same", "top", "deep"):
        await click(framed, found[name]["selector"] if name != "top" else {"type": "ref", "value": found[name]["ref"]})
    assert sorted(await hits(framed)) == [1, 2, 2, 2]


async def test_bounds_are_those_of_the_page(framed: Browser) -> None:
    found = await elements(framed, includeBounds=True)
    for one in found.values():
        box = one["bounds"]
        assert (box["width"], box["height"]) == (80, 30)
        await click(framed, {"type": "coordinates", "x": box["x"] + 40, "y": box["y"] + 15})
    assert await hits(framed) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "frame_markup",
    [
        "<iframe src=/in style='display: none'></iframe>",
        "<iframe src=/in style='visibility: hidden'></iframe>",
        "<iframe src=/in width=0 height=0 style='border: 0'></iframe>",
        "<div inert><iframe src=/in></iframe></div>",
        "<iframe src=/in></iframe><dialog>Only this <button>top</button></dialog><script>document.querySelector('dialog').showModal()</script>",  # noqa: E501
    ],
    ids=["not rendered", "hidden", "no area", "inert", "behind a modal dialog"],
)
async def test_a_frame_that_can_not_be_used_is_left_out(browser: Browser, site: Site, frame_markup: str) -> None:
    site.html("/in", "<button>in</button>")
    await browser.call(page.navigate, url=site.html("/", f"<button>top</button>{frame_markup}"))
    assert list(await elements(browser)) == ["top"]


async def test_a_frame_in_a_modal_dialog_is_in_the_list(browser: Browser, site: Site) -> None:
    site.html("/in", "<button>in</button>")
    modal = "<dialog><iframe src=/in></iframe></dialog><script>document.querySelector('dialog').showModal()</script>"
    await browser.call(page.navigate, url=site.html("/", f"<button>top</button>{modal}"))
    assert list(await elements(browser)) == ["in"]


async def test_only_the_visible_part_of_a_frame_is_in_the_viewport(browser: Browser, site: Site) -> None:
    below = "<div style='height: 200px'></div>"
    site.html("/in", f"{MARGIN}<button>first</button>{below}<button>second</button>{below * 5}")
    frames = (
        "<iframe src=/in height=100></iframe><div style='height: 3000px'></div><iframe src=/in height=900></iframe>"
    )
    await browser.call(page.navigate, url=site.html("/", MARGIN + frames))
    seen = await observe(browser, viewportOnly=True)
    assert [one["name"] for one in seen["interactiveElements"]] == ["first"]
    assert seen["totalInteractiveElements"] == 4


@pytest.mark.parametrize("size", [1, 2, 3, 7])
async def test_paging_goes_through_all_frames_once(browser: Browser, site: Site, size: int) -> None:
    site.html("/in", "".join(f"<button>{name}</button>" for name in "def"))
    site.html("/empty", "nothing")
    tops = "".join(f"<button>{name}</button>" for name in "abc")
    frames = "<iframe src=/in></iframe><iframe src=/empty></iframe><iframe src=/in></iframe>"
    await browser.call(page.navigate, url=site.html("/", tops + frames))
    refs: list[str] = []
    cursor: dict[str, Any] = {}
    for _ in range(12):
        seen = await observe(browser, maxElements=size, **cursor)
        assert seen["totalInteractiveElements"] == 9
        refs += [one["ref"] for one in seen["interactiveElements"]]
        if "nextCursor" not in seen:
            break
        assert 0 < len(seen["interactiveElements"]) <= size
        cursor = {"cursor": seen["nextCursor"]}
    assert len(refs) == len(set(refs)) == 9
    assert refs == [one["ref"] for one in (await observe(browser))["interactiveElements"]]


async def test_words_of_third_party_frames_are_marked(browser: Browser, site: Site) -> None:
    site.html("/words", "<p>Words of a frame</p>")
    foreign = site.url("/words").replace("127.0.0.1", "localhost")
    await browser.call(
        page.navigate, url=site.html("/", f"<p>Top</p><iframe src=/words></iframe><iframe src={foreign}></iframe>")
    )
    text = (await observe(browser, format="text"))["text"]
    words = '"Words of a frame"'
    assert text.splitlines()[1:] == [
        '"Top"',
        f"frame {site.url('/words')}",
        words,
        f"frame third-party {foreign}",
        words,
    ]
    content = (await observe(browser))["content"]
    assert [block.get("thirdParty") for block in content] == [None, None, True]


async def test_a_cursor_of_a_frame_that_is_gone_is_refused(framed: Browser) -> None:
    cursor = (await observe(framed, maxElements=2, text="none"))["nextCursor"]
    await framed.request("script/evaluate", {"expression": "document.querySelector('iframe').remove()"})
    with pytest.raises(errors.InvalidParams) as caught:
        await observe(framed, cursor=cursor)
    assert caught.value.details["path"] == "cursor"


async def test_changes_include_frames_that_come_go_and_reload(framed: Browser, site: Site) -> None:
    first = await elements(framed, incremental=True)
    assert (await observe(framed, incremental=True))["changes"] == {"added": [], "updated": [], "removed": []}
    await framed.request("script/evaluate", {"expression": "document.querySelector('iframe').remove()"})
    changes = (await observe(framed, incremental=True))["changes"]
    removed = {"ref": first["same"]["ref"], "role": "button", "name": "same"}
    assert changes == {"added": [], "updated": [], "removed": [removed["ref"]], "before": [removed]}
    again = "it => new Promise(done => { it.onload = () => done(0); it.src = it.src })"
    await framed.request("script/evaluate", {"expression": f"({again})(document.querySelector('iframe'))"})
    changes = (await observe(framed, incremental=True))["changes"]
    assert [one["name"] for one in changes["added"]] == ["other", "deep"]
    assert changes["removed"] == [first["other"]["ref"], first["deep"]["ref"]]


async def test_a_ref_of_a_frame_that_is_gone_is_not_found(framed: Browser) -> None:
    found = await elements(framed)
    await framed.request("script/evaluate", {"expression": "document.querySelector('iframe').remove()"})
    with pytest.raises(errors.ElementNotFound) as caught:
        await click(framed, {"type": "ref", "value": found["same"]["ref"]})
    assert "frame" in caught.value.message
    assert sum(await hits(framed)) == 0


async def test_a_frame_is_seen_and_hit_in_each_process_that_it_moves_to(framed: Browser, site: Site) -> None:
    await elements(framed)
    go = "url => new Promise(done => Object.assign(document.querySelector('iframe'), { onload: done, src: url }))"
    for host, path in (("localhost", "/deep"), ("127.0.0.1", "/same"), ("localhost", "/same"), ("127.0.0.1", "/deep")):
        url = site.url(path, host)
        await framed.request("script/evaluate", {"expression": f"({go})('{url}').then(() => 0)"})
        moved = (await framed.call(frame.list_frames)).frames[1].frame_id
        found = [one for one in (await observe(framed))["interactiveElements"] if one.get("frameId") == moved]
        assert [one["name"] for one in found] == [path[1:]]
        await click(framed, found[0]["selector"])
        assert (await hits(framed))[1] == 1


async def test_a_page_can_not_tamper_with_the_script_in_its_frames(browser: Browser, site: Site) -> None:
    tamper = """<script>
      Element.prototype.getAttribute = () => 'spoilt'; Array.prototype.map = () => []; JSON.stringify = () => 'spoilt'
    </script><button id=b>honest</button>"""
    site.html("/in", tamper)
    frames = f"<iframe src=/in></iframe><iframe src='{site.url('/in', 'localhost')}'></iframe>"
    await browser.call(page.navigate, url=site.html("/", frames))
    seen = (await observe(browser))["interactiveElements"]
    assert [(one["name"], one["ref"].rpartition(".")[2]) for one in seen] == [("honest", "b")] * 2


async def test_a_description_finds_elements_in_frames_too(framed: Browser) -> None:
    for name in ("deep", "other"):
        await click(framed, {"type": "semantic", "description": f"the {name} button"})
    assert sorted(await hits(framed)) == [0, 0, 1, 1]


async def test_a_description_does_not_renew_what_a_ref_stands_for(framed: Browser) -> None:
    found = await elements(framed)
    script = "frames[0].document.querySelector('button').textContent = 'else'"
    await framed.request("script/evaluate", {"expression": script, "world": "main"})
    await click(framed, {"type": "semantic", "description": "the top button"})
    with pytest.raises(errors.ElementChanged):
        await click(framed, {"type": "ref", "value": found["same"]["ref"]})


async def test_a_description_does_not_bring_back_a_ref_of_the_last_document(browser: Browser, site: Site) -> None:
    site.html("/in", "<script>hits = 0</script><button onclick='hits++'>Send</button>")
    await browser.call(page.navigate, url=site.html("/", "<iframe src=/in></iframe>"))
    ref = (await elements(browser))["Send"]["ref"]
    again = "document.querySelector('iframe').onload = () => done(0); frames[0].location.reload()"
    reload = f"new Promise(done => {{ {again} }})"
    await browser.request("script/evaluate", {"expression": reload, "world": "main"})
    await click(browser, {"type": "semantic", "description": "the send button"})
    with pytest.raises(errors.ElementNotFound):
        await click(browser, {"type": "ref", "value": ref})
    assert await hits(browser) == [0, 1]


async def test_the_state_of_an_element_in_a_frame_is_returned_by_its_ref(framed: Browser) -> None:
    found = await elements(framed)
    for name in ("same", "deep"):
        ref = {"type": "ref", "value": found[name]["ref"]}
        state = await framed.request("observe/element", {"selector": ref, "properties": ["text", "visible"]})
        assert (state["found"], state["text"], state["visible"]) == (True, name, True)
        snapshot = await framed.request("observe/ariaSnapshot", {"selector": ref})
        assert f'button "{name}"' in snapshot["snapshot"]
        tree = await framed.request("observe/accessibility", {"options": {"root": ref}})
        assert [(node["role"], node["name"]) for node in tree["tree"]] == [("button", name)]
    await framed.call(frame.switch, frame_id=found["deep"]["frameId"])
    tree = await framed.request("observe/accessibility")
    assert "deep" in str(tree)
    assert "same" not in str(tree)


async def test_elements_beyond_the_limit_do_not_count_as_seen(browser: Browser, site: Site) -> None:
    site.html("/in", "<script>hits = 0</script><button id=b onclick='hits++'>Pay 9</button>")
    await browser.call(
        page.navigate, url=site.html("/", "<button>a</button><button>b</button><iframe src=/in></iframe>")
    )
    ref = (await elements(browser))["Pay 9"]["ref"]
    script = "frames[0].document.querySelector('button').textContent = 'Pay 900'"
    await browser.request("script/evaluate", {"expression": script, "world": "main"})
    assert list(await elements(browser, maxElements=1)) == ["a"]
    with pytest.raises(errors.ElementChanged):
        await click(browser, {"type": "ref", "value": ref})
    assert await hits(browser) == [0, 0]
    assert "Pay 900" in await elements(browser)
    await click(browser, {"type": "ref", "value": ref})
    assert await hits(browser) == [0, 1]
