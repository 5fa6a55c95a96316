"""Periodic motions of the whole nonlinear mechanism by harmonic balance, and their continuation over frequency."""
