"""Commands beside the verbs: the page for shell agents, shell completion, and the group that helps with both."""

import difflib
from pathlib import Path
from typing import Final, NoReturn

import click

SKILL: Final = Path(__file__).with_name("skill.md")
SHELLS: Final = ("bash", "zsh", "fish")
_INTERRUPTED: Final = 130
_OWN_OPTIONS: Final = ("-h", "--help", "--version")


class CommandGroup(click.Group):
    """Group of commands whose help and errors name the verbs too, which are no commands of click."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the verbs."""
        from agentbrowser.cli.verbs.table import VERBS

        super().format_commands(ctx, formatter)
        with formatter.section("Verbs of shell agents (agentbrowser VERB --help)"):
            formatter.write_dl([(verb.name, verb.help) for verb in VERBS])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options; those of verbs before an unknown word mean a mistyped verb."""
        from agentbrowser.cli.verbs.client import split

        leading, rest = split(args)
        if leading and rest and rest[0] not in self.commands and not leading[0].startswith(_OWN_OPTIONS):
            self._refuse(ctx, rest[0], args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an interrupt ends it with the exit code that shells give, and that verbs have."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(_INTERRUPTED) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of a command line.

        Raises:
          UsageError: there is none; its text has similar names, and the verbs.
        """
        if args[0] not in self.commands:
            self._refuse(ctx, args[0], args)
        return super().resolve_command(ctx, args)

    def _refuse(self, ctx: click.Context, word: str, args: list[str]) -> NoReturn:
        """Refuse an unknown word, in JSON if the command line asks for it."""
        from agentbrowser.cli.verbs.parser import wants_json
        from agentbrowser.cli.verbs.table import BY_NAME

        near = difflib.get_close_matches(word, [*BY_NAME, *self.commands], 2)
        meant = f" Did you mean {' or '.join(near)}?" if near else ""
        text = f"No verb or command is called {word!r}.{meant} The verbs are {', '.join(BY_NAME)}."
        from agentbrowser.cli.verbs.outcome import not_run

        # Not on standard error: a model reads it.
        click.echo(not_run(f"agentbrowser: {text}").printed(as_json=wants_json(args)), nl=False)
        ctx.exit(click.UsageError.exit_code)


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
