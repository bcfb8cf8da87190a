"""Models that an SDF file includes from other files, which lie in or beside its folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

from gyrostat.errors import ModelError, ModelFileError
from gyrostat.io.sdf.element import SdfElement, version_of
from gyrostat.model.subsystems.inclusion import Inclusion
from gyrostat.results.xml_document import read_xml

MODEL_LIMIT: Final = 1000
"""The largest number of models that a file may include, those of all levels together."""

_SCHEME = "model://"
_CONFIGURATION = "model.config"
"""The file in a folder of a model that names its SDF files."""


@dataclass
class IncludedModels:
    """The files being read for one outermost file, and the number of models that were included."""

    inclusion: Inclusion
    count: int = 0

    @staticmethod
    def of(file: Path) -> IncludedModels:
        """Return the record for an outermost file; one in a folder of a model may include models beside that folder."""
        inclusion = Inclusion.of(file)
        if (inclusion.folder / _CONFIGURATION).is_file():
            inclusion.folder = inclusion.folder.parent
        return IncludedModels(inclusion)

    @contextmanager
    def model_of(self, include: SdfElement) -> Iterator[SdfElement]:
        """Yield the model of an <include>, with the name, pose and flag given there; its file is open meanwhile."""
        include.require_known("uri", "name", "pose", "static", "plugin")
        if include.element.get("merge", "false").lower() in ("true", "1"):
            raise include.refusal("merge='true' is not understood.", "Include the model without it.")
        self.count += 1
        if self.count > MODEL_LIMIT:
            raise include.refusal(f"more than {MODEL_LIMIT} models are included.", "Use fewer.")
        file = self._file(include)
        root = SdfElement(str(file), read_xml(file, text=True), include.path)
        models = [model for model in root.children("model") if root.tag == "sdf"]
        if len(models) != 1:
            raise include.refusal(f"{file.name} does not have one model.", "Include a file with one <model> in <sdf>.")
        self.inclusion.open.append(file)
        yield SdfElement(str(file), _merged(models[0].element, include), include.path, version_of(root))
        self.inclusion.open.pop()

    def _file(self, include: SdfElement) -> Path:
        """Return the file of an <include>; raise `ModelFileError` where it may not be read."""
        uri = include.text("uri")
        try:
            found = self._model_folder(uri.removeprefix(_SCHEME)) if uri.startswith(_SCHEME) else None
            file = self.inclusion.locate(uri) if found is None else found
            if file.is_dir():
                file = self.inclusion.locate_from(file, _sdf_file(file))
            self.inclusion.admit(file)
        except ModelFileError:
            raise  # of a configuration
        except ModelError as error:
            raise include.refusal(error.faults[0].fact, _REMEDY) from None
        if not file.is_file():
            raise include.refusal(f"there is no file {uri!r:.80}.", _REMEDY)
        return file

    def _model_folder(self, name: str) -> Path:
        """Return the folder of a model that is nearest to the file being read, above or beside it."""
        folder = self.inclusion.open[-1].parent
        while True:
            found = self.inclusion.locate_from(folder, name)
            if found.exists() or folder == self.inclusion.folder:
                return found
            folder = folder.parent


_REMEDY = "Give the folder of a model, or its file, in the folder of the outermost file or beside it."


def _sdf_file(folder: Path) -> str:
    """Return the name of the SDF file in the folder of a model: that of the latest version, else model.sdf."""
    configuration = folder / _CONFIGURATION
    if not configuration.is_file():
        return "model.sdf"
    listed = SdfElement(str(configuration), read_xml(configuration, text=True), "").children("sdf")
    versions = {version_of(one): (one.element.text or "").strip() for one in listed}
    return versions[max(versions)] if versions else "model.sdf"


def _merged(model: Element, include: SdfElement) -> Element:
    """Return a model with the name, the pose and the flag that an <include> gives it."""
    name = include.text("name")
    merged = Element(model.tag, {**model.attrib, **({"name": name} if name else {})})
    given = [inner for inner in include.element if inner.tag in ("pose", "static", "plugin")]
    replaced = {inner.tag for inner in given} - {"plugin"}
    merged.extend([*(inner for inner in model if inner.tag not in replaced), *given])
    return merged
