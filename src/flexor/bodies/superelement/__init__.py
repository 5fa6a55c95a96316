"""A reduced body carried by its connection nodes, co-rotated."""
