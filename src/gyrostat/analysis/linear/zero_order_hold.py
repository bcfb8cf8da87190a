"""Zero-order hold: the linear model of a sampled system in discrete time, its z-form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gyrostat.analysis.linear.linear_model import LinearModel
from gyrostat.analysis.linear.sampled_linear_model import SampledLinearModel
from gyrostat.analysis.linear.state_space import StateSpace
from gyrostat.analysis.variations.sample_times import SampleTimes, sample_times
from gyrostat.analysis.variations.sampled_flow import Sample, period_map
from gyrostat.analysis.variations.sampled_laws import VariedLaw, sampled_blocks
from gyrostat.errors import StateError
from gyrostat.system import System


@dataclass(frozen=True)
class ZeroOrderHold:
    """Inputs that are constant from one sample time to the next, so that a linear model is one in discrete time.

    The period is that of the sampled blocks of the model; where it has none, it is given.

    >>> ZeroOrderHold(0.01).period
    0.01
    """

    period: float | None = None

    def __post_init__(self) -> None:
        if self.period is not None and not 0.0 < self.period < np.inf:
            raise StateError(f"The period of a zero-order hold is {self.period!r}. Give a positive time in seconds.")

    def times(self, system: System, parameters: dict[str, float]) -> SampleTimes:
        """Return the sample times in a common period of the blocks, or in the period that was given."""
        blocks = sampled_blocks(system)
        if not blocks and self.period is None:
            raise StateError(
                f"{system.model.name!r} has no sampled blocks, so that the period of the zero-order hold is not known. "
                "Give it: gs.ZeroOrderHold(0.01)."
            )
        if not blocks:
            assert self.period is not None, "refused above"
            return SampleTimes(self.period, ((0.0, ()),))
        times = sample_times(blocks, parameters)
        if self.period is not None and abs(self.period - times.period) > 1e-9 * times.period:
            raise StateError(
                f"The zero-order hold has a period of {self.period:g} s, but the sampled blocks of "
                f"{system.model.name!r} have {times.period:g} s in common. Leave the period out: gs.ZeroOrderHold()."
            )
        return times

    def discretized(self, linear: LinearModel, laws: Sequence[VariedLaw], asked: Sequence[str]) -> SampledLinearModel:
        """Return the model in discrete time of a linear model that has the signals of laws among its outputs.

        Of these only outputs that a user asked for are kept.
        """
        driven = next((one.name for one in linear.channels.items if one.driver and not one.by_acceleration), None)
        if driven is not None:
            raise StateError(
                f"The input {driven!r} is the displacement of a driver, which cannot jump at sample times. Use its "
                f"acceleration: inputs=[{driven + '.acc'!r}]."
            )
        form, point = linear.form, linear.point
        for law in laws:
            law.require_rest(point, linear.output_values)
        times = self.times(linear.system, linear.system.model.values(point.parameters))
        observed = {name: (form.C[i], form.D[i]) for i, name in enumerate(form.outputs)}
        samples = [Sample.of(law, form.states, observed) for law in laws]
        found = period_map(form.A, form.B, samples, times)
        own = {signal for law in laws for signal in law.signals} - set(asked)
        outputs = tuple(name for name in form.outputs if name not in own)
        kept = [form.outputs.index(name) for name in outputs]
        C, D, nothing = form.C[kept], form.D[kept], np.zeros((len(kept), len(form.inputs)))
        after, direct = found.sampled
        discrete = StateSpace(
            form.states, form.inputs, outputs, found.A, found.B, C @ after, D + C @ direct, nothing, nothing
        )
        values = {name: linear.output_values[name] for name in outputs}
        between = replace(linear, form=replace(form, outputs=outputs, C=C, D=D, D_rate=nothing, D_second=nothing))
        return SampledLinearModel(replace(between, output_values=values), times.period, discrete)
