"""Fields of records that must be positive."""

from __future__ import annotations

from gyrostat.model.kinds import Quantity
from gyrostat.model.place import Place


def require_positive(place: Place, field: str, given: Quantity, remedy: str) -> None:
    """Report a literal number that is not positive; the values of formulas are not known yet."""
    if given.number is not None and not given.number > 0:
        place.inside(field).report(f"{given} is not positive.", remedy)
