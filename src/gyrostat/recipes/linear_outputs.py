"""Derivatives of outputs: what a trajectory can show, varied with position, speed, acceleration and loads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.errors import StateError
from gyrostat.kinematics.signals import AXES, check_signals, signal_readers, signal_value
from gyrostat.lazy import later
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean
from gyrostat.program import Program
from gyrostat.recipes.compiled import CompiledPrograms
from gyrostat.recipes.trace import Recipe, Trace
from gyrostat.scalar import Scalar

if TYPE_CHECKING:
    from gyrostat.recipes import constraints, linear_programs
else:
    constraints, linear_programs = later("gyrostat.recipes", "constraints", "linear_programs")

_REACTION = tuple(f".reaction.{part}.{axis}" for part in ("force", "moment") for axis in AXES)


@dataclass(frozen=True)
class OutputNames:
    """The names of outputs that can be varied, by how they are found; formulas over signals come on top."""

    signals: tuple[str, ...]
    accelerations: Mapping[str, tuple[str, int]]
    """Accelerations of coordinates ("q", place) and rates of speeds ("u", place) by name."""
    multipliers: Mapping[str, str]
    """Constraints' loads by name, and the rows that they belong to."""
    joints: tuple[str, ...]

    @staticmethod
    def of(coordinates: Coordinates, rows: Iterable[tuple[str, str]]) -> OutputNames:
        """Return the names of a system with constraint rows given as owner and name."""
        found = {name: ("q", i) for i, name in enumerate(coordinates.coordinate_names)}
        accelerations = {f"{name}.acc": place for name, place in found.items()}
        for i, name in enumerate(coordinates.speed_names):
            accelerations.setdefault(acceleration_name(name), ("u", i))
        listed = list(rows)
        owners = [owner for owner, _ in listed]
        components = coordinates.topology.model.constraints
        multipliers = {name: name for _, name in listed}
        multipliers |= {f"{o}.force": name for o, name in listed if o in components and owners.count(o) == 1}
        return OutputNames(
            tuple(signal_readers(coordinates)), accelerations, multipliers, tuple(coordinates.topology.joints)
        )

    def expanded(self, name: str) -> tuple[str, ...]:
        """Return the components of a vector by name, or the name itself."""
        if f"{name}.x" in self.signals and name not in self.signals:
            return tuple(f"{name}.{axis}" for axis in AXES)
        joint, _, part = name.rpartition(".reaction")
        if joint in self.joints and part in ("", ".force", ".moment"):
            return tuple(joint + end for end in _REACTION if end.startswith(f".reaction{part}"))
        return (name,)

    def knows(self, name: str) -> bool:
        """Tell whether a name is one of an output that is no formula."""
        return name in self.signals or name in self.accelerations or name in self.multipliers or self.reaction(name)

    def reaction(self, name: str) -> bool:
        """Tell whether a name is one of a component of a joint's load."""
        return any(name.endswith(end) and name.removesuffix(end) in self.joints for end in _REACTION)


def output_formulas(coordinates: Coordinates, known: OutputNames, names: Iterable[str]) -> dict[str, Formula | None]:
    """Return the outputs by name in order, vectors by components; those that are formulas over signals with these."""
    found: dict[str, Formula | None] = {}
    readers = signal_readers(coordinates)
    for asked in names:
        for name in known.expanded(asked):
            if known.knows(name):
                found[name] = None
                continue
            formula = _formula(name, known)
            check_signals(readers, formula, f"output {name!r}")
            found[name] = formula
    return found


def _formula(name: str, known: OutputNames) -> Formula:
    plain = name.replace(".", "").replace("_", "").isalnum()
    if plain:
        offers = [*known.signals, *known.accelerations, *known.multipliers]
        raise StateError(f"There is no output {name!r} to linearize. {did_you_mean(name, offers)}")
    return Formula.of(name)


def linear_output_program(
    compiled: CompiledPrograms, known: OutputNames, names: Iterable[str]
) -> tuple[tuple[str, ...], Program]:
    """Return the outputs by name, vectors by components, and the program of their values and derivatives."""
    outputs = output_formulas(compiled.coordinates, known, names)
    written = {name: Formula.of(0) if formula is None else formula for name, formula in outputs.items()}
    recipe = linear_output_recipe(outputs, known)
    return tuple(outputs), compiled.program("linear_outputs", recipe, None, written)


def linear_output_recipe(outputs: Mapping[str, Formula | None], known: OutputNames) -> Recipe:
    """Return the recipe of outputs and their derivatives at given u̇ and λ.

    It gives "values", and their slopes "by_position" (θ), "by_speed", "by_rate" (u̇), "by_load" (λ), and "by_input"
    (inputs and parameters side by side).
    """

    def found(trace: Trace) -> dict[str, Any]:
        import casadi

        from gyrostat.scalar.traced import column

        linear_programs.residuals_of(trace)
        values = column(_values(trace, outputs, known))
        arguments = trace.arguments
        acting = casadi.vertcat(arguments["inputs"], arguments["parameters"])
        _, mapping = linear_programs.rate_map(trace)
        return {
            "values": values,
            "by_position": casadi.mtimes(casadi.jacobian(values, arguments["q"]), mapping),
            "by_speed": casadi.jacobian(values, arguments["u"]),
            "by_rate": casadi.jacobian(values, arguments["udot"]),
            "by_load": casadi.jacobian(values, arguments["loads"]),
            "by_input": casadi.jacobian(values, acting),
        }

    return Recipe(found, udot=True, loads=True)


def _values(trace: Trace, outputs: Mapping[str, Formula | None], known: OutputNames) -> list[Scalar]:
    from gyrostat.kinematics.coordinate_accelerations import coordinate_accelerations

    motion = trace.motion
    readers = signal_readers(motion.tree.coordinates)
    accelerations: list[Scalar] = []
    reactions: dict[str, Scalar] = {}
    loads = _multipliers(trace)
    values: list[Scalar] = []
    for name, formula in outputs.items():
        if formula is not None:
            values.append(signal_value(motion, formula, readers))
        elif name in known.accelerations:
            side, place = known.accelerations[name]
            accelerations = accelerations or coordinate_accelerations(motion.tree, motion.state, trace.rates)
            values.append(accelerations[place] if side == "q" else trace.rates[place])
        elif name in known.multipliers:
            values.append(loads[known.multipliers[name]])
        elif known.reaction(name):
            reactions = reactions or _reactions(trace, loads)
            values.append(reactions[name])
        else:
            values.append(readers[name](motion))
    return values


def _multipliers(trace: Trace) -> dict[str, Scalar]:
    """Return the loads along the rows' directions by the names of rows: minus λ."""
    from gyrostat.scalar.traced import Traced

    if not constraints.constrained(trace):
        return {}
    loads = trace.arguments["loads"]
    return {row.name: -Traced(loads[i]) for i, row in enumerate(constraints.constraints_of(trace).rows)}


def _reactions(trace: Trace, value: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Return the components of the loads in all joints, by name, for given u̇ and loads of constraints."""
    from gyrostat.equations.dynamics import joint_loads, joint_reactions
    from gyrostat.equations.loads import applied_loads
    from gyrostat.kinematics.constraint_loads import all_constraint_loads

    motion = trace.motion
    loads = all_constraint_loads(motion, value)
    found = joint_loads(motion, trace.rates, applied_loads(motion, extra=loads.total))
    components: dict[str, Scalar] = {}
    for name, parts in joint_reactions(found, loads.on_children).items():
        components |= {name + end: part for end, part in zip(_REACTION, (*parts[0], *parts[1]), strict=True)}
    return components
