"""From elements to the equations of a mesh: numbering, matrices, loads, ties, initial stress, and stress back from displacements."""
