"""Flexible mechanisms that speed is measured on: the spin-up of Simo and Vu-Quoc, the slider-crank, four-bars."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np

import gyrostat as gs

_EXAMPLE = run_path(str(Path(__file__).parent.parent / "examples" / "flexible_slider_crank.py"))
slider_crank = _EXAMPLE["slider_crank"]
CRANK, ROD, OFFSET, RADIUS, CRANK_SPEED, DENSITY, MODULUS = (
    _EXAMPLE[name] for name in ("CRANK", "ROD", "OFFSET", "RADIUS", "SPEED", "DENSITY", "MODULUS")
)

LENGTH, STIFFNESS, AXIAL, LINE_MASS, ROTARY = 10.0, 1.4e4, 2.8e7, 1.2, 6e-4
SPEED, RISE = 6.0, 15.0
_DRIVEN = f"{SPEED / RISE}*(t**2/2 + ({RISE}/(2*pi))**2*(cos(2*pi*t/{RISE}) - 1))"


def spin_angle(t: float) -> float:
    """Return the angle of the hub while it speeds up."""
    return SPEED / RISE * (t**2 / 2 + (RISE / (2 * np.pi)) ** 2 * (np.cos(2 * np.pi * t / RISE) - 1))


def spin_up(order: Any, terms: int) -> gs.Model:
    """Return the spin-up with one beam without stretch."""
    model = gs.Model(f"spin-up, beam of order {order} with {terms} terms")
    section: dict[str, Any] = {"area": 1.0, "Iz": ROTARY / LINE_MASS, "E": AXIAL, "density": LINE_MASS}
    model.add(gs.Beam("beam", length=LENGTH, terms={"v": terms}, order=order, **section))
    model.add(gs.Revolute("hub", "ground", "beam", driven=_DRIVEN))
    return model


def spin_up_of_segments(count: int) -> gs.Model:
    """Return the spin-up with rigid segments that torsion springs connect; the last is `tip`."""
    h, before = LENGTH / count, "hub"
    model = gs.Model(f"spin-up, {count} rigid segments")
    model.add(gs.Body("hub", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add(gs.Revolute("root", "ground", "hub", driven=_DRIVEN))
    about = LINE_MASS * h**3 / 12
    for i in range(count):
        name = f"s{i}" if i < count - 1 else "tip"
        inertia = (ROTARY * h, about, about + ROTARY * h)
        points = {"end": (h, 0, 0)}
        model.add(gs.Body(name, mass=LINE_MASS * h, inertia=inertia, com=(h / 2, 0, 0), points=points))
        model.add(gs.Revolute(f"j{i}", before, name))
        model.add(gs.TorsionSpring(f"k{i}", f"j{i}", stiffness=STIFFNESS / h * (2 if i == 0 else 1)))
        before = f"{name}.end"
    return model


def beam_four_bar(order: Any, terms: int) -> gs.Model:
    """Return a four-bar whose crank, coupler and rocker are steel strips; it starts with the crank at one radian."""
    model = gs.Model(f"four-bar of three beams of order {order} with {terms} terms each", gravity=(0, -9.81, 0))
    given: dict[str, Any] = {"area": 1e-4, "Iz": 1e-9, "E": 2e11, "density": 7800, "terms": {"v": terms}}
    for name, length in (("crank", 0.3), ("coupler", 1.0), ("rocker", 0.8)):
        model.add(gs.Beam(name, length=length, order=order, **given))
    model.add(gs.Revolute("a", "ground", "crank", initial={"angle": 1.0}))
    model.add(gs.Revolute("b", "crank.tip", "coupler"))
    model.add(gs.Revolute("c", ("ground", (1, 0, 0)), "rocker"))
    model.add(gs.Revolute("d", "coupler.tip", "rocker.tip"))
    return model
