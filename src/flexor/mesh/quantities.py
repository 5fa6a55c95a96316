"""Field types of sections: floats in SI, given as numbers or as text with a unit."""

from typing import Annotated

from flexor.declaration import quantity

Area = Annotated[float, quantity("area")]
SecondMoment = Annotated[float, quantity("second moment of area")]
LinearDensity = Annotated[float, quantity("linear density")]
Stiffness = Annotated[float, quantity("stiffness")]
RotationalStiffness = Annotated[float, quantity("rotational stiffness")]
