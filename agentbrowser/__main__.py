"""Entry point of the command ``agentbrowser`` and of ``python -m agentbrowser``."""

import os
import sys


def main() -> None:
    """Run the command line, or a verb, for which the commands are not loaded.

    If a package of the extra ``server`` is missing, or the output's disk is full, print one line that says so.
    """
    _fill_standard_streams()
    from agentbrowser.cli.verbs.client import is_verb

    if is_verb(sys.argv[1:]):
        from agentbrowser.cli.verbs.client import main as run_verb

        sys.exit(run_verb(sys.argv[1:]))
    try:
        from agentbrowser.cli.commands import main as run

        run()
    except KeyboardInterrupt:  # while the commands are imported
        sys.exit(130)
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] == "agentbrowser":
            raise
        extra = "mcp" if missing.name.partition(".")[0] in ("anyio", "mcp", "mcp_types", "pydantic") else "server"
        hint = f"pip install 'agentbrowser-server[{extra}]'"
        sys.stderr.write(f"agentbrowser: {missing.name} is missing; get it by {hint}\n")
        sys.exit(2)
    except OSError as full:
        import errno

        if full.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        where = f"{full.filename}: " if full.filename else ""
        sys.stderr.write(f"agentbrowser: {where}{full.strerror}; free some space there\n")
        sys.stdout = None  # or the end would try again to write what it holds
        sys.exit(1)


def _fill_standard_streams() -> None:
    """Open the null device in place of closed standard streams; the first socket, or a file, would be one otherwise."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
        if opened == 2:
            sys.stderr = open(opened, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - until the end
    os.close(opened)


if __name__ == "__main__":
    main()
