# unit tests of the core room
if HAVE_CMOCKA
CORE_TESTS = \
	tests/core/test_units
check_PROGRAMS += $(CORE_TESTS)
TESTS += $(CORE_TESTS)
endif
CORE_TEST_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
CORE_TEST_LIBS = libcore.a $(CMOCKA_LIBS)

tests_core_test_units_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_units_LDADD = $(CORE_TEST_LIBS)
