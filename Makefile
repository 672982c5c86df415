# photolib: the commands that a person needs. `make help` lists them.
#
# The work is done by Swift's package manager and by scripts/; this file only names the steps.
# It never calls sudo itself; `make setup` does, and only when packages are missing.

SWIFT ?= swift
PREFIX ?= /usr/local
# What installs missing packages. `make SETUP=true test` leaves that step out, for systems without apt.
SETUP ?= scripts/setup

# The Swift runtime is linked in, so that the one installed file runs on machines without Swift.
release_flags := -c release --static-swift-stdlib --product photolib
binary := .build/release/photolib

# How long `make fuzz` tries each of its targets, and which; all where none is named.
SECONDS ?= 20
TARGET ?=

.PHONY: all setup build demo test tsan fuzz bench bench-access bench-cache bench-metadata bench-png lint install clean
.PHONY: help
# Steps of one build share .build and its lock, so `make -j` would gain nothing and mix their output.
.NOTPARALLEL:

all: build

setup: ## install the packages that building needs and this machine lacks (apt)
	@$(SETUP) build

build: ## build the release binary, .build/release/photolib
	$(SWIFT) build $(release_flags)

demo: setup build ## build, then show the library at work on SampleLibrary, in demo/
	@PATH="$(CURDIR)/.build/release:$$PATH" scripts/demo

# One test at a time: many of them block or keep a core busy for seconds, which would starve those that
# measure waiting; side by side they are no faster on a few cores.
test: ## build for debugging and run every test
	@$(SETUP) test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --no-parallel

tsan: ## run the tests of codecs, store and engine under ThreadSanitizer; FILTER=... for some
	@$(SETUP) test
	@SWIFT="$(SWIFT)" scripts/tsan $(if $(FILTER),'$(FILTER)')

fuzz: ## try hostile bytes on the readers; SECONDS=20 a target, TARGET=... for one
	@SWIFT="$(SWIFT)" scripts/fuzz --seconds $(SECONDS) $(TARGET)

# Options of scripts/bench: BENCH=--small for a quick look.
BENCH ?=

bench: ## measure thumbnails against other programs: speed, memory, quality; BENCH=--small for a quick look
	@$(SETUP) bench
	$(SWIFT) build $(release_flags)
	@scripts/bench $(BENCH)

# The pictures of SampleLibrary, and of the cameras in PHOTOLIB_CORPUS where that is set.
bench_pictures = SampleLibrary $(if $(PHOTOLIB_CORPUS),$(addprefix $(PHOTOLIB_CORPUS)/,\
	exif-cameras exif-dates-gps orientation photos-large))

bench-metadata: ## measure the reading of metadata, against exiftool and exiv2
	@$(SETUP) test
	PHOTOLIB_BENCH=1 $(SWIFT) build -c release --static-swift-stdlib --scratch-path .build/bench \
	  --product MetadataBenchmark
	.build/bench/release/MetadataBenchmark $(bench_pictures)

bench-cache: setup ## measure how fast thumbnails come from the cache
	for product in CacheBenchmark photolib; do \
	  PHOTOLIB_BENCH=1 $(SWIFT) build -c release --static-swift-stdlib --scratch-path .build/bench \
	    --product $$product || exit; \
	done
	.build/bench/release/CacheBenchmark .build/bench/release/photolib SampleLibrary

bench-access: setup ## measure what limited access costs, and whether time tells what it hides
	PHOTOLIB_BENCH=1 $(SWIFT) build -c release --static-swift-stdlib --scratch-path .build/bench \
	  --product AccessBenchmark
	.build/bench/release/AccessBenchmark fetch
	.build/bench/release/AccessBenchmark existence

bench-png: ## measure thumbnails of PNG files, FILES="...", against inflate alone and libpng
	PHOTOLIB_BENCH=1 $(SWIFT) build -c release --static-swift-stdlib --scratch-path .build/bench \
	  --product CodecBenchmark
	.build/bench/release/CodecBenchmark png $(FILES)

lint: ## check format, layers and scripts
	@SWIFT="$(SWIFT)" scripts/lint

# Built again only when a source is newer, so that `sudo make install` after `make` installs and does
# no more: a build through sudo would leave files and a lock that stop the user's next build.
$(binary): Package.swift $(shell find Sources -type f 2>/dev/null)
	@if [ -n "$$SUDO_USER" ]; then \
	  echo "$@ is missing or older than its sources: run 'make build' first, as yourself" >&2; exit 1; \
	fi
	$(SWIFT) build $(release_flags)
	@touch "$@"

install: $(binary) ## install photolib in $(DESTDIR)$(PREFIX)/bin
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(binary) "$(DESTDIR)$(PREFIX)/bin/photolib"

clean: ## remove what was built, and the demo
	rm -rf .build demo

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile
