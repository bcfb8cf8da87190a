"""The extra `plots`: matplotlib, imported when it is needed."""

from __future__ import annotations

from importlib import import_module

from gyrostat.errors import PictureError


def require_matplotlib() -> None:
    """Raise an error that names the extra if matplotlib is not installed."""
    try:
        import_module("matplotlib")
    except ImportError as error:
        raise PictureError(
            "Plots, stills and films are drawn with matplotlib, which is not installed. "
            "Install it: pip install gyrostat[plots]"
        ) from error
