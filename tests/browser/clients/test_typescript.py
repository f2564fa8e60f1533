"""The TypeScript client: its own tests, on Node, with a server of ours to speak to."""

import hashlib
from pathlib import Path

import pytest

from agentbrowser.config import Config
from agentbrowser.policy.credentials import Credential, ScopeName, TokenFile
from agentbrowser.server.app import Server
from tests.browser import npm
from tests.browser.site import Site
from tests.certificates import make_certificate

pytestmark = pytest.mark.slow

SHOP = """<h1>Shop</h1><ul><li><b>Tea</b> <span>3.50</span></li><li><b>Cup</b> <span>12.00</span></li></ul>
<table><tr><th>Name</th><th>Price</th></tr><tr><td>Tea</td><td>3.50</td></tr><tr><td>Cup</td><td>12.00</td></tr></table>
<label>Email <input type=email></label><button>Add</button> <output></output> <a href=/more>More</a>
<script>
document.querySelector("button").onclick = () => {
  document.title = Number(document.title) + 1;
  document.querySelector("output").textContent = `${document.title} added`;
};
</script>"""


def token(name: str, scope: ScopeName) -> Credential:
    return Credential(name=name, sha256=hashlib.sha256(name.encode()).hexdigest(), scope_word=scope)


@pytest.fixture
def config() -> Config:
    tokens = TokenFile((token("open-sesame-please", "privileged"), token("poppy-seeds-please", "readonly")))
    return Config(port=0, drain_timeout_s=1, tokens=tokens)


async def test_the_clients_own_tests_pass(server: Server, site: Site, tmp_path: Path) -> None:
    """All of them: those with a server that they play themselves, and those with a real one."""
    url = site.html("/", SHOP, title="0")
    certificate = make_certificate(tmp_path, "site")
    await npm.build()
    code, said = await npm.run(
        *("node", "--test", *sorted(map(str, npm.SDK.glob("dist/tests/*.test.js")))),
        AGENT_URL=server.url,
        AGENT_TOKEN="open-sesame-please",
        AGENT_LOW_TOKEN="poppy-seeds-please",
        SITE_URL=url,
        TLS_CERT=certificate.cert,
        TLS_KEY=certificate.key,
    )
    assert code == 0, said
    assert "# skipped 0" in said
