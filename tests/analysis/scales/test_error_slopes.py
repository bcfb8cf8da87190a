"""The error over t ≤ 1/ε falls with the power that the order promises, for orders 1 to 3."""

from functools import lru_cache

import numpy as np
import pytest

from gyrostat.analysis.scales import Oscillators, multiple_scales
from gyrostat.analysis.scales.certificate import OriginalEquations

SMALL = (0.04, 0.02, 0.01)

PROBLEMS = {
    "free Duffing": (("x'' + x + eps*x**3",), (), {}, {"x": 1.0}),
    "forced Duffing": (
        ("x'' + w0**2*x + 2*eps*mu*x' + eps*alpha*x**3 = eps*F*cos(Omega*t)",),
        ("Omega = w0 + eps*sigma",),
        {"w0": 1.0, "mu": 0.2, "alpha": 0.7, "F": 0.6, "sigma": 0.4},
        {"x": 0.8, "x.rate": 0.3},
    ),
    "van der Pol": (("x'' + x = eps*(1 - x**2)*x'",), (), {}, {"x": 1.0}),
    "Mathieu": (
        ("x'' + w**2*x + eps*h*x*cos(Omega*t) = 0",),
        ("Omega = 2*w + eps*sigma",),
        {"w": 1.0, "h": 0.9, "sigma": 0.3},
        {"x": 1.0, "x.rate": 0.2},
    ),
    "superharmonic": (
        ("x'' + w0**2*x + 2*eps*mu*x' + eps*alpha*x**3 = F*cos(Omega*t)",),
        ("Omega = w0/3 + eps*sigma",),
        {"w0": 1.0, "mu": 0.1, "alpha": 0.6, "F": 0.5, "sigma": 0.3},
        {"x": 0.9},
    ),
    "subharmonic": (
        ("x'' + w0**2*x + 2*eps*mu*x' + eps*alpha*x**3 = F*cos(Omega*t)",),
        ("Omega = 3*w0 + eps*sigma",),
        {"w0": 1.0, "mu": 0.1, "alpha": 0.5, "F": 2.0, "sigma": 0.3},
        {"x": 0.8},
    ),
    "internal 1:1": (
        (
            "x'' + w1**2*x + 2*eps*mu*x' + eps*(x - y)**3 = eps*F*cos(Omega*t)",
            "y'' + w2**2*y + 2*eps*mu*y' + eps*(y - x)**3 + eps*y**3 = 0",
        ),
        ("w2 = w1 + eps*sigma2", "Omega = w1 + eps*sigma1"),
        {"w1": 1.0, "mu": 0.1, "F": 0.5, "sigma1": 0.2, "sigma2": 0.3},
        {"x": 0.6, "y": 0.2},
    ),
    "internal 1:2": (
        (
            "x'' + w1**2*x + 2*eps*m1*x' = eps*x*y",
            "y'' + w2**2*y + 2*eps*m2*y' = eps*x**2 + eps*F*cos(Omega*t)",
        ),
        ("w2 = 2*w1 + eps*sigma1", "Omega = w2 + eps*sigma2"),
        {"w1": 1.0, "m1": 0.1, "m2": 0.2, "F": 1.0, "sigma1": 0.3, "sigma2": 0.2},
        {"x": 0.9, "y": 0.3},
    ),
    "internal 1:3": (
        (
            "x'' + w1**2*x + 2*eps*m1*x' + eps*x**3 + 3*eps*x**2*y = 0",
            "y'' + w2**2*y + 2*eps*m2*y' + eps*x**3 + eps*x*y**2 = eps*F*cos(Omega*t)",
        ),
        ("w2 = 3*w1 + eps*sigma1", "Omega = w2 + eps*sigma2"),
        {"w1": 1.0, "m1": 0.1, "m2": 0.1, "F": 1.0, "sigma1": 0.3, "sigma2": 0.2},
        {"x": 0.9, "y": 0.3},
    ),
    "parametric combination": (
        (
            "x'' + w1**2*x + 2*eps*mu*x' + eps*h*y*cos(Omega*t) + eps*x**3 = 0",
            "y'' + w2**2*y + 2*eps*mu*y' + eps*h*x*cos(Omega*t) = 0",
        ),
        ("Omega = w1 + w2 + eps*sigma",),
        {"w1": 1.0, "w2": 1.7, "mu": 0.1, "h": 0.8, "sigma": 0.2},
        {"x": 0.8, "y": 0.5},
    ),
    "two frequencies": (
        ("x'' + x + 0.2*eps*x' + 0.5*eps*x**3 = 0.6*cos(Omega1*t) + 0.5*sin(Omega2*t + phi)",),
        ("Omega2 = 1 - 2*Omega1 + eps*sigma",),
        {"Omega1": 0.27, "sigma": 0.3, "phi": 0.4},
        {"x": 0.8},
    ),
    "slow detuning": (
        ("x'' + w0**2*x + 2*eps**2*mu*x' + eps*a2*x**2 + eps**2*a3*x**3 = eps**2*F*cos(Omega*t + phi)",),
        ("Omega = w0 + eps**2*sigma",),
        {"w0": 1.0, "mu": 0.2, "a2": 0.7, "a3": 0.9, "F": 0.6, "sigma": 0.4, "phi": 0.3},
        {"x": 0.8},
    ),
    "accelerations on the right": (
        ("x'' + x = eps*(-x**2*x'' - x*x'**2)",), (), {}, {"x": 1.0}
    ),
    "drift": (
        ("x'' = -eps*c*x' + eps*y*x' + eps*y'**2", "y'' + w**2*y = eps*x'**2 - eps*x''*y"),
        (),
        {"w": 1.0, "c": 0.3},
        {"x": 0.5, "x.rate": 0.7, "y": 0.8},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
def test_error_slope(name):
    equations, resonances, values, initial = PROBLEMS[name]
    problem = Oscillators(*equations)

    @lru_cache
    def exact(eps, last):
        numbers = solutions[0].values(values, eps)
        start = [[initial.get(n + suffix, 0.0) for n in problem.names] for suffix in ("", ".rate")]
        x, v = OriginalEquations(problem, numbers).integrate(np.linspace(0, last, 200), *start)
        return np.array([v[k] if o.is_free else x[k] for k, o in enumerate(problem.oscillators)])

    solutions = [multiple_scales(problem, order, resonances) for order in (1, 2, 3)]
    for ms in solutions:
        certificate = ms.certificate(
            values=values,
            initial=initial,
            small=SMALL,
            n_times=200,
            reference=lambda eps, times, _: exact(eps, times[-1]),
        )
        assert certificate.holds, f"{name}, order {ms.order}\n{certificate}"
        assert abs(certificate.slope - ms.order) < 0.1 * ms.order, f"{name}, order {ms.order}\n{certificate}"
