"""Nastran bulk data."""
