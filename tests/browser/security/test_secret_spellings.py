"""Secrets that the server itself would spell in another way than the page does: no mask finds those spellings."""

import base64
import contextlib
import html
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, cast

import attrs
import pytest
import trio

from agentbrowser.client.connection.websocket import open_websocket
from agentbrowser.config import Config
from agentbrowser.policy.secrets import OriginPattern, Secret, SecretStore
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from agentbrowser.server.gate.memory_transport import memory_pair
from tests.browser.security.test_secrets import PINK, pixels
from tests.browser.sessions.test_sessions import Visit, visit
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site, open_site

VALUES = {"pw": "correct-Horse 42!", "card": "4111 1111 1111 1234", "birth": "31.12.1984", "street": "Große Gasse 8"}
PAGE = """<input id=i><button id=b>show</button><p id=kept style="font: 40px monospace"></p><div id=out></div><script>
  kept.textContent = localStorage.kept || "";
  b.onclick = () => {
    localStorage.kept = i.value;
    out.innerHTML = "<button></button><dl><dt>Value<dd></dl><a id=d>save</a>";
    out.querySelector("button").textContent = out.querySelector("dd").textContent = i.value;
    d.download = `of ${i.value}.txt`;
    d.href = URL.createObjectURL(new Blob([`key = ${i.value};`]));
  };
</script>"""
KEPT = {"type": "css", "value": "#kept"}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with open_site() as site:
        site.html("/", PAGE)
        yield site


@pytest.fixture(scope="module")
def config(site: Site) -> Config:
    origins = (OriginPattern.parse(f"http://127.0.0.1:{site.port}"),)
    store = SecretStore(tuple(Secret(name=name, value=value, origins=origins) for name, value in VALUES.items()))
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, secrets=store)


@contextlib.asynccontextmanager
async def visiting(server: SharedServer) -> AsyncIterator[Visit]:
    """Connect to the server of this file; the session ends with the connection."""
    async with open_websocket(server.url, token=server.token) as transport:
        client = Visit(memory_pair()[0], cast("Any", transport))
        await client.ask("initialize")
        yield client


async def show(client: Visit, site: Site, name: str) -> None:
    """Have the page show a secret, by steps that cross to the browser together."""
    await client.ask("page/navigate", url=site.url("/"))
    filled = {"selector": {"type": "css", "value": "#i"}, "value": f"{{{{secret:{name}}}}}"}
    clicked = {"selector": {"type": "css", "value": "#b"}}
    steps = [{"action": "action/fill", "params": filled}, {"action": "action/click", "params": clicked}]
    assert (await client.ask("agent/act", steps=steps))["success"]


async def read_in_parts(client: Visit) -> tuple[str, str]:
    """Download the page's file; return its name, and its text in parts of five bytes."""
    await client.ask("events/subscribe", events=["download"])
    await client.ask("action/click", selector={"type": "css", "value": "#d"})
    while (file := (await client.note())["params"])["state"] != "completed":
        pass
    download, data, at = file["downloadId"], b"", 0
    while True:
        part = await client.ask("download/read", downloadId=download, offset=at, length=5)
        data, at = data + base64.b64decode(part["data"]), at + 5
        if part["eof"]:
            return str(file["suggestedFilename"]), data.decode()


async def test_refs_numbers_file_names_and_slices_of_files_hold_no_secret(
    shared_server: SharedServer, site: Site
) -> None:
    async with visiting(shared_server) as client:
        await show(client, site, "pw")
        seen = await client.ask("agent/observe")
        assert "horse" not in json.dumps(seen).lower()
        assert [one["ref"] for one in seen["interactiveElements"] if one.get("name") == "[REDACTED]"] == ["@button2"]
        name, text = await read_in_parts(client)
        assert (name, text) == ("of [REDACTED].txt", f"key = {'*' * len(VALUES['pw'])};")
        for name, kind, parts in (("card", "number", "4111"), ("birth", "integer", "1984"), ("card", "string", "4111")):
            await show(client, site, name)
            schema: dict[str, Any] = {"type": "object", "properties": {"value": {"type": kind}}}
            extracted = await client.ask("agent/extract", schema=schema)
            assert parts not in json.dumps(extracted)


@pytest.mark.slow
async def test_secrets_stay_masked_and_covered_after_a_restart_of_the_server(
    config: Config, site: Site, tmp_path: Path
) -> None:
    config = attrs.evolve(config, state_dir=str(tmp_path / "state"))
    with trio.fail_after(120):
        async with open_server(config) as server, visit(server) as first:
            await show(first, site, "pw")
        async with open_server(config) as server, visit(server, first.told) as second:
            assert second.told["restored"] == "cold"
            kept = await second.ask("observe/element", selector=KEPT, properties=["text"])
            assert kept["text"] == "[REDACTED]"
            for method in ("observe/pdf", "trace/start"):
                refused = await second.answer(await second.send(method))
                assert "secret" in refused["error"]["data"]["details"]["reason"]


MASKED = """<form><input type=password id=pw value="hunter2"><input type=radio name=c value=red>
<input type=submit value=Go></form><div id=echo></div><table><td>Code <input autocomplete=cc-csc value=x></table>
<p id=p><input role=combobox aria-owns=l autocomplete=cc-number value=x></p><i role=listbox id=l></i>
<section aria-labelledby=p></section>"""
CODE = {"type": "role", "role": "cell"}
ORACLES = (
    {"type": "css", "value": "[value^=h]"},
    {"type": "css", "value": "input:not([type=radio])[ VALUE ^= 'x' ] + input"},
    {"type": "css", "value": r"body:has(#pw[v\61 l\75\65*='un'])"},
    {"type": "css", "value": ":is(#pw[value$='2'], p)"},
    {"type": "css", "value": "input/*'*/[value^=x]/*'*/"},
    {"type": "css", "value": "#pw:not(:hover)[value^=x]"},
    {**CODE, "name": "code x"},
    {"type": "role", "role": "region", "name": "x"},
    {"type": "xpath", "value": "//input[starts-with(@value, 'h')]"},
    {"type": "xpath", "value": "//*[contains(@*[name() = 'value'], 'x')]"},
)
PLAIN = (
    {"type": "css", "value": "input[type=radio][value=red]"},
    {"type": "css", "value": "[type=submit][value='Go']:not(.x):enabled"},
    {"type": "css", "value": "#pw[type='password']"},
    {"type": "role", "role": "button", "name": "go"},
    {"type": "xpath", "value": "//input[@type='password']"},
)
TEXT_ORACLES = (
    {"type": "text", "value": "Hello c"},
    {"type": "css", "value": "#echo:has-text('hello x')"},
    {"type": "css", "value": "[title^='c']"},
    {"type": "xpath", "value": "//div[starts-with(., 'Hello c')]"},
    {"type": "role", "role": "heading", "name": "hello c"},
)


async def state_of(client: Visit, selector: dict[str, Any]) -> str:
    """Return what a client learns of an element by a selector."""
    answer = await client.answer(await client.send("observe/element", selector=selector, properties=["visible"]))
    if "error" in answer:
        return str(answer["error"]["data"]["details"]["reason"])
    return "found" if answer["result"]["found"] else "missing"


async def test_no_selector_asks_for_a_part_of_a_masked_value(shared_server: SharedServer, site: Site) -> None:
    refused = "a selector asks for a masked value"
    async with visiting(shared_server) as client:
        await client.ask("page/navigate", url=site.html("/masked", MASKED))
        await client.ask("action/hover", selector="#pw")
        assert {await state_of(client, one) for one in ORACLES} == {refused}
        assert {await state_of(client, one) for one in PLAIN} == {"found"}
        # Another site may lead the page to the values while a request waits for its element.
        onward = site.html("/onward", "<script>setTimeout(() => location = '/masked', 200)</script>")
        for method, selector in (
            ("page/waitFor", ORACLES[0]),
            ("page/waitFor", {**CODE, "name": "no such code"}),
            ("action/hover", {"type": "css", "value": "[value^=z]"}),
        ):
            await client.ask("page/navigate", url=onward)
            waiting = await client.send(method, selector=selector)
            assert (await client.answer(waiting))["error"]["data"]["details"].get("reason") == refused


async def test_no_text_of_a_page_with_a_secret_is_read_letter_by_letter(
    shared_server: SharedServer, site: Site
) -> None:
    async with visiting(shared_server) as client:
        await client.ask("page/navigate", url=site.html("/masked", MASKED))
        secret = {"selector": {"type": "css", "value": "#pw"}, "value": "{{secret:pw}}"}
        await client.ask("action/fill", **secret)
        script = (
            "echo.innerHTML = `<h1>Hello <i></i></h1>`; echo.querySelector('i').textContent = echo.title = pw.value"
        )
        await client.ask("script/evaluate", expression=script, world="main")
        assert {await state_of(client, one) for one in TEXT_ORACLES} == {"a selector asks for a masked value"}
        assert await state_of(client, {"type": "role", "role": "button", "name": "go"}) == "found"
        for text in ("hello c", "correct-horse"):
            waiting = await client.answer(await client.send("page/waitFor", text=text, timeout=50))
            assert waiting["error"]["code"] == -32016
            step = {"action": "action/hover", "params": {"selector": "#echo"}, "expect": {"text": text, "timeout": 50}}
            acted = await client.ask("agent/act", steps=[step])
            assert acted["results"][0]["error"]["data"]["details"]["got"] == {"text": None}
        await client.ask("page/waitFor", text="Hello", timeout=5000)


SPELLED = """<style>.before::before { content: attr(data-v) }</style><input id=i><div id=o></div>"""
LETTERS = {"type": "xpath", "value": "//*[starts-with(., 'x')]"}
SPELLINGS = {
    "o.textContent = v.toUpperCase()": LETTERS,
    "o.textContent = v.slice(0, 13).toUpperCase()": LETTERS,
    "o.textContent = v.slice(-19).replaceAll(' ', '-')": LETTERS,
    "o.textContent = encodeURIComponent(v)": {"type": "css", "value": "#o:has-text('x')"},
    "o.append(v.slice(0, 6), v.slice(6))": {"type": "text", "value": "x"},
    "o.innerHTML = '<b></b>'; o.firstChild.append(v.slice(0, 6)); o.append(v.slice(6))": LETTERS,
    "o.innerHTML = '<input>'; o.firstChild.placeholder = v": {"type": "placeholder", "value": "x"},
    "o.innerHTML = '<select><option>'; o.firstChild[0].label = v": {"type": "css", "value": "[label^=x]"},
    "o.dataset.v = v; o.className = 'before'": {"type": "css", "value": "[data-v^=x]"},
    "o.innerHTML = '<input type=button>'; o.firstChild.value = `Log out ${v}`": {"type": "text", "value": "log out x"},
}
"""Ways to show a secret, each with a search by a part of it."""


@pytest.mark.parametrize("script", SPELLINGS)
async def test_no_other_spelling_is_read_letter_by_letter_or_printed(
    shared_server: SharedServer, site: Site, script: str
) -> None:
    async with visiting(shared_server) as client:
        await client.ask("page/navigate", url=site.html("/spelled", SPELLED))
        await client.ask("action/fill", selector="#i", value="{{secret:street}}{{secret:pw}}{{secret:card}}")
        await client.ask("script/evaluate", expression=f"v = i.value; i.remove(); {script}", world="main")
        assert await state_of(client, SPELLINGS[script]) == "a selector asks for a masked value"
        printed = await client.answer(await client.send("observe/pdf"))
        assert printed["error"]["data"]["details"]["reason"] == "the page shows a secret"


async def test_a_link_to_an_encoded_secret_is_not_searched_and_does_not_show_it(
    shared_server: SharedServer, site: Site
) -> None:
    async with visiting(shared_server) as client:
        await client.ask("page/navigate", url=site.html("/spelled", SPELLED))
        await client.ask("action/fill", selector="#i", value="{{secret:pw}}")
        script = "o.innerHTML = '<a>me</a>'; o.firstChild.href = '/u?q=' + encodeURIComponent(i.value); i.remove()"
        await client.ask("script/evaluate", expression=script, world="main")
        searched = await state_of(client, {"type": "css", "value": "a[href*='q=x']"})
        assert searched == "a selector asks for a masked value"
        assert await state_of(client, {"type": "text", "value": "me"}) == "found"
        assert (await client.ask("observe/pdf"))["pages"] == 1


FORM = "<form><input id=q name=q><button>Find</button></form>"


async def test_no_url_is_read_letter_by_letter(shared_server: SharedServer, site: Site) -> None:
    """A form that is sent by GET puts the secret into the page's URL."""
    async with visiting(shared_server) as client:
        await client.ask("page/navigate", url=site.html("/find", FORM))
        await client.ask("action/fill", selector="#q", value="{{secret:pw}}")
        await client.ask("action/press", selector="#q", key="Enter")
        await client.ask("page/waitFor", url="/find?q=", timeout=5000)
        for guess in ("q=c", "**?q=c*", "**=correct-Horse*"):
            waiting = await client.answer(await client.send("page/waitFor", url=guess, timeout=50))
            assert waiting["error"]["code"] == -32016
            step = {"action": "action/hover", "params": {"selector": "#q"}, "expect": {"url": guess, "timeout": 50}}
            acted = await client.ask("agent/act", steps=[step])
            assert list(acted["results"][0]["error"]["data"]["details"]["got"]) == ["url"]
            switching = await client.answer(await client.send("frame/switch", url=guess))
            assert "error" in switching


async def test_no_secret_that_a_page_shows_is_pasted_into_another_site(shared_server: SharedServer, site: Site) -> None:
    async with visiting(shared_server) as client:
        await show(client, site, "pw")
        await client.ask("action/press", key="Control+a")
        await client.ask("action/press", key="Control+c")
        other = site.html("/notes", "<textarea id=t></textarea>").replace("127.0.0.1", "localhost")
        await client.ask("page/navigate", url=other)
        for target in ({"selector": "#t"}, {}):
            refused = await client.answer(await client.send("action/press", key="Control+v", **target))
            assert refused["error"]["data"]["details"]["secret"] == "pw"
        # The middle button pastes what was selected last, in any page of the browser.
        await client.ask("action/click", selector="#t", options={"button": "middle"})
        value = "new Promise(done => setTimeout(() => done(document.querySelector('#t').value), 100))"
        kept = await client.ask("script/evaluate", expression=value)
        assert kept["value"] == ""


async def test_pictures_cover_a_secret_in_documents_that_may_not_know_it(
    shared_server: SharedServer, site: Site
) -> None:
    value = VALUES["pw"]
    frame = html.escape(f"<body style='margin: 0'><p style='height: 50px; margin: 0'>{value}")
    words = "".join(f"<li class=shown>{word}</li>" for word in value.split())
    site.html(
        "/elsewhere",
        f"<p class=shown>{value}</p><ul>{words}</ul><input class=shown value='{value}'><p id=other>an{value[1:]}</p>"
        f"<iframe id=inner sandbox srcdoc=\"{frame}\" style='width: 400px; height: 50px; border: 0'></iframe>",
    )
    async with visiting(shared_server) as client:
        await show(client, site, "pw")
        await client.ask("page/navigate", url=site.url("/elsewhere", "localhost"))
        script = (
            "[...document.querySelectorAll('.shown, #inner, #other')].map(one => one.getBoundingClientRect().toJSON())"
        )
        *covered, other, inner = (await client.ask("script/evaluate", expression=script))["value"]
        shot = await client.ask("observe/screenshot", options={"format": "png"})
        assert len(covered) == 4
        assert [pixels(shot, box) for box in [*covered, inner]] == [{PINK}] * 5
        assert PINK not in pixels(shot, other)
        printing = await client.answer(await client.send("observe/pdf"))
        assert printing["error"]["data"]["details"]["reason"] == "the page shows a secret"
        # A field of this name hides what is in its form from the selectors of the covers.
        site.html("/form", f"<form><input name=parentElement><p>{value}</p></form>")
        await client.ask("page/navigate", url=site.url("/form", "localhost"))
        shot = await client.answer(await client.send("observe/screenshot"))
        assert shot["error"]["data"]["details"]["reason"] == "the page may show a secret that can't be covered"
