"""Signed distance of a point from a solid, one file a kind: what every approach is built from.

    distance_<kind>(size, y) → d, n, t, k, c

y: the point in the frame of the solid [m].   d: its distance from the surface, negative inside the solid [m].   n = ∇d, of unit length.
The second derivative of d is  ∇∇d = k t tᵀ + c b bᵀ  with the unit vector t across n and b = n × t: curvatures of the surface
through y at distance d [1/m]; those of the solid itself are κ = k/(1 − k d). All are numbers or duals; where the nearest point is not
unique (the centre of a sphere, the axis of a cylinder) one of them is taken, always the same.
"""
