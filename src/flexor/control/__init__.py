"""What measures and steers a mechanism, one file each. A new one is one more line here, which lists it in CONTROLS."""

from flexor.control.basic_blocks import Adder as Adder
from flexor.control.basic_blocks import Amplifier as Amplifier
from flexor.control.basic_blocks import Comparator as Comparator
from flexor.control.basic_blocks import Multiplier as Multiplier
from flexor.control.basic_blocks import Power as Power
from flexor.control.compensators import PD as PD
from flexor.control.compensators import PI as PI
from flexor.control.compensators import PID as PID
from flexor.control.compensators import PILimitedD as PILimitedD
from flexor.control.compensators import PLimitedD as PLimitedD
from flexor.control.compensators import PLimitedI as PLimitedI
from flexor.control.compensators import PLimitedILimitedD as PLimitedILimitedD
from flexor.control.hysteresis import Hysteresis as Hysteresis
from flexor.control.integrator import Integrator as Integrator
from flexor.control.integrator import LimitedDerivative as LimitedDerivative
from flexor.control.piecewise_blocks import DeadZone as DeadZone
from flexor.control.piecewise_blocks import Limitation as Limitation
from flexor.control.piecewise_blocks import LogicSwitch as LogicSwitch
from flexor.control.poles import ComplexPole as ComplexPole
from flexor.control.poles import FirstOrder as FirstOrder
from flexor.control.poles import RealPole as RealPole
from flexor.control.poles import SecondOrder as SecondOrder
from flexor.control.sample_and_hold import SampleAndHold as SampleAndHold
from flexor.control.sensor import Sensor as Sensor
from flexor.control.state_space import StateSpace as StateSpace
from flexor.control.time_delay import TimeDelay as TimeDelay
from flexor.control.transfer_function import TransferFunction as TransferFunction
from flexor.control.user_block import UserBlock as UserBlock
from flexor.declaration import registered

CONTROLS = tuple(kind for kind in registered(globals()) if kind is not UserBlock)
"""All but the user's own block: no file can carry its code."""
