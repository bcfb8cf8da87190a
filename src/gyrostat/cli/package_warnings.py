"""Warnings of the package on the command line: paragraphs, not lines of source."""

from __future__ import annotations

import warnings
from collections.abc import Container, Iterable

import typer

from gyrostat.program.warning import GyrostatWarning


def tell_warnings(caught: Iterable[warnings.WarningMessage], told: Container[str] = ()) -> None:
    """Print the package's own warnings but those that are told elsewhere; pass the others on."""
    for warning in caught:
        if not issubclass(warning.category, GyrostatWarning):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
        elif str(warning.message) not in told:
            typer.echo(f"gyrostat: {warning.message}", err=True)
