"""A batch of cart-poles to learn balancing with: an environment of gymnasium, pip install gymnasium.

All cart-poles make a step at once: the compiled equations of motion take arrays of states. `CartPoles` needs no further
package; `environment(count)` wraps it as a gymnasium.vector.VectorEnv.

    python examples/cart_poles.py
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gyrostat as gs

Floats = NDArray[np.float64]

PERIOD = 0.02
"""Time between actions (s), in which the force is constant; also the step of the Runge–Kutta method."""
LARGEST_FORCE = 10.0
LIMITS = np.array([2.4, 0.2095])
"""The displacement (m) and the angle (rad) at which an episode ends."""
LONGEST = 500
"""The number of steps at which an episode is cut off."""


def cart_pole() -> gs.System:
    """Return a cart on a rail with a pole that stands on it; the actuator pushes the cart."""
    model = gs.Model("cart-pole", gravity=(0, 0, -9.81))
    model.add(gs.Body("cart", gs.point_mass(1.0)))
    model.add(gs.Body("pole", gs.rod(0.1, 1.0, along="z"), points={"foot": (0, 0, -0.5)}))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Revolute("a", "cart", "pole.foot", axis="y"))
    model.add(gs.Actuator("push", "x"))
    return gs.formulate(model)


@dataclass
class CartPoles:
    """Many cart-poles side by side; states are rows (x, a, x.rate, a.rate)."""

    count: int
    system: gs.System = field(default_factory=cart_pole)
    rng: np.random.Generator = field(default_factory=np.random.default_rng)

    def __post_init__(self) -> None:
        self.states: Floats = np.zeros((self.count, 4))
        self.steps = np.zeros(self.count, dtype=int)
        self.reset(np.ones(self.count, dtype=bool))

    def reset(self, which: NDArray[np.bool_]) -> None:
        """Start some of them again, near the upright pole."""
        self.states[which] = self.rng.uniform(-0.05, 0.05, (int(which.sum()), 4))
        self.steps[which] = 0

    def step(self, forces: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Push each cart for one period; return which poles have fallen, and which episodes are cut off."""
        inputs = {"push": np.clip(forces, -LARGEST_FORCE, LARGEST_FORCE)}

        def rates(states: Floats) -> Floats:
            q, u = states[:, :2], states[:, 2:]
            return np.hstack((u, self.system.forward_dynamics(q, u, inputs=inputs)))

        y, h = self.states, PERIOD
        k1 = rates(y)
        k2 = rates(y + h / 2 * k1)
        k3 = rates(y + h / 2 * k2)
        k4 = rates(y + h * k3)
        self.states = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        self.steps += 1
        return (np.abs(self.states[:, :2]) > LIMITS).any(axis=1), self.steps >= LONGEST


def environment(count: int) -> Any:
    """Return the batch as a gymnasium.vector.VectorEnv; an ended episode starts again at the next step."""
    try:
        import gymnasium
    except ImportError:
        raise SystemExit("This example needs gymnasium. Install it with: pip install gymnasium.") from None
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    class Environment(VectorEnv):
        """Many cart-poles; the reward is one for each step at which a pole stands."""

        def __init__(self) -> None:
            self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
            self.num_envs, self.poles = count, CartPoles(count)
            self.ended = np.zeros(count, dtype=bool)
            self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (4,), np.float64)
            self.single_action_space = gymnasium.spaces.Box(-LARGEST_FORCE, LARGEST_FORCE, (1,), np.float64)
            self.observation_space = batch_space(self.single_observation_space, count)
            self.action_space = batch_space(self.single_action_space, count)

        def reset(  # the arguments are those of gymnasium
            self, *, seed: int | None = None, options: dict[str, Any] | None = None
        ) -> tuple[Floats, dict]:
            """Start all again; return the states and no further information."""
            if seed is not None:
                self.poles.rng = np.random.default_rng(seed)
            self.ended[:] = False
            self.poles.reset(np.ones(count, dtype=bool))
            return self.poles.states.copy(), {}

        def step(self, actions: Floats) -> tuple[Floats, Floats, NDArray[np.bool_], NDArray[np.bool_], dict]:
            """Push all carts; return states, rewards, which have fallen, which are cut off, no further information."""
            again = self.ended
            fallen, cut = self.poles.step(np.asarray(actions)[:, 0])
            self.poles.reset(again)
            fallen, cut = fallen & ~again, cut & ~again
            self.ended = fallen | cut
            return self.poles.states.copy(), np.where(again, 0.0, 1.0), fallen, cut, {}

    return Environment()


def main() -> None:
    """Balance 64 poles by a linear law, and print how long they stand."""
    environment_of_all = environment(64)
    states, _ = environment_of_all.reset(seed=0)
    fallen = 0
    for _ in range(LONGEST):
        forces = states @ np.array([1.0, 32.0, 2.2, 8.5])
        states, _, down, _, _ = environment_of_all.step(forces[:, None])
        fallen += int(down.sum())
    print(f"{fallen} of 64 poles have fallen in {LONGEST * PERIOD:g} s")


if __name__ == "__main__":
    main()
