"""Exported tests of recorded runs: do those of the twelve test sites pass on their site, in all three forms?

A scripted agent does the task of each site. The recording becomes a test for Playwright in Python and TypeScript, and
for agentbrowser's client, and each is run as its user would: by pytest, or by `npx playwright test`.

Run: python -m bench.exports [--only NAME] [--to FORM] [--npm FOLDER] [--smoke]

FOLDER has @playwright/test (`npm install @playwright/test`); without it, the tests in TypeScript are left out.
"""

import argparse
import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.cli.logs import set_up_logging
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.recorder.export.blocking import agentbrowser_python
from agentbrowser.recorder.export.items import TestPlan
from agentbrowser.recorder.export.plan import plan_of
from agentbrowser.recorder.export.playwright import playwright_python, playwright_typescript
from agentbrowser.server.app import open_server
from bench.program import write_line
from bench.replays import PIN, SITES, WAYS, open_folder, record
from tests.browser.sites.serving import HERE, open_sites

_SERVING: Final = Config(
    port=0, scope=Scope.PRIVILEGED, private_network="allow", drain_timeout_s=1, log_level="error", recorder=False
)
_SMOKE: Final = "calendar"
"""Another site than that of `bench.replays`, so that both together look at two."""
_LIMIT_S: Final = 180.0
_OUTPUT: Final = 3000


@attrs.frozen(kw_only=True)
class Form:
    """Form of exported tests, and the command that runs one."""

    name: str
    suffix: str
    text: Callable[[TestPlan], str]
    command: tuple[str, ...]


_PYTEST: Final = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly")
_FORMS: Final = {
    form.name: form
    for form in (
        Form(name="playwright-python", suffix="py", text=playwright_python, command=_PYTEST),
        Form(
            name="playwright-ts",
            suffix="spec.ts",
            text=playwright_typescript,
            command=("npx", "playwright", "test", "--reporter=line", "--workers=1", "--timeout=120000"),
        ),
        Form(name="agentbrowser-python", suffix="py", text=agentbrowser_python, command=_PYTEST),
    )
}


@attrs.define
class Outcome:
    """Outcome of one exported test."""

    site: str
    way: str
    form: str
    todo: int
    """Lines that say what could not be repeated; the test fails at the first."""
    passed: bool
    output: str = ""
    """End of the output of a test that failed."""


async def _run(form: Form, file: Path, environ: Mapping[str, str]) -> tuple[bool, str]:
    """Run a written test as its user would, and return whether it passed, and its output."""
    known = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "AGENT_"))}
    command = [*form.command, str(file) if form.suffix == "py" else file.name]
    with trio.move_on_after(_LIMIT_S):
        done = await trio.run_process(
            command,
            cwd=file.parent,
            env={**known, **environ},
            capture_stdout=True,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return done.returncode == 0, done.stdout.decode(errors="replace")
    return False, f"it was not done after {_LIMIT_S:g} s"


async def _judge(site: str, way: str, form: Form, plan: TestPlan, folder: Path, environ: Mapping[str, str]) -> Outcome:
    file = folder / f"test_{site}_{way}_{form.name.replace('-', '_')}.{form.suffix}"
    text = form.text(plan)
    file.write_text(text, encoding="utf-8")
    values = dict.fromkeys(plan.variables, PIN)
    passed, output = await _run(form, file, {**environ, **values})
    shown = "" if passed else output[-_OUTPUT:]
    return Outcome(site=site, way=way, form=form.name, todo=text.count("TODO"), passed=passed, output=shown)


async def _main(options: argparse.Namespace) -> bool:
    """Print the outcome of each test; return True if all have passed."""
    sites = [options.only] if options.only else [_SMOKE] if options.smoke else SITES
    ways = options.way or (WAYS[:1] if options.smoke else WAYS)
    forms = [form for form in _FORMS.values() if options.to in (None, form.name)]
    if options.npm is None:
        forms = [form for form in forms if form.suffix == "py"]
    set_up_logging(_SERVING)
    outcomes: list[Outcome] = []
    with open_sites(HERE) as url, open_folder(options.keep) as folder:
        if options.npm is not None and not (modules := folder / "node_modules").exists():
            modules.symlink_to((options.npm / "node_modules").resolve(), target_is_directory=True)
        async with open_server(_SERVING) as server:
            environ = {
                "CHROMIUM": str(find_browser("chromium").path),
                "AGENTBROWSER_URL": server.url,
                "BASE_URL": url,
            }
            for site, way in itertools.product(sites, ways):
                plan = plan_of(await record(url, site, folder, changes=way == "changes"))
                for form in forms:
                    outcomes.append(await _judge(site, way, form, plan, folder, environ))
                    write_line("exports", attrs.asdict(outcomes[-1]))
    passed = sum(one.passed for one in outcomes)
    print(f"{passed} of {len(outcomes)} exported tests have passed")
    return passed == len(outcomes)


def _arguments() -> Any:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=SITES)
    parser.add_argument("--way", choices=WAYS, action="append")
    parser.add_argument("--to", choices=list(_FORMS))
    parser.add_argument("--npm", type=Path, help="folder with @playwright/test, for the tests in TypeScript")
    parser.add_argument("--keep", type=Path, help="folder for recordings and tests")
    parser.add_argument("--smoke", action="store_true", help="one site, which was looked at in full")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(0 if trio.run(_main, _arguments()) else 1)
