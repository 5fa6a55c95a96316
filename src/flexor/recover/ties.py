"""Nodes that ties hold: stress there tells of the tie as well as of the part."""

from __future__ import annotations

import numpy as np

from flexor.mesh.mesh import Mesh


def tied_nodes(mesh: Mesh | None) -> np.ndarray:
    """Numbers of the nodes that rigid links or bars carry, or that an average is taken over, interfaces among them."""
    if mesh is None:
        return np.empty(0, dtype=int)
    tied = [n for link in mesh.rigid_links for n in (link.node, *link.dependents)]
    tied += [n for bar in mesh.rigid_bars for n in bar.nodes]
    tied += [n for link in mesh.average_links for n in (link.node, *link.independents)]
    return mesh.node_ids[np.unique(np.array(tied, dtype=int))]
