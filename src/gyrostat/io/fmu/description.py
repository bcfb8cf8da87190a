"""The description of an FMU, modelDescription.xml (FMI 2.0.4, section 2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from gyrostat.io.fmu.variables import Variable


def model_description(
    title: str,
    identifier: str,
    guid: str,
    variables: Sequence[Variable],
    indicators: int,
    sources: Sequence[str],
    tool: str,
) -> bytes:
    """Return the description of an FMU for model exchange."""
    root = Element(
        "fmiModelDescription",
        {
            "fmiVersion": "2.0",
            "modelName": title,
            "guid": guid,
            "generationTool": tool,
            "variableNamingConvention": "flat",
            "numberOfEventIndicators": str(indicators),
        },
    )
    exchange = SubElement(
        root,
        "ModelExchange",
        {"modelIdentifier": identifier, "canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true"},
    )
    files = SubElement(exchange, "SourceFiles")
    for source in sources:
        SubElement(files, "File", {"name": source})
    listed = SubElement(root, "ModelVariables")
    for reference, variable in enumerate(variables):
        _add_variable(listed, variable, reference)
    structure = SubElement(root, "ModelStructure")
    outputs = [i for i, one in enumerate(variables, start=1) if one.causality == "output"]
    rates = [i for i, one in enumerate(variables, start=1) if one.state is not None]
    for tag, indices in (("Outputs", outputs), ("Derivatives", rates), ("InitialUnknowns", rates)):
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
