"""Vibration under harmonic excitation: small motions about a state, from any inputs to any outputs.   FTG 7.9"""
