# The tests of the build itself: of the harness, and of the walls between the rooms.
BUILD_TESTS = \
	tests/build/test_harness.sh \
	tests/build/test_includes.sh \
	tests/build/test_symbols.sh
TESTS += $(BUILD_TESTS)
EXTRA_DIST += $(BUILD_TESTS)

check_LIBRARIES += tests/build/liboffender.a
tests_build_liboffender_a_SOURCES = tests/build/offender.c

if HAVE_CMOCKA
check_PROGRAMS += tests/build/sample
else
TESTS += tests/build/no_cmocka.sh
endif
EXTRA_DIST += tests/build/no_cmocka.sh
tests_build_sample_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_build_sample_LDADD = $(CMOCKA_LIBS)
