LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
TEST_EXTENSIONS = .sh .py
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = $(SHELL)
PY_LOG_DRIVER = $(LOG_DRIVER)
PY_LOG_COMPILER = python3
AM_TESTS_ENVIRONMENT = \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	SLACKSWAP='$(abs_top_builddir)/slackswap'; export SLACKSWAP; \
	SRCDIR='$(abs_top_srcdir)'; export SRCDIR; \
	BUILDDIR='$(abs_top_builddir)'; export BUILDDIR; \
	SLACKSWAP_SHARED="$${SLACKSWAP_SHARED-$(abs_top_srcdir)/../shared}"; export SLACKSWAP_SHARED;

TESTS += tests/check_symbols.sh
EXTRA_DIST += tests/check_symbols.sh

# The tests that use threads: built with --enable-tsan, these are what is worth running.
THREAD_TESTS =

include tests/core.mk
include tests/io.mk
include tests/view.mk
include tests/app.mk

check-threads:
	@if test -z "$(THREAD_TESTS)"; then echo "no tests with threads yet"; \
	else $(MAKE) $(AM_MAKEFLAGS) check TESTS="$(THREAD_TESTS)"; fi
.PHONY: check-threads

# A failing test shows its own log at once.
AM_COLOR_TESTS = no
