"""YADE in the place of gyrostat's own kernel: a granular engine in a process of its own.

    model.add(gs.Grains(…, engine=YadeEngine()))

The same exchange of poses and impulses serves any other engine: implement `begin`, and an object with `advance`.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import gyrostat as gs
from gyrostat.model.kinds import TextKind
from gyrostat.model.record import value

STIFFNESS, DAMPING, MU, RATIO = 1, 3, 9, 10
"""Places of coefficients in the laws of a bed (`gyrostat.analysis.kernels.grain_tables`)."""
FAR = 1e3
"""Half the edge of the squares that stand for planes, by the size of the bed."""


@dataclass(frozen=True)
class YadeEngine(gs.GranularEngine):
    """Spheres in YADE with a linear spring, a damper and Coulomb friction (ViscElMat); no resistance to rolling."""

    command: str = value(TextKind(), "yade", doc="the program")

    def begin(self, bed: gs.GranularBed) -> YadeRun:
        """Start YADE with the grains of a bed."""
        program = shutil.which(self.command)
        if program is None:
            raise gs.GyrostatError(f"There is no program {self.command!r}. Install YADE: apt install yade.")
        if bed.laws[0, 0] or bed.laws[0, 2] != 1:
            raise gs.GyrostatError("YadeEngine has the law KelvinVoigt alone. Use normal=gs.KelvinVoigt(…).")
        return YadeRun(program, bed)


class YadeRun:
    """Grains in a process of YADE, which answers over a local socket."""

    def __init__(self, program: str, bed: gs.GranularBed) -> None:
        self._bed, self._folder = bed, tempfile.TemporaryDirectory()
        place = str(Path(self._folder.name, "yade"))
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(place)
        listener.listen()
        script = Path(__file__).with_name("yade_side.py")
        command = [program, "-n", "-x", "-j1", str(script), place]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        listener.settimeout(60)
        self._socket, _ = listener.accept()
        listener.close()
        self.positions = np.array(bed.state.get("positions", bed.positions))
        self.velocities = np.array(bed.state.get("velocities", bed.velocities))
        sizes = [len(wall) for wall in map(_triangles_of, bed.walls)]
        send(self._socket, {
            "radii": bed.radii, "masses": bed.masses, "positions": self.positions, "velocities": self.velocities,
            "gravity": bed.gravity, "owners": np.repeat(np.arange(len(sizes)), sizes).astype(float),
            "triangles": np.concatenate([np.zeros((0, 3, 3)), *map(_triangles_of, bed.walls)]),
            "law": bed.laws[0, [STIFFNESS, DAMPING, MU, RATIO]],
        })  # fmt: skip

    def advance(self, walls: np.ndarray, duration: float) -> np.ndarray:
        """Let YADE make equal steps; return the impulses on the walls."""
        steps = max(1, int(np.ceil(duration / self._bed.step - 1e-9)))
        send(self._socket, {"walls": walls, "run": np.array([steps, duration / steps])})
        answer = receive(self._socket)
        self.positions, self.velocities = answer["positions"], answer["velocities"]
        return answer["impulses"]

    def sums(self) -> Mapping[str, float]:
        """Return the kinetic energy of translation; YADE's other sums are not asked for."""
        return {"kinetic": float(0.5 * self._bed.masses @ (self.velocities**2).sum(1))}

    def state(self) -> Mapping[str, np.ndarray]:
        """Return positions and velocities; contacts begin anew when a run continues."""
        return {"positions": self.positions, "velocities": self.velocities}

    def close(self) -> None:
        """End YADE."""
        self._socket.close()
        self._process.communicate(timeout=20)
        self._folder.cleanup()


def _triangles_of(wall: gs.WallGeometry) -> np.ndarray:
    """Return the triangles of a wall; a plane is a large square. Capsules and spheres are refused."""
    if len(wall.segments) or len(wall.spheres):
        raise gs.GyrostatError(f"YadeEngine has no capsules and spheres, as {wall.body!r} has. Use a TriangleMesh.")
    found = [wall.triangles]
    for point, normal in wall.planes:
        across = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
        across /= np.linalg.norm(across)
        along = np.cross(normal, across)
        a, b, c, d = (point + FAR * (i * across + j * along) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
        found.append(np.array([[a, b, c], [a, c, d]]))
    return np.concatenate(found)


def send(channel: socket.socket, arrays: Mapping[str, np.ndarray]) -> None:
    """Send arrays by name: a line of JSON with their shapes, then their numbers."""
    head = json.dumps({name: list(np.shape(array)) for name, array in arrays.items()}).encode() + b"\n"
    body = b"".join(np.ascontiguousarray(array, "<f8").tobytes() for array in arrays.values())
    channel.sendall(head + body)


def receive(channel: socket.socket) -> dict[str, np.ndarray]:
    """Return the arrays of a message."""
    head = b""
    while not head.endswith(b"\n"):
        one = channel.recv(1)
        if not one:
            raise gs.GyrostatError("YADE has ended.")
        head += one
    found = {}
    for name, shape in json.loads(head).items():
        size, parts = 8 * int(np.prod(shape)), b""
        while len(parts) < size:
            parts += channel.recv(min(size - len(parts), 1 << 20))
        found[name] = np.frombuffer(parts, "<f8").reshape(shape).copy()
    return found


if gs.GRANULAR_ENGINES.get("YadeEngine") is None:
    gs.GRANULAR_ENGINES.add(YadeEngine)
