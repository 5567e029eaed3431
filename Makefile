# `make help` lists what there is.
.DEFAULT_GOAL := help
.PHONY: licences help setup setup-dev play test lint format types imports check bench fuzz soak soak-chaos month docs house messages translate-check check-map map-coordinates map-sheet fonts lock pictures hooks clean
BIN := .venv/bin
ARGS ?=
GAMES ?= 1000
COUNT ?= 10
FILES ?= 10000
SEED ?= 1
MAP ?= germany
JOBS ?= auto
MONTH ?= 60 40 31 3

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Make .venv with what playing needs (quick when nothing has changed)
	@requirements/install play

setup-dev: ## The same with what testing and checking need
	@requirements/install dev

play: setup ## Start everything here, with a table waiting for you (Ctrl-C stops it; MAP=usa for another map)
	@$(BIN)/kraftpost up --map $(MAP) $(ARGS)

test: setup-dev ## Run all tests; what was skipped and why stands at the end (ARGS="-k mail" picks some)
	@$(BIN)/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder $(ARGS)

lint: setup-dev ## Style, by ruff: rules and layout
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

format: setup-dev ## Let ruff lay out and mend what it can
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

types: setup-dev ## Types, by mypy (strict)
	@$(BIN)/mypy

imports: setup-dev ## Which room may import which, by import-linter
	@$(BIN)/lint-imports

check: lint types imports translate-check ## lint, types, imports and catalogues together

bench: setup-dev ## Measure: fold, self-play, pages, moves through the worker
	@$(BIN)/python -m tests.bench $(ARGS)

fuzz: setup-dev ## Spoil 10,000 game files and bring them to a site (FILES=500 for less, SEED=2 for others)
	@$(BIN)/python -m tests.fuzz $(FILES) $(SEED)

soak: setup-dev ## 1,000 random games for each variant, map and number of players (two hours; GAMES=10 for less)
	@$(BIN)/kraftpost selfplay --all --bots random --games $(GAMES) $(ARGS)

month: setup-dev ## A month of 60 people at 40 tables by a clock of its own (15 minutes; MONTH="12 8 4 22" for less)
	@KRAFTPOST_MONTH="$(MONTH)" $(BIN)/pytest -q --timeout 20000 tests/tasks/test_month.py $(ARGS)

soak-chaos: setup-dev ## The chaos tests again and again, until one fails: make soak-chaos COUNT=20
	@for round in $$(seq $(COUNT)); do echo "soak $$round of $(COUNT)"; $(BIN)/pytest -q -m chaos $(ARGS) || exit 1; done

docs: setup-dev ## Write which test proves which number (docs/requirements.md, docs/rules-coverage.md)
	@$(BIN)/python tools/make_docs.py

house: setup-dev ## Measure the house: modules, lines, imports against the order, cycles
	@$(BIN)/python tools/house.py

messages: setup-dev ## Collect what can be translated, and give each catalogue its new messages
	@$(BIN)/python -m babel.messages.frontend --quiet extract -F core/locale/babel.cfg -k pgettext:1c,2 -s -c Translators: --sort-by-file --add-location file --project Kraftpost -o core/locale/messages.pot .
	@for file in core/locale/*/LC_MESSAGES/messages.po; do \
	  $(BIN)/python -m babel.messages.frontend --quiet update -i core/locale/messages.pot -o $$file \
	  -l $$(basename $$(dirname $$(dirname $$file))) --no-fuzzy-matching --ignore-obsolete -w 100; done
	@$(BIN)/python tools/catalogues.py

translate-check: setup-dev ## Are all catalogues whole: every message, its places, plurals and the words of the glossary
	@$(BIN)/python -m tools.translate_check

check-map: setup ## Load, cross-check, draw and play a map: make check-map NAME=germany (without NAME: all)
	@$(BIN)/kraftpost check-map $(NAME) $(ARGS)

map-coordinates: setup-dev ## Fill in lat and lon of new cities from GeoNames, check the others (ARGS=FILE)
	@$(BIN)/uv run --quiet --no-project tools/map_coordinates.py $(ARGS)

fonts: setup-dev ## Cut the typefaces for Thai and Chinese names down again (ARGS=FOLDER of Noto)
	@$(BIN)/uv run --quiet --no-project tools/subset_fonts.py $(ARGS)

map-sheet: setup-dev ## Draw the boards of all maps on one sheet, docs/maps/boards.png
	@PYTHONPATH=. $(BIN)/python tools/map_sheet.py

pictures: setup-dev ## Take the pictures of the README anew (needs chromium)
	@$(BIN)/python .ci/pictures.py --map $(MAP)

lock: setup-dev ## Write requirements/*.lock anew from pyproject.toml (ARGS=--upgrade for newer versions)
	@requirements/lock $(ARGS)

licences: setup-dev ## Write into NOTICE under which licences all packages stand
	@$(BIN)/python tools/licences.py

hooks: setup-dev ## Run the checks of .pre-commit-config.yaml before every commit
	@$(BIN)/pre-commit install

clean: ## Remove what can be made again (not var/, where games live)
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache *.egg-info build dist
