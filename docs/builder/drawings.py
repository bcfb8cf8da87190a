"""Line drawings of components that have no shape in space: symbols of network elements and blocks of signals."""

from __future__ import annotations

from collections.abc import Callable

_SIZE = (220, 90)
_ZIGZAG = "M50 45 l5 -12 l10 24 l10 -24 l10 24 l10 -24 l10 24 l10 -24 l5 12"
_COIL = "M50 45 " + "a8.75 8.75 0 0 1 17.5 0 " * 4
_PLATES = "M78 25 v40 M92 25 v40 M50 45 h28 M92 45 h28"
_DIODE = "M50 45 h20 M70 28 v34 l30 -17 z M100 28 v34 M100 45 h20"
_LEADS = "M15 45 h35 M120 45 h35"


def _svg(body: str) -> str:
    width, height = _SIZE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'fill="none" stroke="#4a7ebb" stroke-width="2.2" stroke-linejoin="round" font-family="sans-serif" '
        f'font-size="13">{body}</svg>\n'
    )


def _path(*parts: str) -> str:
    return "".join(f'<path d="{part}"/>' for part in parts)


def _text(x: float, y: float, words: str, size: int = 13) -> str:
    return f'<text x="{x}" y="{y}" fill="#4a7ebb" stroke="none" text-anchor="middle" font-size="{size}">{words}</text>'


def _circle(sign: str) -> str:
    return f'{_path(_LEADS)}<circle cx="85" cy="45" r="24"/><path d="M50 45 h11 M109 45 h11"/>{_text(85, 51, sign, 18)}'


def _boxed(words: str) -> str:
    return f'{_path(_LEADS)}<rect x="50" y="27" width="70" height="36" rx="3"/>{_text(85, 50, words)}'


def _four_poles(words: str) -> str:
    leads = "M15 25 h35 M15 65 h35 M120 25 h35 M120 65 h35"
    return f'{_path(leads)}<rect x="50" y="14" width="70" height="62" rx="3"/>{_text(85, 50, words)}'


_ENDS = _text(9, 50, "a") + _text(163, 50, "b")
_TRANSISTOR = "M60 22 v46 M25 45 h35 M60 36 L95 18 V8 M60 54 L95 72 V82"
_SYMBOLS: dict[str, Callable[[], str]] = {
    "Datum": lambda: _path("M85 15 v30 M60 45 h50 M68 55 h34 M76 65 h18"),
    "Resistor": lambda: _path(_LEADS, _ZIGZAG) + _ENDS,
    "Inductor": lambda: _path(_LEADS, _COIL) + _ENDS,
    "Capacitor": lambda: _path(_LEADS, _PLATES) + _ENDS,
    "VoltageSource": lambda: _circle("+ −") + _ENDS,
    "CurrentSource": lambda: _circle("→") + _ENDS,
    "Voltmeter": lambda: _circle("V") + _ENDS,
    "Ammeter": lambda: _circle("A") + _ENDS,
    "Diode": lambda: _path(_LEADS, _DIODE) + _ENDS,
    "Switch": lambda: (
        _path(_LEADS, "M50 45 L112 22") + '<circle cx="50" cy="45" r="3"/><circle cx="120" cy="45" r="3"/>'
    ),
    "BipolarTransistor": lambda: _path(_TRANSISTOR) + _text(17, 50, "b") + _text(108, 16, "c") + _text(108, 86, "e"),
    "MOSFET": lambda: (
        _path("M25 45 h27 M52 25 v40 M60 22 v46 M60 30 h35 V8 M60 60 h35 V82")
        + _text(17, 50, "g")
        + _text(108, 16, "d")
        + _text(108, 86, "s")
    ),
    "OperationalAmplifier": lambda: (
        _path("M50 12 v66 l70 -33 z M20 30 h30 M20 60 h30 M120 45 h35") + _text(60, 36, "+") + _text(60, 65, "−")
    ),
    "Transformer": lambda: _four_poles("n : 1"),
    "Gyrator": lambda: _four_poles("r ⟳"),
    "VoltageControlledVoltageSource": lambda: _four_poles("μ v"),
    "CurrentControlledCurrentSource": lambda: _four_poles("β i"),
    "VoltageControlledCurrentSource": lambda: _four_poles("g v"),
    "CurrentControlledVoltageSource": lambda: _four_poles("r i"),
}
_WORDS = {
    "LawElement": "f(v, i)",
    "Pipe": "k|q|ⁿ",
    "Valve": "valve u",
    "ReliefValve": "p > p₀",
    "Motor": "K ω",
    "Solenoid": "L(x)",
    "PiezoStack": "piezo",
    "Piston": "A ẋ",
}


def element_symbol(kind: str) -> str:
    """Return the symbol of a network element, as SVG; without one of its own it is a box."""
    return _svg(_SYMBOLS[kind]() if kind in _SYMBOLS else _boxed(_WORDS.get(kind, kind)) + _ENDS)


def block_symbol(words: str) -> str:
    """Return a block of a block diagram, as SVG."""
    arrows = '<path d="M10 45 h40 l-7 -5 m7 5 l-7 5 M170 45 h40 l-7 -5 m7 5 l-7 5"/>'
    return _svg(f'{arrows}<rect x="50" y="25" width="120" height="40" rx="3"/>{_text(110, 50, words)}')
