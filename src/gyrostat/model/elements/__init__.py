"""Elements of networks, one file for each kind. A new one is listed here, or added with `ELEMENTS.add`.

The kinds are imported when they are first used.
"""

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from
from gyrostat.model.elements.element import ELEMENTS, NetworkElement

if TYPE_CHECKING:
    from gyrostat.model.elements.bipolar_transistor import BipolarTransistor
    from gyrostat.model.elements.capacitor import Capacitor
    from gyrostat.model.elements.controlled_source import (
        CurrentControlledCurrentSource,
        CurrentControlledVoltageSource,
        VoltageControlledCurrentSource,
        VoltageControlledVoltageSource,
    )
    from gyrostat.model.elements.current_source import CurrentSource
    from gyrostat.model.elements.datum import Datum
    from gyrostat.model.elements.diode import Diode
    from gyrostat.model.elements.gyrator import Gyrator
    from gyrostat.model.elements.inductor import Inductor
    from gyrostat.model.elements.law_element import LawElement
    from gyrostat.model.elements.meters import Ammeter, Voltmeter
    from gyrostat.model.elements.mosfet import MOSFET
    from gyrostat.model.elements.motor import Motor
    from gyrostat.model.elements.operational_amplifier import OperationalAmplifier
    from gyrostat.model.elements.piezo_stack import PiezoStack
    from gyrostat.model.elements.pipe import Pipe
    from gyrostat.model.elements.piston import Piston
    from gyrostat.model.elements.relief_valve import ReliefValve
    from gyrostat.model.elements.resistor import Resistor
    from gyrostat.model.elements.solenoid import Solenoid
    from gyrostat.model.elements.switch import Switch
    from gyrostat.model.elements.transformer import Transformer
    from gyrostat.model.elements.valve import Valve
    from gyrostat.model.elements.voltage_source import VoltageSource

__all__ = [
    "ELEMENTS",
    "MOSFET",
    "Ammeter",
    "BipolarTransistor",
    "Capacitor",
    "CurrentControlledCurrentSource",
    "CurrentControlledVoltageSource",
    "CurrentSource",
    "Datum",
    "Diode",
    "Gyrator",
    "Inductor",
    "LawElement",
    "Motor",
    "NetworkElement",
    "OperationalAmplifier",
    "PiezoStack",
    "Pipe",
    "Piston",
    "ReliefValve",
    "Resistor",
    "Solenoid",
    "Switch",
    "Transformer",
    "Valve",
    "VoltageControlledCurrentSource",
    "VoltageControlledVoltageSource",
    "VoltageSource",
    "Voltmeter",
]

_KINDS = {
    "datum": ("Datum",),
    "resistor": ("Resistor",),
    "inductor": ("Inductor",),
    "capacitor": ("Capacitor",),
    "voltage_source": ("VoltageSource",),
    "current_source": ("CurrentSource",),
    "diode": ("Diode",),
    "bipolar_transistor": ("BipolarTransistor",),
    "mosfet": ("MOSFET",),
    "switch": ("Switch",),
    "transformer": ("Transformer",),
    "gyrator": ("Gyrator",),
    "controlled_source": (
        "VoltageControlledVoltageSource",
        "CurrentControlledCurrentSource",
        "VoltageControlledCurrentSource",
        "CurrentControlledVoltageSource",
    ),
    "operational_amplifier": ("OperationalAmplifier",),
    "meters": (
        "Voltmeter",
        "Ammeter",
    ),
    "law_element": ("LawElement",),
    "pipe": ("Pipe",),
    "valve": ("Valve",),
    "relief_valve": ("ReliefValve",),
    "motor": ("Motor",),
    "solenoid": ("Solenoid",),
    "piezo_stack": ("PiezoStack",),
    "piston": ("Piston",),
}

__getattr__ = names_from(__name__, _KINDS)
ELEMENTS.declare(__getattr__, (name for names in _KINDS.values() for name in names))
