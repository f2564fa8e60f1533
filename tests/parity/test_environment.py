"""Parity of dialogs, emulation and downloads: after the titles of page-dialog, browsercontext-* and download."""

import base64
from collections.abc import Callable, Mapping
from typing import Any, Literal

import trio
from playwright.async_api import Dialog, Page

from tests.parity.ours import OurPage
from tests.parity.pair import PairThread
from tests.parity.scenario import FRESH, Context, Playwright, Scenario, click
from tests.parity.verdict import every, judge

# Dialogs


def answering(accept: bool, text: str | None = None) -> Playwright:
    async def act(page: Page) -> object:
        said: list[object] = []

        async def answer(dialog: Dialog) -> None:
            said.extend((dialog.type, dialog.message, dialog.default_value))
            await (dialog.dismiss() if not accept else dialog.accept() if text is None else dialog.accept(text))

        page.once("dialog", answer)
        await page.click("#b")
        return said

    return act


def our_answer(action: Literal["accept", "dismiss"], text: str | None = None) -> Callable[[OurPage], Any]:
    async def act(page: OurPage) -> object:
        armed = {"action": action, **({} if text is None else {"promptText": text})}
        result = await page(("dialog/handle", armed), click("#b"))
        dialog = result["dialog"]
        return [dialog["type"], dialog["message"], dialog.get("defaultValue") or ""]

    return act


def asking(source: str) -> str:
    return f"""<button id=b onclick="window.said = {source}">x</button>"""


DIALOGS: dict[str, str] = {
    "an alert": asking("alert('Hello') ?? 'undefined'"),
    "a confirmation": asking("confirm('Sure?')"),
    "a prompt": asking("prompt('Name?')"),
    "a prompt with a default": asking("prompt('Name?', 'Ada')"),
    "a dialog of many lines": asking("confirm('one\\ntwo\\n\\nfour')"),
    "an empty alert": asking("[alert('')]"),
    "a dialog of objects": asking("confirm({toString: () => 'object'})"),
    "a dialog on pointerdown": "<button id=b onpointerdown=\"window.said = confirm('Sure?')\">x</button>",
    "a dialog on mouseup": "<button id=b onmouseup=\"window.said = confirm('Sure?')\">x</button>",
    "a dialog of a link": "<a id=b href='#x' onclick=\"window.said = confirm('Sure?'); return window.said\">x</a>",
    "a dialog of a submission": "<form onsubmit=\"window.said = confirm('Sure?'); return false\"><button id=b>x</button></form>",
    "a dialog in a frame": "<button id=b onclick=\"window.said = frames[0].confirm('Sure?')\">x</button><iframe></iframe>",
}
REPLIES: dict[str, tuple[Playwright, Callable[[OurPage], Any]]] = {
    "accepted": (answering(True), our_answer("accept")),
    "dismissed": (answering(False), our_answer("dismiss")),
}
TEXTS = ("Grace", "", "é 漢 \"'", "a\nb")
SAID = "[window.said ?? null, location.hash]"

# Emulation


def context(ours: Mapping[str, Any], **playwright: Any) -> Context:
    return Context(playwright=playwright, ours=ours)


BERLIN: dict[str, Any] = {"latitude": 52.52, "longitude": 13.4}
SIZE = {"width": 800, "height": 600}
PHONE = {"width": 390, "height": 844}
LOCATED = """<script>navigator.geolocation.getCurrentPosition(
({coords}) => window.place = [coords.latitude, coords.longitude, coords.accuracy], error => window.place = error.code)</script>"""
CONTEXTS: dict[str, tuple[Context, str, str, str | None]] = {
    "a viewport": (context({"viewport": SIZE}, viewport=SIZE), "", "[innerWidth, innerHeight, screen.width]", None),
    "a scale of the device": (
        context({"deviceScaleFactor": 3}, device_scale_factor=3),
        "",
        "[devicePixelRatio, innerWidth, screen.width, matchMedia('(resolution: 3dppx)').matches]",
        None,
    ),
    "a phone": (
        context(
            {"viewport": PHONE, "deviceScaleFactor": 2, "isMobile": True, "hasTouch": True},
            viewport=PHONE,
            device_scale_factor=2,
            is_mobile=True,
            has_touch=True,
        ),
        "<meta name=viewport content='width=device-width, initial-scale=1'>",
        "[innerWidth, devicePixelRatio, 'ontouchstart' in window, navigator.maxTouchPoints, screen.orientation.type,"
        " matchMedia('(pointer: coarse)').matches, matchMedia('(hover: none)').matches]",
        None,
    ),
    "a phone with a page for large screens": (
        context({"viewport": PHONE, "isMobile": True}, viewport=PHONE, is_mobile=True),
        "<p id=b>x",
        "[innerWidth, visualViewport.scale, 'ontouchstart' in window]",
        None,
    ),
    "a user agent": (context({"userAgent": "robot/1"}, user_agent="robot/1"), "", "navigator.userAgent", None),
    "a locale": (
        context({"locale": "de-DE"}, locale="de-DE"),
        "",
        "[navigator.language, navigator.languages, (1234.5).toLocaleString(), new Date(0).toLocaleDateString()]",
        None,
    ),
    "a time zone": (
        context({"timezoneId": "Asia/Tokyo"}, timezone_id="Asia/Tokyo"),
        "",
        "[Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(0).getTimezoneOffset()]",
        None,
    ),
    "a dark scheme": (
        context({"colorScheme": "dark"}, color_scheme="dark"),
        "<style>@media (prefers-color-scheme: dark) { #b { color: red } }</style><p id=b>x",
        "[matchMedia('(prefers-color-scheme: dark)').matches, getComputedStyle(b).color]",
        None,
    ),
    "a light scheme": (
        context({"colorScheme": "light"}, color_scheme="light"),
        "",
        "matchMedia('(prefers-color-scheme: light)').matches",
        None,
    ),
    "a place": (
        context({"geolocation": BERLIN}, geolocation=BERLIN, permissions=["geolocation"]),
        LOCATED,
        "window.place",
        "window.place",
    ),
    "a place with an accuracy": (
        context(
            {"geolocation": {**BERLIN, "accuracy": 7}},
            geolocation={**BERLIN, "accuracy": 7},
            permissions=["geolocation"],
        ),
        LOCATED,
        "window.place",
        "window.place",
    ),
    "no permission": (
        context({"permissions": []}, permissions=[]),
        "<script>navigator.permissions.query({name: 'geolocation'}).then(got => window.got = got.state)</script>",
        "window.got",
        "window.got",
    ),
    "a permission": (
        context({"permissions": ["notifications"]}, permissions=["notifications"]),
        "<script>navigator.permissions.query({name: 'notifications'}).then(got => window.got = got.state)</script>",
        "window.got",
        "window.got",
    ),
}
RESIZED = "<script>window.sizes = []; onresize = () => sizes.push(innerWidth)</script><style>@media (max-width: 500px) { p { color: red } }</style><p id=b>x"


async def their_place(page: Page) -> None:
    await page.context.grant_permissions(["geolocation"])
    await page.context.set_geolocation({"latitude": 1, "longitude": 2})
    await page.reload()


async def their_loss_of_the_network(page: Page) -> None:
    await page.context.set_offline(True)


async def their_return_of_the_network(page: Page) -> None:
    await page.context.set_offline(True)
    await page.context.set_offline(False)


async def nothing(page: object) -> None:
    """Do nothing: the scenario is about the context's options."""


# Downloads


async def their_download(page: Page) -> object:
    async with page.expect_download() as waiting:
        await page.click("#b")
    download = await waiting.value
    path = await download.path()
    return [download.suggested_filename, path.read_bytes().decode("latin-1"), page.url]


async def our_download(page: OurPage) -> object:
    result = await page(click("#b"))
    download = result["download"]
    with trio.fail_after(20):
        while True:
            states = {one["downloadId"]: one["state"] for one in (await page(("download/list", {})))["downloads"]}
            if states[download["downloadId"]] == "completed":
                break
            await trio.sleep(0.01)
    part = await page(("download/read", {"downloadId": download["downloadId"]}))
    assert part["eof"]
    return [download["suggestedName"], base64.b64decode(part["data"]).decode("latin-1"), result["url"]]


ATTACHED = {"Content-Disposition": "attachment; filename=report.txt", "Content-Type": "text/plain"}
BYTES = {"Content-Type": "application/octet-stream"}
DOWNLOADS: dict[str, tuple[str, dict[str, Any]]] = {
    "an attachment": ("<a id=b href=file>x</a>", {"file": (b"body", ATTACHED)}),
    "an attachment without a name": (
        "<a id=b href=file.txt>x</a>",
        {"file.txt": (b"body", {**ATTACHED, "Content-Disposition": "attachment"})},
    ),
    "an attachment with a name beyond ASCII": (
        "<a id=b href=file>x</a>",
        {"file": (b"body", {**ATTACHED, "Content-Disposition": "attachment; filename*=UTF-8''%e2%82%ac.txt"})},
    ),
    "an attachment with folders in its name": (
        "<a id=b href=file>x</a>",
        {"file": (b"body", {**ATTACHED, "Content-Disposition": 'attachment; filename="a/b.txt"'})},
    ),
    "a type that no page shows": ("<a id=b href=file.bin>x</a>", {"file.bin": (bytes(range(256)), BYTES)}),
    "a link with the attribute": ("<a id=b href=page download>x</a>", {"page": (b"<p>page", {})}),
    "a link with a name": ("<a id=b href=page download=saved.html>x</a>", {"page": (b"<p>page", {})}),
    "a data URL": ("<a id=b href='data:text/plain,hello' download=a.txt>x</a>", {}),
    "a blob": (
        "<a id=b download=b.txt>x</a><script>b.href = URL.createObjectURL(new Blob(['blob']))</script>",
        {},
    ),
    "a link that a script follows": (
        "<button id=b onclick=\"const a = document.createElement('a'); a.href = 'file'; a.click()\">x</button>",
        {"file": (b"body", ATTACHED)},
    ),
    "a location that a script sets": (
        "<button id=b onclick=\"location = 'file'\">x</button>",
        {"file": (b"body", ATTACHED)},
    ),
    "a form": ("<form action=file><button id=b>x</button></form>", {"file": (b"body", ATTACHED)}),
    "a redirect": ("<a id=b href=away>x</a>", {"away": (b"", {"Location": "file"}), "file": (b"body", ATTACHED)}),
    "an empty file": ("<a id=b href=file>x</a>", {"file": (b"", ATTACHED)}),
}

SCENARIOS = [
    *(
        Scenario(f"{name} is {reply}", html, theirs, ours, SAID)
        for name, html in DIALOGS.items()
        for reply, (theirs, ours) in REPLIES.items()
    ),
    *(
        Scenario(
            f"a prompt is answered with {text!r}",
            DIALOGS["a prompt with a default"],
            answering(True, text),
            our_answer("accept", text),
            SAID,
        )
        for text in TEXTS
    ),
    *(
        Scenario(f"a context with {name}", html, nothing, nothing, read, until=until, context=options)
        for name, (options, html, read, until) in CONTEXTS.items()
    ),
    Scenario(
        "a viewport for a page",
        RESIZED,
        lambda p: p.set_viewport_size({"width": 400, "height": 300}),
        ("emulate/setViewport", {"width": 400, "height": 300}),
        "[innerWidth, innerHeight, getComputedStyle(b).color, sizes]",
        until="sizes.length",
        context=FRESH,
    ),
    Scenario(
        "a place for open pages",
        LOCATED,
        their_place,
        [("emulate/setGeolocation", {"latitude": 1, "longitude": 2}), ("page/reload", {})],
        "window.place",
        until="window.place",
        context=FRESH,
    ),
    Scenario(
        "the network is lost",
        "<script>onoffline = () => window.lost = true</script>",
        their_loss_of_the_network,
        ("emulate/setOffline", {"offline": True}),
        "[navigator.onLine, window.lost]",
        until="window.lost",
        context=FRESH,
    ),
    Scenario(
        "the network returns",
        "<script>ononline = () => window.back = true</script>",
        their_return_of_the_network,
        [("emulate/setOffline", {"offline": True}), ("emulate/setOffline", {"offline": False})],
        "[navigator.onLine, window.back]",
        until="window.back",
        context=FRESH,
    ),
    *(
        Scenario(f"download: {name}", html, their_download, our_download, files=files, context=FRESH, wire=True)
        for name, (html, files) in DOWNLOADS.items()
    ),
]


@every(SCENARIOS)
def test_page_sees_the_same(pair: PairThread, scenario: Scenario) -> None:
    judge(pair, scenario)
