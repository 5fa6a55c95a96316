"""Evaluate the law of one element of a mechanism as plain Python, at the mechanism's initial state."""

import numpy as np


def evaluate(mechanism, element, want, time=0.0):
    """Residual rows of the element and its scratch memory."""
    nodes = [mechanism.nodes[number] for number in element.nodes]
    size = element.size
    r, K, w = np.zeros(size), np.zeros(size * size), np.zeros(max(element.law.scratch, 256))
    c = np.array([1.0, 1.0, 1.0, 1e-3, *mechanism.gravity, 1.0])
    state = [np.concatenate([np.ravel(getattr(node, name)) for node in nodes]) for name in ("x", "R", "v")]
    status = element.law.function(
        want, (len(nodes), 0, len(element.rows)), element.ints, element.words(python=True),
        np.array([*element.history, 0.0]), time, c, *state, np.zeros(6 * len(nodes)), np.zeros(0),
        np.zeros(len(element.rows)), r, K, w,
    )  # fmt: skip
    assert status == 0, element.law.errors[status]
    return r, w
