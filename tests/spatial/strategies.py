"""Random vectors and rotations, with the awkward ones among them."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

law = settings(derandomize=True, deadline=None, max_examples=100)

EPS = np.finfo(float).eps
π = np.pi


def numbers(size: float = 10.0) -> st.SearchStrategy[float]:
    return st.floats(-size, size, allow_subnormal=False)


def vectors(size: float = 10.0) -> st.SearchStrategy[np.ndarray]:
    return st.tuples(numbers(size), numbers(size), numbers(size)).map(np.array)


def _normalised(v: np.ndarray) -> np.ndarray:
    v = v / np.max(np.abs(v))
    return v / np.linalg.norm(v)


def directions() -> st.SearchStrategy[np.ndarray]:
    """Unit vectors; the axes, both ways, come up often."""
    axes = st.sampled_from([sign * axis for axis in np.eye(3) for sign in (1.0, -1.0)])
    anywhere = vectors().filter(lambda v: np.max(np.abs(v)) > 1e-200).map(_normalised)
    return st.one_of(axes, anywhere)


def rotation_vectors(largest: float = 40 * π) -> st.SearchStrategy[np.ndarray]:
    """Any angle up to the largest, often a critical one: 0, ½, 1, 1½ turns or more, nearly so or exactly."""
    offsets = (0, 1e-12, -1e-12, 1e-8, -1e-8, 1e-4, -1e-4)
    critical = [half_turns * π + off for half_turns in range(41) for off in offsets]
    fitting = [angle for angle in critical if 0 <= angle <= largest]
    angles = st.one_of(st.floats(0, largest), st.sampled_from(fitting), st.floats(0, 1e-3))
    return st.builds(lambda angle, axis: angle * axis, angles, directions())


def rotations() -> st.SearchStrategy[np.ndarray]:
    """Rotation matrices made by SciPy."""
    return rotation_vectors(π).map(lambda v: Rotation.from_rotvec(v).as_matrix())


def error(a, b) -> float:
    """Largest absolute difference of two arrays of the same shape."""
    assert np.shape(a) == np.shape(b)
    return float(np.max(np.abs(np.asarray(a) - np.asarray(b))))
