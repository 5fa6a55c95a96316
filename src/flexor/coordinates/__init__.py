"""Scalar coordinates between markers, and the laws on them: a force along one or a sum of them, a constraint on it."""
