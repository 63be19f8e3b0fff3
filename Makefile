# Two commands matter: `make demo` and `make test`. Each sets up all it needs in .venv.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/installed

# For `make fuzz`: how long, with which seed (any by default), in how many processes.
MINUTES ?= 10
SEED ?=
WORKERS ?= 2

.PHONY: demo test pytest test-slow test-browser frozen fuzz docs lint perf perf-data assets clean

# Modules and tests are compiled once and not by each of many short-lived processes.
unexport PYTHONDONTWRITEBYTECODE

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "vlnscope needs Python 3.11 or newer; set PYTHON=python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $(STAMP)

# Diagnoses three agents on built-in houses and writes demo-out/report.html.
demo: $(STAMP)
	rm -rf demo-out
	$(BIN)/vlnscope diagnose follower noisy random --quick --out demo-out

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(STAMP)
	$(MAKE) --no-print-directory -j2 lint pytest

# The first line leaves compiled tests for the processes of the second: three on two cores, since some tests wait.
pytest: $(STAMP)
	$(BIN)/pytest --collect-only -q --ignore=tests/browser tests > /dev/null || true  # the second line tells what is wrong
	$(BIN)/pytest -n 3 -m 'not slow' --ignore=tests/browser tests src

# What takes too long for everyone: training, load, workers that are killed or hang.
test-slow: $(STAMP)
	$(BIN)/pytest -n 2 -m slow --ignore=tests/browser tests

# The report in a real browser; installs Debian's chromium where there is none.
test-browser: $(STAMP)
	command -v chromium chromedriver >/dev/null || \
	  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium chromium-driver; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[browser]'
	$(BIN)/pytest tests/browser

# Does everything come out as before: houses, words, cases, evidence, scores, findings, printed JSON, pages, weights?
# What changed on purpose is kept with `tools/freeze.py --write`.
frozen: $(STAMP)
	$(BIN)/python tools/freeze.py

# New examples for the property tests, then new command lines and files, half the time each. What fails is told
# with the way to see it again; it becomes an example of its test.
fuzz: $(STAMP)
	half=$$($(BIN)/python -c 'print($(MINUTES) / 2)'); \
	seed=$(or $(SEED),$$($(BIN)/python -c 'import secrets; print(secrets.randbelow(2**31))')); failed=0; \
	$(BIN)/python tools/fuzz.py --minutes $$half --seed $$seed --workers $(WORKERS) || failed=1; \
	$(BIN)/python tools/fuzz_commands.py --minutes $$half --seed $$seed || failed=1; \
	exit $$failed

# The documentation as a site in build/site.
docs: $(STAMP)
	$(BIN)/mkdocs build --strict --site-dir build/site

perf: $(STAMP)
	$(BIN)/python perf/scoring.py --million
	$(BIN)/python perf/bootstrap.py
	$(BIN)/python perf/views.py
	$(BIN)/python perf/houses.py
	$(BIN)/python perf/engine.py
	$(BIN)/python perf/continuous.py
	$(BIN)/python perf/habitat_loop.py
	$(BIN)/python perf/mapper.py
	$(BIN)/python perf/mixed.py
	$(BIN)/python perf/interval_coverage.py
	$(BIN)/python perf/truth.py
	$(BIN)/python perf/planted_defects.py
	$(BIN)/python perf/startup.py
	$(BIN)/python perf/install_size.py

# Those that need real data, from the folder $VLNSCOPE_DATA.
perf-data: $(STAMP)
	$(BIN)/python perf/parsing.py --root "$$VLNSCOPE_DATA"
	$(BIN)/python perf/random_agent.py --root "$$VLNSCOPE_DATA"
	$(BIN)/python perf/r4r.py
	$(BIN)/python perf/ordering.py

# Fetches the plot library that pages carry along, at the version that tools/fetch_assets.py names (needs npm).
assets: $(STAMP)
	$(BIN)/python tools/fetch_assets.py

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache
