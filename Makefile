# Everything a newcomer needs: `make demo` and `make test`. Both create .venv and install into it.
PYTHON ?= python3
BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)
INSTALLED := .venv/installed

.PHONY: demo test lint bench docs clean

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	$(BIN)/python -m pip install --quiet --editable ".[peers]" || echo "Peers are missing; tests against them will be skipped."
	@touch $@

demo: $(INSTALLED)
	$(BIN)/python examples/demo.py

test: $(INSTALLED) lint
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf .venv demo build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
