"""Abaqus and CalculiX input files."""
