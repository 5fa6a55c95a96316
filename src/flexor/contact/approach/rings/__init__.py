"""Circles of bodies of revolution on other surfaces: rims, slices, tori."""
