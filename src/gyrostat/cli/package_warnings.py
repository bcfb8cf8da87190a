"""Warnings of the package on the command line, printed as paragraphs."""

from __future__ import annotations

import warnings
from collections.abc import Container, Iterable

import typer

from gyrostat.program.warning import GyrostatWarning


def print_warnings(caught: Iterable[warnings.WarningMessage], printed: Container[str] = ()) -> None:
    """Print the package's own warnings, except those printed elsewhere; issue the others again."""
    for warning in caught:
        if not issubclass(warning.category, GyrostatWarning):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
        elif str(warning.message) not in printed:
            typer.echo(f"gyrostat: {warning.message}", err=True)
