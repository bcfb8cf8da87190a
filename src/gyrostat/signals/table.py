"""The table of signals: the meaning of every name of a system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from operator import methodcaller

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.errors import StateError
from gyrostat.model.constraints import ConstraintRow
from gyrostat.model.formula import TIME
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.once import cached_property
from gyrostat.signals.force_outputs import force_outputs
from gyrostat.signals.signal import AXES, QUATERNION, Level, Signal

_UNITS = {"angle": "rad", "length": "m", "number": "1"}
_WORDS = {"angle": "angle", "length": "displacement", "number": "coordinate"}
_REACTION = ".reaction"


@dataclass(frozen=True, eq=False)
class SignalTable:
    """The signals of a system by name.

    Names that follow from the motion are `outputs`: coordinates with their rates and accelerations (`a1.rate`,
    `a1.acc`), speeds, state variables with their rates (`motor.current.rate`), positions, velocities and orientations
    of bodies and places (`bar.tip`, `bar.tip.velocity`, `bar.omega`), outputs of force elements (`spring.length`),
    constraint loads (`rod.force`) and inputs. `find` also knows parameters, time, reactions (`a1.reaction.force`),
    constraint rows by their names ("rod: tension") and the components of vectors (`bar.tip.x`). Where names coincide,
    coordinates come first: of a body `b` with a free rotor `x`, `b.x` is the rotor's angle.
    """

    coordinates: Coordinates
    rows: Callable[[], Iterable[ConstraintRow]]
    """The nontrivial constraint rows of the system, which only names of loads need."""

    @cached_property
    def outputs(self) -> dict[str, Signal]:
        """The signals that follow from the motion, by name, in the order in which they are listed."""
        return {
            **self._forces,
            **self._constraints,
            **self._bodies,
            **self._inputs,
            **self._states,
            **self._coordinates,
        }

    def find(self, name: str) -> Signal | None:
        """Return the signal of a name, or the component of one, or None."""
        found = self._exact(name)
        if found is None:
            vector, _, label = name.rpartition(".")
            whole = self._exact(vector)
            if whole is not None and label in whole.labels:
                found = whole.component(label)
        return found

    def find_scalar(self, name: str) -> Signal | None:
        """Return the number of a name: a signal without components, a parameter, or a component, or None."""
        for section in (self._motion, self._given):
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
        every = {**self.outputs, **(self._reactions if _REACTION in name else {})}
        if not scalars and name.rpartition(".")[2] not in (*AXES, *QUATERNION):
            return did_you_mean(name, every)
        if scalars:
            every |= self._given
        return did_you_mean(name, dict.fromkeys(one for signal in every.values() for one in signal.scalar_names))

    # --- sections -----------------------------------------------------------------------------------------------

    def _exact(self, name: str) -> Signal | None:
        for section in (self._motion, self._given, self._reactions):
            if name in section:
                return section[name]
        owner, _, _ = name.partition(": ") if ": " in name else name.rpartition(".")
        model = self.coordinates.topology.model
        if owner in model.constraints:
            return self._constraints.get(name) or self._rows.get(name)
        return self._rows.get(name) if ": " in name and owner in self.coordinates.chords else None

    @cached_property
    def _motion(self) -> dict[str, Signal]:
        """The outputs that can be listed without the constraint rows."""
        return {**self._forces, **self._bodies, **self._inputs, **self._states, **self._coordinates}

    @cached_property
    def _coordinates(self) -> dict[str, Signal]:
        coordinates = self.coordinates
        found: dict[str, Signal] = {}

        def add(name: str, unit: str, description: str, level: Level, way: str, asked: str) -> None:
            found.setdefault(name, Signal(name, unit, description, level, methodcaller(way, asked)))

        for name, measure in coordinates.measures.items():
            unit, rate = _UNITS[measure], f"{name}.rate"
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
        return {
            signal.name: signal
            for body in (*model.bodies.values(), model.ground)
            for signal in (
                *_place_signals(End(body.name)),
                *(one for place in (*body.points, *body.frames) for one in _place_signals(End(body.name, place))),
                *(_orientation_signals(body.name) if body.name != GROUND else ()),
            )
        }

    @cached_property
    def _forces(self) -> dict[str, Signal]:
        found = {}
        for force, outputs in force_outputs(self.coordinates).items():
            for label, output in outputs.items():
                name, labels = f"{force}.{label}", AXES if output.size == 3 else ()
                form = methodcaller("observed", force, label)
                found[name] = Signal(name, output.unit, f"{output.description} of {force}", Level.SPEED, form, labels)
        return found

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

    @cached_property
    def _inputs(self) -> dict[str, Signal]:
        inputs = self.coordinates.topology.model.inputs
        return {name: Signal(name, "", f"input {name}", Level.POSITION, methodcaller("input", name)) for name in inputs}

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
        found = [_omega(GROUND), Signal(TIME, "s", "time", Level.POSITION, methodcaller("time"))]
        for name, parameter in self.coordinates.topology.model.parameters.items():
            form = methodcaller("parameter", name)
            found.append(Signal(name, parameter.unit, f"parameter {name}", Level.POSITION, form))
        return {signal.name: signal for signal in found}

    @cached_property
    def _reactions(self) -> dict[str, Signal]:
        """The reactions of joints."""
        found = {}
        for joint in self.coordinates.topology.joints:
            for part, unit in (("force", "N"), ("moment", "N·m")):
                name, form = f"{joint}{_REACTION}.{part}", methodcaller(f"reaction_{part}", joint)
                found[name] = Signal(name, unit, f"{part} in {joint}", Level.LOAD, form, AXES)
        return found

    @property
    def every(self) -> Iterator[Signal]:
        """All signals but constraint rows by their own names: outputs, time, parameters, reactions."""
        return chain(self.outputs.values(), self._given.values(), self._reactions.values())


def _per_second(unit: str) -> str:
    """Return the unit of a rate."""
    return f"{unit or '1'}/s"


def _place_signals(end: End) -> Iterator[Signal]:
    """Yield the position and the velocity of a place on a body."""
    name = str(end)
    yield Signal(name, "m", f"position of {name}", Level.POSITION, methodcaller("position", end), AXES)
    velocity = f"{name}.velocity"
    yield Signal(velocity, "m/s", f"velocity of {name}", Level.SPEED, methodcaller("velocity", end), AXES)


def _orientation_signals(body: str) -> Iterator[Signal]:
    """Yield the angular velocity and the orientation of a body."""
    yield _omega(body)
    form = methodcaller("quaternion", body)
    yield Signal(f"{body}.quaternion", "1", f"orientation of {body}", Level.COURSE, form, QUATERNION)


def _omega(body: str) -> Signal:
    form = methodcaller("omega", body)
    return Signal(f"{body}.omega", "rad/s", f"angular velocity of {body}", Level.SPEED, form, AXES)


def _row_signal(name: str, row: ConstraintRow) -> Signal:
    """Return the load along the direction of a constraint row, under a name."""
    form = methodcaller("multiplier", row.name)
    return Signal(name, row.unit, f"{row.label} of {row.owner}", Level.LOAD, form)
