"""Beams: a line of geometrically exact or co-rotational elements."""
