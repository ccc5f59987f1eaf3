# From a fresh clone, with python3 (3.11 or newer) and make: `make play`, `make test`. `make help` lists the rest.

PYTHON   ?= python3
CHROMIUM ?= $(wildcard /usr/bin/chromium)
ARGS     ?=
export CHROMIUM

VENV  := .venv
PY    := $(VENV)/bin/python
STAMP := $(VENV)/.ready

WEB       := src/beachhead/server/static/index.html
WEB_STAMP := web/node_modules/.ready
WEB_FILES := $(shell find web/src web/public web/index.html web/*.config.* web/tsconfig.json 2>/dev/null)

BROWSER       := .browser
BROWSER_STAMP := $(BROWSER)/.ready

BENCH       := .bench
BENCH_STAMP := $(BENCH)/venv/.ready

.DEFAULT_GOAL := help
.PHONY: help setup web browser play test check soak golden pictures bench clean distclean FORCE

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@echo '  Options of the command behind it: make test ARGS="-k straight"'
	@echo '  Another Python for the set-up:    make test PYTHON=python3.12'
	@echo '  Another Chromium for the tests:   make test CHROMIUM=/path/to/chromium'

setup: $(STAMP) ## make .venv, if it is not there or not current

web: $(WEB) ## build the web client, if it is not there or not current

browser: $(if $(CHROMIUM),,$(BROWSER_STAMP)) ## fetch a Chromium for the tests, if the machine has none

play: $(STAMP) $(WEB) ## open the table in the browser (in the terminal: .venv/bin/beachhead play)
	@$(VENV)/bin/beachhead serve $(ARGS)

test: $(STAMP) $(WEB) browser ## run all tests but the slow ones
	@$(PY) -m beachhead.solve.fast # compiled once, not in every process of the tests
	@$(PY) -m pytest -n auto $(ARGS)

check: $(STAMP) $(WEB_STAMP) ## lint, format and types
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(call with-node,cd web && npm run --silent check)

soak: $(STAMP) $(WEB) browser ## run the slow tests
	@$(PY) -m pytest -m slow -n auto $(ARGS)

golden: $(STAMP) ## write the golden files of the tests anew
	@$(PY) -m tests.regenerate $(ARGS)

pictures: $(STAMP) $(WEB) browser ## take the pictures of the README anew, from a real game
	@$(PY) -m tests.web.pictures

bench: $(STAMP) $(BENCH_STAMP) ## measure our games beside those of catanatron
	@$(PY) bench/run.py $(ARGS)

clean: ## remove caches and build outputs
	@rm -rf build dist $(dir $(WEB)) .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## remove the environments too
	@rm -rf $(VENV) $(BENCH) $(BROWSER) web/node_modules

# An environment is good when its stamp is there, newer than its lock, and names this folder (an environment that was
# copied or moved still points to the old place). The stamp is written last. An environment without a stamp is made
# anew; one with an old stamp is only brought up to date, which needs no network when its packages have not changed.

ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
$(STAMP): FORCE
endif
ifneq ($(shell cat $(WEB_STAMP) 2>/dev/null),$(CURDIR))
$(WEB_STAMP): FORCE
endif
ifneq ($(shell cat $(BROWSER_STAMP) 2>/dev/null),$(CURDIR))
$(BROWSER_STAMP): FORCE
endif
ifneq ($(shell cat $(BENCH_STAMP) 2>/dev/null),$(CURDIR))
$(BENCH_STAMP): FORCE
endif

define check-python
command -v "$(PYTHON)" >/dev/null 2>&1 || { \
  echo 'Beachhead needs Python 3.11 or newer, and there is no command $(PYTHON).' >&2; \
  echo 'Install Python, or name yours: make $(MAKECMDGOALS) PYTHON=/path/to/python' >&2; exit 1; }; \
"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
  echo "Beachhead needs Python 3.11 or newer; $(PYTHON) is $$("$(PYTHON)" --version 2>&1)." >&2; \
  echo 'Install a newer one, or name it: make $(MAKECMDGOALS) PYTHON=python3.12' >&2; exit 1; }; \
"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
  echo 'Beachhead needs the Python modules venv and ensurepip; $(PYTHON) comes without them.' >&2; \
  echo 'On Debian and Ubuntu: apt install python3-venv' >&2; exit 1; }
endef

# $(call make-venv,folder): a new environment, unless this one was finished here before and still runs
define make-venv
if [ "$$(cat $(1)/.ready 2>/dev/null)" != "$(CURDIR)" ] || ! $(1)/bin/python -c '' 2>/dev/null; then \
  $(check-python); \
  rm -rf $(1) && mkdir -p $(1) && $(call quiet,$(1),"$(PYTHON)" -m venv $(1)); \
fi
endef

# $(call quiet,folder,command): the output goes to a log, and is shown when the command fails
quiet = { $(2) >$(1)/setup.log 2>&1 || { cat $(1)/setup.log >&2; echo 'The set-up failed; see above.' >&2; exit 1; }; }

$(STAMP): pyproject.toml requirements.txt
	@echo 'Setting up $(VENV) ...'
	@$(call make-venv,$(VENV))
	@echo '  installing packages (the first time this needs a network)'
	@$(call quiet,$(VENV),$(PY) -m pip install --disable-pip-version-check -r requirements.txt)
	@echo '  installing beachhead'
	@$(call quiet,$(VENV),$(PY) -m pip install --disable-pip-version-check --no-deps --no-build-isolation -e .)
	@echo '$(CURDIR)' >$@
	@echo '  ready'

# The client is built with the Node of the machine where that is new enough, else with the one that PyPI has.
NODE_CHECK := const [a, b] = process.versions.node.split(".").map(Number); \
  process.exit(a > 22 || (a == 22 && b >= 12) || (a == 20 && b >= 19) ? 0 : 1)
with-node = ( PATH="$(CURDIR)/$(VENV)/bin:$$PATH"; export PATH; $(1) )

define get-node
$(call with-node,{ command -v npm && node -e '$(NODE_CHECK)'; } >/dev/null 2>&1) || { \
  echo '  installing Node (this machine has none that is new enough)'; \
  $(call quiet,$(VENV),$(PY) -m pip install --disable-pip-version-check -r web/requirements.txt); }
endef

# $(call npm-ci,folder): the packages of the lock in that folder
npm-ci = $(call quiet,$(VENV),$(call with-node,cd $(1) && npm ci --prefer-offline --no-progress))

$(WEB_STAMP): web/package.json web/package-lock.json web/.npmrc | $(STAMP)
	@echo 'Setting up web/node_modules ...'
	@$(get-node)
	@echo '  installing packages (the first time this needs a network)'
	@$(call npm-ci,web)
	@echo '$(CURDIR)' >$@
	@echo '  ready'

$(WEB): $(WEB_STAMP) $(WEB_FILES)
	@echo 'Building the web client ...'
	@$(get-node)
	@$(call quiet,web/node_modules,$(call with-node,cd web && npm run build))
	@touch $@
	@echo '  ready'

$(BROWSER_STAMP): tests/web/package.json tests/web/package-lock.json | $(STAMP)
	@echo 'Setting up $(BROWSER), a Chromium for the tests ...'
	@[ "$$(uname -sm)" = 'Linux x86_64' ] || { \
	  echo 'The Chromium that npm has is for 64-bit Linux on Intel and AMD only.' >&2; \
	  echo 'Install Chromium or Chrome, and name it: make $(MAKECMDGOALS) CHROMIUM=/path/to/chromium' >&2; exit 1; }
	@$(get-node)
	@rm -rf $(BROWSER) && mkdir $(BROWSER)
	@cp tests/web/package.json tests/web/package-lock.json tests/web/.npmrc $(BROWSER)
	@echo '  fetching it (the first time this needs a network)'
	@$(call npm-ci,$(BROWSER))
	@echo '  unpacking it'
	@$(call quiet,$(VENV),$(call with-node,$(PY) -m tests.web.chromium unpack))
	@echo '$(CURDIR)' >$@
	@echo '  ready'

$(BENCH_STAMP): bench/requirements.txt
	@echo 'Setting up $(BENCH)/venv for the measurement ...'
	@$(call make-venv,$(BENCH)/venv)
	@$(call quiet,$(BENCH)/venv,$(BENCH)/venv/bin/python -m pip install --disable-pip-version-check -r bench/requirements.txt)
	@echo '$(CURDIR)' >$@
	@echo '  ready'

.PHONY: bench-server
bench-server: $(STAMP) ## measure the server: durable moves a second, and how long one takes
	@$(PY) bench/server.py $(ARGS)

.PHONY: bench-client
bench-client: $(STAMP) $(WEB) browser ## measure the page: how soon an answer of the server is on the screen
	@$(PY) bench/client.py $(ARGS)
