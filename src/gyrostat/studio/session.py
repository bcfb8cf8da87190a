"""A session of the studio: takes messages of one page and sends messages to it. It knows no transport."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.errors import GyrostatError
from gyrostat.model import Model
from gyrostat.progress import Pace
from gyrostat.shown.mode_pictures import mode_rows
from gyrostat.shown.trajectory_scene import Scenery
from gyrostat.studio.base import StudioBase, quiet, scene_message
from gyrostat.studio.completion import completions
from gyrostat.studio.consistent_values import yielded_values
from gyrostat.studio.descriptions import plain_fault, plain_model
from gyrostat.studio.exports import EXPORTS, exported
from gyrostat.studio.folder import TEMPLATE, OpenedFile, StudioFolder
from gyrostat.studio.hand_loop import HandLoop
from gyrostat.studio.jobs import JobQueue, StopFlag
from gyrostat.studio.knob_moves import KnobMoves
from gyrostat.studio.knobs import knobs_of
from gyrostat.studio.messages import StudioMessage
from gyrostat.studio.model_text import ModelText
from gyrostat.studio.motion_pictures import MotionPictures
from gyrostat.studio.overrides import Overrides
from gyrostat.studio.tabs import TABS, TabRequest, linear_model, plotted_by_default, tab_message

Send = Callable[[StudioMessage], None]

_TOPICS = ("text", "motion", "mode", *TABS, "export")
_LONGEST_TEXT = 4_000_000
_LONGEST_DURATION = 1e6
_PLOT_LIMIT = 12


class StudioSession:
    """One page's model: its text, its last good structure, its motion, and the work in the background.

    `handle` takes the messages of the page, as plain mappings with a `type`; `send` gets the answers, from the thread
    that works. With `threaded=False` nothing is done until `work` is called. `text` is that of a new model.
    """

    def __init__(
        self, folder: StudioFolder, send: Send, *, threaded: bool = True, notice: str = "", text: str = TEMPLATE
    ) -> None:
        self.folder = folder
        self._new = text
        self._send = send
        self._notice_at_start = notice
        self._opened = OpenedFile("", "")
        self._text = ""
        self._model: Model | None = None
        self._base: StudioBase | None = None
        self._overrides = Overrides()
        self._moves = KnobMoves()
        self._duration: float | None = None
        self._plots: tuple[str, ...] | None = None
        self._trajectory: Trajectory | None = None
        self._done: tuple[Any, ...] = ()
        self._pictures = MotionPictures()
        self._mode: int | None = None
        self._tab = ""
        self._choices: dict[str, Any] = {}
        self._jobs = JobQueue(_TOPICS, self._job_failed, lambda: self._status(""))
        self._hand = HandLoop(send, threaded=threaded)
        self._handlers: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "hello": self._hello,
            "open": self._open,
            "text": self._take_text,
            "set": self._set,
            "duration": self._set_duration,
            "plots": self._set_plots,
            "tab": self._show_tab,
            "mode": self._show_mode,
            "stop": self._stop,
            "save": self._save,
            "export": self._export,
            "complete": self._complete,
            "drive": self._drive,
            "hand": self._hand.take,
            "file": self._watch_file,
        }
        if threaded:
            self._jobs.start()

    @property
    def text(self) -> str:
        """The last text without faults."""
        return self._text

    # --- transport ------------------------------------------------------------------------------------------------

    def handle(self, message: Mapping[str, Any]) -> None:
        """Handle a message of the page; errors are shown there."""
        try:
            self._handlers[message["type"]](message)
        except GyrostatError as error:
            self._send_notice(str(error))
        except (KeyError, TypeError, ValueError) as error:
            self._send_notice(
                f"The page sent a message that cannot be read ({type(error).__name__}: {error}). Reload it."
            )

    def work(self) -> None:
        """Do all that waits; for sessions without a thread."""
        self._jobs.run_waiting()
        self._hand.work()

    def close(self) -> None:
        """End everything that this session started."""
        self._hand.close()
        self._jobs.close()

    def join(self, timeout: float) -> bool:
        """Wait until the threads have ended; return whether they have."""
        return self._hand.join(timeout) and self._jobs.join(timeout)

    def _send_notice(self, text: str, level: str = "error") -> None:
        self._send(StudioMessage("notice", {"text": text, "level": level}))

    def _status(self, text: str, fraction: float | None = None) -> None:
        self._send(StudioMessage("status", {"text": text, "fraction": fraction}))

    def _job_failed(self, topic: str, error: BaseException) -> None:
        if isinstance(error, GyrostatError):
            self._send(StudioMessage("failure", {"topic": topic, "text": str(error)}))
        else:
            text = f"An unexpected error ended the work on the {topic}: {type(error).__name__}: {error}"
            self._send(StudioMessage("failure", {"topic": topic, "text": text}))

    # --- files ----------------------------------------------------------------------------------------------------

    def _hello(self, message: Mapping[str, Any]) -> None:
        self._send(
            StudioMessage(
                "hello",
                {
                    "folder": str(self.folder.folder.resolve()),
                    "files": self.folder.files(),
                    "examples": list(self.folder.examples),
                    "exports": list(EXPORTS),
                    "tabs": list(TABS),
                },
            )
        )
        if self._notice_at_start:
            self._send_notice(self._notice_at_start, "info")
        file = str(message.get("file") or "")
        if file and not self.folder.has(file):
            self._send_notice(
                f"There is no file {file} in the folder. This is a new model; saving it makes the file.", "info"
            )
            self._begin(OpenedFile(file, self._new))
        else:
            self._open({"file": file, "example": message.get("example") or ""})

    def _open(self, message: Mapping[str, Any]) -> None:
        if message.get("example"):
            self._begin(self.folder.example(str(message["example"])))
        elif message.get("file"):
            self._begin(self.folder.read(str(message["file"])))
        else:
            self._begin(OpenedFile("", self._new))

    def _begin(self, opened: OpenedFile) -> None:
        """Stop the work on the last text and begin with another."""
        self._hand.stop()
        self._jobs.stop()

        def job(flag: StopFlag) -> None:
            self._opened, self._base, self._moves = opened, None, KnobMoves()
            self._duration, self._plots, self._mode = None, None, None
            self._pictures.forget()
            values = {"name": opened.name, "text": opened.text, "files": self.folder.files()}
            self._send(StudioMessage("opened", values))
            self._read(opened.text, 0, flag)

        self._jobs.put("text", job)

    def _save(self, message: Mapping[str, Any]) -> None:
        name = str(message.get("name") or self._opened.name)
        if not name:
            raise GyrostatError("The text is in no file yet. Give a name that ends in .yaml.")
        text = _text_of(message)
        self._opened = self.folder.write(self._opened, name, text, replace=bool(message.get("replace")))
        self._send(StudioMessage("saved", {"name": name, "files": self.folder.files()}))
        if left_out := self._moves.left_out():
            self._send_notice(left_out, "info")

    def _watch_file(self, message: Mapping[str, Any]) -> None:
        """Tell whether the file has vanished or was changed."""
        self._send(StudioMessage("file", {"text": self.folder.changed(self._opened)}))

    def _export(self, message: Mapping[str, Any]) -> None:
        kind, model, trajectory = str(message["kind"]), self._model, self._trajectory
        if kind not in EXPORTS or model is None:
            raise GyrostatError(f"There is nothing to export as {kind!r:.40} yet.")

        def job(flag: StopFlag) -> None:
            self._status(f"Writing {kind} …")
            with quiet():
                name, data = exported(kind, model, trajectory)
            self._send(StudioMessage("export", {"name": name}, {"data": data}))

        self._jobs.put("export", job)

    def _complete(self, message: Mapping[str, Any]) -> None:
        text, place = _text_of(message), int(message["place"])
        model = None if self._base is None else self._base.source
        found = completions(text, place, model, json=self._opened.name.endswith(".json"))
        self._send(StudioMessage("completions", {"id": message.get("id"), **found}))

    # --- text and numbers -----------------------------------------------------------------------------------------

    def _take_text(self, message: Mapping[str, Any]) -> None:
        text, number = _text_of(message), int(message["id"])
        self._jobs.put("text", lambda flag: self._read(text, number, flag), stops=("mode", *TABS))

    def _read(self, text: str, number: int, flag: StopFlag) -> None:
        read = ModelText.read(text, self.folder.path(self._opened.name))
        self._send(StudioMessage("faults", {"id": number, "faults": [plain_fault(fault) for fault in read.faults]}))
        if read.model is None or flag.stopped:
            return
        self._text, self._model = text, read.model
        knobs = self._moves.after_text(knobs_of(read), number)
        self._send(StudioMessage("knobs", {"id": number, "knobs": [knob.plain() for knob in knobs]}))
        if self._base is None or not self._base.serves(read):
            self._status("Formulating the equations …")
            base = StudioBase.of(read)
            self._base, self._trajectory = base, None
            self._pictures.forget()
            self._send(StudioMessage("model", plain_model(base)))
        self._overrides = self._base.overrides(read.model)
        self._pictures.renew()
        self._simulate(number)

    def _set(self, message: Mapping[str, Any]) -> None:
        self._moves.take(message)
        self._simulate(int(message["id"]))

    def _set_duration(self, message: Mapping[str, Any]) -> None:
        seconds = float(message["seconds"])
        if not 0 < seconds <= _LONGEST_DURATION:
            raise GyrostatError(f"A duration of {seconds:g} s cannot be simulated. Give a positive number of seconds.")
        self._duration = seconds
        self._pictures.renew()
        self._simulate(int(message.get("id", 0)))

    def _set_plots(self, message: Mapping[str, Any]) -> None:
        if self._base is None:
            return
        table = self._base.system.signal_table
        self._plots = tuple(str(name) for name in message["names"])[:_PLOT_LIMIT]
        for name in self._plots:
            _ = table[name]
        self._simulate(int(message.get("id", 0)))

    def _now(self) -> Overrides:
        """Return the numbers of the text, and the knobs that were moved since."""
        return self._overrides.with_moves(self._moves.values, self._moves.last)

    # --- motion ---------------------------------------------------------------------------------------------------

    def _simulate(self, number: int) -> None:
        if self._base is not None:
            self._jobs.put("motion", lambda flag: self._run(number, flag))
            self._hand.renumber(self._now())

    def _run(self, number: int, flag: StopFlag) -> None:
        base, overrides, pace = self._base, self._now(), Pace(0.15)
        assert base is not None

        def report(fraction: float) -> None:
            if pace.due():
                self._status("Simulating …", fraction)

        duration = self._duration
        if duration is None:
            self._status("Compiling …")
            duration = base.suitable_duration(overrides, flag.watch())
            if flag.stopped:
                return
            self._duration = duration
        asked_for = (base, overrides, duration, self._plots)
        if self._trajectory is not None and self._done == asked_for and self._pictures.settled(self._trajectory):
            self._send(StudioMessage("kept", {"id": number}))
            self._follow()
            return
        trajectory = base.run(overrides, duration, flag.watch(report))
        asked, self._asked_to_stop = self._asked_to_stop, False
        if self._base is not base or (flag.stopped and not asked):
            return
        status = trajectory.status
        values = {
            "id": number,
            "duration": duration,
            "failure": "" if status.success else f"The simulation ended at t = {status.time:g} s: {status.message}",
            "notes": list(status.notes),
            "seconds": status.seconds,
            "yielded": yielded_values(trajectory, overrides),
        }
        plots = plotted_by_default(trajectory.system) if self._plots is None else self._plots
        message = self._pictures.message(trajectory, plots, values)
        self._trajectory, self._done = trajectory, asked_for if status.success else ()
        self._send(message)
        self._follow()

    _asked_to_stop = False

    def _stop(self, message: Mapping[str, Any]) -> None:
        """Stop the run and everything else that works; a run shows what it has."""
        self._asked_to_stop = True
        self._asked_to_stop = self._jobs.stop("motion")
        self._jobs.stop(*(topic for topic in _TOPICS if topic != "motion"))
        self._send_notice("Stopped.", "info")

    def _follow(self) -> None:
        """Let the mode that is shown and the open tab follow the numbers."""
        if self._mode is not None:
            self._jobs.put("mode", self._animate_mode)
        if self._tab:
            self._fill_tab()

    # --- tabs and modes -------------------------------------------------------------------------------------------

    def _show_tab(self, message: Mapping[str, Any]) -> None:
        name = str(message["tab"])
        if name and name not in TABS:
            raise GyrostatError(f"There is no tab {name!r:.40}.")
        self._tab = name
        self._choices = {**self._choices, **dict(message.get("choices", {}))}
        if name and self._base is not None:
            self._fill_tab()

    def _request(self) -> TabRequest:
        assert self._base is not None
        return TabRequest(self._base, self._now(), self._trajectory, self._choices)

    def _fill_tab(self) -> None:
        name = self._tab

        def job(flag: StopFlag) -> None:
            message = tab_message(name, self._request())
            if not flag.stopped:
                self._send(message)

        self._jobs.put(name, job, stops=tuple(tab for tab in TABS if tab != name))

    def _show_mode(self, message: Mapping[str, Any]) -> None:
        number = message.get("number")
        self._mode = None if number is None else int(number)
        if self._mode is None:
            self._done = ()
            self._simulate(int(message.get("id", 0)))
        elif self._base is not None:
            self._jobs.put("mode", self._animate_mode)

    def _animate_mode(self, flag: StopFlag) -> None:
        number = self._mode
        if number is None:
            return
        with quiet():
            mode = linear_model(self._request()).modes().numbered(number)
            about = f"{mode.frequency:.4g} Hz" if mode.oscillates else mode.kind.value
            system = mode.linear.system
            scene = Scenery(system, mode_rows(mode)).scene(system.model.name, plots=())
        values = {"number": number, "about": about}
        self._send(scene_message("mode", scene, None, values)[0])

    # --- driving by hand ------------------------------------------------------------------------------------------

    def _drive(self, message: Mapping[str, Any]) -> None:
        if not message.get("on"):
            self._hand.stop()
            self._done = ()
            self._simulate(int(message.get("id", 0)))
        elif self._base is not None:
            self._jobs.stop("motion", "mode")
            self._mode = None
            self._hand.start(self._base, self._now(), self._pictures)


def _text_of(message: Mapping[str, Any]) -> str:
    text = message["text"]
    if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
        raise GyrostatError(f"The text is longer than {_LONGEST_TEXT:,} characters. Model files are much shorter.")
    return text
