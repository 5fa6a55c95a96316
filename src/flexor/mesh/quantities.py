"""Field types of sections: floats in SI, given as numbers or as text with a unit."""

from flexor.declaration import quantity

Area = quantity("area")
SecondMoment = quantity("second moment of area")
LinearDensity = quantity("linear density")
Stiffness = quantity("stiffness")
RotationalStiffness = quantity("rotational stiffness")
