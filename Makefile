# Two commands do all the set-up: `make quickstart` and `make test`.
# Everything else is a shorthand over the presets in CMakePresets.json.

PRESET ?= release
, := ,
space := $(subst ,, )
BUILD := build/$(PRESET)
JOBS ?= $(shell scripts/jobs.sh)
CONFIG ?= config/telecom-example.toml
# Parsed headers carry a time stamp, which ccache would take for a difference.
LAUNCHER := $(if $(shell command -v ccache),"-DCMAKE_CXX_COMPILER_LAUNCHER=env;CCACHE_SLOPPINESS=pch_defines$(,)time_macros$(,)include_file_mtime$(,)include_file_ctime;ccache")
BENCHES = $(patsubst bench/%.cpp,%,$(wildcard bench/*_bench.cpp))

.DEFAULT_GOAL := help
.PHONY: help quickstart build test asan unit_tests fuzz chaos bench format lint layers deps clean

help: ## Show this list
	@echo "Brewery: make <goal>"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14
	@echo
	@echo "Variables: PRESET=release|dev|asan|ci  JOBS=$(JOBS)  SKIP_DEPS=1  CONFIG=$(CONFIG)"

quickstart: deps $(BUILD)/build.ninja ## Install what is missing, build, learn the telecom example
	cmake --build $(BUILD) -j $(JOBS) --target brewery
	$(BUILD)/apps/brewery run $(CONFIG)

build: deps $(BUILD)/build.ninja ## Install what is missing, build everything
	cmake --build $(BUILD) -j $(JOBS)

test: build ## Install, build and run every test
	ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure

# Without the program: it takes a third of the build, its code is mostly in the
# libraries, and processes that are killed by the dozen start slowly under a
# sanitizer. `make test PRESET=asan` has everything.
# FOLDERS="net llm" limits it to the tests of these.
asan: ## The tests without processes once more under ASan and UBSan
	@$(MAKE) --no-print-directory unit_tests PRESET=asan

unit_tests: deps $(BUILD)/build.ninja
	cmake --build $(BUILD) -j $(JOBS) --target $(if $(FOLDERS),$(FOLDERS:%=test_%),unit_tests)
	BREWERY_SIM_SEEDS=1000 ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure -R "^$(if $(FOLDERS),($(subst $(space),|,$(FOLDERS))),[a-z]*): " -E "^cli: |NOT_BUILT"

fuzz: ## Fuzz what reads bytes from outside, a minute each (needs clang)
	scripts/fuzz.sh

chaos: deps $(BUILD)/build.ninja ## Kill, pause and cut off a cluster for 12 minutes (SEED=N: as before)
	cmake --build $(BUILD) -j $(JOBS) --target brewery
	python3 tests/cli/chaos.py $(BUILD)/apps/brewery $(if $(SEED),--seed $(SEED))

bench: build ## Run every benchmark (figures and meaning: bench/README.md)
	@for name in $(BENCHES); do echo "== $$name"; $(BUILD)/bench/$$name || exit 1; done

format: ## Format every C++ file in place
	scripts/format.sh

lint: deps $(BUILD)/build.ninja ## clang-tidy over everything (slow)
	@command -v clang-tidy >/dev/null || { echo "lint: clang-tidy is missing: apt-get install clang-tidy" >&2; exit 1; }
	git ls-files '*.cpp' | grep -v '^tests/' | xargs -P $(JOBS) -n 1 clang-tidy -p $(BUILD) --quiet

layers: ## Check that includes point one way
	python3 scripts/check_layers.py

deps:
	@$(if $(SKIP_DEPS),:,scripts/install_deps.sh)

# ninja runs cmake again by itself when a CMake file changes; presets it does
# not know.
$(BUILD)/build.ninja: CMakePresets.json | deps
	cmake --preset $(PRESET) $(LAUNCHER) >$(if $(V),/dev/stdout,/dev/null)
	@touch $@

clean: ## Remove every build (runs/ is kept)
	rm -rf build
