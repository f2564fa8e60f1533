"""Entry point of the command ``agentbrowser`` and of ``python -m agentbrowser``."""

import sys


def main() -> None:
    """Run the command line; if a package of the extra ``server`` is missing, print one line that names it."""
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
