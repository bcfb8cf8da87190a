"""Fields of records that must be positive."""

from __future__ import annotations

from gyrostat.model.kinds import Quantity
from gyrostat.model.place import Place
from gyrostat.model.shapes.dimensioned import Known, shown


def require_positive(place: Place, field: str, given: Quantity, remedy: str, known: Known | None = None) -> None:
    """Report a number that is not positive: a literal one, or the value of a formula that is `known`."""
    number = given.number if known is None else known(given)
    if number is not None and not number > 0:
        place.inside(field).report(f"{shown(given, number)} is not positive.", remedy)
