# unit tests of the core room
if HAVE_CMOCKA
CORE_TESTS = \
	tests/core/test_base \
	tests/core/test_bound \
	tests/core/test_bound_reads \
	tests/core/test_check \
	tests/core/test_closure \
	tests/core/test_difference \
	tests/core/test_chains \
	tests/core/test_demand \
	tests/core/test_glossary \
	tests/core/test_knobs \
	tests/core/test_link \
	tests/core/test_rehearsal \
	tests/core/test_residuals \
	tests/core/test_outcome \
	tests/core/test_peers \
	tests/core/test_plan \
	tests/core/test_plan_rules \
	tests/core/test_planners \
	tests/core/test_preset \
	tests/core/test_profile \
	tests/core/test_puzzle \
	tests/core/test_schedule \
	tests/core/test_sim \
	tests/core/test_sim_allocation \
	tests/core/test_sweep \
	tests/core/test_timeline \
	tests/core/test_formula \
	tests/core/test_units \
	tests/core/test_whatif \
	tests/core/test_zoo
check_PROGRAMS += $(CORE_TESTS)
TESTS += $(CORE_TESTS)
endif
CORE_TEST_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
CORE_TEST_LIBS = libcore.a $(CMOCKA_LIBS)

tests_core_test_base_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_base_LDADD = $(CORE_TEST_LIBS) -lm
tests_core_test_link_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_link_LDADD = $(CORE_TEST_LIBS) -lm
tests_core_test_puzzle_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_puzzle_LDADD = $(CORE_TEST_LIBS) -lm
tests_core_test_profile_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_profile_LDADD = $(CORE_TEST_LIBS) -lm

tests_core_test_zoo_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_zoo_LDADD = $(CORE_TEST_LIBS)

tests_core_test_glossary_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_glossary_LDADD = $(CORE_TEST_LIBS) -lm

tests_core_test_knobs_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_knobs_LDADD = $(CORE_TEST_LIBS)

tests_core_test_formula_SOURCES = tests/core/test_formula.c $(HAND_MADE)
tests_core_test_formula_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_formula_LDADD = $(CORE_TEST_LIBS) -lm
tests_core_test_units_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_units_LDADD = $(CORE_TEST_LIBS)

tests_core_test_bound_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_bound_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_bound_reads_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_bound_reads_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_chains_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_chains_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_check_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_check_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_closure_SOURCES = tests/core/test_closure.c $(HAND_MADE)
tests_core_test_closure_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_closure_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_demand_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_demand_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_outcome_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_outcome_LDADD = $(CORE_TEST_LIBS) -lm
tests_core_test_peers_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_peers_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_plan_rules_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_plan_rules_LDADD = $(CORE_TEST_LIBS) -lm
tests_core_test_preset_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_preset_LDADD = $(CORE_TEST_LIBS) -lm
tests_core_test_rehearsal_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_rehearsal_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_planners_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_planners_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm

tests_core_test_residuals_SOURCES = tests/core/test_residuals.c $(HAND_MADE)
tests_core_test_residuals_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_residuals_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_difference_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_difference_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_schedule_SOURCES = tests/core/test_schedule.c $(HAND_MADE)
tests_core_test_schedule_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_schedule_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_sim_SOURCES = tests/core/test_sim.c $(HAND_MADE)
tests_core_test_sim_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_sim_LDADD = $(CORE_TEST_LIBS) -lm
tests_core_test_sim_allocation_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_sim_allocation_LDFLAGS = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc
tests_core_test_sim_allocation_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_sweep_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_sweep_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_whatif_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_whatif_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm
tests_core_test_plan_SOURCES = tests/core/test_plan.c $(HAND_MADE)
tests_core_test_plan_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_plan_LDADD = $(CORE_TEST_LIBS)
tests_core_test_timeline_SOURCES = tests/core/test_timeline.c $(HAND_MADE)
tests_core_test_timeline_CFLAGS = $(CORE_TEST_CFLAGS)
tests_core_test_timeline_LDADD = tests/librandom.a $(CORE_TEST_LIBS) -lm

# The manual page of the glossary: in the sources, written from the table on request.
update-glossary: tests/core/test_glossary$(EXEEXT)
	UPDATE_GLOSSARY=1 SRCDIR='$(abs_top_srcdir)' tests/core/test_glossary$(EXEEXT)
.PHONY: update-glossary

# small profiles spelled out in a test
HAND_MADE = tests/core/hand_made.c tests/core/hand_made.h

# random profiles, plans and links for property tests
check_LIBRARIES += tests/librandom.a
tests_librandom_a_SOURCES = tests/random_profile.c tests/random_profile.h

# the simulator against shared/oracle
check_PROGRAMS += tests/core/differential_cases
tests_core_differential_cases_SOURCES = tests/core/differential_cases.c
tests_core_differential_cases_LDADD = tests/librandom.a libcore.a -lm
TESTS += tests/core/compare_with_oracle.py
EXTRA_DIST += tests/core/compare_with_oracle.py

# the simulator's cost per op at 10,000 and 100,000 ops
check_PROGRAMS += tests/core/linearity_cases
tests_core_linearity_cases_SOURCES = tests/core/linearity_cases.c tests/counted.h
tests_core_linearity_cases_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
tests_core_linearity_cases_LDADD = libcore.a -lm
TESTS += tests/core/linearity.sh
EXTRA_DIST += tests/core/linearity.sh

# the first plan's cost per op from 1,000 to 100,000 ops, and how soon it can be abandoned
check_PROGRAMS += tests/core/planning_cases
tests_core_planning_cases_SOURCES = tests/core/planning_cases.c tests/counted.h
tests_core_planning_cases_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
tests_core_planning_cases_LDADD = libcore.a -lm
TESTS += tests/core/planning_cost.sh
EXTRA_DIST += tests/core/planning_cost.sh
