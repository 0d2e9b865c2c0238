# The way in: `make run`, `make test`; `make help` lists the rest. Each target brings its own set-up: its section of
# packages.txt, configuration (CMakePresets.json) and build; what is up to date is left alone.

SHELL := /bin/bash
.DEFAULT_GOAL := help
PRESETS := dev test release package asan fuzz
PREFIX ?= /usr/local
SOURCES = $(shell find camber apps bench tests examples python -name '*.h' -o -name '*.cc' 2>/dev/null)
FUZZ_RUNS ?= 2000000

# Parallel compilers; memory rather than cores is the limit on big machines.
JOBS ?= $(shell nproc)
NINJA = ninja $(if $(CI),--quiet) -j$(JOBS)
# The presets print the output of what fails, and take "no tests" for a failure.
CTEST = ctest --preset $(1) -j$(JOBS)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: build/release/build.ninja ## drive an HMMWV through a double lane change; says where the report is
	@$(NINJA) -C build/release camber
	@build/release/bin/camber run scenarios/double-lane-change.toml
	@test -s build/release/apps/camber/page/app.js.gz || echo "the page to drive it yourself in a browser is missing: make page"
	@echo "drive it yourself: build/release/bin/camber drive scenarios/teleoperation.toml"

.PHONY: page
page: build/release/build.ninja ## build the page of `camber drive` into the program; needs, once, the network
	@tools/install_packages.sh packages.txt run page
	@cmake --preset release $(if $(CI),--log-level=NOTICE) >/dev/null
	@rm -f build/release/apps/camber/page/*.gz
	@$(NINJA) -C build/release camber

.PHONY: build
build: with-bench ## build the program and the benchmarks as users run them, in build/release
	@$(NINJA) -C build/release

.PHONY: install
install: build/package/build.ninja ## install library and program for every processor with AVX2, below PREFIX=/usr/local
	@$(NINJA) -C build/package
	@cmake --install build/package --prefix "$(PREFIX)" $(if $(CI),>/dev/null)

# Debian's own: it has Debian's NumPy. Another Python may come first in PATH.
PYTHON := /usr/bin/python3

.PHONY: python
python: with-python ## the Python package, in the virtual environment .venv: . .venv/bin/activate
	@test -x .venv/bin/pip || $(PYTHON) -m venv --system-site-packages .venv
	@CAMBER_BUILD=build/release .venv/bin/pip install --quiet --disable-pip-version-check --no-build-isolation --no-index \
	  --no-deps --force-reinstall ./python
	@.venv/bin/python -c "import camber; print('camber', camber.__version__, 'is in .venv: . .venv/bin/activate')"

.PHONY: notebooks
notebooks: with-python ## run all notebooks of python/notebooks, and make them .ipynb files in build/notebooks
	@PYTHONPATH=build/release/python $(PYTHON) python/tests/test_notebooks.py
	@$(PYTHON) python/make_notebooks.py

# The package joins the build of `make run` when it is asked for.
.PHONY: with-python
with-python: build/release/build.ninja
	@tools/install_packages.sh packages.txt run python
	@test -f build/release/python/camber/__init__.py || cmake --preset release $(if $(CI),--log-level=NOTICE)
	@$(NINJA) -C build/release camber camber_python

# Benchmarks join the build of `make run` when they are asked for; what is compiled stays.
.PHONY: with-bench
with-bench: build/release/build.ninja
	@tools/install_packages.sh packages.txt run bench
	@grep -q '^CAMBER_BENCH:[A-Z]*=ON$$' build/release/CMakeCache.txt || \
	  cmake --preset release -DCAMBER_BENCH=ON $(if $(CI),--log-level=NOTICE)

.PHONY: test
test: build/test/build.ninja check-format ## all checks and tests: format, includes, headers, units, program, short fuzz
	@$(NINJA) -C build/test all camber_headers_alone
	@$(call CTEST,test)
	@$(MAKE) --no-print-directory fuzz-program
	@$(call CTEST,fuzz)

.PHONY: study-tests
study-tests: build/dev/build.ninja ## studies on a real Slurm and mpirun: lost nodes, killed workers, a full disk; ten minutes
	@$(NINJA) -C build/dev camber
	@python3 tests/cluster/study_cluster_test.py build/dev/bin/camber -v

.PHONY: asan
asan: build/asan/build.ninja ## the tests with address and undefined-behavior sanitizers
	@$(NINJA) -C build/asan
	@$(call CTEST,asan)

# Its readers have sanitizers, the libraries below them are those of the preset test.
.PHONY: fuzz-program
fuzz-program: build/test/build.ninja build/fuzz/build.ninja
	@$(NINJA) -C build/test camber_modules
	@$(NINJA) -C build/fuzz

.PHONY: fuzz
fuzz: fuzz-program ## a long run of each fuzz target (FUZZ_RUNS=2000000 inputs)
	@cmake -DCAMBER_FUZZ_RUNS=$(FUZZ_RUNS) build/fuzz >/dev/null
	@$(NINJA) -C build/fuzz -j1 long_fuzz

.PHONY: bench
bench: with-bench ## measure everything against peers: half an hour, on an idle machine
	@$(NINJA) -C build/release
	@for suite in symbolic motorcycle multibody hmmwv wheel drive sensors autonomy lanes study page python; do build/release/bin/camber bench $$suite || failed=1; done; exit $${failed:-0}

.PHONY: tidy
tidy: build/dev/build.ninja ## clang-tidy over all sources that changed since they were last found clean
	@tools/run_tidy.py build/dev --jobs $(JOBS)

.PHONY: analyze
analyze: build/dev/build.ninja ## the same with clang's static analyzer: three times as long
	@tools/run_tidy.py build/dev --analyze --jobs $(JOBS)

.PHONY: format
format: packages-test ## put all sources into the house format
	@clang-format -i $(SOURCES)

.PHONY: check-format
check-format: packages-test
	@clang-format --dry-run -Werror $(SOURCES)

# Sections of packages.txt.
.PHONY: packages-run packages-test
packages-run:
	@tools/install_packages.sh packages.txt run
packages-test:
	@tools/install_packages.sh packages.txt run python page test bench

.PHONY: clean
clean: ## remove what was built
	@rm -rf $(PRESETS:%=build/%)

# Ninja itself configures again when a CMakeLists.txt changes; only new presets need CMake from here.
build/release/build.ninja build/package/build.ninja: | packages-run
build/dev/build.ninja build/test/build.ninja build/asan/build.ninja build/fuzz/build.ninja: | packages-test
build/fuzz/build.ninja: | build/test/build.ninja
$(PRESETS:%=build/%/build.ninja): build/%/build.ninja: CMakePresets.json
	@cmake --preset $* $(if $(CI),--log-level=NOTICE)
	@touch $@
