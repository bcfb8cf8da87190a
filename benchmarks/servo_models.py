"""The seven-joint arm with a servo on every joint: a DC motor, and a controller that follows a smooth reference.

A servo acts on the angle q of its joint. With the error e = r − q of the reference r = a (1 − cos ω t), the torque that
it commands is T = k_p e + k_i ∫e dt + k_d (r′ − q′), and the voltage (R/(N K)) T + N K q′, whose second term
compensates the back-EMF, drives the motor: L i′ = V − R i − N K q′, torque N K i. States are the integral of the error
and the current.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, sin

import numpy as np
from models import bare_arm
from numpy.typing import ArrayLike, NDArray

import gyrostat as gs

SAMPLE_PERIOD = 1e-3


@dataclass(frozen=True)
class Servos:
    """The numbers of all servos: one motor, gains for the inertia that each joint moves (kg·m²), and references."""

    resistance: float = 1.2
    inductance: float = 0.002
    constant: float = 0.05
    gear: float = 50.0
    inertias: tuple[float, ...] = (3.0, 3.0, 1.0, 0.8, 0.2, 0.1, 0.02)
    amplitudes: tuple[float, ...] = (0.5, -0.4, 0.3, 0.6, -0.5, 0.4, 0.3)
    frequency: float = 2.0
    """ω of the reference (rad/s)."""
    bandwidth: float = 15.0
    """Of the loops (rad/s)."""

    @property
    def gains(self) -> list[tuple[float, float, float]]:
        """k_p, k_i, k_d of each joint: those of a double integrator with its poles near the bandwidth."""
        b = self.bandwidth
        return [(J * b**2, 0.2 * J * b**3, 1.6 * J * b) for J in self.inertias]

    @property
    def transmission(self) -> float:
        """N K."""
        return self.gear * self.constant

    def reference(self, t: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the angles and rates that are to be followed."""
        a, w = np.array(self.amplitudes), self.frequency
        return a * (1 - np.cos(w * t)), a * w * np.sin(w * t)

    def sampled_law(self) -> Callable[[float, ArrayLike, ArrayLike], NDArray[np.float64]]:
        """Return the voltages of the controllers without integral, as a function of t, q, u, for laws in Python."""
        volts = self.resistance / self.transmission
        kp, _, kd = (volts * np.array(self.gains)).T
        a, w, emf = np.array(self.amplitudes), self.frequency, self.transmission

        def law(t: float, q: ArrayLike, u: ArrayLike) -> NDArray[np.float64]:
            angle, rate = 1 - cos(w * t), w * sin(w * t)
            return kp * (a * angle - q) + kd * (a * rate - u) + emf * np.asarray(u)

        return law

    def formulas(self, joint: int) -> tuple[str, str]:
        """Return a joint's reference and its rate as formulas."""
        a, w = self.amplitudes[joint], self.frequency
        return f"{a!r}*(1 - cos({w!r}*t))", f"{a * w!r}*sin({w!r}*t)"


def servo_arm(servos: Servos) -> gs.Model:
    """Return the arm with controllers that act continuously."""
    by_volts = servos.resistance / servos.transmission
    model = bare_arm("servo-driven arm")
    for i, (kp, ki, kd) in enumerate(servos.gains):
        angle, rate = servos.formulas(i)
        joint = f"joint_link{i}"
        model.add(gs.PI(f"servo{i}", f"{angle} - {joint}", proportional=by_volts * kp, integral=by_volts * ki))
        damping = f"{by_volts * kd!r}*({rate} - {joint}.rate)"
        voltage = f"servo{i} + {damping} + {servos.transmission!r}*{joint}.rate"
        model.add(_motor(servos, i, voltage))
    return model


def sampled_arm(servos: Servos) -> gs.Model:
    """Return the arm with controllers without integral, whose voltages are held between samples."""
    by_volts = servos.resistance / servos.transmission
    model = bare_arm("servo-driven arm, sampled control")
    for i, (kp, _, kd) in enumerate(servos.gains):
        angle, rate = servos.formulas(i)
        joint = f"joint_link{i}"
        law = f"{by_volts * kp!r}*({angle} - {joint}) + {by_volts * kd!r}*({rate} - {joint}.rate)"
        model.add(gs.Sampled(f"servo{i}", period=SAMPLE_PERIOD, law=f"{law} + {servos.transmission!r}*{joint}.rate"))
        model.add(_motor(servos, i, f"servo{i}"))
    return model


def _motor(servos: Servos, joint: int, voltage: str) -> gs.DCMotor:
    return gs.DCMotor(
        f"drive{joint}",
        f"joint_link{joint}",
        resistance=servos.resistance,
        inductance=servos.inductance,
        constant=servos.constant,
        gear=servos.gear,
        voltage=voltage,
    )
