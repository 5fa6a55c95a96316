"""The writer of a run file: what a solver hands its results to while it runs.

A solver calls  open → rows, history, checkpoint, … → close.  Data are collected in memory and written
together every half second, so a killed process loses no more than that.

A full disk. HDF5 cannot be trusted after a failed write: its close may crash the process. Every write is
therefore preceded by a reservation of disk space through the operating system. Where that fails, HDF5 has not
been touched, and the file is closed in good order with everything written before.

Other programs. The file is locked against other runs, and looked at before and after every write: where another program
deleted it, what was written is saved; where another program cut it short, it is marked as damaged. Either ends the run. At
the end all is read back before the file is sealed (flexor.results.read_back).
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import h5py
import numpy as np
from numpy.typing import ArrayLike

from flexor.errors import FileError, Problem
from flexor.io import seal
from flexor.io.replaceable import check_replaceable
from flexor.results import run_file
from flexor.results.bodies import files_of
from flexor.results.claim import SPOILED, Claim
from flexor.results.disk import absolute, check_target, reserve, target, unwritable
from flexor.results.in_memory import Checkpoint, RunInMemory
from flexor.results.read_back import FileDamage, Written
from flexor.results.rounding import check_digits, rounded
from flexor.results.run import Run
from flexor.warning import warn

if TYPE_CHECKING:
    from flexor.model import Model

INTERVAL = 0.5
"""Seconds between writes."""
BUFFER = 8 << 20
"""Bytes collected at most between writes."""
MARGIN = 1 << 20
"""Bytes reserved beyond the data, for the index that HDF5 keeps of them."""


class RunWriter:
    """Writes one run to a file, or keeps it in memory where `file` is None.

    model: the model that is run; its text stands in the file.   settings: what the user asked for.
    overwrite: whether an existing file of that name may be replaced; it is once the new one has been created.
    compress: gzip the signals: smaller, but slower to write.   digits: see `rounding`; they are compressed, too.
    earlier: a Run to continue; its rows up to its checkpoint become the first rows of this one.
    """

    def __init__(
        self,
        model: Model,
        settings: Mapping[str, object],
        *,
        file: str | Path | None = None,
        overwrite: bool = True,
        compress: bool = False,
        digits: int | None = None,
        earlier: Run | None = None,
    ) -> None:
        self.path = None if file is None else target(file)
        self.stored: h5py.File = None
        """The open HDF5 file, if there is one."""
        self._memory: RunInMemory | None = None
        """What takes its place without a file."""
        self.opened = False
        """Whether there are results to look at."""
        self.closed = False
        if earlier is not None:
            compress, digits = earlier.packing
        check_digits(digits)
        self._model, self._settings, self._earlier = model, dict(settings), earlier
        self._compress, self._digits = compress or digits is not None, digits
        self._rows: list[np.ndarray] = []
        self._steps: list[np.ndarray] = []
        self._state: Checkpoint | None = None
        self._n_rows = self._n_steps = self._buffered = 0
        self._start = -np.inf  # rows up to this time are known already
        self._written = 0.0
        self._clock = 0.0  # when the run began
        self._claim: Claim | None = None
        self._size = 0  # bytes of the file after the last write
        self._written_rows = Written()
        if self.path is not None:
            check_target(self.path, overwrite)

    def open(self, columns: Sequence[tuple[str, str]], meta: Mapping[str, object]) -> None:
        """Create the file, before the first row. columns: (name, unit); the first is ("time", "s")."""
        spent = self._earlier.seconds if self._earlier else float(meta.get("seconds", 0.0))  # type: ignore[arg-type]
        self._clock = time.monotonic() - spent
        if marks := files_of(self._model):
            meta = {**meta, "files": {path: [mark.length, mark.checksum] for path, mark in marks.items()}}
        if getattr(self._model, "source", ()):  # what it consists of, beside the components as they were given
            meta = {**meta, "flat_model": self._model.replace(items=self._model.items).to_text()}
        if self._digits is not None:
            meta = {**meta, "digits": self._digits}
        text = "" if self.path is None else self._model.with_files(lambda name: str(absolute(name))).to_text()
        contents = (columns, text, self._settings, meta, self._compress)
        if self._earlier is not None and list(self._earlier.units.items()) != [tuple(c) for c in columns]:
            what, why = "records other signals than before", "a continued run keeps its columns"
            raise FileError(Problem(repr(self._earlier), what, why, "run the changed model from the start"))
        if self.path is None:
            self._memory = RunInMemory(columns, self._settings, meta)
            self._copy_earlier()
        else:
            image = io.BytesIO()
            with h5py.File(image, "w", libver="latest", userblock_size=seal.SIZE) as empty:
                run_file.lay_out(empty, *contents)
            self._create(self.path, image.getvalue())
        self.opened = True

    def rows(self, rows: np.ndarray) -> None:
        """Recorded rows, one column per signal, times increasing."""
        rows = np.array(rows, dtype=float, ndmin=2)
        if self._start > -np.inf:
            rows = rows[rows[:, 0] > self._start]
        if self._digits is not None:
            rows[:, 1:] = rounded(rows[:, 1:], self._digits)
        self._rows.append(rows)
        self._n_rows += len(rows)
        self._collected(rows.nbytes)

    def history(self, steps: np.ndarray) -> None:
        """A StepRow per step."""
        steps = run_file.whole_history(np.array(steps, dtype=float, ndmin=2))
        self._steps.append(steps)
        self._n_steps += len(steps)
        self._collected(steps.nbytes)

    def checkpoint(self, state: Mapping[str, ArrayLike]) -> None:
        """Everything needed to continue from here; replaces the earlier one."""
        arrays = {name: np.array(value) for name, value in state.items()}
        self._state = (arrays, self._n_rows, self._n_steps)
        self._collected(0)

    def close(self, status: str, message: str = "") -> None:
        """End of the run: "finished", "interrupted" or "failed", and why. A second call is ignored."""
        if self.closed:
            return
        self.closed = True
        if not self.opened:
            return
        failure = None
        try:
            self._write(status, message)
        except FileError as error:
            failure, status, message = error, "failed", str(error)
        if self.path is None or self._claim is not None:
            try:
                run_file.set_status(self._memory or self.stored, status, message)
                if self._claim is not None:
                    self._close_file()
                    self._seal(self._claim)
                    self._claim.drop()
                    self._claim = None
            except FileDamage:
                self._abandon(SPOILED, status, message)
            except (OSError, RuntimeError) as error:
                failure = failure or unwritable(self.path, error)
        if failure is not None:
            raise failure

    def run(self) -> Run:
        """The results written so far."""
        if not self.opened:
            raise FileError(Problem(str(self.path or "run"), "has no results", "the solver did not begin"))
        source = self._memory or self.path
        assert source is not None
        return Run(source, model=self._model)

    def _create(self, path: Path, image: bytes) -> None:
        """Put the file to its place, complete with the earlier rows, and open it for appending."""
        try:
            self._claim = Claim(path, image)
            if self._earlier is not None:
                self.stored = _append_mode(self._claim.place)
                self._copy_earlier()
                self._close_file()
            check_replaceable(path, run_file.FORMAT, f"results file {path}")  # perhaps one that is new
            self._claim.take_place()
            self.stored = _append_mode(path)
            self._size = self.stored.id.get_filesize()
        except BaseException as error:
            if self._claim is not None:
                self._claim.drop()
                self._claim = None
            if isinstance(error, OSError):
                raise unwritable(path, error) from None
            raise

    def _copy_earlier(self) -> None:
        if self._earlier is None:
            return
        state, rows, steps = self._earlier.checkpoint()
        start = -np.inf
        for block in self._earlier.blocks("signals", rows):
            self.rows(block)
            start = block[-1, 0]
        for block in self._earlier.blocks("history", steps):
            self.history(block)
        self.checkpoint(state)
        self._write()
        self._start = start

    def _collected(self, size: int) -> None:
        self._buffered += size
        if self._buffered > BUFFER or time.monotonic() > self._written + INTERVAL:
            self._write()

    def _write(self, status: str = "", message: str = "") -> None:
        """Write what was collected and make sure that a reader sees it. Interrupted, it may be repeated.

        status, message: how the run ended, if it has.
        """
        if self._memory is not None:
            self._keep(self._memory)
            return
        assert self._claim is not None
        if not (lost := self._claim.lost(self._size)):
            self._put_all()
            lost = self._claim.lost(self._size)
        if lost:
            self._abandon(lost, status, message)
        else:
            self._watch(self._claim)

    def _keep(self, memory: RunInMemory) -> None:
        """What was collected joins what is kept in memory."""
        memory["signals"].extend(self._rows, self._n_rows)
        memory["history"].extend(self._steps, self._n_steps)
        if self._state is not None:
            memory.keep_state(self._state)
        memory["seconds"][()] = time.monotonic() - self._clock
        self._forget()
        self._written = time.monotonic()

    def _put_all(self) -> None:
        rows, steps = self._rows, self._steps
        archive = run_file.pack(self._state[0]) if self._state else b""
        try:
            if self.path is not None:
                need = MARGIN + _need(self.stored["signals"], rows) + _need(self.stored["history"], steps)
                need += len(archive) + run_file.SLOT_CHUNK
                file = self.stored.id
                reserve(self.path, file.get_vfd_handle(), file.get_filesize(), need)
            for table, end, blocks in (("signals", self._n_rows, rows), ("history", self._n_steps, steps)):
                if blocks:
                    added = np.concatenate(blocks)
                    _put(self.stored[table], end, added)
                    if self.path is not None:
                        self._written_rows.add(table, end, added)
            self.stored["seconds"][()] = time.monotonic() - self._clock
            self.stored.flush()
            if self._state is not None:
                run_file.write_checkpoint(self.stored, archive, *self._state[1:])
            self._size = self.stored.id.get_filesize()
        except (OSError, RuntimeError) as error:
            self._forget()
            raise unwritable(self.path, error) from None
        self._forget()
        self._written = time.monotonic()

    def _abandon(self, lost: str, status: str, message: str) -> None:
        """End the file after another program took it away, saving what was written, or spoiled it."""
        claim, self._claim, self.closed = self._claim, None, True
        assert claim is not None
        where, what = f"results file {self.path}", f"was {lost} by another program during the run"
        try:
            if lost == SPOILED:
                raise self._spoiled(claim)
            self._put_all()
            run_file.set_status(self.stored, status or "failed", message if status else f"{where} {what}")
            self._close_file()
            self._seal(claim)
            self.path = claim.rescue()
        except FileDamage:
            raise self._spoiled(claim) from None
        except OSError as error:
            raise unwritable(self.path, error) from None
        finally:
            claim.drop()
        kept = f"what it held is kept in {self.path}"
        if status != "finished":
            raise FileError(Problem(where, what, kept, "continue from there: fx.Run(file).continue_until(…)"))
        warn(f"{where} {what}; {kept}")

    def _spoiled(self, claim: Claim) -> FileError:
        """Mark the file as damaged; what to say of it."""
        if self.stored is not None:
            self.stored.close()
        self.stored, self.opened = None, False
        claim.condemn(self._size)
        right = self._n_rows
        try:
            self._written_rows.compare(claim.file)
        except FileDamage as damage:
            right = damage.rows
        where, what = f"results file {self.path}", f"was {SPOILED} by another program during the run"
        why, fix = "its results are lost", "run the model again, to a file that nothing else writes"
        if right:
            why = f"of its {self._n_rows} rows only the first {right} are sure to be what was written"
            fix += "; fx.Run(file, verify=False) shows what is left"
        return FileError(Problem(where, what, why, fix))

    def _seal(self, claim: Claim) -> None:
        """Mark the closed file as finished, once it was read back; FileDamage where it is not what was written."""
        seal.finish(claim.file, claim.seal.token, lambda: self._written_rows.compare(claim.file))

    def _watch(self, claim: Claim) -> None:
        """Have an eye on the last chunk of the signals that is full and will not be written again."""
        signals, height = self.stored["signals"], run_file.CHUNK[0]
        row = signals.shape[0] // height - 1
        if row >= 0:
            chunk = signals.id.get_chunk_info_by_coord((row * height, 0))
            if chunk.byte_offset is not None:
                claim.watch(chunk.byte_offset, chunk.size)

    def _forget(self) -> None:
        self._rows, self._steps, self._state, self._buffered = [], [], None, 0

    def _close_file(self) -> None:
        self.stored.flush()
        file = self.stored.id
        os.ftruncate(file.get_vfd_handle(), file.get_filesize())  # gives back what was reserved
        self.stored.close()
        self.stored = None


def _append_mode(path: Path) -> h5py.File:
    """A complete file opened for appending, with readers allowed."""
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
    access.set_file_locking(False, True)  # readers do not lock either, and the file is ours
    flags = h5py.h5f.ACC_RDWR | h5py.h5f.ACC_SWMR_WRITE
    return h5py.File(h5py.h5f.open(os.fsencode(path), flags=flags, fapl=access))


def _need(dataset: h5py.Dataset, blocks: list[np.ndarray]) -> int:
    """Bytes by which more rows may enlarge the file: whole chunks, the last one anew if it is compressed."""
    rows, columns = dataset.chunks
    count = sum(len(block) for block in blocks)
    return 8 * (count // rows + 2) * rows * (dataset.shape[1] // columns + 1) * columns if count else 0


def _put(dataset: h5py.Dataset, end: int, rows: np.ndarray) -> None:
    """Make some rows the last ones of a table of `end` rows."""
    if len(rows):
        dataset.resize(end, axis=0)
        dataset[end - len(rows) :] = rows
