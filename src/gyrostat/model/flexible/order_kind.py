"""The order of a beam's displacement field as a field of a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from gyrostat.model.kinds import Naming, Path, Plain, Schema
from gyrostat.model.place import Place

EXACT: Final = "exact"
ORDERS: Final = (2, 1, EXACT)
"""Second order in the elastic coordinates, with the shortening by bending, first order, without it, or strains."""

Order: TypeAlias = int | str


@dataclass(frozen=True)
class OrderKind:
    """One of the orders of a displacement field."""

    def read(self, value: object, place: Place) -> Order:
        """Read an order."""
        if isinstance(value, bool) or value not in ORDERS:
            place.report(f"{value!r:.60} is not an order of a beam.", f"Use one of {', '.join(map(str, ORDERS))}.")
            return ORDERS[0]
        return next(order for order in ORDERS if order == value)

    def write(self, value: Order) -> Plain:
        """Return the order."""
        return value

    def schema(self) -> Schema:
        """Return the JSON Schema of the orders."""
        return {"enum": [*ORDERS]}

    def uses(self, value: Order, path: Path = ()) -> tuple[()]:
        """Return an empty tuple: the value has no formulas or references."""
        return ()

    def renamed(self, value: Order, naming: Naming) -> Order:
        """Return the order, which has no names."""
        return value
