"""A run loads what its model needs: neither the compiler nor what other models or analyses use."""

from __future__ import annotations

import subprocess
import sys

MODEL = """
name: pendulum
gravity: [0, -9.81, 0]
items:
  - {type: rigid_body, name: arm, mass: 1.2, inertia: [1.0e-4, 0.01, 0.01], center_of_mass: [0.25, 0, 0]}
  - {type: revolute, name: pin, a: ground, b: arm, axis: z}
"""
NOT_LOADED = (
    *("numba", "scipy", "matplotlib", "rich.progress", "flexor.fatigue", "flexor.hierarchy"),
    *("flexor.solve.statics", "flexor.solve.modes", "flexor.solve.bending", "flexor.io.read_mesh"),
    *(
        "http.client",
        "flexor.recover",
        "flexor.viewer",
        "flexor.cosim",
        "flexor.solve.frequency",
        "flexor.solve.periodic",
    ),
)


def test_a_pendulum_needs_neither_compiler_nor_other_analyses(tmp_path):
    (tmp_path / "pendulum.yaml").write_text(MODEL, encoding="utf-8")
    script = """
import sys
from flexor.cli.app import main
sys.argv = ["flexor", "run", "pendulum.yaml", "--until", "0.01", "--step", "0.001", "--quiet"]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print("\\n".join(sorted(sys.modules)), file=sys.stderr)
from flexor.model.items import ITEMS
print("\\n".join("ready:" + kind.__name__ for kind in ITEMS if kind.__pydantic_complete__), file=sys.stderr)
"""
    for _ in range(2):  # the first one may have to compile
        run = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
    loaded = run.stderr.split()
    assert "flexor.solve.dynamics" in loaded
    assert [each for each in NOT_LOADED if each in loaded] == []
    assert [each for each in loaded if each.startswith("ready:")] == ["ready:RigidBody", "ready:Revolute"]
