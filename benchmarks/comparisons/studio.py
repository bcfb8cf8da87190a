"""From a slider of the studio to the data of the motion, in the server, for the example models."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time

import gyrostat as gs
from gyrostat.studio import StudioFolder, StudioSession
from gyrostat.studio.messages import StudioMessage

EXAMPLES = Path(__file__).parents[2] / "examples"
MOST_BODIES = 7
TARGET = 0.05
_COMBINED = 30
"""Pairs of sliders that are moved one after the other; the second one is timed."""
_PART = 0.05
"""The part of the way to the slider's upper end by which it is moved."""


@dataclass(frozen=True)
class StudioRow:
    """Seconds of processor time from messages of sliders to the encoded data of motions."""

    model: str
    bodies: int
    duration: float
    single: Sequence[float]
    combined: Sequence[float]

    @property
    def met(self) -> bool:
        """Whether the medians are within the target."""
        return max(median(self.single), median(self.combined)) <= TARGET


@dataclass
class _Bench:
    """A session without a page, in a folder of its own, and what it has sent."""

    folder: Path
    sent: list[StudioMessage] = field(default_factory=list)
    number: int = 0

    def open(self, name: str) -> StudioSession:
        session = StudioSession(StudioFolder(self.folder, {}), self.sent.append, threaded=False)
        session.handle({"type": "hello", "file": f"{name}.yaml"})
        session.work()
        return session

    def set(self, session: StudioSession, knob: dict[str, object], value: float) -> None:
        """Give the message of a slider; nothing is simulated yet."""
        self.number += 1
        session.handle({"type": "set", "kind": knob["kind"], "name": knob["name"], "value": value, "id": self.number})

    def taken(self, kind: str) -> list[StudioMessage]:
        """Return the messages of a kind that were sent last."""
        found = [message for message in self.sent if message.type == kind]
        self.sent.clear()
        return found

    def move(self, session: StudioSession, knob: dict[str, object], value: float) -> float:
        """Move a slider; return the seconds until the data of the motion is there."""
        start = process_time()
        self.set(session, knob, value)
        session.work()
        for message in self.taken("motion"):
            message.encoded()
        return process_time() - start


def measure_studio(*, most: int | None) -> list[StudioRow]:
    """Return a row for each example of up to seven bodies, or for the first ones."""
    rows: list[StudioRow] = []
    with tempfile.TemporaryDirectory() as folder:
        for file in (*EXAMPLES.glob("*.yaml"), *EXAMPLES.glob("*.csv")):
            shutil.copy(file, folder)
        for file in sorted(Path(folder).glob("*.yaml")):
            bodies = len(gs.Model.load(file).bodies.keys() - {"ground"})
            if bodies <= MOST_BODIES and (most is None or len(rows) < most):
                rows.append(_measured(_Bench(Path(folder)), file.stem, bodies))
    return rows


def _measured(bench: _Bench, name: str, bodies: int) -> StudioRow:
    session = bench.open(name)
    sent = list(bench.sent)
    bench.sent.clear()
    duration = next(message.values["duration"] for message in sent if message.type == "motion")
    found = next(message.values["knobs"] for message in sent if message.type == "knobs")
    knobs = [knob for knob in found if knob["kind"] != "rotation"]
    rng = random.Random(0)

    def near(knob: dict[str, float]) -> float:
        return knob["value"] + _PART * rng.random() * (knob["high"] - knob["value"])

    single, combined = [], []
    for knob in knobs:
        single.append(bench.move(session, knob, near(knob)))
        bench.set(session, knob, knob["value"])
    for _ in range(_COMBINED):
        first, second = rng.sample(knobs, 2)
        bench.move(session, first, near(first))
        combined.append(bench.move(session, second, near(second)))
        for knob in (first, second):
            bench.set(session, knob, knob["value"])
    session.close()
    return StudioRow(name.replace("_", " "), bodies, duration, single, combined)
