"""Relative pose of the two frames of a joint, and modes of relative motion or load between them."""

from __future__ import annotations

from typing import NamedTuple

from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector


class Pose(NamedTuple):
    """Pose of C in P: R_PC maps child components to parent components, r_PC_P is the vector from P's to C's origin."""

    R_PC: Matrix = IDENTITY
    r_PC_P: Vector = ZERO


class Mode(NamedTuple):
    """A direction of relative motion, or of a reaction load, in the axes of C at C's origin; angular part first.

    As a motion: angular velocity and velocity of C's origin, both relative to P. As a load: moment and force on C.
    """

    label: str
    angular: Vector = ZERO
    linear: Vector = ZERO
