"""The record of a sweep in its store, which identifies it when it is resumed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gyrostat import __version__
from gyrostat.analysis.sweeps import designs
from gyrostat.analysis.sweeps.analysis import SweepAnalysis
from gyrostat.analysis.sweeps.inspection import FORMAT, DamageError, read_header, read_labels, reading
from gyrostat.analysis.sweeps.layout import Label, Layout, ResultVariable
from gyrostat.analysis.sweeps.plan import Axis, Plan
from gyrostat.analysis.sweeps.targets import Targets, unit_of
from gyrostat.errors import ResultFileError
from gyrostat.lazy import later
from gyrostat.system import System, choice_to_plain

if TYPE_CHECKING:
    from gyrostat.model import model_file
else:
    (model_file,) = later("gyrostat.model", "model_file")


@dataclass(frozen=True, eq=False)
class SweepRecord:
    """The definition of a sweep."""

    title: str
    plan: Plan
    layout: Layout
    labels: Mapping[str, Label]
    digests: Mapping[str, str]
    """Digests of the model, the analysis and the points."""

    @staticmethod
    def of(system: System, plan: Plan, targets: Targets, analysis: SweepAnalysis, layout: Layout) -> SweepRecord:
        """Return the record of a new sweep."""
        labels = {}
        for axis in plan.axes:
            for name, column in axis.columns.items():
                target = targets.of_name[name]
                unit = unit_of(system, name, target)
                attributes = {"units": unit} if unit else {}
                labels[name] = Label(axis.dim, column, {**attributes, "long_name": f"{target.value} {name}"})
        for dim, values in layout.labels.items():
            time = {"units": "s", "long_name": "time"} if dim == "time" else {}
            labels[dim] = Label(dim, values, time)
        digests = {
            "model": _digest(_model(system)),
            "analysis": _digest(analysis.plain()),
            "points": _points(plan.axes),
        }
        return SweepRecord(system.model.name, plan, layout, labels, digests)

    def header(self) -> dict[str, Any]:
        """Return the record as plain data; labels are arrays of the store."""
        design = self.plan.design
        return {
            "format": FORMAT,
            "title": self.title,
            "source": f"gyrostat {__version__}",
            "digests": dict(self.digests),
            "axes": [{"dim": axis.dim, "names": list(axis.columns)} for axis in self.plan.axes],
            "design": None if design is None else {"type": type(design).__name__, **asdict(design)},
            "variables": {one.name: {**asdict(one), "name": one.name} for one in self.layout.variables},
            "labels": list(self.labels),
        }

    @staticmethod
    def read(path: Path) -> SweepRecord:
        """Return the record of a store."""
        header = read_header(path)
        with reading(path):
            labels = read_labels(path, header["labels"])
            axes = tuple(
                Axis(axis["dim"], {name: labels[name].values for name in axis["names"]}) for axis in header["axes"]
            )
            if _points(axes) != header["digests"]["points"]:
                raise DamageError(f"the coordinates {', '.join(labels)} are not what was written")
            design = _design(header["design"])
            variables = tuple(
                ResultVariable(one["name"], tuple(one["dims"]), tuple(one["shape"]), one["unit"], one["description"])
                for one in header["variables"].values()
            )
            swept = {name for axis in axes for name in axis.columns}
            own = {name: label.values for name, label in labels.items() if name not in swept}
            return SweepRecord(header["title"], Plan(axes, design), Layout(variables, own), labels, header["digests"])

    def require_same(self, path: Path) -> None:
        """Raise an error if a store belongs to another sweep, naming what differs."""
        header = read_header(path)
        with reading(path):
            other = [what for what, digest in self.digests.items() if header["digests"].get(what) != digest]
        if other:
            raise ResultFileError(
                f"{path} is the store of another sweep: {' and '.join(f'the {what}' for what in other)} "
                f"{'differs' if len(other) == 1 and other[0] != 'points' else 'differ'}. Choose another store, or give "
                "what it was made with."
            )


def _model(system: System) -> Any:
    return [model_file.model_to_plain(system.model), choice_to_plain(system)]


def _columns(axis: Axis) -> dict[str, str]:
    """Return a digest of the values of each name."""
    return {
        name: hashlib.sha256(str(column.dtype).encode() + column.tobytes()).hexdigest()
        for name, column in axis.columns.items()
    }


def _points(axes: tuple[Axis, ...]) -> str:
    return _digest([[axis.dim, _columns(axis)] for axis in axes])


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=False, default=str).encode()).hexdigest()


def _design(plain: Mapping[str, Any] | None) -> designs.Design | None:
    if plain is None:
        return None
    settings = {key: value for key, value in plain.items() if key != "type"}
    kind = getattr(designs, plain["type"])
    if not (isinstance(kind, type) and issubclass(kind, designs.Design)):
        raise DamageError(f"{plain['type']!r} is no design")
    return kind(**settings)
