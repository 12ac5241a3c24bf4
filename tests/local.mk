# Each test, program or script, speaks TAP and is run by tests/run_test.sh under automake's TAP driver, so every case
# counts separately. A test finds its files by the environment:
#   SLACKSWAP         the program                  SRCDIR     top of the sources
#   SLACKSWAP_SHARED  real data, which may not be  BUILDDIR   top of the build: the place to write
#   INSTRUMENTED      yes in a build with sanitizers or gcov, else empty
# One alone: make check TESTS=tests/core/test_units
TEST_EXTENSIONS = .sh .py
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
PY_LOG_DRIVER = $(LOG_DRIVER)
LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/run_test.sh
SH_LOG_COMPILER = $(LOG_COMPILER) $(SHELL)
PY_LOG_COMPILER = $(LOG_COMPILER) $(PYTHON)
AM_TESTS_ENVIRONMENT = \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	AWK='$(AWK)'; export AWK; \
	SLACKSWAP='$(abs_top_builddir)/slackswap'; export SLACKSWAP; \
	PYTHONDONTWRITEBYTECODE=1; export PYTHONDONTWRITEBYTECODE; \
	SRCDIR='$(abs_top_srcdir)'; export SRCDIR; \
	BUILDDIR='$(abs_top_builddir)'; export BUILDDIR; \
	INSTRUMENTED='$(INSTRUMENTED)'; export INSTRUMENTED; \
	SLACKSWAP_SHARED="$${SLACKSWAP_SHARED-$(abs_top_srcdir)/../shared}"; export SLACKSWAP_SHARED;
EXTRA_DIST += tests/run_test.sh tests/counted.sh

# The tests that use threads, programs and scripts: in a build with --enable-tsan, these are what is worth running.
THREAD_UNITS =
THREAD_TESTS =

include tests/build.mk
include tests/core.mk
include tests/io.mk
include tests/view.mk
include tests/app.mk
include tests/fuzz.mk

check-threads:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS="$(THREAD_UNITS) $(THREAD_TESTS)" check_PROGRAMS="$(THREAD_UNITS)"
.PHONY: check-threads
