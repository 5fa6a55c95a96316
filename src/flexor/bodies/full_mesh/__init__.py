"""A body with every node of its mesh, element by element co-rotated."""
