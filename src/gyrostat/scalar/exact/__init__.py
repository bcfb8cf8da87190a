"""The exact engine: trigonometric polynomials in a unique normal form (python-flint).

    ring = ExactRing(groups=[["theta_1", "theta_2"]], symbols=["m1", "l1", "theta_1.rate"], positive=["l1"])
    scalars = ExactScalars(ring)                    # an engine: Evaluator(scalars, ring.symbol)
    ring.symbol("m1")                               # an element; a new name is added to the ring
    ring.euler_parameters("e0", "e1", "e2", "e3")   # before they are used: e0² → 1 − e1² − e2² − e3²

Angles whose joints have parallel axes share a group: inside it products of sines and cosines become sums as they are
formed, across groups they stay products. Any other name may stand inside sin and cos too, and gets a group of its own.

Scalars of this engine are `Element`s, or Python numbers where a value is known: −1, 0 and 1 are int, other numbers
Fraction (so that a quotient of two stays exact). Floats are read as their shortest decimal. `Element` supports
+ − * / ** with elements and numbers; `==` decides equality, `equals` says how. Functions below take elements and
numbers alike.

What lies outside the ring is an auxiliary symbol, listed with its meaning in `ring.definitions`; equal arguments give
the same symbol, and rules (r² → radicand, inverse·p → 1) are applied as products and sums are formed.
"""

from gyrostat.scalar.exact.calculus import derivative, gradient, jacobian, time_derivative
from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.engine import ExactScalars
from gyrostat.scalar.exact.equality import Certainty, Decision, equals
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.exact.to_sympy import SympyWriter, to_sympy

__all__ = [
    "Certainty",
    "Decision",
    "Element",
    "ExactRing",
    "ExactScalars",
    "SympyWriter",
    "derivative",
    "equals",
    "gradient",
    "jacobian",
    "time_derivative",
    "to_sympy",
]
