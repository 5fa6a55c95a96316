"""Contours of prisms and profiles of bodies of revolution on planes and on each other."""
