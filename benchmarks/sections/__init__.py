"""Sections of the report, one file each: a title, and `section(short=…)`, which measures and returns the text."""

from __future__ import annotations

SECTIONS = (
    *(
        "ratios",
        "chains",
        "cached_start",
        "simulations",
        "servos",
        "contacts",
        "grains",
        "ropes",
        "circuits",
        "switching",
    ),
    *("watching", "four_bars", "coordinates", "beams", "edits", "imported_robots", "cold_start", "equations"),
    *("sweeps", "linear_models", "calls", "scales", "studio"),
)
"""Names in the order of the report."""
