# unit tests of the core room
if HAVE_CMOCKA
CORE_TESTS = \
	tests/core/test_bound \
	tests/core/test_knobs \
	tests/core/test_planners \
	tests/core/test_units \
	tests/core/test_zoo
check_PROGRAMS += $(CORE_TESTS)
TESTS += $(CORE_TESTS)
endif
CORE_TEST_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
CORE_TEST_LIBS = libcore.a $(CMOCKA_LIBS)

tests_core_test_zoo_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_zoo_LDADD = $(CORE_TEST_LIBS)

tests_core_test_knobs_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_knobs_LDADD = $(CORE_TEST_LIBS)

tests_core_test_units_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_units_LDADD = $(CORE_TEST_LIBS)

tests_core_test_bound_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_bound_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_planners_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_planners_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm

# random profiles, plans and links for property tests
check_LIBRARIES += tests/librandom.a
tests_librandom_a_SOURCES = tests/random_profile.c tests/random_profile.h

# the simulator against shared/oracle
check_PROGRAMS += tests/core/differential_cases
tests_core_differential_cases_SOURCES = tests/core/differential_cases.c
tests_core_differential_cases_LDADD = tests/librandom.a libcore.a -lm
TESTS += tests/core/compare_with_oracle.py
EXTRA_DIST += tests/core/compare_with_oracle.py
