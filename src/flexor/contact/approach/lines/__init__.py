"""Cylinders and cones on other surfaces: along lines, over edges, on ends."""
