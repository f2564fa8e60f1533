"""The command ``agentbrowser``, which ``python -m agentbrowser`` is as well."""

import sys


def main() -> None:
    """Run the command line; where what the server needs is not installed, say in one line how to get it."""
    try:
        from agentbrowser.cli.commands import main as run
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] == "agentbrowser":
            raise
        sys.stderr.write(f"agentbrowser: {missing.name} is missing; get it by pip install 'agentbrowser[server]'\n")
        sys.exit(2)
    run()


if __name__ == "__main__":
    main()
