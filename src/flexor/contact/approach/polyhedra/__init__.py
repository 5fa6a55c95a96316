"""Boxes, prisms and triangulated surfaces on each other: corners on faces, edges across edges."""
