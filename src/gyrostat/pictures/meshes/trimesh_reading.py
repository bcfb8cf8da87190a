"""Meshes that trimesh reads (the extra `meshes`): DAE, glTF, OFF, PLY and 3MF, in metres.

Instances and archives can make a small file a mesh of any size, so their whole size is computed before they are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote
from xml.etree.ElementTree import Element
from zipfile import ZipFile

import numpy as np

from gyrostat.errors import ModelFileError
from gyrostat.pictures.meshes.mesh import Mesh
from gyrostat.results.file_content import file_bytes, refusal
from gyrostat.results.xml_document import read_xml

EXPANDED_BYTE_LIMIT: Final = 256_000_000
"""The largest size of a mesh in bytes, all its instances and buffers together."""

_INSTANCE = 20_000
"""The size of an instance in bytes that accounts for the time to read it."""
_NESTING_LIMIT = 100
_DECLARATION = re.compile(rb"\s*<\?xml.*?\?>", re.DOTALL)
_INSTANCES = ("instance_geometry", "instance_controller")


def read_by_trimesh(file: Path, content: bytes) -> Mesh:
    """Return the mesh of a file's content, all its parts together; raise `ValueError` where it is malformed."""
    suffix = file.suffix.lower()
    try:
        import trimesh  # heavy, and an extra

        if suffix == ".dae":
            import collada  # noqa: F401  # trimesh needs it
    except ImportError:
        remedy = "pip install 'gyrostat[meshes]', or convert it to .stl or .obj."
        raise refusal(file, f"meshes in {file.suffix} are read by trimesh, which is not installed.", remedy) from None
    try:
        content, buffers = _PREPARATIONS.get(suffix, _as_it_is)(file, content)
        loaded = trimesh.load(BytesIO(content), file_type=suffix[1:], resolver=buffers, force="mesh")
        unit = trimesh.units.unit_conversion(loaded.units, "meters") if loaded.units else 1.0
        return Mesh(np.asarray(loaded.vertices, float) * unit, np.asarray(loaded.faces, np.int64).reshape(-1, 3))
    except ModelFileError:
        raise
    except Exception as error:  # whatever a reader of so many formats raises
        raise ValueError(" ".join(str(error).split()).rstrip(".") or type(error).__name__) from None


def _as_it_is(file: Path, content: bytes) -> tuple[bytes, None]:
    return content, None


def _prepared_dae(file: Path, content: bytes) -> tuple[bytes, None]:
    """Return the content without declaration, so that it is read in UTF-8, as it was checked."""
    root = read_xml(file, text=True)
    parts = {f"#{element.get('id')}": element for element in root.iter() if element.get("id")}
    sizes: dict[Element, float] = {}

    def size(element: Element, depth: int) -> float:
        """Return the size of an element with its instances."""
        if depth > _NESTING_LIMIT:
            raise refusal(file, f"nodes are nested more than {_NESTING_LIMIT} levels deep, or in a circle.", _REMEDY)
        if element not in sizes:
            tag, target = element.tag.rpartition("}")[2], parts.get(element.get("url", ""))
            if tag in _INSTANCES:
                sizes[element] = _INSTANCE + (sum(map(len, target.itertext())) if target is not None else 0)
            elif tag == "instance_node" and target is not None:
                sizes[element] = size(target, depth + 1)
            else:
                sizes[element] = sum(size(child, depth + 1) for child in element)
        return sizes[element]

    _require_size(file, sum(size(scene, 0) for scene in root.iter() if scene.tag.endswith("visual_scene")))
    return _DECLARATION.sub(b"", content.removeprefix(b"\xef\xbb\xbf"), count=1), None


def _prepared_gltf(file: Path, content: bytes) -> tuple[bytes, Mapping[str, bytes]]:
    """Return the content and the buffers in files beside it, by their addresses."""
    binary = file.suffix.lower() == ".glb"
    tree = json.loads(content[20 : 20 + int.from_bytes(content[12:16], "little")] if binary else content)
    try:
        counts = [int(accessor["count"]) for accessor in tree.get("accessors", [])]
        parts = [[list(one["attributes"].values()) for one in mesh["primitives"]] for mesh in tree.get("meshes", [])]
        sizes = [sum(12 * max(counts[place] for place in one) for one in mesh) for mesh in parts]
        whole = sum(_INSTANCE + sizes[node["mesh"]] for node in tree.get("nodes", []) if "mesh" in node)
        addresses = [str(buffer["uri"]) for buffer in tree.get("buffers", []) if "uri" in buffer]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"its nodes, meshes and accessors do not fit together ({error!r:.60})") from None
    _require_size(file, whole)
    buffers: dict[str, bytes] = {}
    for address in addresses:
        if not address.startswith("data:"):
            buffers[address] = _beside(file, unquote(address))
            _require_size(file, sum(map(len, buffers.values())))
    return content, buffers


def _beside(file: Path, name: str) -> bytes:
    """Return the content of a file in the folder of another or in one within."""
    folder = file.resolve().parent
    try:
        path = (folder / name).resolve()
        known = path.is_relative_to(folder) and path.is_file()
    except (OSError, ValueError, RuntimeError):
        known = False
    if not known:
        fact = f"its buffer {name!r:.80} is no file in its folder."
        raise refusal(file, fact, "Copy the buffer there, or export the mesh as .glb.")
    return file_bytes(path, EXPANDED_BYTE_LIMIT)


def _prepared_3mf(file: Path, content: bytes) -> tuple[bytes, None]:
    with ZipFile(BytesIO(content)) as archive:
        _require_size(file, sum(one.file_size for one in archive.infolist()))
    return content, None


def _require_size(file: Path, size: float) -> None:
    if size > EXPANDED_BYTE_LIMIT:
        fact = f"its instances and buffers have {size:,.0f} bytes together, more than {EXPANDED_BYTE_LIMIT:,}."
        raise refusal(file, fact, _REMEDY)


_REMEDY = "Reduce it in a mesh tool."
_PREPARATIONS: dict[str, Callable[[Path, bytes], tuple[bytes, Any]]] = {
    ".dae": _prepared_dae,
    ".glb": _prepared_gltf,
    ".gltf": _prepared_gltf,
    ".3mf": _prepared_3mf,
}
