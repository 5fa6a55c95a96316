"""Seals in front of HDF5 files, and files that HDF5 would wait for."""

import h5py
import numpy as np
import pytest

from flexor.io import seal
from flexor.io.steady_hdf5 import checksum, steady


def test_a_seal_comes_back_and_no_changed_byte_passes():
    for state in (seal.Seal(seal.WRITING, token="ab"), seal.Seal(seal.FINISHED, 12345, 0xDEADBEEF)):
        block = state.block()
        assert len(block) == seal.SIZE
        assert seal.read_seal(block) == state
        for i in range(len(block)):
            assert seal.read_seal(block[:i] + bytes([block[i] ^ 1]) + block[i + 1 :]) is None
    for other in (b"", b"\0" * 512, b"\xff" * 512, b"state x\nbytes y\n"):
        assert seal.read_seal(other) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [(b"", 0xDEADBEEF), (b"Four score and seven years ago", 0x17770551)],  # Jenkins, lookup3.c, driver5
)
def test_the_check_sum_is_that_of_lookup3(text, expected):
    assert checksum(text) == expected


@pytest.mark.parametrize("userblock", [0, 512])
def test_a_file_left_open_for_writing_is_read_as_it_stands(tmp_path, userblock):
    path = tmp_path / "a.h5"
    file = h5py.File(path, "w", libver="latest", userblock_size=userblock)
    data = file.create_dataset("x", (0,), maxshape=(None,), chunks=(100,), dtype=float)
    file.swmr_mode = True
    data.resize(1000, axis=0)
    data[:] = np.arange(1000)
    file.flush()
    left = path.read_bytes()
    assert left[userblock + 11] != 0  # the mark
    file.close()
    path.write_bytes(left)
    with steady(path) as found:
        np.testing.assert_array_equal(found["x"], np.arange(1000))
    assert path.read_bytes() == left
    path.write_bytes(left[:-50])
    with pytest.raises(OSError, match=r"has \d+ of \d+ bytes"), steady(path):
        pass
    path.write_bytes(left[: userblock + 20] + b"\1" + left[userblock + 21 :])
    with pytest.raises(OSError, match="the superblock is damaged"), steady(path):
        pass
