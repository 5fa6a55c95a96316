# ruff: noqa: I001
"""Transmissions, which couple joint variables, one file each. A new one is one more line here, which lists it in TRANSMISSIONS."""

from flexor.declaration import registered
from flexor.transmissions.transmission import Transmission as Transmission

from flexor.transmissions.gear import Gear as Gear
from flexor.transmissions.rack_and_pinion import RackAndPinion as RackAndPinion
from flexor.transmissions.screw import Screw as Screw
from flexor.transmissions.planetary import Planetary as Planetary
from flexor.transmissions.belt import Belt as Belt
from flexor.transmissions.coupling import Coupling as Coupling

TRANSMISSIONS = registered(globals())
