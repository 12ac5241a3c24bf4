# Fuzz targets, built with --enable-fuzz alone (clang), one for each parser: make fuzz runs each for FUZZ_SECONDS on its
# corpus and what it finds from there. The corpus is the small files that the other tests have, and tests/fixtures/fuzz. An
# input that breaks something is left in the build folder, named crash-… or leak-….
FUZZ_SECONDS = 20
FUZZERS = \
	tests/fuzz/fuzz_csv \
	tests/fuzz/fuzz_json \
	tests/fuzz/fuzz_kineto \
	tests/fuzz/fuzz_lesson \
	tests/fuzz/fuzz_pipedream \
	tests/fuzz/fuzz_plan \
	tests/fuzz/fuzz_settings
EXTRA_PROGRAMS = $(FUZZERS)

FUZZ_LIBS = libio.a libcore.a $(CJSON_LIBS) $(ZLIB_LIBS)
FUZZ_SHARED_SOURCES = tests/fuzz/exercise.c tests/fuzz/exercise.h

tests_fuzz_fuzz_csv_SOURCES = tests/fuzz/fuzz_importer.c $(FUZZ_SHARED_SOURCES)
tests_fuzz_fuzz_csv_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZED='"csv"'
tests_fuzz_fuzz_csv_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_csv_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_json_SOURCES = tests/fuzz/fuzz_json.c $(FUZZ_SHARED_SOURCES)
tests_fuzz_fuzz_json_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_json_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_kineto_SOURCES = tests/fuzz/fuzz_importer.c $(FUZZ_SHARED_SOURCES)
tests_fuzz_fuzz_kineto_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZED='"kineto"'
tests_fuzz_fuzz_kineto_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_kineto_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_lesson_SOURCES = tests/fuzz/fuzz_lesson.c $(FUZZ_SHARED_SOURCES)
tests_fuzz_fuzz_lesson_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_lesson_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_pipedream_SOURCES = tests/fuzz/fuzz_importer.c $(FUZZ_SHARED_SOURCES)
tests_fuzz_fuzz_pipedream_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZED='"pipedream"'
tests_fuzz_fuzz_pipedream_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_pipedream_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_plan_SOURCES = tests/fuzz/fuzz_plan.c $(FUZZ_SHARED_SOURCES)
tests_fuzz_fuzz_plan_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_plan_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_settings_SOURCES = tests/fuzz/fuzz_settings.c $(FUZZ_SHARED_SOURCES)
tests_fuzz_fuzz_settings_CFLAGS = $(libapp_a_CFLAGS)
tests_fuzz_fuzz_settings_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_settings_LDADD = $(APP_LIBS)

# Of each target: folders of files, and how long an input may be.
FUZZ_CORPUS_csv = $(top_srcdir)/tests/fixtures/csv $(top_srcdir)/tests/fixtures/fuzz/csv
FUZZ_CORPUS_json = $(top_srcdir)/tests/fixtures/fuzz $(top_srcdir)/tests/bad
FUZZ_CORPUS_kineto = $(top_srcdir)/tests/fixtures/kineto $(top_srcdir)/tests/fixtures/fuzz/kineto
FUZZ_CORPUS_lesson = $(top_srcdir)/tests/fixtures/lessons
FUZZ_CORPUS_pipedream = $(top_srcdir)/tests/fixtures/pipedream
FUZZ_CORPUS_plan = $(top_srcdir)/tests/bad $(top_srcdir)/tests/fixtures/fuzz/plan
FUZZ_CORPUS_settings = $(top_srcdir)/themes $(top_srcdir)/tests/fixtures/fuzz/settings
FUZZ_LENGTH_csv = 4096
FUZZ_LENGTH_json = 4096
FUZZ_LENGTH_kineto = 12000
FUZZ_LENGTH_lesson = 4096
FUZZ_LENGTH_pipedream = 4096
FUZZ_LENGTH_plan = 2048
FUZZ_LENGTH_settings = 4096
FUZZ_SEEDS = \
	tests/fixtures/fuzz/csv/map.csv \
	tests/fixtures/fuzz/csv/repeat.csv \
	tests/fixtures/fuzz/kineto/arrow.json \
	tests/fixtures/fuzz/kineto/device.json \
	tests/fixtures/fuzz/kineto/odd.json \
	tests/fixtures/fuzz/plan/everything.json \
	tests/fixtures/fuzz/plan/modules.json \
	tests/fixtures/fuzz/settings/config.json \
	tests/fixtures/fuzz/settings/keys.txt \
	tests/fixtures/fuzz/settings/lists.json \
	tests/fixtures/fuzz/toy_and_plan.txt
EXTRA_DIST += $(FUZZ_SEEDS)

FUZZ_RUNS = fuzz-csv fuzz-json fuzz-kineto fuzz-lesson fuzz-pipedream fuzz-plan fuzz-settings
if FUZZ
FUZZ_RUN = run() { \
	    found="tests/fuzz/found.$$1"; $(MKDIR_P) "$$found"; name=$$1 length=$$2; shift 2; echo "fuzzing $$name"; \
	    ./tests/fuzz/fuzz_$$name -max_total_time=$(FUZZ_SECONDS) -max_len=$$length -timeout=20 -verbosity=0 \
	        -print_final_stats=1 "$$found" "$$@"; \
	}; run
fuzz: $(FUZZ_RUNS)
fuzz-csv: tests/fuzz/fuzz_csv
	@$(FUZZ_RUN) csv $(FUZZ_LENGTH_csv) $(FUZZ_CORPUS_csv)
fuzz-json: tests/fuzz/fuzz_json
	@$(FUZZ_RUN) json $(FUZZ_LENGTH_json) $(FUZZ_CORPUS_json)
fuzz-kineto: tests/fuzz/fuzz_kineto
	@$(FUZZ_RUN) kineto $(FUZZ_LENGTH_kineto) $(FUZZ_CORPUS_kineto)
fuzz-lesson: tests/fuzz/fuzz_lesson
	@$(FUZZ_RUN) lesson $(FUZZ_LENGTH_lesson) $(FUZZ_CORPUS_lesson)
fuzz-pipedream: tests/fuzz/fuzz_pipedream
	@$(FUZZ_RUN) pipedream $(FUZZ_LENGTH_pipedream) $(FUZZ_CORPUS_pipedream)
fuzz-plan: tests/fuzz/fuzz_plan
	@$(FUZZ_RUN) plan $(FUZZ_LENGTH_plan) $(FUZZ_CORPUS_plan)
fuzz-settings: tests/fuzz/fuzz_settings
	@$(FUZZ_RUN) settings $(FUZZ_LENGTH_settings) $(FUZZ_CORPUS_settings)
else
fuzz:
	@echo "configure with --enable-fuzz CC=clang to build the fuzz targets"; exit 1
endif
.PHONY: fuzz $(FUZZ_RUNS)
CLEANFILES += $(FUZZERS)
clean-local:
	rm -rf tests/fuzz/found.*
