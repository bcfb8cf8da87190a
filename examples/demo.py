"""The demo: checks real mechanisms, prints their topology and dynamics, draws their graphs into demo/."""

from __future__ import annotations

from pathlib import Path

import gyrostat as gs

HERE = Path(__file__).parent
OUT = HERE.parent / "demo"


def main() -> None:
    """Run the demo."""
    OUT.mkdir(exist_ok=True)
    for name in ("double_pendulum", "andrews_squeezer", "vehicle_on_springs"):
        model = gs.Model.load(HERE / f"{name}.yaml")
        print(model.check())
        topology = gs.Topology.of(model)
        print(topology)
        topology.draw(OUT / f"{name}.svg")
        print(f"Drawn: {OUT / f'{name}.svg'}\n")
    dynamics(gs.Model.load(HERE / "double_pendulum.yaml"))
    dynamics(gs.Model.load(HERE / "seven_joint_arm.yaml"))


def dynamics(model: gs.Model) -> None:
    """Print what the mechanics of a tree looks like at its initial state."""
    system = gs.formulate(model)
    q, u = system.initial_coordinates, system.initial_speeds
    print(system)
    rates = system.forward_dynamics(q, u)
    print("accelerations at the initial state:")
    for name, rate in zip(system.speed_names, rates, strict=True):
        print(f"  {name:12s} {rate:12.6f}")
    energy = system.energy(q, u)
    print(f"energy: kinetic {energy.kinetic:.6f} J, potential {energy.potential:.6f} J")
    program = system.program("forward_dynamics")
    print(f"native forward dynamics: {program.operations} operations\n")


if __name__ == "__main__":
    main()
