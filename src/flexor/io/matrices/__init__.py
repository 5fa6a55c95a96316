"""Stiffness, mass and damping matrices of other programs."""
