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

include tests/core.mk
include tests/io.mk
include tests/view.mk
include tests/app.mk
