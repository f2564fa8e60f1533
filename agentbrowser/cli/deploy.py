"""Command ``deploy``: the deployment files that the package holds."""

import re
from pathlib import Path
from typing import Final

import click

from agentbrowser.cli.failures import BadUsage

FOLDER: Final = Path(__file__).parents[1] / "deploy"
FILES: Final = {
    "dockerfile": "Dockerfile",
    "compose": "compose.yaml",
    "seccomp": "seccomp.json",
    "systemd": "agentbrowser.service",
    "kubernetes": "kubernetes.yaml",
    "haproxy": "haproxy.cfg",
}
"""Deployment files by the names that the command takes."""
_SUMMARIES: Final = {"seccomp": "Seccomp profile: what Docker permits by default, and the sandbox of Chromium."}
"""Summaries of files that can hold no comment."""


@click.group()
def deploy() -> None:
    """List the deployment files, or print one: Docker, systemd, Kubernetes, HAProxy."""


@deploy.command(name="list")
def list_files() -> None:
    """List the files by name."""
    width = max(map(len, FILES))
    for name in FILES:
        click.echo(f"{name:<{width}}  {summary(name)}")


@deploy.command(name="print")
@click.argument("name")
def print_file(name: str) -> None:
    """Print a file, to be adapted and saved where it belongs."""
    if name not in FILES:
        raise BadUsage(f"there is no deployment file {name!r}; the files are {', '.join(FILES)}")
    click.echo(text(name), nl=False)


def text(name: str) -> str:
    """Return a deployment file."""
    return (FOLDER / FILES[name]).read_text(encoding="utf-8")


def summary(name: str) -> str:
    """Return the first sentence of a file's first comment."""
    return _SUMMARIES.get(name) or re.split(r"(?<=\.)\s", text(name).removeprefix("# "))[0]
