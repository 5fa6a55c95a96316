"""Disk space and permissions: found wanting before anything is written, and told in plain words."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from flexor.errors import FileError, Problem
from flexor.files import as_path
from flexor.io.replaceable import check_replaceable
from flexor.results.claim import hold
from flexor.results.run_file import FORMAT


def check_target(path: Path, overwrite: bool) -> None:
    """Complain before the run, not after it, if a results file cannot be written there."""
    if path.is_dir():
        raise unwritable(path, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
    if path.exists() and not path.is_file():
        raise FileError(
            Problem(f"results file {path}", "cannot be written", "it is a device, no file", "choose another")
        )
    if path.exists() and not overwrite:
        raise FileError(Problem(str(path), "exists already", fix="choose another name or overwrite=True"))
    check_replaceable(path, FORMAT, f"results file {path}")
    if not path.parent.is_dir():
        raise unwritable(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
    if not os.access(path.parent, os.W_OK):
        raise unwritable(path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    if (held := hold(path)) is not None:
        held.close()


def target(path: str | Path) -> Path:
    """Where a file of that name is written: through a symbolic link, to where it points."""
    found = absolute(path)
    if not found.is_symlink():
        return found
    try:
        return found.resolve()
    except (OSError, RuntimeError):
        why, fix = "it is a symbolic link that leads back to itself", "remove the link, or choose another file"
        raise FileError(Problem(f"results file {found}", "cannot be written", why, fix)) from None


def absolute(path: str | Path) -> Path:
    """The same path, whatever the working directory will be; FileError where that one was deleted."""
    try:
        return as_path(path, "results file").absolute()
    except FileNotFoundError:
        why = "it is relative to the working directory, which was deleted"
        raise FileError(
            Problem(str(path), "has no place", why, "change to another directory, or give a full path")
        ) from None


def reserve(path: Path, descriptor: int, end: int, need: int) -> None:
    """Claim `need` bytes of disk space behind the first `end` bytes of an open file, or raise OSError."""
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(descriptor, end, need)
            return
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):  # a file system that cannot reserve
                os.ftruncate(descriptor, end)
                raise
    if shutil.disk_usage(path.parent).free < need:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def unwritable(path: Path | None, error: Exception) -> FileError:
    """The failure to write a results file, with its cause and remedy."""
    otherwise = str(error).split("\n")[0], "check the disk, or choose another file"
    why, fix = _REMEDIES.get(getattr(error, "errno", None) or 0, otherwise)
    return FileError(Problem(f"results file {path or 'in memory'}", "cannot be written", why, fix))


_REMEDIES = {
    errno.ENOSPC: ("the disk is full", "free some space, or choose a file on another disk"),
    errno.EDQUOT: ("your quota on that disk is used up", "free some space, or choose a file on another disk"),
    errno.EFBIG: ("the file is larger than the system allows", "record fewer signals or less often"),
    errno.EACCES: ("the folder is not writable", "choose a folder of your own"),
    errno.EROFS: ("the disk is read-only", "choose a folder of your own"),
    errno.ENOENT: ("its folder does not exist", "create the folder first"),
    errno.ENOTDIR: ("its folder is a file", "choose another name"),
    errno.EISDIR: ("it is a folder", "add a file name, e.g. results.flexor.h5"),
}
