"""What the policy decides, thought out a second time: spellings by hand, labels as lists, addresses as octets."""

from ipaddress import IPv4Address


def words(text: str) -> list[str]:
    return text.split()


METADATA = [
    "http:\\\\169.254.169.254\\latest",
    "\x01 ht\ntp://169.254.\t169.254/",
    *words("""
    http://169.254.169.254/latest/meta-data/ http://2852039166/ http://0xa9fea9fe/ http://0xA9.0xFE.0xA9.0xFE/
    http://025177524776/ http://0251.0376.0251.0376/ http://169.254.43518/ http://169.16689662/ http:/169.254.169.254/
    http://１６９.２５４.１６９.２５４/ http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/ http://169。254｡169．254/ http://169%2e254%2E169.254/
    http://%31%36%39.254.169.254/ http://169.254.169.254./ http://[::ffff:169.254.169.254]/ http://[::a9fe:a9fe]/
    http://[0:0:0:0:0:FFFF:a9fe:a9fe]/ http://[64:ff9b::169.254.169.254]/ http://[2002:a9fe:a9fe::1]/ http://[fe80::1]/
    http://[fd00:ec2::254]/ http://[fd20:ce::254]/ http://[fd00:c1::a9fe:a9fe]/ http://[fd00:42::42]/
    http://100.100.100.200/ http://168.63.129.16/ http://192.0.0.192/
    http://metadata.google%2einternal.:80/v1/ http://METADATA/ http://metadata.goog/ http://instance-data/
    https://instance-data.ec2.internal/
    """),
]

SCHEMES = [
    "java\nscript:alert(1)",
    "\x01 javascript:alert(1)",
    *words("""
    javascript:alert(1) JaVaScRiPt:alert(1) javascript://a.com/%0aalert(1) data:text/html,<script>alert(1)</script>
    file:///etc/passwd file://localhost/etc/passwd FILE:/etc/passwd view-source:http://a.com/ chrome://crash
    view-source:file:///etc/hostname chrome-error://chromewebdata/ chrome-extension://abcdefghijklmnop/x.html
    devtools://devtools/bundled/inspector.html blob:http://a.com/7e2d filesystem:http://a.com/temporary/x ftp://a.com/
    ws://a.com/ wss://a.com/ about:srcdoc about:blank#x about:blank?x about:BLANK about: localhost:3000/x
    intent://a.com#Intent;end mailto:a
    """),
]

SYNTAX = [
    "",
    "http://a b.com/",
    "http://" + "a." * 127 + "com/",
    "http://\ud800.com/",
    *words(r"""
    a.com //a.com/ /etc/passwd http:// http://a%00.com/ http://a.com:99999/ http://1.2.3.4.5/ http://[::1/
    http://[fe80::1%25eth0]/ http://a..com/ http://.a.com/ http://a.com../ http://./ http://*.a.com/
    http://user@a.com/ http://:secret@a.com/ https:user:secret@a.com/ http:\\a.com@evil.com/ http://a.com:80@evil.com/
    http://user@169.254.169.254/ ftp://user@169.254.169.254/
    """),
]

PRIVATE = words("""
    localhost LOCALHOST. app.localhost 127.0.0.1 127.1 0x7f.1 2130706433 127.255.0.1 0 0.0.0.0 10.0.0.1 172.16.0.1
    172.31.255.255 192.168.1.1 100.64.0.1 ①⑨②.168.0.1 [::1] [::] [fc00::1] [fdff::1] [::ffff:10.0.0.1] [::127.0.0.1]
    [64:ff9b::c0a8:101] [64:ff9b:1::1] [2002:7f00:1::] [::ffff:0:7f00:1] 192.0.0.8 192.0.0.170 224.0.0.1 239.1.1.1
    240.0.0.1 255.255.255.255 [fec0::1] [feff::1] [ff02::1] [2001:0:7f00:1::]
""")
NOT_PRIVATE = words("""
    172.15.0.1 172.32.0.1 100.128.0.1 11.0.0.1 192.169.0.1 192.0.1.1 223.255.255.255 [2606:4700::1] [2001:1::1]
    [::ffff:0:808:808] localhost.com
""")

BAD_ENTRIES = [
    *("", "a b.com", "a.com\x00", "x" * 250 + ".com"),
    *words(r"""
    * *. *.com *.com. *.localhost *.com｡ *.*.a.com a.*.com *a.com a*.com **.a.com *.1.2.3.4 *.[::1] *.1.2 http://a.com
    a.com/ a.com/x a.com?x a.com#x u@a.com a.com\x a.com%2e .a.com a..com a.com.. . a.com: a.com:0 a.com:65536 a.com:x
    ::1 [::1 [::g] [::1]x 1.2.3.4.5 a,b.com a(b.com
    """),
]


def matches(entry: list[str], wildcard: bool, entry_port: int | None, host: list[str], port: int) -> bool:
    """Match as a list of labels, from the top-level domain down."""
    if entry_port is not None and entry_port != port:
        return False
    shared = 0
    for ours, theirs in zip(reversed(entry), reversed(host), strict=False):
        if ours != theirs:
            break
        shared += 1
    return shared == len(entry) and (wildcard or shared == len(host))


def verdict_of_address(number: int) -> str:
    """Say what an IPv4 address is, from its octets."""
    a, b, c, d = number.to_bytes(4, "big")
    if (a, b) == (169, 254) or (a, b, c, d) in ((100, 100, 100, 200), (168, 63, 129, 16), (192, 0, 0, 192)):
        return "metadata"
    private = a in (0, 10, 127) or (a == 172 and b // 16 == 1) or (a, b) == (192, 168) or (a == 100 and b // 64 == 1)
    private = private or a >= 224 or (a, b, c) == (192, 0, 0)
    return "private" if private else "ok"


def spellings(number: int) -> list[str]:
    a, b, c, d = number.to_bytes(4, "big")
    high, low = number >> 16, number & 0xFFFF
    return [
        str(IPv4Address(number)),
        *(str(number), hex(number), f"0{number:o}"),
        *(f"{a:#x}.{b}.0{c:o}.{d}.", f"{a}.{b}.{low}", f"{a}.{number & 0xFFFFFF}"),
        *(f"[{prefix}{high:x}:{low:x}]" for prefix in ("::ffff:", "::ffff:0:", "64:ff9b::")),
        f"[2002:{high:x}:{low:x}::1]",
    ]
