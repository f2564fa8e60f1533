"""One whole session with a canary in every place for a secret; then a search of everything that came out."""

import base64
import contextlib
import hashlib
import io
import json
import re
import zipfile
from collections.abc import AsyncIterator, Collection
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio

from tests.browser.server.test_cli_serve import Program, family, program
from tests.browser.site import Site, open_site
from tests.loop.raw_websocket import CLOSE, Wire

PLACES = (
    *("token-header", "token-query", "token-wrong", "token-file", "userinfo", "url", "fragment", "request-header"),
    *(
        "response-header",
        "cookie",
        "storage-cookie",
        "post-json",
        "post-form",
        "post-blob",
        "password",
        "typed-password",
    ),
    *("one-time-code", "console", "console-bearer", "console-jwt", "thrown", "redirect", "websocket", "sent-to-script"),
)


def canary(place: str) -> str:
    """Return a canary of letters and digits, so that every encoding leaves it unchanged."""
    return "canary" + place.replace("-", "") + hashlib.sha256(place.encode()).hexdigest()[:8]


@attrs.define
class Talk:
    """A client that records all received messages."""

    wire: Wire
    replies: list[dict[str, Any]] = attrs.field(factory=list)
    events: list[dict[str, Any]] = attrs.field(factory=list)

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the reply."""
        number = len(self.replies)
        await self.wire.say(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
        while True:
            opcode, data = await self.wire.hear()
            assert opcode != CLOSE
            message: dict[str, Any] = json.loads(data)
            if "id" not in message:
                self.events.append(message)
            elif message["id"] == number:
                self.replies.append(message)
                return message

    async def get(self, method: str, **params: Any) -> Any:
        reply = await self.ask(method, **params)
        assert "result" in reply, reply
        return reply["result"]

    async def fail(self, method: str, **params: Any) -> dict[str, Any]:
        reply = await self.ask(method, **params)
        assert "error" in reply, reply
        error: dict[str, Any] = reply["error"]
        return error


@contextlib.asynccontextmanager
async def talk(server: Program, *headers: str, target: str = "/") -> AsyncIterator[Talk]:
    async with server.dial(*headers, target=target) as wire:
        assert (await wire.head()).startswith(b"HTTP/1.1 101 ")
        yield Talk(wire)


PAGE = """
<form action="/login?token={url}" method=post>
  <label>User <input name=user value=me></label>
  <label>Password <input type=password name=password value="{password}"></label>
  <label>Again <input type=password name=again id=again></label>
  <label>Code <input autocomplete=one-time-code name=otp value="{one_time_code}"></label>
  <input type=hidden name=csrf value="{post_form}">
  <button>Go</button>
</form>
<p id=shown>text</p>
<p style="position: relative"><button id=under>Under</button>
  <input type=password value="{password}" id=over style="position: absolute; left: 0; top: 0; width: 100%"></p>
<script src="/app.js"></script>
"""
SCRIPT = """
console.log("Authorization: Bearer {console_bearer}");
console.error("sent", "password={console}");
console.log("got eyJhbGciOiJIUzI1NiJ9.{console_jwt}.{console_jwt}");
setTimeout(() => {{ throw new Error("token={thrown}") }});
const headers = {{"X-API-Key": "{request_header}", "Authorization": "Basic {request_header}"}};
const body = JSON.stringify({{password: "{post_json}"}});
new WebSocket("ws://127.0.0.1:1/?token={websocket}").onerror = () => 0;
Promise.all([
  fetch("/api?api_key={url}#access_token={fragment}", {{method: "POST", headers, body}}),
  fetch("/blob", {{method: "POST", headers, body: new Blob(["{post_blob}"])}}),
  fetch("/away?x=1"),
  fetch("http://127.0.0.1:1/gone?secret={url}").catch(() => 0),
]).then(() => document.title = "done");
"""


def build(site: Site) -> str:
    """Serve the pages, and return the URL of the first."""
    values = {place.replace("-", "_"): canary(place) for place in PLACES}
    cookie = {"Set_Cookie": f"sid={canary('cookie')}; Path=/", "X_Auth_Token": canary("response-header")}
    site.serve("/api", b"{}", **cookie)
    site.serve("/blob", b"", **cookie)
    site.serve("/away", b"", Location=f"/landed?code={canary('redirect')}")
    site.serve("/landed", b"", **cookie)
    site.html("/login", "<p>in</p>", title="In", **cookie)
    site.serve("/app.js", SCRIPT.format(**values).encode(), Content_Type="text/javascript")
    return site.html("/", PAGE.format(**values), **cookie) + f"?session_id={canary('url')}#token={canary('fragment')}"


def ref_of(seen: Any, name: str) -> dict[str, str]:
    (ref,) = [one["ref"] for one in seen["interactiveElements"] if one.get("name") == name]
    return {"type": "ref", "value": ref}


async def tour(client: Talk, site: Site) -> None:
    """Call every method that an agent uses."""
    await client.get(
        "initialize", capabilities={"events": ["page", "console", "network", "dialog", "download", "frame"]}
    )
    await client.get("trace/start")
    userinfo = f"http://me:{canary('userinfo')}@127.0.0.1:{site.port}/"
    for method in ("page/navigate", "page/create"):
        assert (await client.fail(method, url=userinfo))["code"] == -32602
    await client.fail("page/navigate", url=f"http://127.0.0.1:1/?password={canary('url')}")
    await client.fail("page/navigate", url=f"file:///etc/passwd?token={canary('url')}")
    cookie = {"name": "stored", "value": canary("storage-cookie"), "url": site.url("/")}
    await client.get("page/navigate", url=build(site), waitUntil="load")
    await client.get("storage/setCookies", cookies=[cookie])
    for _ in range(600):
        if (await client.get("page/list"))["pages"][0]["title"] == "done":
            break
        await trio.sleep(0.05)


async def look(client: Talk) -> Any:
    """Observe the page in every way; return the results."""
    seen = await client.get("agent/observe", includeScreenshot=False)
    await client.get("observe/accessibility")
    await client.get("observe/ariaSnapshot")
    for format_ in ("text", "markdown", "html"):
        await client.ask("observe/content", format=format_)
    await client.get("observe/dom")
    for selector in ("[name=password]", "#again", "[name=otp]"):
        await client.ask("observe/element", selector={"type": "css", "value": selector}, properties=["value", "text"])
    return seen


async def act(client: Talk, seen: Any) -> None:
    """Type secrets, cause all kinds of errors, and submit the form."""
    again = ref_of(seen, "Again")
    await client.get("action/fill", selector=again, value=canary("typed-password"))
    await client.get("action/type", selector=again, text=canary("typed-password"), options={"clear": True})
    await client.fail("action/fill", selector={"type": "css", "value": "#shown"}, value=canary("typed-password"))
    for css in ("input", "[type=password]"):
        await client.fail("action/click", selector={"type": "css", "value": css})
    await client.fail("action/click", selector={"type": "css", "value": "#under"}, options={"timeout": 300})
    await client.fail("action/select", selector=again, values=[canary("typed-password")])
    # What a script throws is for who has sent the script, and for nobody else.
    await client.fail("script/evaluate", expression=f"throw new Error('password={canary('sent-to-script')}')")
    await client.fail("action/fill", selector=again, value={"secret": canary("typed-password")})
    await client.fail("nothing/at/all", token=canary("typed-password"))
    await look(client)
    await client.get("action/click", selector=ref_of(seen, "Go"))


def processes(server: Program) -> str:
    """Return the command lines and environments of the server and of all its child processes."""
    received = ""
    for pid in family(server.process.pid) - {server.process.pid}:
        for name in ("cmdline", "environ"):
            with contextlib.suppress(OSError):
                received += Path(f"/proc/{pid}/{name}").read_text(errors="replace") + "\n"
    return received + Path(f"/proc/{server.process.pid}/cmdline").read_text()


def tokens_file(tmp_path: Path) -> str:
    digest = hashlib.sha256(canary("token-file").encode()).hexdigest()
    path = tmp_path / "tokens.toml"
    path.write_text(f'[[tokens]]\nname = "from-file"\nsha256 = "{digest}"\nscope = "privileged"\n')
    path.chmod(0o600)
    return str(path)


@attrs.define
class Haul:
    """All output of a session, by channel."""

    log: str = ""
    events: list[dict[str, Any]] = attrs.field(factory=list)
    errors: list[dict[str, Any]] = attrs.field(factory=list)
    results: list[Any] = attrs.field(factory=list)
    processes: str = ""
    trace: bytes = b""
    recording: bytes = b""
    """The exported recording."""
    kept: bytes = b""
    """All files of the record directory."""
    asked: list[str] = attrs.field(factory=list)
    """The paths that the site was asked for."""
    bodies: str = ""
    """What the site was sent."""

    def take(self, client: Talk) -> None:
        """Add all messages of a client."""
        self.events += client.events
        self.errors += [reply["error"] for reply in client.replies if "error" in reply]
        self.results += [reply["result"] for reply in client.replies if "result" in reply]


async def session(folder: Path) -> Haul:
    """Run a server process and a session with it."""
    haul = Haul()
    token = canary("token-header")
    with open_site() as site:
        async with program(
            *("--log-level", "debug", "--scope", "privileged", "--tokens-file", tokens_file(folder)),
            *("--record-dir", str(folder / "kept")),
            AGENT_TOKEN=token,
        ) as server:
            await knock(server)
            async with talk(server, f"X-AGENT-Token: {token}") as client:
                await tour(client, site)
                seen = await look(client)
                await act(client, seen)
                exported = await client.get("recording/export", includeTrace=True)
                haul.recording = base64.b64decode(exported["data"])
                with zipfile.ZipFile(io.BytesIO(haul.recording)) as recording:
                    haul.trace = recording.read("trace.zip")
                haul.processes = processes(server)
                client.replies.pop()
            haul.take(client)
            assert await server.end() == 0
            haul.log = server.log
        haul.kept = b"\n".join(path.read_bytes() for path in (folder / "kept").rglob("*") if path.is_file())
        haul.asked = [one.path for one in site.seen]
        haul.bodies = b"".join(one.body for one in site.seen).decode(errors="replace")
    return haul


async def knock(server: Program) -> None:
    """Connect with all kinds of tokens."""
    wrong = f"/?token={canary('token-wrong')}"
    for headers, target in (((), wrong), ((f"Authorization: Bearer {canary('token-wrong')}",), "/")):
        async with server.dial(*headers, target=target) as wire:
            assert (await wire.head()).startswith(b"HTTP/1.1 401 ")
    for headers, target in (
        ((), f"/?token={canary('token-header')}"),
        ((f"Authorization: Bearer {canary('token-file')}",), "/any/path"),
        ((), f"/?token={canary('token-file')}"),
    ):
        async with talk(server, *headers, target=target) as client:
            await client.get("page/list")


@pytest.fixture(scope="module")
def haul(tmp_path_factory: pytest.TempPathFactory) -> Haul:
    return trio.run(session, tmp_path_factory.mktemp("canaries"))


def found_in(text: str, but: Collection[str] = ()) -> list[str]:
    """Return the places whose canaries are in a text, in any encoding that could hide them."""
    decoded = text + "".join(
        base64.b64decode(word[: len(word) // 4 * 4], altchars=b"-_").decode(errors="replace")
        for word in re.findall(r"[A-Za-z0-9+/_-]{24,}", text)
    )
    return [place for place in PLACES if place not in but and canary(place).lower() in decoded.lower()]


def test_the_session_was_what_it_should_be(haul: Haul) -> None:
    """Only what was there could have leaked."""
    assert {event["method"].partition("/")[2] for event in haul.events} >= {"page", "console", "network"}
    assert len(haul.errors) >= 12
    places = {"post-json", "post-form", "post-blob", "password", "typed-password", "one-time-code"}
    assert set(found_in(haul.bodies)) == places
    assert any(canary("url") in path for path in haul.asked)
    assert any(canary("redirect") in path for path in haul.asked)
    console = [event["params"]["text"] for event in haul.events if event["method"] == "notifications/console"]
    assert sum("[REDACTED]" in text for text in console) >= 4
    for line in ("client_connected", "refused", "browser_launched"):
        assert line in haul.log
    assert "from-file" in haul.log


def test_no_log_line_contains_a_secret(haul: Haul) -> None:
    assert found_in(haul.log) == []


def test_no_event_contains_a_secret(haul: Haul) -> None:
    received = {
        event["method"] + " " + str(event["params"].get("type")): found_in(json.dumps(event)) for event in haul.events
    }
    assert {name: places for name, places in received.items() if places} == {}


def test_no_error_contains_a_secret(haul: Haul) -> None:
    received = [(error["message"], found_in(json.dumps(error), ["sent-to-script"])) for error in haul.errors]
    assert [places for places in received if places[1]] == []


ASKED_FOR = ("url", "fragment", "redirect", "post-form")
"""Where the page is, and a field that is no secret to those who may look at the page."""


def test_no_result_contains_a_secret_except_the_page_s_url(haul: Haul) -> None:
    assert [
        found_in(json.dumps(result), ASKED_FOR) for result in haul.results if found_in(json.dumps(result), ASKED_FOR)
    ] == []


def test_no_process_receives_a_secret(haul: Haul) -> None:
    assert "chrom" in haul.processes
    assert found_in(haul.processes) == []


def test_a_trace_holds_nothing_of_the_server_s(haul: Haul) -> None:
    with zipfile.ZipFile(io.BytesIO(haul.trace)) as trace:
        received = "".join(trace.read(name).decode(errors="replace") for name in trace.namelist())
    assert canary("url") in received
    left = (
        "password",
        "typed-password",
        "one-time-code",
        "post-json",
        "post-blob",
        "cookie",
        "request-header",
        "response-header",
    )
    assert [place for place in left if canary(place) in received] == []
    assert [place for place in PLACES if place.startswith("token") and canary(place) in received] == []


def test_no_recording_contains_a_secret(haul: Haul) -> None:
    """No entry, HAR, viewer or file of the record directory; the trace within is Playwright's."""
    with zipfile.ZipFile(io.BytesIO(haul.recording)) as recording:
        files = {name: recording.read(name).decode(errors="replace") for name in recording.namelist()}
    assert len(files.pop("events.jsonl").splitlines()) > 60
    del files["trace.zip"]
    with zipfile.ZipFile(io.BytesIO(haul.recording)) as recording:
        lines = [json.loads(line) for line in recording.read("events.jsonl").splitlines()]
    leaks = [(line.get("method") or line["kind"], found_in(json.dumps(line))) for line in lines]
    assert [leak for leak in leaks if leak[1]] == []
    assert {name: found_in(text) for name, text in files.items() if found_in(text)} == {}
    assert b"agent/observe" in haul.kept
    assert found_in(haul.kept.decode(errors="replace")) == []
