"""Debian's Open MPI with mpi4py: mpiexec for tests, installed where that is possible."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

QUIET = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}


def installed() -> str:
    """Why there is no MPI, after an attempt to install it; empty if there is one.

    Workers that run side by side take turns; FLEXOR_NO_INSTALL=1 leaves the machine as it is.
    """
    if importlib.util.find_spec("mpi4py") is None:
        return "mpi4py is not installed (pip install mpi4py)"
    if shutil.which("mpiexec") is None and (why := _install()):
        return why
    done = subprocess.run(command(1, "-c", "from mpi4py import MPI"), capture_output=True, text=True, timeout=120)
    return "" if done.returncode == 0 else f"MPI does not work here: {(done.stderr.strip().splitlines() or [''])[-1]}"


def _install() -> str:
    if os.environ.get("FLEXOR_NO_INSTALL") or shutil.which("apt-get") is None or os.geteuid() != 0:
        return "there is no mpiexec; as root: apt-get install openmpi-bin"
    with (Path(tempfile.gettempdir()) / "flexor-openmpi.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if shutil.which("mpiexec") is not None:
            return ""
        for words in (("update", "-q"), ("install", "-y", "-q", "--no-install-recommends", "openmpi-bin")):
            try:
                done = subprocess.run(["apt-get", *words], capture_output=True, text=True, timeout=600, env=QUIET)
            except subprocess.TimeoutExpired:
                return "there is no mpiexec, and apt-get did not install it in ten minutes"
    if shutil.which("mpiexec") is not None:
        return ""
    why = (done.stderr.strip().splitlines() or ["apt-get failed"])[-1]
    return f"there is no mpiexec, and apt-get could not install it: {why}"


def command(ranks: int, *words: str) -> list[str]:
    """Python in so many processes: more than there are processors if need be, and as root if that is who we are."""
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return ["mpiexec", *as_root, "--oversubscribe", "-n", str(ranks), sys.executable, *words]
