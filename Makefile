# Reel. `make demo` and `make test` do everything on a fresh Debian or Ubuntu with a Swift 6.3 toolchain.

SWIFT  ?= swift
PREFIX ?= /usr/local
REEL   := .build/release/reel
# Tests run in release mode: a debug build decodes two hundred times slower.
TEST   := $(SWIFT) test -c release -Xswiftc -enable-testing --scratch-path .build/tests

.PHONY: demo build test fuzz-smoke conformance bench gallery check format install setup record clean help

demo: build ## render a clip through three loop passes, a seek and a speed change into JPEGs
	@Scripts/demo $(REEL)

build: setup ## the command, in .build/release/reel
	$(SWIFT) build -c release --product reel

test: setup ## all tests, in release mode
	@Scripts/run-tests $(TEST)

fuzz-smoke: setup ## each fuzzer for 60 seconds (FUZZ_SECONDS=N for another time)
	@Tests/Fuzz/run --seconds $(or $(FUZZ_SECONDS),60) --seed $(or $(FUZZ_SEED),0)

conformance: build ## every vector beside the checkout, against the lists of those that must pass
	@Scripts/conformance $(REEL)

bench: build ## decode, render and probe, beside FFmpeg where it is installed
	@Benchmarks/run $(REEL)
	@Benchmarks/imaging $(REEL)

gallery: build ## every filter, gravity and overlay from one clip, in docs/gallery
	@Scripts/gallery $(REEL)

check: setup ## formatting, layers and gates: what CI checks beside the tests
	$(SWIFT) format lint --strict --parallel -r Sources Tests Package.swift
	Scripts/check-layers
	Scripts/check-gates
	Scripts/check-contract-coverage

format: ## format all Swift files in place
	$(SWIFT) format -i --parallel -r Sources Tests Package.swift

record: setup ## write the golden dumps of TestVectors anew; read the difference before you commit it
	RECORD=1 $(TEST) --filter 'GoldenTests|StateCommandLogTests'

install: build ## copy the command to PREFIX/bin
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(REEL) "$(DESTDIR)$(PREFIX)/bin/reel"

setup:
	@Scripts/setup

clean:
	rm -rf .build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' $(MAKEFILE_LIST) | expand -t 20
