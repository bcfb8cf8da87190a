"""The description of an FMU, modelDescription.xml (FMI 2.0.4, section 2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import gyrostat
from gyrostat.io.c_library.files import Library
from gyrostat.io.fmu.settings import Settings
from gyrostat.io.fmu.variables import Variable

_ABILITIES = {
    "canGetAndSetFMUstate": "true",
    "canSerializeFMUstate": "true",
    "providesDirectionalDerivative": "true",
}
_STEP_ABILITIES = {
    "canHandleVariableCommunicationStepSize": "true",
    "canInterpolateInputs": "true",
    "maxOutputDerivativeOrder": "1",
}


def model_description(
    library: Library, settings: Settings, guid: str, variables: Sequence[Variable], sources: Sequence[str]
) -> bytes:
    """Return the description of an FMU."""
    root = Element(
        "fmiModelDescription",
        {
            "fmiVersion": "2.0",
            "modelName": library.title.strip("'\""),
            "guid": guid,
            "generationTool": f"gyrostat {gyrostat.__version__}",
            "variableNamingConvention": "flat",
            "numberOfEventIndicators": str(len(settings.events.switches)),
        },
    )
    kinds = {"ModelExchange": settings.kind.model_exchange, "CoSimulation": settings.kind.co_simulation}
    for tag in (tag for tag, wanted in kinds.items() if wanted):
        further = _STEP_ABILITIES if tag == "CoSimulation" else {}
        element = SubElement(root, tag, {"modelIdentifier": library.name, **_ABILITIES, **further})
        files = SubElement(element, "SourceFiles")
        for source in sources:
            SubElement(files, "File", {"name": source})
    listed = SubElement(root, "ModelVariables")
    for reference, variable in enumerate(variables):
        _add_variable(listed, variable, reference)
    structure = SubElement(root, "ModelStructure")
    outputs = [i for i, one in enumerate(variables, start=1) if one.causality == "output"]
    rates = [i for i, one in enumerate(variables, start=1) if one.state is not None]
    unknown = [i for i, one in enumerate(variables, start=1) if one.initial == "calculated"]
    for tag, indices in (("Outputs", outputs), ("Derivatives", rates), ("InitialUnknowns", unknown)):
        if indices:
            group = SubElement(structure, tag)
            for index in indices:
                SubElement(group, "Unknown", {"index": str(index)})
    indent(root)
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True))


def _add_variable(listed: Element, variable: Variable, reference: int) -> None:
    attributes = {"name": variable.name, "valueReference": str(reference), "causality": variable.causality}
    attributes |= {"variability": variable.variability}
    attributes |= {"initial": variable.initial} if variable.initial else {}
    attributes |= {"description": variable.description} if variable.description else {}
    scalar = SubElement(listed, "ScalarVariable", attributes)
    real = {} if variable.start is None else {"start": repr(variable.start)}
    real |= {} if variable.state is None else {"derivative": str(variable.state)}
    SubElement(scalar, "Real", real)
