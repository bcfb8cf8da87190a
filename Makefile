# Everything a newcomer needs: `make demo` and `make test`. Both create .venv and install into it.
PYTHON ?= python3
BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)
BENCH := $(subst .venv,.venv-bench,$(BIN))
PIP := $(BIN)/python -m pip --quiet
PAGE := src/gyrostat/pictures/page
STUDIO := src/gyrostat/studio/page

.PHONY: demo test soak lint bench docs page clean

.venv/package: pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) install --upgrade pip
	$(PIP) install --editable ".[plots]"
	@touch $@

.venv/tools: .venv/package
	$(PIP) install --editable ".[test,plots]"
	$(PIP) install --editable ".[docs]" || echo "Sphinx is missing; the browser test of the documentation will be skipped."
	$(PIP) install --editable ".[cluster]" || echo "Dask is missing; tests of sweeps on a cluster will be skipped."
	$(PIP) install --editable ".[peers]" || echo "Peers are missing; tests against them will be skipped."
	$(PIP) install --only-binary pybullet,example-robot-data --editable ".[robots]" || echo "Public robots are missing; tests of their files will be skipped."
	$(PIP) install --no-deps dm_control || echo "dm_control is missing; tests of its files will be skipped."
	@touch $@

# A browser for the tests of the animation page: found, or installed where that works; else they are skipped.
.venv/browser: .venv/package
	$(PIP) install --editable ".[browser]" || echo "Playwright is missing; the browser tests will be skipped."
	-@$(BIN)/python tests/support/chromium.py
	@touch $@

# The scripts of the animation page and the studio, bundled from npm packages while the package is installed (hatch_build.py).
$(PAGE)/dist/sources.sha256: hatch_build.py $(wildcard $(PAGE)/*.js $(PAGE)/*.css $(PAGE)/*.json $(STUDIO)/*.js $(STUDIO)/*.css) | .venv/package
	$(PIP) install --no-deps --editable .
	@touch -c $@

page: $(PAGE)/dist/sources.sha256

demo: .venv/package
	$(BIN)/python -m examples.demo

# One thread of linear algebra for each of the two processes: more would compete for the same cores.
test: lint page .venv/browser
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal

# Random campaigns in full; SEED is Hypothesis' seed. The end of the output has counts, seed and failures.
SEED ?= 0
soak: page .venv/tools
	GYROSTAT_SOAK=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m "campaign or hypothesis" --hypothesis-seed=$(SEED)

lint: .venv/tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/package
	$(PIP) install --editable ".[docs]"
	$(BIN)/python docs/builder/build.py

# Peers are installed one by one: a comparison goes on without those that cannot be had here.
bench:
	$(PYTHON) -m venv .venv-bench
	$(BENCH)/python -m pip install --quiet --upgrade pip
	$(BENCH)/python -m pip install --quiet --editable .
	@grep -v '^#' benchmarks/requirements.txt | while read peer; do \
		$(BENCH)/python -m pip install --quiet "$$peer" || echo "$$peer is missing; the report will say so."; \
	done
	$(BENCH)/python benchmarks/run.py

clean:
	rm -rf .venv .venv-bench demo site build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
