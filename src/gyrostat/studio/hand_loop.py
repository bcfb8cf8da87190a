"""The loop in real time behind driving by hand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from gyrostat.analysis.simulation.status import Outcome
from gyrostat.errors import GyrostatError
from gyrostat.pictures.animation.viewpoint import Viewpoint
from gyrostat.studio.base import StudioBase, quiet, scene_message
from gyrostat.studio.hand import DrivenSystem, HandDrive, HandState
from gyrostat.studio.messages import StudioMessage
from gyrostat.studio.motion_pictures import MotionPictures
from gyrostat.studio.overrides import Overrides

_TICK = 1 / 30
"""Seconds between two pictures."""
_LONGEST_TICK = 0.1
"""Seconds that the motion may lag behind before it runs slower than the clock."""


class HandLoop:
    """Advances a driven motion with the clock, and sends a picture after each step.

    The page's messages change what the hand does: `grab` a body at a point, `move` the pointer, `release`, and `input`.
    """

    def __init__(self, send: Callable[[StudioMessage], None], *, threaded: bool) -> None:
        self._send, self._threaded = send, threaded
        self._hand = HandState()
        self._drive: HandDrive | None = None
        self._view: Viewpoint | None = None
        self._extent: Viewpoint | None = None
        self._going = threading.Event()
        self._thread: threading.Thread | None = None
        self._known: tuple[StudioBase, DrivenSystem] | None = None

    def start(self, base: StudioBase, overrides: Overrides, pictures: MotionPictures) -> None:
        """Begin a driven motion from the initial values."""
        self.stop()
        self._hand, self._view, self._extent = HandState(), pictures.view, pictures.extent
        self._begin = (base, overrides)
        self._going.set()
        if self._threaded:
            self._thread = threading.Thread(target=self._loop, name="gyrostat hand", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the motion."""
        self._going.clear()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(5.0)
        self._thread = self._drive = None

    def close(self) -> None:
        """End the motion, without waiting for it."""
        self._going.clear()

    def join(self, timeout: float) -> bool:
        """Wait until the thread has ended; return whether it has."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)
        return thread is None or not thread.is_alive()

    def renumber(self, overrides: Overrides) -> None:
        """Go on with other numbers; initial values matter at the next start."""
        drive = self._drive
        if drive is not None:
            drive.overrides = overrides

    def take(self, message: Mapping[str, Any]) -> None:
        """Take a message of the page about the hand."""
        hand, action = self._hand, message["action"]
        if action == "grab":
            body = str(message["body"])
            if self._drive is not None and body not in self._drive.driven.base.system.bodies:
                raise GyrostatError(f"There is no body {body!r:.60} to hold.")
            hand.point, hand.target = _triple(message["point"]), _triple(message["target"])
            hand.body = body
        elif action == "move":
            hand.target = _triple(message["target"])
        elif action == "release":
            hand.body = None
        elif action == "input":
            hand.inputs[str(message["name"])] = float(message["value"])
        else:
            raise GyrostatError(f"The hand cannot {action!r:.40}.")

    def work(self, seconds: float = _TICK) -> None:
        """Prepare the motion if need be and advance it once; for sessions without a thread."""
        if self._going.is_set():
            if self._drive is None:
                self._prepare()
            self._step(seconds)

    def _prepare(self) -> None:
        """Formulate and compile the driven system; that of the last structure is kept."""
        base, overrides = self._begin
        if self._known is None or self._known[0] is not base:
            self._send(StudioMessage("status", {"text": "Preparing the bodies for the hand …", "fraction": None}))
            self._known = (base, DrivenSystem.of(base))
        drive = HandDrive(self._known[1], overrides)
        drive.advance(1e-6, HandState())
        self._drive = drive
        driven = self._known[1]
        table = driven.system.signal_table
        pushes = [
            {"name": name, "joint": joint, "unit": table[f"{name}.force"].unit} for name, joint in driven.pushes.items()
        ]
        load = self._known[1].usual_load(overrides)
        self._send(StudioMessage("driving", {"on": True, "pushes": pushes, "load": load}))
        self._send(StudioMessage("status", {"text": "", "fraction": None}))

    def _step(self, seconds: float) -> None:
        drive = self._drive
        if drive is None:
            return
        run = drive.advance(seconds, self._hand)
        with quiet():
            scene = drive.scenery(self._extent).scene(None, plots=())
        held = None if self._hand.body is None else {"body": self._hand.body, "target": list(self._hand.target)}
        values = {"time": drive.time, "held": held, "state": {**run.state}}
        message, self._view = scene_message("live", scene, self._view, values)
        self._send(message)
        if not run.status.success and run.status.outcome is not Outcome.BUDGET_EXHAUSTED:
            raise GyrostatError(f"The motion ended at t = {run.status.time:g} s: {run.status.message}")

    def _loop(self) -> None:
        try:
            self._prepare()
            before = time.perf_counter()
            while self._going.is_set():
                now = time.perf_counter()
                lag = min(now - before, _LONGEST_TICK)
                if lag < _TICK:
                    time.sleep(_TICK - lag)
                    continue
                before = now
                self._step(lag)
        except GyrostatError as error:
            self._send(StudioMessage("failure", {"topic": "hand", "text": str(error)}))
        finally:
            self._going.clear()
            self._send(StudioMessage("driving", {"on": False, "pushes": []}))


def _triple(values: Any) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z
