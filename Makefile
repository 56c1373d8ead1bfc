# Two commands: `make run` serves the site, `make test` proves it. Needs Python 3.11+ with venv, and make.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
TEST_ARGS ?=

# What a deployment sets, for `check --deploy`. No connection is made; the driver of PostgreSQL is not installed here.
PRODUCTION := ANYPLOT_PROFILE=production ALLOWED_HOSTS=plots.example.org REDIS_URL=redis://127.0.0.1:6379/0 \
  DATABASE_URL=sqlite:////tmp/anyplot-check.sqlite3 SECRET_KEY=for-this-check-alone-0123456789-abcdefghijklmnopqrstuvwxyz

.DEFAULT_GOAL := help
.PHONY: help run test test-long lint admin bench lock install install-dev browser python

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 18

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "anyplot: $(PYTHON) is not there or older than 3.11. Install Python 3.11 or newer, or name one: make run PYTHON=python3.12" >&2; \
	  exit 1; }

install: python
	@$(PYTHON) -m anyplot_site.install $(VENV) requirements.lock

install-dev: python
	@$(PYTHON) -m anyplot_site.install $(VENV) requirements-dev.lock

run: install ## serve the site (HOST, PORT, ANYPLOT_HOME)
	@exec $(BIN)/python -m anyplot_site.serve

admin: install ## make a staff user (USERNAME, PASSWORD)
	@$(BIN)/python -m anyplot_site.make_admin

lint: install-dev ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Chromium for the browser tests, from the system's package manager where this user may use it.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "anyplot: installing chromium ..."; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core >/dev/null; \
	elif [ "$$CI" = true ]; then \
	  echo "anyplot: no Chromium here, and this user cannot install it; CI runs every test." >&2; exit 1; \
	else \
	  echo "anyplot: no Chromium here, so the browser tests are skipped. Install it (Debian: apt-get install chromium) to run them."; \
	fi

test: install-dev browser lint ## everything that must hold before a change lands (TEST_ARGS)
	$(PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/pytest -m "not long" -n 2 --dist loadfile $(TEST_ARGS)

test-long: install-dev ## tests too long for every change
	$(BIN)/pytest -m long $(TEST_ARGS)

bench: install-dev ## times as JSON: press to first event, press to plot, a render alone, a cold script
	@$(BIN)/python -m bench.run

lock: python ## resolve the dependencies anew
	@tools=$$(mktemp -d) && trap 'rm -rf "$$tools"' EXIT && \
	$(PYTHON) -m venv "$$tools" && "$$tools/bin/pip" install --quiet --disable-pip-version-check uv && \
	flags="--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet" && \
	"$$tools/bin/uv" pip compile $$flags pyproject.toml -o requirements.lock && \
	"$$tools/bin/uv" pip compile $$flags --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock
