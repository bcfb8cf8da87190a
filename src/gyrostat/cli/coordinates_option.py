"""Options for coordinates: a choice by name, or trees by their joints and bodies."""

from __future__ import annotations

from typing import Annotated

import typer

import gyrostat as gs
from gyrostat.cli.common import CallError

Chosen = Annotated[
    str | None, typer.Option("--coordinates", metavar="CHOICE", help="joint, absolute or branch; without it joint")
]
Translation = Annotated[
    str | None,
    typer.Option(metavar="NAMES", help="the tree of positions that you choose: joints and bodies, as h8,h9,h10"),
]
Rotation = Annotated[
    str | None, typer.Option(metavar="NAMES", help="the tree of orientations; without it that of positions")
]
_CHOICES = ("joint", "absolute", "branch")


def read_coordinates(chosen: str | None, translation: str | None, rotation: str | None) -> str | gs.Trees:
    """Return the choice of coordinates from the options."""
    if translation is None and rotation is None:
        choice = "joint" if chosen is None else chosen.strip().lower()
        if choice not in _CHOICES:
            raise CallError(
                f"--coordinates {chosen!r} is not known. Write joint, absolute or branch, or name the trees: "
                "--translation h8,h9 --rotation h8,s11."
            )
        return choice
    if chosen is not None:
        raise CallError(
            f"--coordinates {chosen} finds its own trees, but trees are named too. Leave out --coordinates, or "
            "--translation and --rotation."
        )
    if translation is None:
        raise CallError(
            "--rotation names the tree of orientations alone. Name the tree of positions too: --translation h8,h9."
        )
    return gs.Trees(_names("--translation", translation), None if rotation is None else _names("--rotation", rotation))


def _names(option: str, text: str) -> list[str]:
    """Return names from a text with commas between them."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise CallError(f"{option} {text!r} cannot be read. Write names with commas between them, as {option} h8,h9.")
    return names
