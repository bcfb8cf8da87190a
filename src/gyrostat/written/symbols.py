"""Symbols of the model's names in equations."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.errors import Fault, ModelError
from gyrostat.lazy import LaterModule, later
from gyrostat.model.formula import TIME
from gyrostat.once import cached_property

if TYPE_CHECKING:
    import sympy

    from gyrostat.scalar import exact
else:
    sympy = LaterModule("sympy")
    (exact,) = later("gyrostat.scalar", "exact")


@dataclass(frozen=True)
class Symbols:
    """The symbols of a system by the model's own names: coordinates, speeds, their rates, inputs, parameters, time.

    A coordinate has the symbol that its joint was given, or else its joint's name; a rate has a dot ("thetadot_1",
    which prints as θ̇₁), an acceleration two.
    """

    coordinates: Coordinates

    @cached_property
    def text(self) -> dict[str, str]:
        """The text of every symbol, by name; two names with one symbol raise an error that names both."""
        model = self.coordinates.topology.model
        text = {name: name for name in (*model.parameters, TIME)}
        text |= {name: _default(name) if "." in name else name for name in model.inputs}
        for joint_name, layout in self.coordinates.joints.items():
            joint = self.coordinates.elements[joint_name]
            for coordinate, name, place in zip(joint.coordinates, layout.names, layout.coordinates, strict=True):
                if isinstance(place, int):
                    text[name] = joint.symbol.get(coordinate.label) or _default(name)
            for name in [self.coordinates.speed_names[place] for place in layout.speeds if isinstance(place, int)]:
                of = name.removesuffix(".rate")
                text[name] = dotted(text[of]) if of in text and of != name else _default(name)
        for name in self.coordinates.rotors:
            text[name] = _default(name)
            text[f"{name}.rate"] = dotted(text[name])
        text |= {acceleration_name(speed): dotted(text[speed]) for speed in self.coordinates.speed_names}
        self._refuse_clashes(text)
        return text

    def _refuse_clashes(self, text: dict[str, str]) -> None:
        if len(set(text.values())) < len(text):
            twice = [symbol for symbol, count in Counter(text.values()).items() if count > 1]
            names = [name for name, symbol in text.items() if symbol == twice[0]]
            fact = f"it would stand for {' and for '.join(repr(name) for name in names)}."
            raise ModelError(Fault(f"symbol {twice[0]!r}", fact, "Give one of them another symbol or name."))

    @cached_property
    def sympy(self) -> dict[str, Any]:
        """SymPy's symbols by name."""
        return {name: exact.plain_symbol(symbol) for name, symbol in self.text.items()}

    @property
    def latex(self) -> dict[str, str]:
        """LaTeX of the symbols by name."""
        return {name: str(sympy.latex(symbol)) for name, symbol in self.sympy.items()}


class MotionSymbols(ABC):
    """Mixin: the symbols of coordinates, speeds and accelerations in order."""

    @property
    @abstractmethod
    def symbols(self) -> Symbols:
        """The symbols by the model's own names."""

    @property
    def coordinates(self) -> tuple[Any, ...]:
        """The symbols of q."""
        return tuple(self.symbols.sympy[name] for name in self.symbols.coordinates.coordinate_names)

    @property
    def speeds(self) -> tuple[Any, ...]:
        """The symbols of u."""
        return tuple(self.symbols.sympy[name] for name in self.symbols.coordinates.speed_names)

    @property
    def accelerations(self) -> tuple[Any, ...]:
        """The symbols of u̇."""
        return tuple(self.symbols.sympy[acceleration_name(name)] for name in self.symbols.coordinates.speed_names)


def dotted(symbol: str) -> str:
    """Return the symbol of a rate.

    >>> dotted("theta_1"), dotted("thetadot_1"), dotted("x")
    ('thetadot_1', 'thetaddot_1', 'xdot')
    """
    match = _LETTERS.match(symbol)
    base = match.group() if match else ""
    rest = symbol[len(base) :]
    if base.endswith("dot") and base != "dot":
        return f"{base[:-3]}ddot{rest}"
    return f"{base}dot{rest}"


_LETTERS = re.compile(r"[^\W\d_]*")


def _default(name: str) -> str:
    """Return a symbol for a name without one: dots cannot be part of it, so its label comes first (e0_ball)."""
    joint, _, label = name.partition(".")
    return f"{label.replace('.', '_')}_{joint}" if label else joint
