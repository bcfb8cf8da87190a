"""gyrostat studio: a page that edits a model and shows its motion, modes and equations at once."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gyrostat.cli.common import CallError
from gyrostat.cli.examples import example_files
from gyrostat.errors import GyrostatError
from gyrostat.lazy import later

if TYPE_CHECKING:
    from gyrostat.studio import folder as folders
    from gyrostat.studio import page_files, server, serving
else:
    folders, page_files, server, serving = later("gyrostat.studio", "folder", "page_files", "server", "serving")

_STUDIO_PACKAGES = ("starlette", "uvicorn", "websockets")


def studio(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="a model file; without it, a new model in this folder")
    ] = None,
    port: Annotated[int | None, typer.Option(help="the port of the page; without it, a free one")] = None,
    open_it: Annotated[bool, typer.Option("--open/--no-open", help="open the page in the browser")] = True,
) -> None:
    """Open a model in the studio: a page on this machine's own address, until Ctrl+C.

    The page's address has a secret in it. Files of the model's folder, and no others, can be opened and saved there.
    """
    missing = [name for name in _STUDIO_PACKAGES if find_spec(name) is None]
    if missing:
        raise GyrostatError(f"The studio needs {', '.join(missing)}. Install: pip install gyrostat[studio]")
    page_files.page_file("studio.js")
    folder = Path() if file is None else file.parent
    if not folder.is_dir():
        raise CallError(f"There is no folder {folder}. Check the path.")
    if file is not None and file.suffix.lower() not in folders.SUFFIXES:
        raise CallError(f"{file} is not a model file. Its name must end in {', '.join(folders.SUFFIXES)}.")
    listening, notice = serving.bound_socket(port)
    if notice:
        typer.echo(f"gyrostat: {notice}", err=True)
    opened = folders.StudioFolder(folder.resolve(), example_files())
    running = server.StudioServer(opened, "" if file is None else file.name, notice=notice)

    def started() -> None:
        typer.echo(f"Studio: {running.address}\nIt answers this machine only. Ctrl+C ends it.")
        if open_it and typer.launch(running.address) != 0:
            typer.echo("gyrostat: no browser was found. Open the address in one.", err=True)

    serving.serve(running, listening, started)
    typer.echo("Studio closed.")
