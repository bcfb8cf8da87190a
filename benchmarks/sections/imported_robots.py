"""Public robots from their files to accelerations, and FMUs."""

from __future__ import annotations

from comparisons.imported_robots import compare_imports, measure_units
from tables import analysis_table, ratio_table

TITLE = "Imported robots"
_TEXT = """\
Public URDF files of `example-robot-data`, without geometry: from the file to accelerations at a first state. Ours is
measured once, since the second time the program is in the cache; kinds of links are there from other models.

{imports}

FMUs for both kinds of use: formulas, C sources and the compiler together.

{units}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    imports = compare_imports(rounds=3 if short else 7)
    found = ratio_table(imports) if imports else "example-robot-data or its peers are missing."
    return _TEXT.format(imports=found, units=analysis_table(measure_units()))
