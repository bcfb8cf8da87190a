"""Symbols of the model's names in equations."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.errors import Fault, ModelError
from gyrostat.lazy import LaterModule, later
from gyrostat.model.formula import TIME
from gyrostat.model.joints import Joint
from gyrostat.once import cached_property
from gyrostat.scalar.latex import latex_text

if TYPE_CHECKING:
    import sympy

    from gyrostat.scalar import exact
else:
    sympy = LaterModule("sympy")
    (exact,) = later("gyrostat.scalar", "exact")


@dataclass(frozen=True)
class Symbols:
    """The symbols of a system by the model's own names: coordinates, speeds, states, rates, inputs, parameters.

    A coordinate has the symbol that its joint was given, or else its joint's name; a rate has a dot ("thetadot_1",
    which prints as θ̇₁), an acceleration two. What belongs to a part has the names of its owners in the index: the
    parameter `left.m` is m_left.
    """

    coordinates: Coordinates

    @cached_property
    def text(self) -> dict[str, str]:
        """The text of every symbol, by name; two names with one symbol raise an error that names both."""
        model = self.coordinates.topology.model
        names = (*model.parameters, *model.inputs, TIME)
        text = {name: name for name in names if "." not in name}
        for name in names:
            text.setdefault(name, _free(_default(name), text))
        for joint_name, layout in self.coordinates.joints.items():
            joint = self.coordinates.elements[joint_name]
            for coordinate, name, place in zip(joint.coordinates, layout.names, layout.coordinates, strict=True):
                if isinstance(place, int) and name not in text:  # arms of a flexible body share their coordinates
                    text[name] = self._symbol(joint, coordinate.label, text)
            for name in [self.coordinates.speed_names[place] for place in layout.speeds if isinstance(place, int)]:
                of = name.removesuffix(".rate")
                rate = of in text and of != name
                text[name] = dotted(text[of]) if rate else _symbol_of(joint_name, _label(name, joint_name), text)
        for name in self.coordinates.rotors:
            body, _, rotor = name.rpartition(".")
            text[name] = _symbol_of(body, rotor, text)
            text[f"{name}.rate"] = dotted(text[name])
        text |= {name: _default(name) for name in self.coordinates.state_names}
        text |= {f"{name}.rate": dotted(text[name]) for name in self.coordinates.state_names}
        text |= {acceleration_name(speed): dotted(text[speed]) for speed in self.coordinates.speed_names}
        self._refuse_clashes(text)
        return text

    def _symbol(self, joint: Joint, label: str, taken: Mapping[str, str]) -> str:
        """Return the symbol of a coordinate: the given one, with owners in its index, or one of names."""
        given = joint.symbol.get(label)
        if given is None:
            owner = joint.parent.body if joint.flexible else joint.name
            return _symbol_of(owner, _label(joint.full_name(label), owner), taken)
        return _free(with_owners(given, joint.name), taken) if "." in joint.name else given

    def _refuse_clashes(self, text: dict[str, str]) -> None:
        if len(set(text.values())) < len(text):
            twice = [symbol for symbol, count in Counter(text.values()).items() if count > 1]
            names = [name for name, symbol in text.items() if symbol == twice[0]]
            fact = f"it would denote {' and for '.join(repr(name) for name in names)}."
            raise ModelError(Fault(f"symbol {twice[0]!r}", fact, "Give one of them another symbol or name."))

    @cached_property
    def sympy(self) -> dict[str, Any]:
        """SymPy's symbols by name."""
        return {name: exact.plain_symbol(symbol) for name, symbol in self.text.items()}

    @property
    def latex(self) -> dict[str, str]:
        """LaTeX of the symbols by name."""
        return {name: latex_text(symbol) for name, symbol in self.sympy.items()}


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


def with_owners(symbol: str, name: str) -> str:
    """Return a symbol with the owners of a part in its index, so that equal parts have different symbols.

    >>> with_owners("theta_1", "left.hinge"), with_owners("theta_1", "hinge")
    ('theta_1_left', 'theta_1')
    """
    owners = name.split(".")[:-1]
    return "_".join((symbol, *owners))


_LETTERS = re.compile(r"[^\W\d_]*")


def _default(name: str, label: str = "") -> str:
    """Return a symbol for a name without one, as dots cannot be part of it: label, own name, owners, as in e0_ball.

    >>> _default("ball", "e0"), _default("left.m"), _default("left.axle.a1", "angle")
    ('e0_ball', 'm_left', 'angle_a1_left_axle')
    """
    owners, _, own = name.rpartition(".")
    words = (*(label.split(".") if label else ()), own, *(owners.split(".") if owners else ()))
    return "_".join(words)


def _label(name: str, joint: str) -> str:
    """Return the label within a joint of the name of a coordinate or speed."""
    return name[len(joint) + 1 :]


def _symbol_of(name: str, label: str, taken: Mapping[str, str]) -> str:
    """Return the symbol of a name and label; users cannot rename parts, so that these give way to others."""
    symbol = _default(name, label)
    return _free(symbol, taken) if "." in name else symbol


def _free(symbol: str, taken: Mapping[str, str]) -> str:
    """Return the symbol, with a number if another name has it already."""
    used, number, free = set(taken.values()), 2, symbol
    while free in used:
        free, number = f"{symbol}_{number}", number + 1
    return free
