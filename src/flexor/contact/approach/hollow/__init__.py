"""Bores, funnels, races and slots: what is in them, and at their mouths."""
