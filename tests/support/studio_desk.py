"""A session of the studio without a server or thread: messages in, messages out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gyrostat.studio import StudioFolder, StudioSession
from gyrostat.studio.messages import StudioMessage

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TEXT = (EXAMPLES / "double_pendulum.yaml").read_text(encoding="utf-8")


class Desk:
    """A session without a thread, in a folder with one file, and all that it has sent."""

    def __init__(self, folder: Path, text: str = TEXT, examples: dict[str, Path] | None = None) -> None:
        self.file = folder / "model.yaml"
        self.file.write_text(text, encoding="utf-8")
        self.sent: list[StudioMessage] = []
        self.session = StudioSession(StudioFolder(folder, examples or {}), self.sent.append, threaded=False)

    def tell(self, kind: str, /, **values: object) -> list[StudioMessage]:
        """Give a message, do the work, and return the answers."""
        self.sent.clear()
        self.session.handle({"type": kind, **values})
        self.session.work()
        return list(self.sent)

    def only(self, kind: str, given: list[StudioMessage] | None = None) -> StudioMessage:
        found = [message for message in (self.sent if given is None else given) if message.type == kind]
        assert len(found) == 1, [message.type for message in self.sent]
        return found[0]


def knobs_of(desk: Desk) -> dict[str, dict]:
    return {knob["name"]: knob for knob in desk.only("knobs").values["knobs"]}


def changed(text: str, knob: dict, value: float) -> str:
    return written(text, [knob], [value / knob["scale"]])


def written(text: str, places: Sequence[dict], numbers: Sequence[float]) -> str:
    """Return a text with numbers at places, as the page writes them."""
    given = sorted(enumerate(places), key=lambda one: (one[1]["start"], one[0]), reverse=True)
    for k, place in given:
        number = f"{numbers[k]:.10g}"
        text = text[: place["start"]] + place["before"] + number + place["after"] + text[place["end"] :]
    return text
