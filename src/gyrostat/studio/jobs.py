"""Work in the background: one job at a time, in the order of importance; a newer job replaces one of the same topic."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field


class StopFlag:
    """Tells a running job that its result is no longer wanted."""

    def __init__(self) -> None:
        self._set = threading.Event()

    def stop(self) -> None:
        """Ask the job to end."""
        self._set.set()

    @property
    def stopped(self) -> bool:
        """Whether the job should end."""
        return self._set.is_set()

    def watch(self, report: Callable[[float], None] | None = None) -> Callable[[float], None]:
        """Return a progress callback that ends a simulation, as Ctrl+C would, once the job should end."""

        def progress(fraction: float) -> None:
            if self.stopped and fraction < 1.0:
                raise KeyboardInterrupt
            if report is not None:
                report(fraction)

        return progress


Job = Callable[[StopFlag], None]


@dataclass
class JobQueue:
    """Jobs by topic; topics listed first are done first. A newer job of a topic replaces an older one that waits,
    and stops one that runs. Without a thread, `run_waiting` does the work: the tests use it."""

    topics: tuple[str, ...]
    failed: Callable[[str, BaseException], None]
    """Called with the topic and the exception of a job that failed."""
    idle: Callable[[], None] = lambda: None
    """Called when no job is left."""
    _waiting: dict[str, Job] = field(default_factory=dict)
    _running: tuple[str, StopFlag] | None = None
    _change: threading.Condition = field(default_factory=threading.Condition)
    _closed: bool = False
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Work in a thread from now on."""
        self._thread = threading.Thread(target=self._work, name="gyrostat studio", daemon=True)
        self._thread.start()

    def put(self, topic: str, job: Job, *, stops: tuple[str, ...] = ()) -> None:
        """Add a job; it replaces one of the same topic, and removes those of other topics that it makes useless."""
        assert topic in self.topics, topic
        with self._change:
            if self._closed:
                return
            useless = {topic, *stops}
            for name in useless & self._waiting.keys():
                del self._waiting[name]
            if self._running is not None and self._running[0] in useless:
                self._running[1].stop()
            self._waiting[topic] = job
            self._change.notify_all()

    def stop(self, *topics: str) -> bool:
        """Drop jobs that wait and stop the one that runs, of some topics or of all; return whether one was running."""
        with self._change:
            for name in topics or tuple(self._waiting):
                self._waiting.pop(name, None)
            running = self._running is not None and (not topics or self._running[0] in topics)
            if running and self._running is not None:
                self._running[1].stop()
            return running

    def close(self) -> None:
        """Stop everything and end the thread."""
        with self._change:
            self._closed = True
            self._waiting.clear()
            if self._running is not None:
                self._running[1].stop()
            self._change.notify_all()

    def join(self, timeout: float) -> bool:
        """Wait until the thread has ended; return whether it has."""
        if self._thread is not None:
            self._thread.join(timeout)
        return self._thread is None or not self._thread.is_alive()

    def run_waiting(self) -> None:
        """Do all jobs that wait, those included that they add."""
        while self._take(wait=False):
            self._run()

    def _take(self, *, wait: bool) -> bool:
        """Make the most important job the running one; return whether there is one."""
        with self._change:
            while wait and not self._waiting and not self._closed:
                self._change.wait()
            if self._closed or not self._waiting:
                return False
            topic = next(name for name in self.topics if name in self._waiting)
            self._job = self._waiting.pop(topic)
            self._running = (topic, StopFlag())
            return True

    def _run(self) -> None:
        assert self._running is not None
        topic, flag = self._running
        try:
            self._job(flag)
        except KeyboardInterrupt:
            pass  # a job that was stopped
        except Exception as error:  # any error of a job is shown in the page, and the worker goes on
            if not flag.stopped:
                self.failed(topic, error)
        finally:
            with self._change:
                self._running = None
                left = bool(self._waiting)
        if not left:
            self.idle()

    def _work(self) -> None:
        while self._take(wait=True):
            self._run()
