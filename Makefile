# `make` sets up and builds every product; `make test` runs the tests. See CONTRIBUTING.md for the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: all setup build test lint bench clean
all: setup build

$(VENV)/ready: pyproject.toml
	@PYTHON="$(PYTHON)" sh bench/setup.sh $(VENV)
	@touch $@

setup: $(VENV)/ready

build: setup
	$(BIN)/seasons build

test: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check seasons_build tests bench
	$(BIN)/mypy

bench: setup
	$(BIN)/python bench/run.py

clean:
	rm -rf build dist/* .seasons-cache
