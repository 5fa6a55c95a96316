"""What measures and steers a mechanism, one file each. A new one is one more line here, which lists it in CONTROLS."""

from flexor.control.sensor import Sensor as Sensor
from flexor.declaration import registered

CONTROLS = registered(globals())
