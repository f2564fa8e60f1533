"""Entry point of the command ``agentbrowser`` and of ``python -m agentbrowser``."""

import sys


def main() -> None:
    """Run the command line, or a verb, for which the commands are not loaded.

    If a package of the extra ``server`` is missing, print one line that names it.
    """
    from agentbrowser.cli.verbs.client import is_verb

    if is_verb(sys.argv[1:]):
        from agentbrowser.cli.verbs.client import main as run_verb

        sys.exit(run_verb(sys.argv[1:]))
    try:
        from agentbrowser.cli.commands import main as run

        run()
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] == "agentbrowser":
            raise
        extra = "mcp" if missing.name.partition(".")[0] in ("anyio", "mcp", "mcp_types", "pydantic") else "server"
        hint = f"pip install 'agentbrowser-server[{extra}]'"
        sys.stderr.write(f"agentbrowser: {missing.name} is missing; get it by {hint}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
