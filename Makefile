# make play: set up and serve.  make lint: form and types.  make format: bring the code into form.
# make quick: the fast tests.  make test: what a change must pass.  make test-all: every test, with random games of their own.
# make lock: renew the versions that are tested.  make cover: the fast tests, and what they reach.  make bench: measure.
# make hand: count the taps of whole games through the pages (QUICK=--quick for their beginnings).
# make measured: both, written to docs/measured.md.
# make torture: kills, races, fuzz and floods for ten minutes (SECONDS=600).
PYTHON ?= python3
BIN = .venv/bin
INSTALL = $(BIN)/pip install -q -c requirements.lock
# Tests are given to whoever is free, since some take a thousand times as long as others.
PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal
# What random games are played from: always the same in `make quick` and `make test`, others each day in `make test-all`.
SEED = $(shell date +%Y-%m-%d)
GAMES = 240

.PHONY: play test test-all quick cover lint format lock bench hand measured torture clean
SECONDS = 600

play: .venv/ready
	$(BIN)/waymark serve

quick: .venv/ready-test
	WAYMARK_GAMES=1 $(PYTEST) -m "not (slow or long)" --ignore=tests/browser $(COVER)

test: .venv/ready-test
	$(PYTEST) -m "not long"

test-all: export WAYMARK_SEED ?= $(SEED)
test-all: export WAYMARK_GAMES ?= $(GAMES)
test-all: .venv/ready-test
	@echo "Random games: WAYMARK_SEED=$$WAYMARK_SEED WAYMARK_GAMES=$$WAYMARK_GAMES"
	$(PYTEST)

cover:
	$(MAKE) quick COVER="--cov --cov-report=term:skip-covered"

lint: .venv/ready-lint
	@$(BIN)/ruff format --check || { echo 'Run make format, which formats these files.' >&2; exit 1; }
	$(BIN)/ruff check
	$(BIN)/djlint templates --lint --quiet
	$(BIN)/basedpyright --pythonpath $(BIN)/python

format: .venv/ready-lint
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock: .venv/ready
	$(BIN)/pip install -q uv
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --all-extras --no-annotate --no-emit-package pip \
	  --custom-compile-command "make lock" pyproject.toml -o requirements.lock

bench: .venv/ready-bench
	$(BIN)/python -m tests.bench

hand: .venv/ready-test
	$(BIN)/python -m tests.support.count_touches $(QUICK)

measured: .venv/ready-bench
	mkdir -p build
	$(BIN)/python -m tests.bench --json build/bench.json
	$(BIN)/python -m tests.support.count_touches --json build/taps.json
	$(BIN)/python -m tests.bench.document build/bench.json build/taps.json

torture: .venv/ready-test
	$(BIN)/python -m tests.torture --seconds $(SECONDS)

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/ready: pyproject.toml requirements.lock | .venv/bin/python
	$(INSTALL) -e .
	touch $@

.venv/ready-test: pyproject.toml requirements.lock | .venv/bin/python
	$(INSTALL) -e '.[test]'
	touch .venv/ready $@

.venv/ready-lint: pyproject.toml requirements.lock | .venv/bin/python
	$(INSTALL) -e '.[test,lint]'
	touch .venv/ready .venv/ready-test $@

.venv/ready-bench: .venv/ready-test
	$(INSTALL) -e '.[bench]'
	touch $@

clean:
	rm -rf .venv
