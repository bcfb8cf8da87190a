"""The model that a subsystem uses, and the kind of field that holds it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gyrostat.errors import ModelError
from gyrostat.lazy import later
from gyrostat.model.kinds.kind import Naming, Plain, Schema
from gyrostat.model.kinds.kind import Path as FieldPath
from gyrostat.model.place import Place

if TYPE_CHECKING:
    from gyrostat.model import model as models
    from gyrostat.model import model_file, model_sections
    from gyrostat.model.model import Model
    from gyrostat.model.record import Component
    from gyrostat.model.subsystems.subsystem import Subsystem
else:
    # models have a section of subsystems
    models, model_file, model_sections = later("gyrostat.model", "model", "model_file", "model_sections")

INSTANCE_LIMIT: Final = 10_000
"""The largest number of subsystems within a model, those of all levels together."""


@dataclass(frozen=True)
class UsedModel:
    """A frozen copy of a model, with the file that it was read from, if it was given by its path.

    Two are equal if their models are, wherever they were read from.
    """

    model: Model
    file: Path | None = field(default=None, compare=False)

    @staticmethod
    def of(model: Model, file: Path | None = None) -> UsedModel:
        """Return a copy that later changes of the model leave alone; raise `ModelError` if its parts are faulty."""
        return UsedModel(model.freeze(), file)

    def __hash__(self) -> int:
        return hash(self.model.name)

    @property
    def in_order(self) -> tuple[Component, ...]:
        """The components as they were written, section by section, as in a file."""
        sections = list(model_sections.SECTIONS)
        return tuple(sorted(self.model.source.components.values(), key=lambda one: sections.index(one.file_section)))

    @property
    def subsystems(self) -> tuple[Subsystem, ...]:
        """The subsystems of the model itself."""
        return tuple(self.model.source.subsystems.values())

    @property
    def instances(self) -> int:
        """The number of subsystems that its use adds to a model, those of all levels together."""
        return 1 + sum(inner.use.instances for inner in self.subsystems)

    @property
    def files(self) -> Iterator[Path]:
        """The files that it was read from, those of all levels together."""
        if self.file is not None:
            yield self.file
        for inner in self.subsystems:
            yield from inner.use.files


@dataclass(frozen=True)
class UsedModelKind:
    """A model, or the path of a model file; in a model file a path relative to that file, or the model itself."""

    def read(self, value: object, place: Place) -> UsedModel | None:
        """Read a model, or the file of a path; a relative path is relative to the working directory."""
        if isinstance(value, UsedModel):
            return self._limited(value, place)
        try:
            if isinstance(value, str | os.PathLike):
                named, file = Path(value).name, Path(value).absolute()
                return self._limited(UsedModel.of(model_file.load_model(file), file), place)
            if isinstance(value, models.Model):
                named = f"model {value.name!r:.60}"
                return self._limited(UsedModel.of(value), place)
        except ModelError as error:
            for fault in error.faults:
                place.report(f"in {named}, {fault}")
            return None
        place.report(f"{value!r:.60} is neither a model nor the path of a model file.", "Give one of them.")
        return None

    def _limited(self, used: UsedModel, place: Place) -> UsedModel | None:
        if used.instances <= INSTANCE_LIMIT:
            return used
        fact = f"it has more than {INSTANCE_LIMIT} subsystems, those of all levels together."
        place.report(fact, "Use fewer; does a model use another twice, and that a third one twice, and so on?")
        return None

    def write(self, value: UsedModel) -> Plain:
        """Return the model itself, so that the written form is complete; `save_model` writes paths."""
        return model_file.model_to_plain(value.model)

    def schema(self) -> Schema:
        """Return the JSON Schema of a path or a model."""
        return {"anyOf": [{"type": "string"}, {"$ref": "#"}]}

    def uses(self, value: UsedModel, path: FieldPath = ()) -> tuple[()]:
        """Return an empty tuple: the names in the model are those of its own scope."""
        return ()

    def renamed(self, value: UsedModel, naming: Naming) -> UsedModel:
        """Return the value: the names in the model are those of its own scope."""
        return value
