# Fuzz targets, built with --enable-fuzz alone (clang): make fuzz runs each for FUZZ_SECONDS on the fixtures, the samples
# and what it finds from there. An input that breaks something is left in the build folder, named crash-… or leak-….
FUZZ_SECONDS = 20
FUZZERS = \
	tests/fuzz/fuzz_import \
	tests/fuzz/fuzz_json
EXTRA_PROGRAMS = $(FUZZERS)

FUZZ_LIBS = libio.a libcore.a $(CJSON_LIBS) $(ZLIB_LIBS)
FUZZ_SHARED_SOURCES = tests/fuzz/exercise.c tests/fuzz/exercise.h

tests_fuzz_fuzz_import_SOURCES = tests/fuzz/fuzz_import.c $(FUZZ_SHARED_SOURCES)
tests_fuzz_fuzz_import_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_import_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_json_SOURCES = tests/fuzz/fuzz_json.c $(FUZZ_SHARED_SOURCES)
tests_fuzz_fuzz_json_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_json_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fixtures/fuzz/toy_and_plan.txt

if FUZZ
fuzz: $(FUZZERS)
	@for fuzzer in $(FUZZERS); do \
	    found="tests/fuzz/found.$$(basename $$fuzzer)"; $(MKDIR_P) "$$found"; \
	    ./$$fuzzer -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=20 -verbosity=0 -print_final_stats=1 \
	        "$$found" $$(find $(top_srcdir)/tests/fixtures $(top_srcdir)/samples -type d) || exit 1; \
	done
else
fuzz:
	@echo "configure with --enable-fuzz CC=clang to build the fuzz targets"; exit 1
endif
.PHONY: fuzz
CLEANFILES += $(FUZZERS)
clean-local:
	rm -rf tests/fuzz/found.*
