# `make` sets this folder up and prints every product into dist/; `make test` runs the tests. CONTRIBUTING.md says the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: all setup build test test-slow test-all torture fuzz guided lock lint bench contact words pictures reference declared wheel clean
all: setup build

# The script leaves `ready` only where nothing is missing: where Pango is, the next run looks again.
$(VENV)/ready: pyproject.toml bench/setup.sh
	@PYTHON="$(PYTHON)" sh bench/setup.sh $(VENV)

setup: $(VENV)/ready

build: setup
	@$(BIN)/seasons build

# A file of tests at a time on each core.
test: setup
	@$(BIN)/python -m pytest -n auto --dist loadfile

# What takes long, or sets up environments of its own.
test-slow: setup
	@$(BIN)/python -m pytest -m slow

test-all: setup
	@$(BIN)/python -m pytest -m "slow or not slow"

# Every hostile file through the command itself, and every operation on a file that may fail. Takes a quarter of an hour.
torture: setup
	@$(BIN)/python -m pytest -m "slow or not slow" tests/torture tests/test_security.py tests/test_trust_files.py tests/test_trust_process.py

# Looks for content that brings the compiler down: make fuzz SECONDS=600 SEED=1
SECONDS ?= 600
SEED ?= 1
fuzz: setup
	@$(BIN)/python tests/fuzz/run.py --seconds $(SECONDS) --seed $(SEED)

# Guided by what of the code each input reaches: make guided TARGET=yaml SECONDS=600. Linux; atheris is installed for it alone.
TARGET ?= yaml
guided: setup
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/fuzz-cp311.txt
	@$(BIN)/python -W ignore tests/fuzz/guided.py $(TARGET) --seconds $(SECONDS)

lint: setup
	@$(BIN)/ruff check seasons_build tests bench
	@$(BIN)/mypy

bench: setup
	@$(BIN)/python bench/run.py

# Every face of every product in one picture, for eyes: build/contact.png.
contact: setup
	@$(BIN)/python bench/contact.py

# Looks on the paper for each text that was typed, with another YAML parser and another reader of PDFs.
words: setup
	@mkdir -p build && $(BIN)/seasons build --fit-report >build/fit.txt
	@$(BIN)/python bench/words.py . dist build/fit.txt

# The pictures that the README shows.
pictures: setup
	@$(BIN)/python bench/pictures.py

# The reference pages, from the schemas and tables of the language.
reference: setup
	@$(BIN)/python bench/reference.py

# What development needs, each file by its digest: requirements/linux-cp311.txt.
lock: setup
	@$(BIN)/python bench/lock.py

# What WeasyPrint declares of Pango, and its own stylesheets, made ready for the worker.
declared: setup
	@$(BIN)/python bench/declare.py
	@$(BIN)/python bench/agent.py

wheel: setup
	@$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build .
	@ls build/*.whl

clean:
	rm -rf build .seasons-cache
	find dist -mindepth 1 ! -name README.md -delete
