"""The exact engine: trigonometric polynomials in a unique normal form (python-flint).

    ring = ExactRing(groups=[["theta_1", "theta_2"]], symbols=["m1", "l1", "theta_1.rate"], positive=["l1"])
    scalars = ExactScalars(ring)                    # an engine: Evaluator(scalars, ring.symbol)
    ring.symbol("m1")                               # an element; a new name is added to the ring
    ExactRing(…, effort=200_000)                    # refuse what would explode; `ring.spent` counts
    ring.euler_parameters("e0", "e1", "e2", "e3")   # before they are used: e0² → 1 − e1² − e2² − e3²

Angles whose joints have parallel axes share a group: inside it products of sines and cosines become sums as they are
formed, across groups they stay products. Any other name may occur inside sin and cos too, and gets a group of its own.

Scalars of this engine are `Element`s, or Python numbers where a value is known: −1, 0 and 1 are int, other numbers
Fraction (so that a quotient of two stays exact). Floats are read as their shortest decimal. `Element` supports
+ − * / ** with elements and numbers; `==` decides equality, `equals` says how. Functions below take elements and
numbers alike.

What lies outside the ring is an auxiliary symbol, listed with its meaning in `ring.definitions`; equal arguments give
the same symbol, and rules (r² → radicand, inverse·p → 1) are applied as products and sums are formed.

    derivative(x, "theta_1"), gradient(x, names), jacobian(xs, names)
    time_derivative(x, {"theta_1": ring.symbol("theta_1.rate"), …})
    taylor(x, names, order, about={…}), taylor_parts(…)     # polynomial in deviations; homogeneous parts by degree
    Expansion(ring, {"theta_1": […]}, order, sign)(x)       # any series for symbols; branches of |x| by signs at hand
    graded.GradedScalars(expansion)                         # an engine of series: expands while formulas are formed
    substitute(x, {"l1": 0.5, "theta_2": -theta_1})         # all at once
    exact_value(x, {…}), evaluate(x, {…})                   # Fraction; float
    numeric_function(xs, names)                             # NumPy function, arguments in the order of names
    equals(x, y)                                            # a Decision: true or false, and how it was decided
    operations(xs)                                          # additions and multiplications when written out

To SymPy, with SymPy's objects for names where they are to differ from plain symbols:

    writer = SympyWriter(ring, {"theta_1": theta_1(t), …})
    writer(x)                                               # expanded
    writer.textbook(x, inner={"m1", "m2"})                  # (m1/3 + m2) l1² + m2 l1 l2 cos θ2 + …
    writer.collected(x, outer=speeds)                       # speed monomials outside
    LinearForms(ring, {"w2": {"u1": 1, "u2": 1}})(x)        # in absolute rates where that is not longer
    regrouped(xs, parameters, speeds, writer)               # P1, P2, … and the table of what they are

From SymPy: `trig_normal_form(expr)`, or `SympyReader(expressions)` for elements.
"""

from gyrostat.scalar.exact.calculus import Differential, derivative, gradient, jacobian, time_derivative
from gyrostat.scalar.exact.definitions import Definition, GeneratorKind
from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.engine import ExactScalars
from gyrostat.scalar.exact.equality import Certainty, Decision, equals
from gyrostat.scalar.exact.evaluation import evaluate, numeric_function
from gyrostat.scalar.exact.from_sympy import SympyReader, trig_normal_form
from gyrostat.scalar.exact.linear_forms import LinearForms
from gyrostat.scalar.exact.operation_count import operations
from gyrostat.scalar.exact.regrouped import Regrouped, regrouped
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.exact.substitution import Substitution, exact_value, substitute
from gyrostat.scalar.exact.sympy_arguments import immutable_matrix, plain_symbol
from gyrostat.scalar.exact.taylor import Expansion, taylor, taylor_parts
from gyrostat.scalar.exact.to_sympy import SympyWriter, to_sympy

__all__ = [
    "Certainty",
    "Decision",
    "Definition",
    "Differential",
    "Element",
    "ExactRing",
    "ExactScalars",
    "Expansion",
    "GeneratorKind",
    "LinearForms",
    "Regrouped",
    "Substitution",
    "SympyReader",
    "SympyWriter",
    "derivative",
    "equals",
    "evaluate",
    "exact_value",
    "gradient",
    "immutable_matrix",
    "jacobian",
    "numeric_function",
    "operations",
    "plain_symbol",
    "regrouped",
    "substitute",
    "taylor",
    "taylor_parts",
    "time_derivative",
    "to_sympy",
    "trig_normal_form",
]
