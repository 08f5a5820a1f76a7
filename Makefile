# make bench    measure the rungs on this machine and print the table
# make test     run the tests
# Both set up .venv first, and are fast to repeat; only what tests, checks or renders installs the
# developers' tools. CONTRIBUTING.md and docs/commands.md list the others.

PYTHON ?= python3
PY := .venv/bin/python

# The tools of developers, which `make build` does not install.
DEV := .venv/extra-dev

# Where packages come from: the index, or a folder that `make wheelhouse` filled.
FROM := $(if $(WHEELHOUSE),--no-index --find-links "$$(realpath "$(WHEELHOUSE)")")

.PHONY: bench bench-all benchmark check test engine cross fuzz slow durations snapshots weekly mutants sanitize promises lint format notebooks build docs release slides play extras opencl peers many wheelhouse gpu clean

bench: build
	@$(PY) -m polymask bench

# With every rung that can run here, once all that rungs may need is installed: several GB.
bench-all:
	@$(MAKE) --no-print-directory extras EXTRAS=all
	@$(PY) -m polymask bench --all

# The rungs under pytest-benchmark, about a minute; then the table with speed-ups over python.tuples,
# made from its JSON. Other sizes: make benchmark SIZES=64,1024
benchmark: build $(DEV)
	@mkdir -p build
	@SIZES=$(or $(SIZES),256) $(PY) -m pytest -q -p no:cacheprovider benchmarks/rungs.py \
		--benchmark-max-time=$(or $(ROW_SECONDS),0.5) --benchmark-columns=min,median,rounds \
		--benchmark-json=$(or $(JSON),build/benchmark.json)
	@$(PY) -m polymask report $(or $(JSON),build/benchmark.json)

# On all processors. The report has the duration of each test, for `make durations`.
JOBS = -n $(shell getconf _NPROCESSORS_ONLN)
QUICK = -m "not slow and not weekly"

# The quick tests that depend on what was edited, the nearest first, for half a minute.
# Since an earlier commit: make check SINCE=main
check: build $(DEV)
	@$(PY) tests/support/check.py $(if $(SINCE),--since $(SINCE))

test: build engine $(DEV)
	@$(PY) -m pytest -q $(QUICK) $(JOBS) --dist worksteal --junitxml=build/tests-quick.xml

CCACHE = $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

# The engine's own tests, and the fuzz target of the lessons; a machine without CMake or GoogleTest skips them and says so.
engine:
ifeq ($(shell command -v cmake),)
	@echo "skipped: the engine's own tests need cmake"
else
	@test -e build/engine/log || echo "compiling the engine's own tests: a minute or two"
	@$(call CTEST,csrc/engine,build/engine)
	@$(call CTEST,csrc/fuzz,build/lessons)
endif

CTEST = cmake -S $1 -B $2 --log-level=NOTICE $(CCACHE) >/dev/null \
	&& cmake --build $2 -j "$$(getconf _NPROCESSORS_ONLN)" >/dev/null \
	&& { ctest --test-dir $2 -j "$$(getconf _NPROCESSORS_ONLN)" --output-on-failure >$2/log || { cat $2/log; exit 1; }; } \
	&& grep 'tests passed' $2/log

# The same tests for other processors, by cross-compilers and qemu; skips what is not installed.
cross: build $(DEV)
	@$(PY) -m pytest -q -rs tests/building/test_cross.py

# The fuzz targets, each for a minute; FUZZ_SECONDS=600 for longer, FUZZ_TARGETS="mask or runs" for some.
# Then each reader of files, in Python, as long, with mutations of other seeds in each run.
fuzz: build $(DEV) .venv/extra-fuzz
	@POLYMASK_SEED=new POLYMASK_EXAMPLES=1000 POLYMASK_FUZZ_SECONDS=$(or $(FUZZ_SECONDS),60) \
		$(PY) -m pytest -q $(if $(FUZZ_TARGETS),-k "$(FUZZ_TARGETS)") \
		tests/building/test_fuzz_targets.py tests/properties/test_reader_properties.py

# The tests that take more than a second.
slow: build $(DEV)
	@$(PY) -m pytest -q -m "slow and not weekly" $(JOBS) --dist loadfile --junitxml=build/tests-slow.xml

# How long the tests of the last runs took; fails where a bar is missed.
durations: build $(DEV)
	@$(PY) tests/support/durations.py

# Writes the messages again that tests hold whole; `git diff` shows what has changed.
snapshots: build $(DEV)
	@$(PY) -m pytest -q -m "not weekly" $(JOBS) --snapshot-update
	@git diff --stat -- '*.ambr'

# Everything: what takes hours, and what depends on time, tools or luck.
weekly: build engine $(DEV) .venv/extra-fuzz
	@$(MAKE) --no-print-directory test
	@POLYMASK_CALLS=100000 POLYMASK_FUZZ_SECONDS=60 POLYMASK_NOTEBOOK_SIZE=128 \
		$(PY) -m pytest -q -m "slow or weekly" $(JOBS) --dist loadfile
	@POLYMASK_EXAMPLES=1000 POLYMASK_SEED=new $(PY) -m pytest -q $(QUICK) $(JOBS) tests/properties
	@$(MAKE) --no-print-directory fuzz mutants sanitize

# Plants defects in a copy, and sees whether the tests catch them; some: make mutants ONLY="leak transposed"
mutants: build $(DEV)
	@cd tests && PYTHONPATH=support $(CURDIR)/$(PY) -m mutants $(ONLY)

# Compiled code where it is watched: by sanitizers, Cython's checks, oclgrind, cppcheck, clang-tidy.
# Parts whose tools are missing are skipped; some: make sanitize ONLY="engine python cython opencl static"
# Those that must not be skipped: POLYMASK_DEMAND="engine static" make sanitize
sanitize: build $(DEV)
	@cd tests && PYTHONPATH=support $(CURDIR)/$(PY) -m sanitize $(ONLY)

# The figures of docs/promises.md, from what runs with POLYMASK_RECORD=1 have written.
promises: build $(DEV)
	@$(PY) tests/support/promises.py

lint: build .venv/workflows
	@$(PY) -m ruff check . && $(PY) -m ruff format --check .
	@git ls-files '*.c' '*.h' '*.cpp' '*.hpp' '*.cl' '*.cu' | xargs .venv/bin/clang-format --dry-run -Werror
	@$(PY) -m check_jsonschema -q --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@.venv/bin/zizmor --offline -q .github/workflows
	@.venv/bin/nbstripout --verify $(STRIPPED) || { echo "make format strips the notebooks"; exit 1; }
	@$(PY) tests/support/prose.py

.venv/workflows: $(DEV)
	@POLYMASK_BUILD=later $(PY) -m pip install -q $(FROM) --no-build-isolation -e ".[workflows]"
	@touch $@

format: build $(DEV)
	@$(PY) -m ruff check --fix . && $(PY) -m ruff format .
	@git ls-files '*.c' '*.h' '*.cpp' '*.hpp' '*.cl' '*.cu' | xargs .venv/bin/clang-format -i
	@.venv/bin/nbstripout $(STRIPPED)

# Notebooks are stored without outputs and without what differs between machines.
STRIPPED = --extra-keys "metadata.language_info" notebooks/*.ipynb

# nbconvert's pages load scripts from the network, for formulas and widgets: ours have none.
OFFLINE = --HTMLExporter.require_js_url= --HTMLExporter.mathjax_url=
PAGE = --to html --template-file=notebooks/page.html.j2

# The notebooks with their outputs; a notebook runs again after it was changed.
EXECUTED = $(patsubst notebooks/%,build/executed/%,$(wildcard notebooks/*.ipynb))

# Renders the executed notebooks as pages that need no Jupyter and no network.
notebooks: build $(DEV) $(EXECUTED)
	@$(PY) -m nbconvert $(PAGE) $(OFFLINE) --log-level=ERROR --output-dir build/notebooks $(EXECUTED)
	@ls build/notebooks/*.html

# The site, in build/site: all pages and notebooks, the API, and the sources that pages link to.
docs: build $(DEV) .venv/extra-docs $(EXECUTED)
	@$(PY) docs/site/build.py build/site
	@echo build/site/index.html

# The files of a release, each tried in an empty folder: build/release. Nothing is published.
release: $(DEV)
	@$(PY) tests/support/release.py --check
	@$(MAKE) --no-print-directory docs
	@$(PY) tests/support/release.py

# The slides of a course; of some exercises: make slides EXERCISES=vectorize,rows
slides: build .venv/extra-slides
	@$(PY) docs/slides/build.py $(EXERCISES)

# The page to play with, as one file; its module is compiled where clang and wasm-ld are installed.
play: .venv/ready
	@$(PY) docs/play/build.py --compile build/play.html

build/executed/%.ipynb: notebooks/%.ipynb | build $(DEV)
	@echo "running $<: up to two minutes"
	@$(PY) -m nbconvert --to notebook --execute --log-level=ERROR --output-dir build/executed \
		--ExecutePreprocessor.extra_arguments=--IPKernelApp.log_level=40 $<

# Quiet if nothing is to do. In a terminal, a build that lasts says so, and counts its files.
# Without a compiler, the modules stay as they are, and the last lines name the open exercises.
build: .venv/ready
	@$(PY) -I $(PREFLIGHT) --compiler || { $(WITHOUT_COMPILER); exit; }; \
	{ [ -t 1 ] && sleep 3 && echo "compiling the C and C++ code: two minutes or more for all of it, once"; \
		while [ -t 1 ] && kill -0 $$$$ 2>/dev/null && sleep 3; do \
			printf '\r%s files compiled ' "$$(find build/scratch-* -name '*.o' 2>/dev/null | wc -l)"; done; } & \
	trap "kill $$! 2>/dev/null" EXIT; trap 'exit 130' INT TERM; $(PY) setup.py -q build_ext --inplace || exit; \
	[ -e .venv/built ] || [ "$(MAKECMDGOALS)" != build ] || { printf '\nBuilt. '; $(NEXT); }; \
	touch .venv/built

NEXT = printf 'Type these two lines next:\n\n    source .venv/bin/activate\n    polymask workshop\n'
PREFLIGHT = ladder/common/preflight.py
OPEN = $(PY) -c "from ladder.cli import doctor; print(doctor.workshop()[1], end='\\n\\n')"
# These targets do without a compiler what they can; for all others, its absence is an error.
LENIENT := $(if $(filter-out build bench bench-all extras opencl play slides,$(or $(MAKECMDGOALS),bench)),,--lenient)
WITHOUT_COMPILER = $(if $(LENIENT),$(if $(filter build,$(MAKECMDGOALS)),$(OPEN) && $(NEXT),:),$(PY) -I $(PREFLIGHT))

# An environment that was copied or moved with its clone would run the old clone's code, and one
# whose Python is gone or was replaced runs nothing: .venv/here says where it is, and of what Python.
HERE = import os, sys; print(os.getcwd(), sys.version_info[:2])
HERE_NOW := $(shell .venv/bin/python -IS -c "$(HERE)" 2>/dev/null || echo nowhere)
ifneq ($(shell cat .venv/here 2>/dev/null),$(HERE_NOW))
.PHONY: .venv/tools .venv/ready
endif

# Two that set up at once would break each other's work: the second waits, and finds it done.
ifndef ALONE
.venv/ready: setup.py pyproject.toml $(wildcard csrc/engine/VERSION)
.venv/ready .venv/tools:
	@command -v "$(PYTHON)" >/dev/null || { echo "$(PYTHON) not found: install Python 3.10 or later, or name one: make PYTHON=..."; exit 1; }
	@"$(PYTHON)" -I $(PREFLIGHT) $(LENIENT)
	@"$(PYTHON)" -I building/alone.py build/setting-up $(MAKE) --no-print-directory ALONE=yes $@
else
# The package itself, without its extensions: `build` compiles them in place, incrementally.
.venv/ready: .venv/tools setup.py pyproject.toml $(wildcard csrc/engine/VERSION)
	@echo "setting up .venv: installing the packages of the course (600 MB$(if $(WHEELHOUSE), from $(WHEELHOUSE),; a minute with a fast network))"
	@POLYMASK_BUILD=later $(PY) -m pip install -q $(FROM) --no-build-isolation -e ".[bench]"
	@touch $@
.venv/tools:
	@rm -f .venv/tools .venv/ready .venv/here
	@echo "setting up .venv: a virtual environment of $$("$(PYTHON)" --version)"
	@"$(PYTHON)" -m venv --clear .venv
	@$(PY) -m pip install -q $(FROM) --disable-pip-version-check "setuptools>=80" "cython>=3.3.1,<4"
	@$(PY) -IS -c "$(HERE)" > .venv/here
	@touch $@
endif

# What some rungs need, say `make extras EXTRAS=sycl,cuda`; then what is built only with that.
comma := ,
extras: $(patsubst %,.venv/extra-%,$(subst $(comma), ,$(EXTRAS)))
	@$(MAKE) --no-print-directory build

.venv/extra-%: .venv/ready
	@echo "installing the extra $*"
	@POLYMASK_BUILD=later $(PY) -m pip install -q $(FROM) --no-build-isolation -e ".[$*]"
	@touch $@

# Beside other libraries, of which `make extras EXTRAS=peers` installs about 300 MB.
peers:
	@$(MAKE) --no-print-directory extras EXTRAS=peers
	@$(PY) -m polymask bench --peers

# Many polygons in one call, and a small one in a large image, beside the same libraries.
many:
	@$(MAKE) --no-print-directory extras EXTRAS=peers
	@$(PY) -m polymask bench many

# A device for OpenCL: nothing to do where one works, else Intel's runtime, about 0.8 GB.
opencl: build
	@$(PY) -m ladder.devices opencl >/dev/null || { echo "no OpenCL device works yet: installing what the package index has for this processor" && \
		POLYMASK_BUILD=later $(PY) -m pip install -q $(FROM) --no-build-isolation -e ".[opencl-intel]"; }
	@$(PY) -m ladder.devices opencl

# All that `make build WHEELHOUSE=wheelhouse` installs, for a room without network. For other Pythons,
# too: make wheelhouse PYTHONS="3.10 3.12". uv lists their packages, as pip knows its own Python only.
wheelhouse: .venv/tools
	@POLYMASK_BUILD=later $(PY) -m pip wheel -q --disable-pip-version-check --no-build-isolation -w wheelhouse \
		"setuptools>=80" "cython>=3.3.1,<4" ".[bench,notebooks,slides]"
	@rm -f wheelhouse/polymask-*.whl
	@$(if $(PYTHONS),mkdir -p build && $(PY) -m pip install -q $(FROM) uv)
	@for version in $(PYTHONS); do \
		$(PY) -m uv pip compile -q --python-version $$version --extra notebooks --extra slides -o build/packages.txt -U pyproject.toml && \
		$(PY) -m pip download -q --no-deps --only-binary=:all: --python-version $$version -d wheelhouse -r build/packages.txt || exit 1; \
	done
	@echo "wheelhouse: $$(ls wheelhouse | wc -l) wheels; elsewhere: make build WHEELHOUSE=wheelhouse"

# Everything that needs an NVIDIA GPU, in eight minutes: tests, exercises, figures; to RESULTS=build/gpu.
# By the packages of a Python that is there, and wheels from a folder: make gpu PYTHON=python3 WHEELS=folder
# Without a GPU, to try it: make gpu REHEARSE=yes
gpu: $(if $(WHEELS),,build $(DEV))
	@"$(if $(WHEELS),$(PYTHON),$(PY))" -m benchmarks.gpu $(if $(WHEELS),--wheels "$(WHEELS)") \
		$(if $(RESULTS),--results "$(RESULTS)") $(if $(SECONDS),--seconds $(SECONDS)) $(if $(REHEARSE),--rehearse)

clean:
	@rm -rf build .venv *.egg-info
	@find . -name '*.so' -not -path './.venv/*' -delete
