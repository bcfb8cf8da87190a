"""A flexible body with modal data, as from finite elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from os import PathLike
from typing import Any, Final

from gyrostat.model.body import Body
from gyrostat.model.compounds.compound import Compound
from gyrostat.model.flexible.modal_arm import ModalArm
from gyrostat.model.flexible.modal_data import read_modal_data, reduced_points
from gyrostat.model.flexible.modal_elasticity import ModalElasticity
from gyrostat.model.flexible.modal_properties import Interface, ModalProperties
from gyrostat.model.kinds import End, FrozenMapping, MappingKind, RecordKind
from gyrostat.model.kinds.quantities import ZERO
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value

_ELASTICITY: Final = "elasticity"


@dataclass(frozen=True)
class ModalBody(ModalProperties, Compound):
    """A flexible body whose small deformation is a sum of mode shapes, in a floating frame.

    Its name is that of its root frame, in which the shapes are given; interfaces are frames for joints, forces and
    outputs: "arm.flange". Its coordinates are `arm.q1`, `arm.q2`, …. `from_nodes` forms it from nodes of finite
    elements, `from_file` from a NumPy or MATLAB file.

    >>> import gyrostat as gs
    >>> model = gs.Model("fork")
    >>> data = dict(masses=[1, 1], positions=[[1, 0, 0], [2, 0, 0]], shapes=[[[0], [0.3], [0]], [[0], [1], [0]]])
    >>> tip = dict(position=[2, 0, 0], translation=[[0], [1], [0]])
    >>> arm = model.add(gs.ModalBody("arm", **data, stiffness=[[400]], interfaces={"tip": tip}))
    >>> clamp = model.add(gs.Weld("clamp", "ground", "arm"))
    >>> gs.formulate(model).mass_matrix([0.0]).round(6)
    array([[1.09]])
    """

    interfaces: FrozenMapping = value(
        MappingKind(RecordKind(Interface), Body.suffixes), doc="frames for joints and forces, by name", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Require interfaces with shapes for every mode, and names of their own."""
        super().validate(place)
        if not self.interfaces:
            place.inside("interfaces").report("there are none.", "Give at least one place for joints and outputs.")
        for name, interface in self.interfaces.items():
            inside = place.inside("interfaces").inside(name)
            if name in (*self.labels, *"xyz", _ELASTICITY):
                inside.report("the name has another meaning.", "Choose another name.")
            interface.check(len(self.stiffness), inside)

    @staticmethod
    def from_nodes(
        name: str, *, positions: Any, mass: Any, shapes: Any, stiffness: Any, interfaces: Any, damping: Any = 0
    ) -> ModalBody:
        """Return the body of finite-element nodes at `positions` (N × 3) with displacements `shapes` (N × 3 × n).

        `mass` are lumped masses (N), or a consistent mass matrix of one direction (N × N). The inertia is that of at
        most 4 + 3 n mass points with the same integrals. `interfaces` are numbers of nodes by name, or interfaces.
        """
        points = reduced_points(positions, mass, shapes)
        known: dict[str, Any] = {}
        for label, one in dict(interfaces).items():
            known[label] = one
            if not isinstance(one, Interface | Mapping):
                known[label] = {"position": positions[one], "translation": shapes[one]}
        return ModalBody(name, **points, stiffness=stiffness, damping=damping, interfaces=FrozenMapping(known))

    @staticmethod
    def from_file(name: str, path: str | PathLike[str], *, damping: Any = 0) -> ModalBody:
        """Return the body of a file: `.npz` of NumPy or `.mat` of MATLAB.

        Its arrays are those of `from_nodes`: positions, mass, shapes, stiffness; `interface_nodes` are numbers of nodes
        from 0, `interface_names` their names, and `interface_rotations` (I × 3 × n) their rotations, if there are any.
        """
        return ModalBody.from_nodes(name, **read_modal_data(path), damping=damping)

    @property
    def properties(self) -> ModalProperties:
        """The modal data without the name and the interfaces."""
        return ModalProperties(**{field.name: getattr(self, field.name) for field in fields(ModalProperties)})

    def parts(self) -> Iterator[Component]:
        """Yield the root, each interface with its arm, and the elasticity."""
        modal = self.properties
        yield Body(self.name, mass=ZERO)
        for label, interface in self.interfaces.items():
            name = self.part_name(label)
            yield Body(name, mass=ZERO)
            yield ModalArm(f"{name}.arm", End(self.name), End(name), modal=modal, interface=interface)
        yield ModalElasticity(self.part_name(_ELASTICITY), of=self.name, modal=modal)
