"""Commands for recordings: show, and those that make tests of them."""

from pathlib import Path

import click

_FILE = click.argument("file", type=click.Path(exists=True, path_type=Path))


@click.command()
@_FILE
@click.option("--output", type=click.Path(path_type=Path), help="directory to write the viewer to; a temporary one")
@click.option("--open/--no-open", "opens", default=True, help="open the viewer in this machine's browser")
def show(file: Path, output: Path | None, opens: bool) -> None:
    """Show a recording: its timeline, pictures, looks, choices and results.

    FILE is the zip of recording/export, or a directory below --record-dir. The viewer needs no server.
    """
    import tempfile
    import webbrowser

    from agentbrowser.cli.failures import CommandFailed
    from agentbrowser.recorder.archive import VIEWER, BadRecording, read_recording, unpack

    folder = output or Path(tempfile.mkdtemp(prefix="agentbrowser-recording-"))
    try:
        unpack(read_recording(file), folder)
    except BadRecording as bad:
        raise CommandFailed(str(bad)) from None
    page = (folder / VIEWER).resolve()
    click.echo(page)
    if opens:
        webbrowser.open(page.as_uri())
