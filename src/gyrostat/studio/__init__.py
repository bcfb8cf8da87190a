"""The studio: a page on the loopback address that edits a model and answers at once; also a widget for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from

if TYPE_CHECKING:
    from gyrostat.studio.folder import StudioFolder
    from gyrostat.studio.session import StudioSession

__all__ = ["StudioFolder", "StudioSession"]

__getattr__ = names_from(__name__, {"session": ("StudioSession",), "folder": ("StudioFolder",)})
