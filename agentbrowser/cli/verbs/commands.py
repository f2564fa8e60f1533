"""Commands beside the verbs: the page for shell agents, and shell completion."""

from pathlib import Path
from typing import Final

import click

SKILL: Final = Path(__file__).with_name("skill.md")
SHELLS: Final = ("bash", "zsh", "fish")


@click.command()
def skill() -> None:
    """Print the page that a shell agent reads before it uses the verbs."""
    click.echo(SKILL.read_text(encoding="utf-8"), nl=False)


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion of verbs, commands and options for a shell.

    bash: eval "$(agentbrowser completion bash)" in ~/.bashrc; zsh: the same in ~/.zshrc, behind compinit; fish:
    agentbrowser completion fish > ~/.config/fish/completions/agentbrowser.fish
    """
    from agentbrowser.cli.verbs.completion import script, words_of

    assert context.parent is not None
    assert isinstance(context.parent.command, click.Group)
    click.echo(script(shell, words_of(context.parent.command)), nl=False)
