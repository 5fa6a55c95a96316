"""``python -m benchmarks rigid-chain --n 10 100 1000``: run one benchmark by name."""

from __future__ import annotations

import argparse
import importlib
import os
import sys

BENCHMARKS = {
    "beams": "benchmarks.beams",
    "contact": "benchmarks.contact",
    "frequency": "benchmarks.frequency",
    "fatigue": "benchmarks.fatigue",
    "recovery": "benchmarks.recovery",
    "tlm": "benchmarks.tlm",
    "viewer": "benchmarks.viewer",
    "nets": "benchmarks.nets",
    "reduction": "benchmarks.reduction",
    "factorisation": "benchmarks.factorisation",
    "flexible-chain": "benchmarks.flexible_chain",
    "friction-chain": "benchmarks.friction_chain",
    "rigid-chain": "benchmarks.rigid_chain",
    "start": "benchmarks.start",
    "tree": "benchmarks.tree",
    "whole-mesh": "benchmarks.whole_mesh",
    "rigid-chain-exudyn-settings": "benchmarks.rigid_chain_exudyn_settings",
}

# One thread for everybody; numerical libraries read these when they are loaded.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")


def main(argv: list[str]) -> int:
    chooser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    chooser.add_argument("name", choices=BENCHMARKS, help="which benchmark to run")
    name = chooser.parse_args(argv[:1]).name
    module = importlib.import_module(BENCHMARKS[name])
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks {name}", description=module.__doc__)
    module.add_arguments(parser)
    return module.run(parser.parse_args(argv[1:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
