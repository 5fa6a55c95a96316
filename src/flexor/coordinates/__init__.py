"""Scalar coordinates between markers, and the two laws on them: a force along one, a constraint on one."""
