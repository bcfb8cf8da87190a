"""Motions of trees, closed loops and stiff systems at equal error."""

from __future__ import annotations

from comparisons.andrews import compare_andrews
from comparisons.four_bars import COMPARED, compare_four_bars
from comparisons.simulation import compare_simulations
from comparisons.stiff_loops import compare_stiff_loops
from stiff_models import STIFF_LOOPS
from tables import motion_table

TITLE = "Simulations"
_TEXT = """\
Motions at equal achieved error. *Error* is the largest difference of a coordinate at the end from a reference: a run
with tolerances of 1e-13 for trees, the differential equation of one crank for four-bars, published digits (and the
error relative to them) for Andrews' mechanism. For each solver the step or tolerance is searched for that brings its
error just below the same bound, within a factor of three where its errors follow its settings; then all run
alternately. Of a package's solvers the fastest counts. *Whole call* is `gs.simulate`, *integration* what its status
says. All sides give the state at the end alone.

* SciPy's integrators call the same native rates through buffers; implicit ones get the exact Jacobian. In closed loops
  they do without projection.
* Exudyn has trees as a `KinematicTree` (explicit methods of orders 4 to 7, with fixed and variable steps), four-bars
  as plane bodies with plane joints (generalised α, trapezoidal rule of index 2).
* MuJoCo makes steps with `mj_step(…, nstep=…)`: RK4 for what is not stiff, implicit and implicitfast for the stiff
  chain. Its four-bars are trees closed by equality constraints of the hardest impedance, which take back a gap within
  two steps, its least. Four-bars flatten several times in 10 s.
* Stiff closed loops (`benchmarks/stiff_models.py`): IDA of SUNDIALS (scikit-sundae), stabilised after Gear, Gupta and
  Leimkuhler or of index one, and generalised α of index three, get native residuals and exact matrices in descriptor
  form, without tolerances for multipliers. IDA's residuals are called through Python, and generalised α is a loop in
  Python: its time is no measure, only its steps are.
* IDAS gets equations derived in CasADi from energies: accelerations and loads are algebraic variables in units of
  their size, without a part in the control of errors.

{motions}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    rounds = 3 if short else 11
    rows = compare_simulations(rounds=rounds)
    rows += compare_four_bars(rounds=rounds, counts=COMPARED[:2] if short else COMPARED)
    rows += compare_andrews(rounds=rounds)
    rows += compare_stiff_loops(rounds=rounds, motions=STIFF_LOOPS[:1] if short else STIFF_LOOPS)
    return _TEXT.format(motions=motion_table(rows))
