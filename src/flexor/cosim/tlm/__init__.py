"""Transmission lines between simulators: each end of a connection sees the other one a short time ago."""
