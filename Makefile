# Every target sets up what it needs by itself: Python 3.10 or newer and make are all that a fresh machine must have.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
# Half as many again as processors: a worker often waits for its emulator, its browser or its board.
WORKERS ?= $(shell $(PYTHON) -c 'import os; n = os.cpu_count() or 1; print(n + (n + 1) // 2)')
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help sim test torture lint format accept build uf2 frozen boards deploy scores backup restore hil bench fuzz gallery film picture clean

help: ## what can be made here
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

sim: $(VENV)/.sim ## open the device in a browser (BOARD=RPI_PICO_SH1106 ARGS="--port 8080 --tier cpython")
	$(PY) -m host_sim $(if $(BOARD),--board $(BOARD)) $(ARGS)

test: $(VENV)/.test ## everything that is checked, on every tier that this machine has (ARGS="-k zip")
	$(PY) -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

torture: $(VENV)/.test fuzz ## what takes long: the power cut at every moment of whole evenings, fuzz, a month
	$(PY) -m tests.torture.power_cuts
	$(PY) -m pytest -m torture

lint: $(VENV)/.lint ## style and types
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

format: $(VENV)/.lint ## put the style right
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

accept: $(VENV)/.sim ## take today's glass as the kept frames, after you have looked at it
	$(PY) -m host_sim accept tests/scenarios/*.txt

build: $(VENV)/.sim ## the files that go onto a Pico, as a folder and as a littlefs image (BOARD=RPI_PICO)
	$(PY) -m tools.build $(BOARD)

boards: $(VENV)/.sim ## the wiring pictures, tables and Wokwi diagrams that are made of each boards/*/board.json
	$(PY) -m tools.boards $(BOARD)

uf2: $(VENV)/.sim ## files to drag onto a Pico with BOOTSEL held: MicroPython and Pouch, or Pouch alone (BOARD=RPI_PICO)
	$(PY) -m tools.uf2 $(BOARD) $(ARGS)

frozen: $(VENV)/.sim ## Pouch inside of the firmware, with MicroPython's own sources (MICROPYTHON=folder, BOARD=RPI_PICO)
	$(PY) -m tools.frozen "$(MICROPYTHON)" $(BOARD)

deploy: $(VENV)/.sim ## put the app on the Pico on the USB, or what has changed of it (BOARD=..., PORT=..., DRY=1 only tells)
	PORT="$(PORT)" DRY="$(DRY)" $(PY) -m tools.deploy $(BOARD)

scores: $(VENV)/.sim ## the matches on a board as pouch-scores.csv and .json (PORT=... or FOLDER=..., a simulator's)
	PORT="$(PORT)" FOLDER="$(FOLDER)" $(PY) -m tools.scores

backup: $(VENV)/.sim ## all that a board keeps as one file (PORT=... or FOLDER=...)
	PORT="$(PORT)" FOLDER="$(FOLDER)" $(PY) -m tools.backup

restore: $(VENV)/.sim ## put a backup back; what is there is saved first (FILE=pouch-backup-....zip)
	PORT="$(PORT)" FOLDER="$(FOLDER)" $(PY) -m tools.backup --restore "$(FILE)"

hil: $(VENV)/.sim ## play the scenarios on a board, and compare its glass with the simulator's (PORT=..., ARGS=FILE)
	PORT="$(PORT)" $(PY) -m tools.hil $(ARGS)

bench: $(VENV)/.test ## what a press costs: time, bytes and memory, exact, on an emulated Pico
	$(PY) -m tools.bench
	$(PY) -m tools.bench_page
	$(PY) -m tests.rules.bench_replay

fuzz: $(VENV)/.sim ## a million presses by chance and a month by the virtual clock; a quarter of an hour (ARGS="fuzz --seed 3")
	$(PY) -m tests.torture.fuzz $(ARGS)

gallery: $(VENV)/.sim ## every screen as a page, beside the agreed look
	$(PY) -m tools.gallery

film: $(VENV)/.sim ## the README's GIF: rounds of ZIP-IT on the glass
	$(PY) -m host_sim film docs/film.txt -o docs/match.gif

picture: $(VENV)/.test ## take the README's pictures anew (needs Chromium)
	$(PY) -m tools.picture
	$(PY) -m tools.screens

clean: ## remove .venv and everything that was made
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	    { echo "Pouch needs Python 3.10 or newer: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install -q --upgrade pip==26.3

$(VENV)/.sim: pyproject.toml | $(VENV)/bin/python
	$(PY) -m pip install -q --no-deps --group firmware
	$(PY) -m pip install -q --group sim
	@touch $@

$(VENV)/.test: pyproject.toml $(VENV)/.sim host_sim/emulator_core.py host_sim/tiers/rp2040_loop.c
	$(PY) -m pip install -q --group test
	$(PY) -m host_sim.emulator_core
	@touch $@

$(VENV)/.lint: pyproject.toml $(VENV)/.sim
	$(PY) -m pip install -q --group lint
	@touch $@
