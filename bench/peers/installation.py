"""Installation of the peers from npm, in the versions that are noted here."""

import os
import subprocess
from pathlib import Path
from typing import Final

_NPM: Final = Path(__file__).parent / "npm"


def install() -> Path:
    """Install the peers from npm, unless these versions are there; return the folder."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agentbrowser-bench"
    names = ("package.json", "package-lock.json", ".npmrc")
    wanted = {name: (_NPM / name).read_text() for name in names}
    if any(not (cache / name).exists() or (cache / name).read_text() != text for name, text in wanted.items()):
        cache.mkdir(parents=True, exist_ok=True)
        for name, text in wanted.items():
            (cache / name).write_text(text)
        (cache / "package.json").unlink()  # written last: it marks a complete installation
        (cache / "package.json").write_text(wanted["package.json"])
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=cache, check=True)
    return cache
