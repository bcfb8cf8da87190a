"""The demo: simulates a dragline and two mechanisms, draws three, and says where to look.

Results (.nc), plots (.svg), pictures (.png) and animations (.html, for any browser) are written into demo/.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import gyrostat as gs

from .dragline import cycle
from .dragline.machine import machine

HERE = Path(__file__).parent
OUT = HERE.parent / "demo"


@dataclass(frozen=True)
class Show:
    """What is shown of an example."""

    name: str
    duration: float
    plots: Sequence[str]
    path: str
    moments: Sequence[float]
    initial: Mapping[str, float] = field(default_factory=dict)


SHOWS = (
    Show("double_pendulum", 10.0, ("a1", "a2", "a1.rate", "a2.rate"), "bar2.tip", [0.15 * k for k in range(9)],
         {"a1": 1.8, "a2": 0.4}),
    Show("spinning_top", 6.0, ("socket.angle1", "socket.angle2", "top.head"), "top.head", [2.62]),
)  # fmt: skip


DIGGING = cycle.DURATION
"""How long the dragline digs (s)."""


def main() -> None:
    """Run the demo."""
    OUT.mkdir(exist_ok=True)
    print("The integrator is compiled for this machine; that is kept, so it takes time only once …\n")
    gs.simulate(gs.Model.load(HERE / f"{SHOWS[0].name}.yaml"), duration=1e-3)
    print("example              bodies  coordinates  simulated  steps  took (s)  error of energy (J)")
    for show in SHOWS:
        simulate(show)
    dig()
    for name in ("double_pendulum", "andrews_squeezer", "vehicle_on_springs"):
        topology = gs.Topology.of(gs.Model.load(HERE / f"{name}.yaml"))
        topology.draw(OUT / f"{name}_topology.svg")
    print(f"\nLook into {OUT}:")
    for file, what in (
        ("dragline.html", "animation of a dragline that digs, swings and dumps; docs/howto/dragline.md tells about it"),
        ("double_pendulum.html", "animation: open it in a browser; space plays, arrow keys step"),
        ("spinning_top.html", "animation of a spinning top"),
        ("*_motion.svg, *_energy.svg", "plots over time; *_phase.svg: phase portraits"),
        ("*_still.png", "pictures: nine moments of the pendulum, the path of the top's axis"),
        ("*.nc", "results: gs.load(…), or any tool that reads NetCDF; gyrostat view draws them again"),
        ("*_topology.svg", "graphs of bodies and joints"),
    ):
        print(f"  {file:28} {what}")


def simulate(show: Show) -> None:
    """Simulate an example, write what is to be seen of it, and print a row of the table."""
    model = gs.Model.load(HERE / f"{show.name}.yaml")
    model.check()
    system = gs.formulate(model)
    run = gs.simulate(system, duration=show.duration, step=0.01, initial=show.initial)
    run.save(OUT / f"{show.name}.nc", force=True)
    run.plot(*show.plots, path=OUT / f"{show.name}_motion.svg")
    run.plot_phase(*show.plots[:2], path=OUT / f"{show.name}_phase.svg")
    run.plot_energy(path=OUT / f"{show.name}_energy.svg")
    run.picture(show.moments, OUT / f"{show.name}_still.png", paths=[show.path])
    run.animate(OUT / f"{show.name}.html", paths=[show.path], plots=show.plots)
    error = float(abs(run.energy()["balance"]).max())
    row = (len(system.bodies), len(system.coordinate_names), f"{show.duration:g} s", run.status.steps)
    print(f"{show.name:20} {row[0]:6} {row[1]:12} {row[2]:>10} {row[3]:6} {run.status.seconds:9.3f} {error:20.1e}")


def dig() -> None:
    """Run a cycle of the dragline, write what is to be seen of it, and print a row of the table."""
    system = gs.formulate(machine())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)  # on fleet angles, which swinging buckets have
        run = cycle.run(system, duration=DIGGING)
    run.save(OUT / "dragline.nc", force=True)
    plots = ("rigging.bucket.carry", "hoist.tension", "drag.tension", "rigging.dump_rope.tension")
    run.plot(*plots, path=OUT / "dragline_motion.svg")
    run.picture(0.45 * DIGGING, OUT / "dragline_still.png", view=(0.35, -1, 0.25))
    run.animate(OUT / "dragline.html", paths=["rigging.bucket.shell"], plots=plots)
    error = float(abs(run.energy()["balance"]).max())
    row = (len(system.bodies), len(system.coordinate_names), f"{DIGGING:g} s", run.status.steps)
    print(f"{'dragline':20} {row[0]:6} {row[1]:12} {row[2]:>10} {row[3]:6} {run.status.seconds:9.3f} {error:20.1e}")


if __name__ == "__main__":
    main()
