"""The model of a mechanism: bodies, joints, forces, constraints, states, parameters, model files, structural checks."""

from gyrostat.model.body import Body
from gyrostat.model.compounds import COMPOUNDS, Compound
from gyrostat.model.constraints import CONSTRAINTS, Constraint
from gyrostat.model.elements import ELEMENTS, NetworkElement
from gyrostat.model.forces import FORCES, ForceElement
from gyrostat.model.formula import Formula
from gyrostat.model.frame import Frame
from gyrostat.model.joints import JOINTS, Joint
from gyrostat.model.model import Model
from gyrostat.model.parameter import Parameter
from gyrostat.model.rotor import Rotor
from gyrostat.model.shapes import SHAPES, Shape
from gyrostat.model.solids import SOLIDS, Solid
from gyrostat.model.states import STATES, StateElement

__all__ = [
    "COMPOUNDS",
    "CONSTRAINTS",
    "ELEMENTS",
    "FORCES",
    "JOINTS",
    "SHAPES",
    "SOLIDS",
    "STATES",
    "Body",
    "Compound",
    "Constraint",
    "ForceElement",
    "Formula",
    "Frame",
    "Joint",
    "Model",
    "NetworkElement",
    "Parameter",
    "Rotor",
    "Shape",
    "Solid",
    "StateElement",
]
