"""Approximate analytical solutions by the method of multiple scales.

    problem = Oscillators("x'' + w0**2*x + 2*eps*mu*x' + eps*alpha*x**3 = eps*F*cos(Omega*t)")
    problem = Oscillators.of_terms([Oscillator("x", "w0")], [Term("x", "-alpha", {"x": 3}, order=1, source="spring")])
    ms = multiple_scales(problem, order=1, resonances=["Omega ≈ w0"])

A problem states oscillators x_k″ + ω_k² x_k = Σ terms. A `Term` is coefficient × monomial in x, x.rate, x.acc ×
optionally a `Harmonic` cos or sin (Ω t + φ), with its order in the small parameter and its source. Frequencies are
names, rational multiples of names, or numbers; zero where there is no stiffness.

Modules: the problem (`oscillators`), resonances and the basis of frequencies (`frequencies`, `basis`), the expansion
(`expansion`), modulation equations (`modulation`), results (`solution`, `relation`, `steady_state`,
`continuation`, `motion`), the certificate (`certificate`).
"""

from gyrostat.analysis.scales.approximation import MultipleScales
from gyrostat.analysis.scales.certificate import ErrorCertificate
from gyrostat.analysis.scales.continuation import Branches, SpecialKind
from gyrostat.analysis.scales.frequencies import Combination, Resonance
from gyrostat.analysis.scales.multiple_scales import multiple_scales
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.quotients import Quotient, QuotientField
from gyrostat.analysis.scales.relation import Amplitude
from gyrostat.analysis.scales.term import Harmonic, Oscillator, Term

__all__ = [
    "Amplitude",
    "Branches",
    "Combination",
    "ErrorCertificate",
    "Harmonic",
    "MultipleScales",
    "Oscillator",
    "Oscillators",
    "Quotient",
    "QuotientField",
    "Resonance",
    "SpecialKind",
    "Term",
    "multiple_scales",
]
