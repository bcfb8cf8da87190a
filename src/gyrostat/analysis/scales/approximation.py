"""The approximate solution: modulation equations, motions, responses, and its certificate."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from gyrostat.analysis.scales.amplitude_flow import AmplitudeFlow, Floats
from gyrostat.analysis.scales.certificate import SERIES, ErrorCertificate, OriginalEquations, Reference, certify
from gyrostat.analysis.scales.continuation import Branches, trace_branches
from gyrostat.analysis.scales.contributions import Contribution, contributions
from gyrostat.analysis.scales.expansion import PerturbationExpansion
from gyrostat.analysis.scales.frequencies import Resonance
from gyrostat.analysis.scales.modulation import Modulation, ModulationForm
from gyrostat.analysis.scales.motion import AmplitudeMotion
from gyrostat.analysis.scales.notation import Notation
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.quotients import Quotient
from gyrostat.analysis.scales.relation import Amplitude, Relation, backbone, response_relation
from gyrostat.analysis.scales.solution import c_source, python_source, solution
from gyrostat.analysis.scales.steady_state import SteadyState, steady_states
from gyrostat.analysis.scales.term import RATE
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean
from gyrostat.once import cached_property

if TYPE_CHECKING:
    from gyrostat.analysis.scales import walkthrough
    from gyrostat.analysis.scales.walkthrough import ScalesWalk
    from gyrostat.analysis.simulation.trajectory import Trajectory
    from gyrostat.shown import scales_plots
else:
    (scales_plots,) = later("gyrostat.shown", "scales_plots")
    (walkthrough,) = later("gyrostat.analysis.scales", "walkthrough")

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True, eq=False)
class MultipleScales:
    """The approximate solution: modulation equations, motions, responses, and its certificate.

    Made by `multiple_scales`. Amplitudes are those of first harmonics: x_k = a_k cos(ω_k t + β_k) + ε …, and no other
    part of x_k has that frequency.
    """

    problem: Oscillators
    order: int
    expansion: PerturbationExpansion
    notes: tuple[str, ...] = ()
    mechanism: Any = None
    """The mechanism that the oscillators come from, or None."""

    # --- what was solved

    @property
    def resonances(self) -> tuple[Resonance, ...]:
        """The resonances that were declared or found."""
        return self.expansion.basis.resonances

    @cached_property
    def notation(self) -> Notation:
        """The symbols in results."""
        names = self.problem.field.names if self.problem.field is not None else tuple(self.problem.values)
        return Notation(self.problem, [*names, *self.expansion.basis.detuning_names, *self.expansion.basis.names])

    @cached_property
    def modulation(self) -> Modulation:
        """The rates of the amplitudes, term by term."""
        return Modulation(self.expansion, self.notation)

    @property
    def statement(self) -> str:
        """The meaning of the order and of the amplitudes, in words."""
        n, small = self.order, self.problem.small
        scales = "scale T1 is" if n == 1 else f"scales T1 {'and' if n == 2 else '…'} T{n} are"
        power = "" if n == 1 else f"**{n}"
        kept = "1" if n == 1 else small if n == 2 else f"{small}**{n - 1}"
        text = (
            f"Order {n}: the slow {scales} kept and x through {kept}; "
            f"over times up to T/{small} the error is of order {small}{power}. Amplitudes are those of first harmonics."
        )
        drifting = [o.name for o in self.problem.oscillators if o.is_free]
        if drifting:
            text += (
                f" {', '.join(drifting)} without stiffness drift{'s' * (len(drifting) == 1)}: mean position and mean "
                "speed take the place of amplitude and phase, and the order of the error is that of the speed."
            )
        return text

    def __str__(self) -> str:
        lines = [] if self.mechanism is None else [self.mechanism.summary]
        lines += [str(self.problem), *(f"Resonance: {resonance}" for resonance in self.resonances)]
        return "\n".join([*lines, str(self.polar_form), *self.notes, self.statement])

    # --- modulation equations

    @property
    def solvability(self) -> tuple[Any, ...]:
        """The solvability conditions, which exclude secular terms: ∂A_k/∂T_j = …, by order (SymPy)."""
        notation = self.notation
        found = []
        times = [sympy.Symbol(f"T{i}", real=True) for i in range(1, self.order + 1)]
        angles = self.modulation.scaled_angles(times)
        for j in range(1, self.order + 1):
            for k, terms in enumerate(self.modulation.terms):
                symbol = notation.amplitudes[k] if self.modulation.free[k] else notation.complex_amplitudes[k]
                parts = [self.modulation.complex_term(term, angles) for term in terms if term.order == j]
                right = sympy.Add(*(part / notation.small**j for part in parts))
                left = sympy.Derivative(sympy.Function(symbol.name)(*times), times[j - 1])
                found.append(sympy.Eq(left, right, evaluate=False))
        return tuple(found)

    @property
    def complex_form(self) -> ModulationForm:
        """dA_k/dt with x_k = A_k exp(i ω_k t) + conjugate + …."""
        return self.modulation.complex_form

    @property
    def polar_form(self) -> ModulationForm:
        """a_k′ and γ_l′ with x_k = a_k cos(ω_k t + β_k) + …; the phases γ are autonomous."""
        return self.modulation.polar_form

    @property
    def cartesian_form(self) -> ModulationForm:
        """p_k′ and q_k′, polynomials: A_k = (p_k + i q_k)/2 in the rotating frame, in which they are autonomous."""
        return self.modulation.cartesian_form

    def contributions(self) -> tuple[Contribution, ...]:
        """Return the parts of all dA/dt with the terms of the problem that cause them."""
        return contributions(self.problem, self.order, self.expansion.basis)

    def walkthrough(self) -> ScalesWalk:
        """Return the method step by step: equations of each order, secular terms, solvability conditions, causes."""
        return walkthrough.ScalesWalk(self)

    # --- solutions

    def _index(self, name: str | None) -> int:
        names = self.problem.names
        if name is None:
            if len(names) > 1:
                raise StateError(f"There are several oscillators. Name one of {', '.join(names)}.")
            return 0
        if name not in names:
            raise StateError(f"There is no oscillator {name!r}. {did_you_mean(name, names)}")
        return names.index(name)

    def solution(self, name: str | None = None) -> Any:
        """Return x(t) of a coordinate through ε^(order − 1) in its slowly changing amplitudes and phases (SymPy)."""
        return solution(self.modulation, self._index(name))

    def coordinate(self, name: str) -> Any:
        """Return a coordinate of the mechanism as a function of time, from the solutions of the oscillators (SymPy)."""
        if self.mechanism is None:
            raise StateError("The oscillators were given directly: there is no mechanism. Use solution().")
        return self.mechanism.solution(self, name)

    def backbone(self, name: str | None = None, *, amplitude: Amplitude = Amplitude.FIRST_HARMONIC) -> Any:
        """Return the frequency of free undamped motion over its amplitude (SymPy).

        With `Amplitude.INITIAL` the amplitude is the initial displacement of a motion released from rest.
        """
        return backbone(self.modulation, self._index(name), amplitude)

    def response(self, name: str | None = None) -> Relation:
        """Return the relation of amplitude, detuning and force in closed form, where one phase remains."""
        return response_relation(self.modulation, self._index(name))

    # --- numbers

    def values(self, values: Mapping[str, float] | None = None, small: float | None = None) -> dict[str, float]:
        """Return numbers for all parameters: those given, the problem's, and those determined by resonances.

        A known detuning has precedence over the frequency that it detunes. For a mechanism as given, ε is one.
        """
        problem, given = self.problem, dict(values or {})
        known = problem.known(given)
        if self.mechanism is not None:
            known |= {**self.mechanism.values(given), **given}
        for resonance in self.resonances:
            if resonance.frequency in given and resonance.detuning not in given:
                known.pop(str(resonance.detuning), None)
        if small is None:
            small = known.get(problem.small, 1.0 if self.mechanism is not None else None)
        if small is None:
            raise StateError(
                f"The small parameter {problem.small!r} has no value. Give it: values={{'{problem.small}': 0.1}}."
            )
        found = self.expansion.basis.values(known, small, problem.small)
        if missing := sorted(self._needed - found.keys()):
            raise StateError(f"There are no values for {', '.join(missing)}. Give them as values={{…}}.")
        return found

    def _fixed(self, values: Mapping[str, float] | None) -> dict[str, float]:
        """Return values with detunings in place of the frequencies that they detune, to be held constant."""
        given = dict(values or {})
        detunings = [r.detuning for r in self.resonances if r.detuning]
        if all(name in given for name in detunings):
            return given
        try:
            found = self.values(given)
        except StateError as error:
            raise StateError(f"{error} A certificate keeps detunings while the small parameter changes.") from None
        return {**given, **{name: found[name] for name in detunings}}

    @property
    def parameters(self) -> frozenset[str]:
        """The names of all parameters of the results, including detunings and detuned frequencies."""
        tied = {r.frequency for r in self.resonances} | set(self.expansion.basis.detuning_names)
        own = frozenset() if self.mechanism is None else frozenset(self.mechanism.values())
        return self._needed | tied | self._primitive | own | {self.problem.small}

    @cached_property
    def _primitive(self) -> frozenset[str]:
        """The parameters in definitions such as omega = sqrt(k/m)."""
        texts = [self.problem.definitions[name] for name in self._needed if name in self.problem.definitions]
        return frozenset(name for text in texts for name in Formula.of(text).names)

    @cached_property
    def _needed(self) -> frozenset[str]:
        """The parameters that modulation equations and solutions contain."""
        polynomials = [part for series in (*self.expansion.rates, *self.expansion.positions) for part in series]
        used = [c.used() for part in polynomials for c in part.values() if isinstance(c, Quotient)]
        return frozenset(self.expansion.variables.symbols).union(*used)

    def motion(
        self,
        duration: float,
        initial: Mapping[str, float],
        *,
        step: float | None = None,
        values: Mapping[str, float] | None = None,
    ) -> xarray.Dataset:
        """Return x(t) from initial values x and x.rate at t = 0, with the amplitudes of first harmonics.

        The initial amplitudes are those at which the series have the initial values. Variables are x, x.rate and
        x.amplitude for each coordinate. With a mechanism, initial values and variables are those of its coordinates,
        and amplitudes those of the oscillators.
        """
        import xarray

        known = self.values(values)
        times = np.linspace(0.0, duration, 1001) if step is None else np.arange(0.0, duration + step / 2, step)
        start = initial if self.mechanism is None else self.mechanism.modal(initial, known, known[self.problem.small])
        found = self._modal_motion(times, start, known)
        if self.mechanism is not None:
            found |= self.mechanism.coordinates(found, known, known[self.problem.small])
        return xarray.Dataset({name: ("time", x) for name, x in found.items()}, coords={"time": times})

    def _modal_motion(
        self, times: Floats, initial: Mapping[str, float], values: Mapping[str, float]
    ) -> dict[str, Floats]:
        """Return positions, speeds and amplitudes of the oscillators."""
        motion = AmplitudeMotion(self.modulation, values)
        slow, drift = motion.follow(times, *motion.amplitudes_from(initial))
        x, v = motion.coordinates(times, slow)
        found: dict[str, Floats] = {}
        for k, name in enumerate(self.problem.names):
            found[name], found[name + RATE] = x[k] + drift[k], v[k]
            found[f"{name}.amplitude"] = slow[k].real if motion.free[k] else 2 * np.abs(slow[k])
        return found

    def plot_motion(
        self,
        duration: float,
        initial: Mapping[str, float],
        *names: str,
        values: Mapping[str, float] | None = None,
        path: str | os.PathLike[str] | None = None,
        dark: bool = False,
        axes: Any = None,
    ) -> tuple[Any, ...]:
        """Plot coordinates with their amplitudes over time; the extra `plots` is needed."""
        chosen = tuple(self.problem.names[self._index(name)] for name in names) or self.problem.names
        known, times = self.values(values), np.linspace(0.0, duration, 2001)
        start = initial if self.mechanism is None else self.mechanism.modal(initial, known, known[self.problem.small])
        motion = self._modal_motion(times, start, known)
        return scales_plots.plot_motion(times, motion, chosen, path=path, dark=dark, axes=axes)

    def plot_phase(
        self,
        duration: float,
        initial: Mapping[str, float],
        *names: str,
        simulated: Trajectory | None = None,
        values: Mapping[str, float] | None = None,
        path: str | os.PathLike[str] | None = None,
        dark: bool = False,
        axes: Any = None,
    ) -> tuple[Any, ...]:
        """Plot phase portraits of the approximate motion, beside those of a simulated one; return the axes."""
        motion = self.motion(duration, initial, step=duration / 2000, values=values)
        known = [str(name) for name in motion.data_vars if f"{name}.rate" in motion.data_vars]
        for name in names:
            if name not in known:
                raise StateError(f"There is no coordinate {name!r} with a phase portrait. {did_you_mean(name, known)}")
        found: Mapping[str, Any] = {str(key): value for key, value in motion.data_vars.items()}
        return scales_plots.plot_phase(found, names or known, simulated, path=path, dark=dark, axes=axes)

    def steady_states(
        self, values: Mapping[str, float] | None = None, *, size: float = 2.0, seed: int = 0
    ) -> list[SteadyState]:
        """Return steady states with their stability, by Newton's method from many random amplitudes up to `size`."""
        flow = AmplitudeFlow(self.modulation, self.values(values))
        return steady_states(flow, self.problem.names, size, seed)

    def continuation(
        self,
        parameter: str,
        between: tuple[float, float],
        *,
        values: Mapping[str, float] | None = None,
        size: float = 2.0,
        step: float = 0.02,
        most: int = 3000,
    ) -> Branches:
        """Follow all steady states over a parameter, a detuning or a force, with folds, Hopf and branch points.

        Branches start from the steady states at both ends and in the middle of the interval, and from branch points;
        `size` is a typical amplitude and `step` the largest step along a branch, relative to the interval.
        """
        return trace_branches(self, parameter, between, dict(values or {}), size=size, step=step, most=most)

    # --- the certificate

    def certificate(
        self,
        *,
        values: Mapping[str, float] | None = None,
        initial: Mapping[str, float] | None = None,
        small: Sequence[float] = SERIES,
        duration: float = 1.0,
        reference: Reference | None = None,
        n_times: int = 400,
    ) -> ErrorCertificate:
        """Integrate the original equations over 0 ≤ t ≤ duration/ε for several ε and compare.

        `values` are numbers for all parameters but the small one, detunings included; `initial` are those of
        coordinates, x and x.rate, each coordinate displaced by one unless given. `reference` gives positions
        (oscillators × times; speeds of coordinates that drift) from the small parameter, times and initial values, for
        comparison with other equations. The result states whether the error decreases with the power that the order
        implies.
        """
        start = dict(initial) if initial is not None else dict.fromkeys(self.problem.names, 1.0)
        fixed = self._fixed(values)
        given = reference if reference is not None else self._own_reference(fixed)

        def approximate(eps: float, times: Floats) -> Floats:
            x, v = AmplitudeMotion(self.modulation, self.values(fixed, eps)).positions(times, start)
            return np.where(self._free[:, None], v, x)

        return certify(
            self.order, tuple(sorted(small, reverse=True)), duration, n_times, approximate,
            lambda eps, times: given(eps, times, start),
        )  # fmt: skip

    def _own_reference(self, values: Mapping[str, float] | None) -> Reference:
        if self.mechanism is not None:
            found: Reference = self.mechanism.reference(self, values)
            return found

        def reference(eps: float, times: Floats, start: Mapping[str, float]) -> Floats:
            equations = OriginalEquations(self.problem, self.values(values, eps))
            x = np.array([start.get(name, 0.0) for name in self.problem.names])
            v = np.array([start.get(name + RATE, 0.0) for name in self.problem.names])
            positions, speeds = equations.integrate(times, x, v)
            return np.where(self._free[:, None], speeds, positions)

        return reference

    @property
    def _free(self) -> Any:
        return np.array(self.expansion.variables.free)

    # --- writing

    def latex(self) -> str:
        """Return LaTeX of the modulation equations in polar form."""
        return self.polar_form.latex()

    def python(self) -> str:
        """Return Python source of the modulation equations in Cartesian form: `modulation_rates(state, *, …)`."""
        return python_source(self.modulation)

    def c(self) -> str:
        """Return C source of the modulation equations in Cartesian form: `modulation_rates(state, …, rates)`."""
        return c_source(self.modulation)

    def _repr_latex_(self) -> str:
        return self.polar_form._repr_latex_()
