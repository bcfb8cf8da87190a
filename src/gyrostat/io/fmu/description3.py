"""The descriptions of an FMU of FMI 3.0: modelDescription.xml (section 2.4) and buildDescription.xml (section 2.5)."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import gyrostat
from gyrostat.io.c_library.files import Library
from gyrostat.io.fmu.settings import Settings
from gyrostat.io.fmu.variables import Variable

_ABILITIES = {
    "canGetAndSetFMUState": "true",
    "canSerializeFMUState": "true",
    "providesDirectionalDerivatives": "true",
}
_STEP_ABILITIES = {"canHandleVariableCommunicationStepSize": "true", "maxOutputDerivativeOrder": "1"}


def model_description3(library: Library, settings: Settings, token: str, variables: Sequence[Variable]) -> bytes:
    """Return the description of a unit; event indicators are variables, which follow the others."""
    root = Element(
        "fmiModelDescription",
        {
            "fmiVersion": "3.0",
            "modelName": library.title.strip("'\""),
            "instantiationToken": token,
            "generationTool": f"gyrostat {gyrostat.__version__}",
            "variableNamingConvention": "flat",
        },
    )
    if settings.kind.model_exchange:
        SubElement(root, "ModelExchange", {"modelIdentifier": library.name, **_ABILITIES})
    if settings.kind.co_simulation:
        SubElement(root, "CoSimulation", {"modelIdentifier": library.name, **_ABILITIES, **_STEP_ABILITIES})
    indicators = [
        Variable(f"indicator_{i}", "local", "continuous", description="event indicator")
        for i in range(1, len(settings.events.switches) + 1)
    ]
    listed = SubElement(root, "ModelVariables")
    for reference, variable in enumerate((*variables, *indicators)):
        SubElement(listed, "Float64", _attributes(variable, reference))
    structure = SubElement(root, "ModelStructure")
    outputs = [i for i, one in enumerate(variables) if one.causality == "output"]
    rates = [i for i, one in enumerate(variables) if one.state is not None]
    unknown = [i for i, one in enumerate(variables) if one.initial == "calculated"]
    last = range(len(variables), len(variables) + len(indicators))
    for tag, references in (
        ("Output", outputs),
        ("ContinuousStateDerivative", rates),
        ("InitialUnknown", unknown),
        ("EventIndicator", last),
    ):
        for reference in references:
            SubElement(structure, tag, {"valueReference": str(reference)})
    return _text(root)


def build_description3(library: Library, sources: Sequence[str]) -> bytes:
    """Return the description of how the sources of a unit are compiled."""
    root = Element("fmiBuildDescription", {"fmiVersion": "3.0"})
    configuration = SubElement(root, "BuildConfiguration", {"modelIdentifier": library.name})
    files = SubElement(configuration, "SourceFileSet", {"language": "C99"})
    for source in sources:
        SubElement(files, "SourceFile", {"name": source})
    return _text(root)


def _attributes(variable: Variable, reference: int) -> dict[str, str]:
    found = {"name": variable.name, "valueReference": str(reference), "causality": variable.causality}
    found |= {"variability": variable.variability}
    found |= {"initial": variable.initial} if variable.initial else {}
    found |= {"description": variable.description} if variable.description else {}
    found |= {} if variable.start is None else {"start": repr(variable.start)}
    return found | ({} if variable.state is None else {"derivative": str(variable.state - 1)})


def _text(root: Element) -> bytes:
    indent(root)
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True))
