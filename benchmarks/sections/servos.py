"""The arm with motors and controllers at equal error."""

from __future__ import annotations

from comparisons.servos import compare_servos
from tables import motion_table

TITLE = "Servo-driven arm"
_TEXT = """\
The seven-joint arm with a DC motor and a controller on every joint (`benchmarks/servo_models.py`), at equal error of
the angles at the end. The controller follows a smooth reference by proportional, integral and rate feedback, and
compensates the back-EMF; states are the integral of the error and the current of the motor. Its time constant of 1.7 ms
makes the equations stiff: stability limits the steps of DOP853. Before timing, accelerations and rates of currents of
all sides are compared at random states.

* MuJoCo has such servos as actuators of type `dcmotor`, whose formulas are of first order in the step; where that
  takes too many steps, the same equations are user dynamics compiled from C, with RK4. References are controls set by
  a callback in C.
* Exudyn couples states of first order with a tree through Python functions only. Here its native objects express the
  same equations: charges for currents, an oscillator for the reference, coupled by constant matrices.
* With sampled control, voltages are set at 1 kHz, without the integral, and held. In gyrostat the laws are formulas of
  `Sampled`; MuJoCo has a loop in C around `mj_step`, and one in Python; Exudyn a Python function before each step.
  That row has no target.

{servos}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    return _TEXT.format(servos=motion_table(compare_servos(rounds=3 if short else 11)))
