# make play: set up and serve.  make test: set up and run all tests.  make bench: measure.
# make torture: kills, races, fuzz and floods for ten minutes (SECONDS=600).
PYTHON ?= python3
BIN = .venv/bin

.PHONY: play test bench torture clean
SECONDS = 600

play: .venv/ready
	$(BIN)/waymark serve

test: .venv/ready-test
	$(BIN)/python -m pytest -n auto

bench: .venv/ready-bench
	$(BIN)/python -m tests.bench

torture: .venv/ready-test
	$(BIN)/python -m tests.torture --seconds $(SECONDS)

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q -e .
	touch $@

.venv/ready-test: .venv/ready
	$(BIN)/pip install -q -e '.[test]'
	touch $@

.venv/ready-bench: .venv/ready-test
	$(BIN)/pip install -q -e '.[bench]'
	touch $@

clean:
	rm -rf .venv
