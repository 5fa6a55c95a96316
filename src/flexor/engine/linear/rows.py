"""Some rows of a sparse matrix, without SciPy, which takes a tenth of a second to load and most runs do not need."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy import sparse


class MatrixRows(NamedTuple):
    """Entries row by row: values, columns, where each row begins; and (rows, columns) of the matrix."""

    data: NDArray[np.float64]
    indices: NDArray[np.int64]
    indptr: NDArray[np.int64]
    shape: tuple[int, int]

    @property
    def csr(self) -> sparse.csr_array:
        """The same for SciPy."""
        from scipy import sparse

        return sparse.csr_array((self.data, self.indices, self.indptr), shape=self.shape)

    @property
    def row(self) -> NDArray[np.int64]:
        """The row of each entry."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.indptr))

    def chosen(self, rows: list[int] | NDArray[np.int64]) -> MatrixRows:
        """Some of the rows, in the order given."""
        which = np.asarray(rows, dtype=np.int64)
        first, counts = self.indptr[which], np.diff(self.indptr)[which]
        begin = np.concatenate([[0], np.cumsum(counts)])
        places = np.arange(begin[-1]) + np.repeat(first - begin[:-1], counts)
        return MatrixRows(self.data[places], self.indices[places], begin, (len(which), self.shape[1]))

    def without_zeros(self) -> MatrixRows:
        """The same without entries that are zero."""
        kept = self.data != 0.0
        begin = np.concatenate([[0], np.cumsum(np.bincount(self.row[kept], minlength=self.shape[0]))])
        return MatrixRows(self.data[kept], self.indices[kept], begin, self.shape)
