"""The Whipple bicycle: bodies, joints and two rolling discs (Meijaard, Papadopoulos, Ruina, Schwab 2007)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gyrostat as gs


def whipple_bicycle(parameters: Mapping[str, Any]) -> gs.Model:
    """Return the bicycle; x points forward, y to the right, z down. All frames of bodies begin at the rear contact."""
    model = gs.Model("Whipple bicycle", gravity=(0, 0, "g"), parameters={**parameters, "v": 5.0})
    rear, front, head = (0, 0, "-rR"), ("w", 0, "-rF"), ("w + c", 0, 0)
    model.add(
        gs.Body("frame", mass="mB", com=("xB", 0, "zB"), inertia=_inertia("B"), points={"hub": rear, "head": head})
    )
    model.add(
        gs.Body("fork", mass="mH", com=("xH", 0, "zH"), inertia=_inertia("H"), points={"hub": front, "head": head})
    )
    model.add(gs.Body("rear_wheel", mass="mR", inertia=("IRxx", "IRyy", "IRxx")))
    model.add(gs.Body("front_wheel", mass="mF", inertia=("IFxx", "IFyy", "IFxx")))
    model.add(gs.Free("free", "ground", "frame", initial={"v1": "v"}))
    model.add(gs.Revolute("rear", "frame.hub", "rear_wheel", axis="y", initial={"rate": "-v/rR"}))
    model.add(gs.Revolute("steer", "frame.head", "fork.head", axis=("sin(lam)", 0, "cos(lam)")))
    model.add(gs.Revolute("front", "fork.hub", "front_wheel", axis="y", initial={"rate": "-v/rF"}))
    model.add(gs.RollingDisc("rear_contact", "rear_wheel", "rR", axis="y", normal="-z"))
    model.add(gs.RollingDisc("front_contact", "front_wheel", "rF", axis="y", normal="-z"))
    return model


def _inertia(body: str) -> list[list[str | int]]:
    xz = f"I{body}xz"
    return [[f"I{body}xx", 0, xz], [0, f"I{body}yy", 0], [xz, 0, f"I{body}zz"]]
