"""Convex solids: the direction along which they are separated most, and the corners of what flat faces share."""
