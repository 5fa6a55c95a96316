"""NumPy archives (.npz): matrices K, M, C with their degrees of freedom and node positions.

Written: K_data, K_indices, K_indptr (compressed columns; likewise M, C), dofs (n, 2), node_ids (k,), points (k, 3).
Read: also dense K, M, C, and the files of scipy.sparse.save_npz, one matrix each.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

import numpy as np
from scipy import sparse

from flexor.io.file_text import wrong
from flexor.io.matrices.matrix_model import Entries, MatrixModel, full_matrix
from flexor.io.replaceable import write_file

_UNREADABLE = (
    *(OSError, ValueError, KeyError, EOFError, AttributeError, RuntimeError, SyntaxError, TypeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error),
)
"""What zipfile and NumPy raise on damaged archives."""


def write_matrices(path: str | Path, model: MatrixModel) -> None:
    """Store a matrix model (SI) in one .npz archive."""
    arrays: dict[str, np.ndarray] = {"dofs": model.dofs, "node_ids": model.node_ids, "points": model.points}
    for name, A in (("K", model.K), ("M", model.M), ("C", model.C)):
        if A is not None:
            A = sparse.csc_matrix(A)
            arrays |= {f"{name}_data": A.data, f"{name}_indices": A.indices, f"{name}_indptr": A.indptr}
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)  # type: ignore[arg-type]
    path = Path(path)
    write_file(
        path if path.suffix == ".npz" else path.with_name(f"{path.name}.npz"), content.getvalue(), "archive of matrices"
    )


def read_archive(path: Path) -> dict[str, np.ndarray]:
    """All arrays of an archive; a FileError if it cannot be read."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except FileNotFoundError:
        raise wrong(path, None, "file does not exist", fix="check the name and the folder") from None
    except _UNREADABLE as error:
        what = f"the archive cannot be read: {error}"
        raise wrong(path, None, what, fix="it may be cut off: write it again") from None


def matrix_of(arrays: dict[str, np.ndarray], name: str, path: Path) -> sparse.csc_matrix | None:
    """Matrix K, M or C of an archive, or its only one if it was stored alone."""
    if {"indices", "indptr", "data", "shape"} <= arrays.keys():
        parts = {"data": arrays["data"], "indices": arrays["indices"], "indptr": arrays["indptr"]}
    elif f"{name}_data" in arrays:
        parts = {key: arrays.get(f"{name}_{key}", np.zeros(0)) for key in ("data", "indices", "indptr")}
    elif name in arrays:
        dense = arrays[name]
        if dense.ndim != 2 or dense.shape[0] != dense.shape[1] or dense.dtype.kind not in "fiu":
            raise wrong(path, None, f"{name} is no square matrix of real numbers", fix="store it as one")
        rows, columns = np.nonzero(dense)
        return full_matrix(Entries(rows, columns, dense[rows, columns].astype(float), len(dense)), path, name)
    else:
        return None
    n = len(parts["indptr"]) - 1
    try:
        A = sparse.csc_matrix((parts["data"].astype(float), parts["indices"], parts["indptr"]), shape=(n, n))
        A.check_format(full_check=True)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise wrong(path, None, f"{name} is garbled: {error}", fix="write the archive again") from None
    if "format" in arrays and arrays["format"].tobytes().replace(b"\0", b"") == b"csr":
        A = A.T
    coo = A.tocoo()
    return full_matrix(Entries(coo.row.astype(np.int64), coo.col.astype(np.int64), coo.data, n), path, name)
