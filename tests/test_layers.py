"""Imports point down the layers, late ones too: what import-linter cannot see or say; and one name has one meaning."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
FACADES = (
    *("flexor/__init__.py", "flexor/reduce/__init__.py", "flexor/model/model.py", "flexor/engine/warm.py"),
    *("flexor/results/run.py", "flexor/later.py", "flexor/viewer/glyphs/__init__.py"),
)
"""Files that find names when they are first asked for; a contract sees nothing of it."""
SAVES = re.compile(r"# loads \w+")

TYPED = "flexor/results/run.py"
"""Names the Model that users see, whose methods `flexor/__init__.pyi` types, for type checkers alone."""


def _layers() -> dict[str, int]:
    """Number of the layer of each folder and file of the package, 0 at the top."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (lines,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    return {name.strip(" ()"): number for number, line in enumerate(lines) for name in line.split(":")}


LAYERS = _layers()
FILES = sorted(SOURCE.rglob("*.py"))
NAMES = [path.relative_to(SOURCE).as_posix() for path in FILES]


def _late(tree: ast.AST, late: str = "") -> Iterator[tuple[ast.Import | ast.ImportFrom, str]]:
    """Imports in a function or for type checkers only, with which of the two."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and late:
            yield node, late
        inside = late
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            inside = "function"
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            inside = late or "types"
        yield from _late(node, inside)


def _modules(statement: ast.Import | ast.ImportFrom) -> list[str]:
    """Dotted names that it loads; `from flexor import solve` loads flexor.solve."""
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    if statement.module == "flexor":
        return [f"flexor.{alias.name}" for alias in statement.names]
    return [statement.module or ""]


def _layer(module: str) -> str:
    return module.removeprefix("flexor").removeprefix(".").split(".")[0]


def _faults(name: str, text: str) -> list[str]:
    """What is wrong with the late imports of a file."""
    own = Path(name).parts[1].removesuffix(".py")
    found = []
    for statement, late in _late(ast.parse(text)):
        lines = text.splitlines()[statement.lineno - 1 : statement.end_lineno]
        for module in _modules(statement):
            if module.split(".")[0] != "flexor" or own == "cli":
                continue
            at = f"{name}:{statement.lineno}: {module}"
            if late == "types" and module == "flexor" and name == TYPED:
                continue
            if _layer(module) not in LAYERS:
                found.append(f"{at} is in no layer")
            elif LAYERS[_layer(module)] < LAYERS[own]:
                found.append(f"{at} stands above {own}")
            elif late == "function" and _layer(module) != own and not any(map(SAVES.search, lines)):
                found.append(f"{at} is loaded late without saying what that saves; write it at the top, or # loads …")
    return found


def test_every_room_has_a_layer():
    rooms = {name.split("/")[1].removesuffix(".py") for name in NAMES} - {"__init__", "__main__"}
    assert rooms - LAYERS.keys() == set()


def test_late_imports_point_down_and_say_what_they_save():
    found = [
        fault
        for name in NAMES
        if name not in ("flexor/__init__.py", "flexor/__main__.py")
        for fault in _faults(name, (SOURCE / name).read_text())
    ]
    assert found == []


def test_faults_are_found():
    text = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from flexor.solve import Modes
    from flexor.law import Term
def f():
    from flexor.law import Term
    from flexor.spatial import Pose  # loads SciPy
    from flexor.bodies.beam import line
    import flexor as fx
    def g():
        from flexor import engine
"""
    found = [fault.split(" ", 1)[1] for fault in _faults("flexor/bodies/body.py", text)]
    assert [fault.split()[0] for fault in found] == ["flexor.solve", "flexor.law", "flexor", "flexor.engine"]
    assert "above" in found[0]
    assert "late" in found[1]
    assert "no layer" in found[2]
    assert "above" in found[3]


def test_nothing_hides_an_import():
    """No module by its name in a string, and none through the package itself, which knows them all."""
    found = []
    for name in NAMES:
        for node in ast.walk(ast.parse((SOURCE / name).read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
                hides = name not in FACADES
            else:
                hides = isinstance(node, ast.Import) and "flexor" in [alias.name for alias in node.names]
                hides = hides and name != TYPED and not name.startswith("flexor/cli/")
            found += [f"{name}:{node.lineno}: {ast.unparse(node)}"] if hides else []
    assert found == []


def test_a_class_has_a_name_of_its_own():
    """But for the decks of two programs, which no file uses together."""
    places: dict[str, list[str]] = {}
    for name in NAMES:
        for node in ast.parse((SOURCE / name).read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name)
    assert {name: files for name, files in places.items() if len(files) > 1}.keys() <= {"Deck"}
