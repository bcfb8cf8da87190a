"""The table of signals: the meaning of every name of a system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from operator import methodcaller
from typing import TYPE_CHECKING

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.constraints import ConstraintRow
from gyrostat.model.forces import Actuator
from gyrostat.model.formula import TIME
from gyrostat.model.joints.joint import TABLE_DRIVER
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, SEEN_FROM, did_you_mean
from gyrostat.once import cached_property
from gyrostat.signals.component_signals import (
    UNITS,
    body_signals,
    driver_signals,
    force_signals,
    joint_signals,
    omega,
    place_acceleration,
    reaction_signals,
    relative_signal,
)
from gyrostat.signals.force_outputs import force_outputs
from gyrostat.signals.formula_signals import as_formula, formula_signal
from gyrostat.signals.signal import AXES, QUATERNION, Level, Signal

if TYPE_CHECKING:
    from gyrostat.signals import beam_signals
else:
    (beam_signals,) = later("gyrostat.signals", "beam_signals")

_WORDS = {"angle": "angle", "length": "displacement", "number": "coordinate"}
_REACTION = ".reaction"

_OTHER_WORDS = {
    "angular_velocity": "omega",
    "angular_acceleration": "alpha",
    "orientation": "quaternion",
    **dict.fromkeys(("roll", "pitch", "yaw"), "rpy"),
}
"""Common words for signals, and the names that these have here."""


@dataclass(frozen=True, eq=False)
class SignalTable:
    """The signals of a system by name.

    Names that follow from the motion are `outputs`: coordinates with their rates and accelerations (`a1.rate`,
    `a1.acc`), speeds, state variables with their rates (`motor.current.rate`), positions, velocities and accelerations
    of places (`bar.tip`, `bar.tip.velocity`, `bar.tip.acc`), rotations and momenta of bodies (`bar.omega`, `bar.rpy`,
    `bar.momentum`), outputs of force elements (`spring.length`, `spring.power`), constraint loads (`rod.force`), loads
    of drivers (`slew.torque`), sections of beams (`blade.tip.deflection`, `blade.section_moment`), inputs and measures.
    `find` also knows parameters, time, reactions (`a1.reaction.force`, `a1.force`), constraint rows by their names
    ("rod: tension"), components of vectors (`bar.tip.x`), relative motion (`bar.tip.seen_from.cart`) and formulas
    ("bar.tip.x - cart.x"). Where names coincide, coordinates come first: of a body `b` with a free rotor `x`, `b.x` is
    the rotor's angle; and a point goes before an output: of a body with a point `acc`, `b.acc` is the point.
    """

    coordinates: Coordinates
    rows: Callable[[], Iterable[ConstraintRow]]
    """The nontrivial constraint rows of the system, which only names of loads need."""

    @cached_property
    def outputs(self) -> dict[str, Signal]:
        """The signals that follow from the motion, by name, in the order in which they are listed."""
        parts = (self._forces, self._constraints, self._joints, self._bodies, self._inputs)
        return {
            name: signal
            for part in (*parts, self._states, self._coordinates, self._measures)
            for name, signal in part.items()
        }

    def find(self, name: str) -> Signal | None:
        """Return the signal of a name, or the component of one, or None."""
        found = self._exact(name)
        if found is None:
            vector, _, label = name.rpartition(".")
            whole = self._exact(vector)
            if whole is not None and label in whole.labels:
                found = whole.component(label)
        if found is None and (formula := as_formula(name)) is not None:
            found = formula_signal(name, formula, self.find_scalar)
        return found

    def find_scalar(self, name: str, *, measures: bool = True) -> Signal | None:
        """Return the number of a name: a signal without components, a parameter, or a component, or None."""
        for section in (self._motion, self._given, self._measures if measures else {}):
            if name in section and not section[name].labels:
                return section[name]
        found = self.find(name)
        return found if found is not None and not found.labels else None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None

    def __getitem__(self, name: str) -> Signal:
        """Return the signal of a name, or the component of one; unknown names are refused."""
        found = self.find(name)
        if found is None:
            raise StateError(f"There is no output {name!r}. {self.suggestion(name)}")
        return found

    def expanded(self, name: str) -> tuple[Signal, ...]:
        """Return the components of a vector, of a joint's reaction those of force and moment, or a number itself."""
        joint = name.removesuffix(_REACTION)
        if joint != name and joint in self.coordinates.topology.joints:
            return (*self.expanded(f"{name}.force"), *self.expanded(f"{name}.moment"))
        signal = self[name]
        return tuple(signal.component(label) for label in signal.labels) or (signal,)

    def suggestion(self, name: str, *, scalars: bool = False) -> str:
        """Return a remedy for an unknown name: the closest names; with `scalars`, components instead of vectors."""
        of, _, word = name.rpartition(".")
        if word in _OTHER_WORDS and self.find(f"{of}.{_OTHER_WORDS[word]}") is not None:
            return f"Use '{of}.{_OTHER_WORDS[word]}'."
        every = {**self.outputs, **(self._reactions if _REACTION in name else {})}
        if not scalars and name.rpartition(".")[2] not in (*AXES, *QUATERNION):
            return did_you_mean(name, every)
        if scalars:
            every |= self._given
        return did_you_mean(name, dict.fromkeys(one for signal in every.values() for one in signal.scalar_names))

    # --- sections -----------------------------------------------------------------------------------------------

    def _exact(self, name: str) -> Signal | None:
        for section in (self._motion, self._given, self._reactions, self._aliases):
            if name in section:
                return section[name]
        if SEEN_FROM in name:
            return self._relative(name)
        if name in self.coordinates.topology.model.measures:
            return self._measures.get(name)
        owner, _, _ = name.partition(": ") if ": " in name else name.rpartition(".")
        model = self.coordinates.topology.model
        if owner in model.constraints:
            return self._constraints.get(name) or self._rows.get(name)
        return self._rows.get(name) if ": " in name and owner in self.coordinates.chords else None

    @cached_property
    def _motion(self) -> dict[str, Signal]:
        """The outputs that can be listed without the constraint rows."""
        motion = (self._forces, self._joints, self._bodies, self._inputs, self._states, self._coordinates)
        return {name: signal for part in motion for name, signal in part.items()}

    @cached_property
    def _coordinates(self) -> dict[str, Signal]:
        coordinates = self.coordinates
        found: dict[str, Signal] = {}

        def add(name: str, unit: str, description: str, level: Level, way: str, asked: str) -> None:
            found.setdefault(name, Signal(name, unit, description, level, methodcaller(way, asked)))

        for name, measure in coordinates.measures.items():
            unit, rate = UNITS[measure], f"{name}.rate"
            add(name, unit, f"{_WORDS[measure]} {name}", Level.POSITION, "quantity", name)
            add(rate, f"{unit}/s", f"rate of {name}", Level.SPEED, "quantity", rate)
            add(f"{name}.acc", f"{unit}/s²", f"acceleration of {name}", Level.ACCELERATION, "acceleration", name)
        for name in (*coordinates.speed_names, *coordinates.chord_speeds):
            if name not in found:
                unit = "rad" if name.rpartition(".")[2].startswith("w") else "m"
                add(name, f"{unit}/s", f"speed {name}", Level.SPEED, "quantity", name)
                rate = acceleration_name(name)
                add(rate, f"{unit}/s²", f"rate of {name}", Level.ACCELERATION, "speed_rate", name)
        return found

    @cached_property
    def _bodies(self) -> dict[str, Signal]:
        model = self.coordinates.topology.model
        found: dict[str, Signal] = {}
        for body in (*model.bodies.values(), model.ground):
            found |= body_signals(body)
        if not any(joint.flexible for joint in model.joints.values()):
            return found
        return {signal.name: signal for signal in beam_signals.beam_signals(model.joints, model.gravity)} | found

    @cached_property
    def _joints(self) -> dict[str, Signal]:
        """The coordinates of joints together, their rotations, and the loads of drivers."""
        coordinates = self.coordinates
        joints = (
            one for joint in coordinates.topology.joints.values() for one in joint_signals(joint, self._coordinates)
        )
        drivers = (one for name in coordinates.all_driven for one in driver_signals(name, coordinates.measures[name]))
        return {signal.name: signal for signal in (*joints, *drivers)}

    @cached_property
    def _forces(self) -> dict[str, Signal]:
        forces = self.coordinates.topology.model.forces
        declared = force_outputs(self.coordinates).items()
        return {one.name: one for name, outputs in declared for one in force_signals(forces[name], outputs)}

    @cached_property
    def _measures(self) -> dict[str, Signal]:
        """The measures of the model, in its order; those that cannot be formed are left out, as checks report them."""
        found: dict[str, Signal] = {}
        pending = dict(self.coordinates.topology.model.measures)
        while pending:
            formed = {}
            for name, measure in pending.items():
                if measure.formula.names.isdisjoint(pending):
                    given = {"unit": measure.unit, "description": measure.description}
                    signal = formula_signal(name, measure.formula, partial(self._number, found), **given)
                    formed[name] = signal
            if not formed:
                break
            found |= {name: signal for name, signal in formed.items() if signal is not None}
            pending = {name: measure for name, measure in pending.items() if name not in formed}
        return found

    def _number(self, measures: Mapping[str, Signal], name: str) -> Signal | None:
        if name in self.coordinates.topology.model.measures:
            return measures.get(name)
        return self.find_scalar(name, measures=False)

    @cached_property
    def _constraints(self) -> dict[str, Signal]:
        """The loads of constraint components that have one row."""
        components = self.coordinates.topology.model.constraints
        rows = list(self.rows()) if components else []
        owners = [row.owner for row in rows]
        return {
            f"{row.owner}.force": _row_signal(f"{row.owner}.force", row)
            for row in rows
            if row.owner in components and owners.count(row.owner) == 1
        }

    @cached_property
    def _rows(self) -> dict[str, Signal]:
        """The loads of all constraint rows, by the names of the rows."""
        return {row.name: _row_signal(row.name, row) for row in self.rows()}

    def _load_unit(self, name: str) -> str:
        """Return the unit of an actuator's input, which is that of its load; of other inputs it is not known."""
        force = self._forces.get(f"{name}.force")
        actuator = self.coordinates.topology.model.forces.get(name)
        return force.unit if force is not None and isinstance(actuator, Actuator) else ""

    @cached_property
    def _inputs(self) -> dict[str, Signal]:
        model = self.coordinates.topology.model
        found = {name: (self._load_unit(name), f"input {name}") for name in model.inputs}
        found |= {name: (one.unit, one.description or f"input {name}") for name, one in model.given_inputs.items()}
        for name in model.driving_inputs:
            coordinate = name.removesuffix(TABLE_DRIVER)
            if coordinate != name:
                found[name] = UNITS[self.coordinates.measures[coordinate]], f"table that drives {coordinate}"
            unit, words = found[name]
            found[f"{name}.rate"] = f"{unit}/s" if unit else "", f"rate of {words}"
            found[f"{name}.acc"] = f"{unit}/s²" if unit else "", f"acceleration of {words}"
        return {
            name: Signal(name, unit, description, Level.POSITION, methodcaller("input", name))
            for name, (unit, description) in found.items()
        }

    @cached_property
    def _states(self) -> dict[str, Signal]:
        """The state variables of components, their rates, and the outputs of blocks."""
        found: dict[str, Signal] = {}
        for name, variable in self.coordinates.topology.model.state_variables.items():
            text, rate = variable.description or f"state {name}", f"{name}.rate"
            found[name] = Signal(name, variable.unit, text, Level.POSITION, methodcaller("quantity", name))
            level = Level.ACCELERATION if variable.algebraic else Level.SPEED
            form = methodcaller("state_rate", name)
            found[rate] = Signal(rate, _per_second(variable.unit), f"rate of {name}", level, form)
        for block in self.coordinates.topology.model.states.values():
            for name, output in block.outputs.items():
                text, form = output.description or f"output {name}", methodcaller("quantity", name)
                found[name] = Signal(name, output.unit, text, Level.SPEED, form)
        return found

    @cached_property
    def _given(self) -> dict[str, Signal]:
        """Parameters, time, and the ground's angular velocity, which is zero."""
        found = [omega(GROUND), Signal(TIME, "s", "time", Level.POSITION, methodcaller("time"))]
        for name, parameter in self.coordinates.topology.model.parameters.items():
            form = methodcaller("parameter", name)
            found.append(Signal(name, parameter.unit, f"parameter {name}", Level.POSITION, form))
        return {signal.name: signal for signal in found}

    @cached_property
    def _reactions(self) -> dict[str, Signal]:
        """The reactions of joints."""
        joints = self.coordinates.topology.joints
        return {one.name: one for joint in joints for one in reaction_signals(joint, f"{joint}{_REACTION}")}

    @cached_property
    def _aliases(self) -> dict[str, Signal]:
        """Further names: `.acceleration` for `.acc`, `joint.force` and `joint.moment` for those of the reaction."""
        model = self.coordinates.topology.model
        ends = [
            End(body.name, place)
            for body in (*model.bodies.values(), model.ground)
            for place in (None, *body.points, *body.frames)
        ]
        found = [place_acceleration(end, "acceleration") for end in ends]
        found += [one for joint in self.coordinates.topology.joints for one in reaction_signals(joint, joint)]
        found += [
            replace(self._coordinates[f"{name}.acc"], name=f"{name}.acceleration")
            for name in self.coordinates.measures
            if f"{name}.acc" in self._coordinates
        ]
        return {signal.name: signal for signal in found}

    def _relative(self, name: str) -> Signal | None:
        """Return the motion of a place as seen from another: `load.seen_from.boom`, with `.velocity` its rate."""
        seen, _, base = name.partition(SEEN_FROM)
        end, velocity = self._place(seen), base.endswith(".velocity")
        whole = self._place(base)
        if end is not None and whole is not None:
            return relative_signal(name, end, whole, velocity=False)
        of = self._place(base.removesuffix(".velocity")) if velocity else None
        return None if end is None or of is None else relative_signal(name, end, of, velocity=True)

    def _place(self, name: str) -> End | None:
        """Return the place of a name: a body, or a point or frame on one."""
        return self.coordinates.topology.model.directory.end(name)

    @property
    def every(self) -> Iterator[Signal]:
        """All signals but constraint rows by their own names: outputs, time, parameters, reactions."""
        return chain(self.outputs.values(), self._given.values(), self._reactions.values())


def _per_second(unit: str) -> str:
    """Return the unit of a rate."""
    return f"{unit or '1'}/s"


def _row_signal(name: str, row: ConstraintRow) -> Signal:
    """Return the load along the direction of a constraint row, under a name."""
    form = methodcaller("multiplier", row.name)
    return Signal(name, row.unit, f"{row.label} of {row.owner}", Level.LOAD, form)
