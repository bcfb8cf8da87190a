"""Multibody dynamics: a mechanism described once gives its equations, simulation, linear models and pictures.

    import gyrostat as gs

Names are imported when they are first used, so that the import itself stays light.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "gyrostat.analysis.simulation.actuator_loads": ("actuator_loads",),
    "gyrostat.analysis.assembly.assemble": ("Assembly", "assemble"),
    "gyrostat.analysis.comparison.methods": ("MethodComparison", "MethodRow", "compare_methods"),
    "gyrostat.analysis.operating.branch": ("Branch", "Turn", "TurnKind"),
    "gyrostat.analysis.assembly.check": ("check",),
    "gyrostat.analysis.assembly.lay_rope": ("RopeShape", "lay_rope"),
    "gyrostat.analysis.assembly.orientation": ("EulerAngles", "euler"),
    "gyrostat.analysis.assembly.compare_coordinates": ("CoordinateComparison", "compare_coordinates"),
    "gyrostat.analysis.simulation.embedded_motion": ("EmbeddedMotion", "embedded_motion"),
    "gyrostat.analysis.operating.continuation": ("continuation",),
    "gyrostat.analysis.operating.equilibrium": ("equilibrium",),
    "gyrostat.analysis.operating.rope_settling": ("settle_ropes",),
    "gyrostat.analysis.events": (
        *("Action", "Direction", "Effect", "Event", "ImpactLaw", "Impulse", "Instant", "Record", "Restitution"),
        *("SetInput", "SetParameter", "SetState", "Stop"),
    ),
    "gyrostat.analysis.operating.floquet": ("FloquetAnalysis", "floquet"),
    "gyrostat.analysis.integrators": (
        *("CVODE", "DOP853", "Euler", "GaussLegendre", "Integrator", "Moreau", "Multistep", "RK2", "RK4", "RKF45"),
        *("Rodas4", "Rodas5P"),
        "RotationUpdate",
    ),
    "gyrostat.analysis.integrators.stability_region": ("stability_boundary", "stability_regions"),
    "gyrostat.analysis.simulation.kinematics": ("dead_centres", "kinematics", "transmission_angle", "velocity_ratio"),
    "gyrostat.analysis.linear.frequency_response": ("FrequencyResponse", "TransferFunction"),
    "gyrostat.analysis.variations.reduction": ("Basis",),
    "gyrostat.analysis.linear.certificate": ("LinearCertificate",),
    "gyrostat.analysis.linear.linear_model": ("LinearModel",),
    "gyrostat.analysis.linear.linearize": ("linearize",),
    "gyrostat.analysis.linear.pade": ("Pade",),
    "gyrostat.analysis.linear.root_locus": ("RootLocus", "root_locus"),
    "gyrostat.analysis.linear.modes": ("Mode", "ModeKind", "Modes"),
    "gyrostat.analysis.variations.operating_point": ("OperatingKind", "OperatingPoint", "operating_point"),
    "gyrostat.analysis.scales": (
        *("Amplitude", "Harmonic", "MultipleScales", "Oscillator", "Oscillators", "Resonance", "SpecialKind", "Term"),
        "multiple_scales",
    ),
    "gyrostat.analysis.scales.mechanism": ("Mechanism", "oscillators_of"),
    "gyrostat.analysis.scales.ordering": ("Ordering",),
    "gyrostat.analysis.optimization.design": ("DesignPoint",),
    "gyrostat.analysis.optimization.goals": ("Goal", "Limit", "Maximize", "Minimize", "Target"),
    "gyrostat.analysis.optimization.optimize": ("Optimum", "optimize"),
    "gyrostat.analysis.optimization.quantities": (
        *("DesignQuantity", "ModeDamping", "ModeFrequency", "ParameterFormula", "ResponsePeak", "StaticPosition"),
    ),
    "gyrostat.analysis.linear.sensitivities.sensitivity": ("ModeSensitivity",),
    "gyrostat.analysis.simulation.separating": ("separate",),
    "gyrostat.analysis.simulation.simulate": ("simulate",),
    "gyrostat.analysis.simulation.spectrum": ("Spectrum",),
    "gyrostat.analysis.variations.stability": ("Stability", "Verdict"),
    "gyrostat.analysis.simulation.status": ("Outcome", "Status"),
    "gyrostat.analysis.operating.steady_motion": ("steady_motion",),
    "gyrostat.analysis.sweeps": (
        *("Design", "EndTime", "EquilibriumAnalysis", "EventCount", "EventTime", "KinematicAnalysis", "Last"),
        *("LatinHypercube", "Maximum", "Mean", "Minimum", "ModalAnalysis", "PointAnalysis", "PointStatus"),
        "PointValues",
        *("RootMeanSquare", "Saltelli", "Simulation", "SobolSequence", "Sweep", "SweepAnalysis", "SweepProgress"),
        *("load_sweep", "loguniform", "normal", "sweep", "uniform"),
    ),
    "gyrostat.analysis.linear.sampled_linear_model": ("SampledLinearModel",),
    "gyrostat.analysis.linear.symbolic_linear_model": ("SymbolicLinearModel",),
    "gyrostat.analysis.linear.time_response": ("TimeResponse",),
    "gyrostat.analysis.linear.zero_order_hold": ("ZeroOrderHold",),
    "gyrostat.analysis.simulation.trajectory": ("Trajectory",),
    "gyrostat.analysis.simulation.trajectory_file": ("load",),
    "gyrostat.shown.trajectory_pictures": ("picture",),
    "gyrostat.shown.waterfall_plots": ("waterfall",),
    "gyrostat.shown.report": ("report",),
    "gyrostat.io.c_library": ("export_c",),
    "gyrostat.io.fmu": ("export_fmu",),
    "gyrostat.io.sdf": ("load_sdf",),
    "gyrostat.io.spice": ("load_spice",),
    "gyrostat.io.matlab": ("export_matlab",),
    "gyrostat.io.trajectories": ("export_gltf", "export_mcap", "export_table"),
    "gyrostat.io.meshes": ("MeshSolid", "mesh_solid"),
    "gyrostat.io.mjcf": ("load_mjcf",),
    "gyrostat.io.python_module": ("export_python",),
    "gyrostat.io.urdf": ("load_urdf",),
    "gyrostat.errors": (
        "Fault",
        "FormulaError",
        "GyrostatError",
        "ModelError",
        "ModelFileError",
        "PictureError",
        "ProgramError",
        "ResultFileError",
        "SizeError",
        "StateError",
        "TopologyError",
    ),
    "gyrostat.model": (
        *("Body", "Frame", "Model", "Parameter", "Rotor", "COMPOUNDS", "CONSTRAINTS", "ELEMENTS"),
        *("FORCES", "JOINTS"),
        *("SHAPES", "SOLIDS", "STATES"),
    ),
    "gyrostat.model.angle": ("deg",),
    "gyrostat.model.compounds": ("Beam", "Chain", "ModalBody", "Rope"),
    "gyrostat.model.constraints": (
        *("Cable", "Constraint", "Distance", "Equation", "Gear", "KnifeEdge", "OrientationDriver", "PointDriver"),
        *("PointOnCurve", "PointOnLine", "PointOnPlane", "RackPinion", "RollingDisc", "RollingSphere"),
    ),
    "gyrostat.model.elements": (
        *("MOSFET", "Ammeter", "BipolarTransistor", "Capacitor", "CurrentControlledCurrentSource"),
        *("CurrentControlledVoltageSource", "CurrentSource", "Datum", "Diode", "Gyrator", "Inductor", "LawElement"),
        *("Motor", "NetworkElement", "OperationalAmplifier", "PiezoStack", "Pipe", "Piston", "ReliefValve", "Resistor"),
        *("Solenoid", "Switch", "Transformer", "Valve"),
        *("VoltageControlledCurrentSource", "VoltageControlledVoltageSource", "VoltageSource", "Voltmeter"),
    ),
    "gyrostat.model.forces": (
        *("Actuator", "Belt", "BendingSpring", "Bond", "Bushing", "CompliantJoint", "Contact", "Contacts", "DCMotor"),
        *("Force", "Grains", "JointFriction", "JointLimit", "JointSpring", "Reeving", "RigidContact"),
        *("SheaveContact", "SpringDamper", "Torque", "TorsionSpring", "Tyre", "VariableMass", "Winch"),
    ),
    "gyrostat.model.contacts": (
        *("NORMAL_LAWS", "Adhesion", "Hertz", "HuntCrossley", "KelvinVoigt", "NormalFormula", "NormalLaw"),
        "RollingResistance",
    ),
    "gyrostat.model.friction": (
        "FRICTION_LAWS",
        "Bristle",
        "Coulomb",
        "FixedBristle",
        "FrictionLaw",
        "LimitedViscous",
        "LuGre",
        "Stribeck",
    ),
    "gyrostat.model.granular": (
        *("GRANULAR_ENGINES", "GranularBed", "GranularEngine", "GranularFriction", "GranularRun", "WallGeometry"),
    ),
    "gyrostat.model.inputs": ("Input",),
    "gyrostat.model.inputs.table": ("Interpolation", "Table"),
    "gyrostat.model.joints": (
        *(
            "Cylindrical",
            "Free",
            "Planar",
            "Prismatic",
            "Revolute",
            "Screw",
            "Spherical",
            "Translation",
            "Universal",
            "Weld",
        ),
    ),
    "gyrostat.model.ropes": ("Pulley",),
    "gyrostat.model.limits": ("Limits",),
    "gyrostat.model.measure": ("Measure",),
    "gyrostat.model.solids": (
        *("Part", "box", "composite", "cone", "cylinder", "disc", "ellipsoid", "point_mass", "ring", "rod", "shell"),
        *("slender_rod", "sphere", "tube"),
    ),
    "gyrostat.model.subsystems": ("Subsystem",),
    "gyrostat.model.states": (
        *("Delay", "Lag", "PI", "PID", "RateLimiter", "Sampled", "State", "StateSpaceBlock", "TransferFunctionBlock"),
    ),
    "gyrostat.model.tyres": ("TYRE_LAWS", "LinearTyre", "MagicCurve", "MagicFormula", "TyreFormula", "TyreLaw"),
    "gyrostat.closing": ("Compliant",),
    "gyrostat.studio.notebook": ("studio_widget",),
    "gyrostat.system": ("System", "formulate"),
    "gyrostat.written.equation_writer": ("Form",),
    "gyrostat.written.formulation": ("Formulation",),
    "gyrostat.written.network": ("Network",),
    "gyrostat.program.warning": ("GyrostatWarning",),
    "gyrostat.scalar.exact": ("trig_normal_form",),
    "gyrostat.topology": ("LinearGraph", "Topology", "Trees"),
}
"""Public names by the module that defines them; each name occurs once."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_SUCCESSORS = {"Moment": "Instant"}
"""Former public names and their successors."""
_MODULES = {"sections": "gyrostat.model.sections", "shapes": "gyrostat.model.shapes"}

__all__ = ["__version__", *_HOME_OF, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(_MODULES[name])
    if name in _SUCCESSORS:
        warnings.warn(f"gyrostat.{name} is now gyrostat.{_SUCCESSORS[name]}.", DeprecationWarning, stacklevel=2)
        return __getattr__(_SUCCESSORS[name])
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'gyrostat' has no attribute {name!r}")
    found = getattr(importlib.import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """This package, where one of its functions has the name of a subpackage.

    Importing `gyrostat.kinematics`, which everything does, would set the package's attribute to the subpackage; users
    mean the analysis of that name. Imports of the subpackage are not affected.
    """

    @property
    def kinematics(self) -> Any:
        """The kinematic analysis, `gyrostat.analysis.simulation.kinematics.kinematics`."""
        return __getattr__("kinematics")

    @kinematics.setter
    def kinematics(self, subpackage: ModuleType) -> None:
        pass


sys.modules[__name__].__class__ = _Package
