"""gyrostat examples: the example models that come with the package."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gyrostat.cli.common import AsJson, CallError, Force, print_json
from gyrostat.errors import GyrostatError
from gyrostat.lazy import later
from gyrostat.results.whole_file import require_writable, whole_file

if TYPE_CHECKING:
    from gyrostat.model import documents
    from gyrostat.model import names as item_names
else:
    documents, item_names = later("gyrostat.model", "documents", "names")

_PACKAGE = Path(__file__).parent.parent


def examples(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]…", help="examples to copy; none lists all")
    ] = None,
    to: Annotated[Path, typer.Option(metavar="DIR", help="the folder to copy to")] = Path(),
    every: Annotated[bool, typer.Option("--all", help="copy all examples")] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """List the example models that come with the package, or copy some of them."""
    known = example_files()
    if names and every:
        raise CallError("--all copies every example. Leave out the names, or leave out --all.")
    if not names and not every:
        _list(known, as_json)
        return
    copied = _copy([known[name] for name in _chosen(names or [], known)] or list(known.values()), to, force)
    if as_json:
        print_json({"files": [str(path) for path in copied]})
    else:
        for path in copied:
            typer.echo(f"Written: {path}")


def example_files() -> dict[str, Path]:
    """Return the files of the examples by name: of the repository, or of the installed package."""
    repository = _PACKAGE.parent.parent / "examples"
    checkout = (_PACKAGE.parent.parent / "pyproject.toml").is_file() and repository.is_dir()
    folder = repository if checkout else _PACKAGE / "examples"
    found = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    if not found:
        raise GyrostatError(f"There are no examples in {folder}. Install gyrostat again.")
    return found


def _list(known: dict[str, Path], as_json: bool) -> None:
    described = {
        name: " ".join(str(documents.read_document(path).data["description"]).split()) for name, path in known.items()
    }
    if as_json:
        files: dict[str, Any] = {name: str(path) for name, path in known.items()}
        print_json({name: {"description": text, "file": files[name]} for name, text in described.items()})
        return
    width = max(map(len, described))
    room = max(shutil.get_terminal_size((120, 24)).columns - width - 2, 40)
    for name, text in described.items():
        typer.echo(f"{name:{width}}  {textwrap.shorten(text, room, placeholder=' …')}")


def _chosen(names: list[str], known: dict[str, Path]) -> list[str]:
    chosen = [name.removesuffix(".yaml") for name in names]
    for name in chosen:
        if name not in known:
            raise CallError(f"There is no example {name!r}. {item_names.did_you_mean(name, list(known))}")
    return chosen


def _copy(files: list[Path], folder: Path, force: bool) -> list[Path]:
    """Copy files to a folder: all of them, or none if one is there already."""
    targets = [folder / file.name for file in files]
    for target in targets:
        require_writable(target, force=force)
    for file, target in zip(files, targets, strict=True):
        with whole_file(target, force=force) as temporary:
            shutil.copyfile(file, temporary)
    return targets
