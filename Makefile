# Needs make and a Python >= 3.11 with pip and venv; nothing is compiled by a C compiler.
#   make demo | test | check | format | bench | clean          PYTHON=python3.12 chooses the interpreter

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check format bench clean

# Its files go into the folder demo.
demo: .venv/.stamp
	mkdir -p demo && cd demo && ../$(BIN)/flexor demo

# Laws and kernels are compiled once into the cache before the parallel workers start.
test: .venv/.stamp
	$(BIN)/python -m flexor.engine.warm
	$(BIN)/python -m pytest -n 2 --dist loadfile -q

check: .venv/.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.bench
	for each in rigid-chain friction-chain flexible-chain beams reduction recovery fatigue; do $(BIN)/python -m benchmarks $$each || exit 1; done

.venv/.stamp: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --editable '.[dev,plot,solvers]'
	@touch $@

.venv/.bench: .venv/.stamp
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --editable '.[bench]'
	@touch $@

clean:
	rm -rf .venv build dist demo .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
