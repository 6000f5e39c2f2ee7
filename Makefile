# The commands of the project; `make check` is the one that everything must pass.
# Needs Python 3.11 to 3.13 (`make check PYTHON=python3.12`) and nothing else: the rest goes into VENV.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed-for-development

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PIP_ROOT_USER_ACTION := ignore

.PHONY: setup check test test-shared test-pooled fix pictures bench clean

setup: $(INSTALLED)

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
		|| { echo "make: Palace needs Python 3.11 to 3.13, $(PYTHON) is another: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[dev]'
	@touch $@

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m palace_cli.reference --check
	$(BIN)/python -m tests.architecture.sizes
	$(BIN)/pytest

test: setup
	$(BIN)/pytest

# The same tests on a server reached over TCP, with passwords and a login that owns nothing.
test-shared: setup
	PALACE_TEST_SERVER=shared $(BIN)/pytest

# … and through PgBouncer in transaction mode, which has to be installed (apt-get install pgbouncer).
test-pooled: setup
	PALACE_TEST_SERVER=pooled $(BIN)/pytest

fix: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m palace_cli.reference

# The pictures in docs/pictures, from a palace made for them; a test says whether they are up to date.
pictures: setup
	$(BIN)/python -m tests.pictures

# One palace of a thousand drawers, mined once and then asked; `python -m bench.scale --help` measures larger ones.
bench: setup
	@set -e; home=$$(mktemp -d); trap 'rm -rf "$$home"' EXIT; chmod 711 "$$home"; \
	for measurement in mining recall cold; do $(BIN)/python -m bench.scale $$measurement --home "$$home"; done; \
	$(BIN)/python -m bench.scale memory; \
	$(BIN)/python -m bench.scale table

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
