"""Loads of contacts of many pairs at a state, and their exact derivatives, for equilibria and linear models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.kernels.library import load_pairs, vary_pairs
from gyrostat.analysis.kernels.pair_tables import PairTables
from gyrostat.analysis.simulation.pairs import PairSet
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.forces.contacts import Contacts
from gyrostat.system import System
from gyrostat.system.kernel_forces import refuse_grains


def require_smooth(system: System) -> None:
    """Refuse contacts of many pairs whose laws remember how they began, or jump at touch."""
    for force in system.kernel_forces:
        refuse_grains(force, "Equilibria and linear models")
        assert isinstance(force, Contacts), "no other force is left to a kernel"
        if force.slots:
            raise StateError(
                f"Contacts {force.name!r} remember the speed of approach or the deflection of bristles, which only a "
                "motion gives them. For equilibria and linear models use HuntCrossley with chi=…, or with "
                "restitution=… and speed=…, and friction=gs.Coulomb(…); or describe the pairs by gs.Contact."
            )
        if not force.normal.continuous:
            raise StateError(
                f"Contacts {force.name!r} have the law {type(force.normal).__name__}, which may jump at touch: it has "
                "no derivative there. Use gs.HuntCrossley, or gs.KelvinVoigt with fade_depth=…."
            )


class LoadSlopes(NamedTuple):
    """Derivatives of all inputs by displacements and speeds: shape (inputs, n_u) each."""

    by_position: Floats
    by_speed: Floats


@dataclass(frozen=True, eq=False)
class PairLoads:
    """The contacts of many pairs of a system with values of its parameters."""

    system: System
    tables: PairTables

    @staticmethod
    def of(system: System, parameters: Mapping[str, object] | None) -> PairLoads | None:
        """Return the contacts of a system, None where it has none."""
        if not system.kernel_forces:
            return None
        values = system.model.values(dict(parameters or {}))
        key = ("pair loads", tuple(values.values()))
        found: PairLoads | None = system.cache.get(key)
        if found is None:
            require_smooth(system)
            pairs = PairSet.of(system, values)
            assert pairs is not None, "the system has some"
            found = PairLoads(system, pairs.tables(system.row.state_size, slopes=True).tables)
            system.cache.keep(key, found)
        return found

    @property
    def smallest_radius(self) -> float:
        """The smallest radius of a bounding sphere (m)."""
        radii = self.tables.shapes.radii
        return float(radii[radii > 0].min(initial=np.inf))

    def fill(self, row: Floats) -> Floats:
        """Return a row with the loads at its time and state."""
        filled = row.copy()
        load_pairs(self.tables, filled)
        return filled

    def by_state(self, row: Floats) -> Floats:
        """Return the derivatives of all inputs by the state, shape (size of the state, inputs)."""
        vary_pairs(self.tables, row.copy())
        return np.array(self.tables.slopes.by_state)

    def slopes(self, row: Floats, mapping: Floats) -> LoadSlopes:
        """Return the derivatives of all inputs by displacements, δq = mapping δθ, and by speeds."""
        found, layout = self.by_state(row), self.system.row
        by_q, by_u = found[: layout.n_q].T, found[layout.n_q : layout.n_q + layout.n_u].T
        return LoadSlopes(by_q @ mapping, by_u)


def filled(system: System, row: Floats, parameters: Mapping[str, object] | None) -> Floats:
    """Return a row with the loads of contacts of many pairs, where the system has some."""
    loads = PairLoads.of(system, parameters)
    return row if loads is None else loads.fill(row)
