# unit tests of the view room
if HAVE_CMOCKA
VIEW_TESTS = \
	tests/view/test_action \
	tests/view/test_challenge \
	tests/view/test_command \
	tests/view/test_follow \
	tests/view/test_golden \
	tests/view/test_grid \
	tests/view/test_help \
	tests/view/test_lanes \
	tests/view/test_layers \
	tests/view/test_layout \
	tests/view/test_lesson \
	tests/view/test_narrate \
	tests/view/test_pointing \
	tests/view/test_presets \
	tests/view/test_prices \
	tests/view/test_problems \
	tests/view/test_scene \
	tests/view/test_state \
	tests/view/test_storm \
	tests/view/test_text \
	tests/view/test_theme \
	tests/view/test_undo \
	tests/view/test_compare \
	tests/view/test_cut \
	tests/view/test_ghost \
	tests/view/test_whatif
check_PROGRAMS += $(VIEW_TESTS)
TESTS += $(VIEW_TESTS)

# a state, a scene and a grid for tests
check_LIBRARIES += tests/view/libscreen.a
tests_view_libscreen_a_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) -I$(top_srcdir)
tests_view_libscreen_a_SOURCES = tests/view/canned.c tests/view/canned.h tests/view/keys.c tests/view/keys.h \
	tests/view/school.c tests/view/school.h tests/view/screen.c tests/view/screen.h
endif
VIEW_TEST_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
VIEW_TEST_LIBS = tests/view/libscreen.a libview.a libcore.a $(UTF8PROC_LIBS) $(CMOCKA_LIBS) -lm

tests_view_test_action_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_action_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_follow_CFLAGS = $(VIEW_TEST_CFLAGS) -I$(top_srcdir)
tests_view_test_follow_LDADD = tests/librandom.a $(VIEW_TEST_LIBS)
tests_view_test_golden_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_golden_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_grid_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_grid_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_help_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_help_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_lanes_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_lanes_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_layout_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_layout_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_lesson_CFLAGS = $(VIEW_TEST_CFLAGS) -I$(top_srcdir)
tests_view_test_lesson_LDADD = tests/librandom.a $(VIEW_TEST_LIBS)
tests_view_test_narrate_CFLAGS = $(VIEW_TEST_CFLAGS) -I$(top_srcdir)
tests_view_test_narrate_LDADD = tests/librandom.a $(VIEW_TEST_LIBS)
tests_view_test_pointing_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_pointing_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_text_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_text_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_theme_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_theme_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_ghost_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_ghost_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_cut_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_cut_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_compare_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_compare_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_whatif_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_whatif_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_scene_CFLAGS = $(VIEW_TEST_CFLAGS) -I$(top_srcdir)
tests_view_test_scene_LDADD = tests/librandom.a $(VIEW_TEST_LIBS)
tests_view_test_state_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_state_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_storm_CFLAGS = $(VIEW_TEST_CFLAGS) -I$(top_srcdir)
tests_view_test_storm_LDADD = tests/librandom.a $(VIEW_TEST_LIBS)
tests_view_test_layers_CFLAGS = $(VIEW_TEST_CFLAGS) -I$(top_srcdir)
tests_view_test_layers_LDADD = tests/librandom.a $(VIEW_TEST_LIBS)
tests_view_test_presets_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_presets_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_prices_CFLAGS = $(VIEW_TEST_CFLAGS) -I$(top_srcdir)
tests_view_test_prices_LDADD = tests/librandom.a $(VIEW_TEST_LIBS)
tests_view_test_problems_CFLAGS = $(VIEW_TEST_CFLAGS) -I$(top_srcdir)
tests_view_test_problems_LDADD = tests/librandom.a $(VIEW_TEST_LIBS)
tests_view_test_challenge_CFLAGS = $(VIEW_TEST_CFLAGS) -I$(top_srcdir)
tests_view_test_challenge_LDADD = tests/librandom.a $(VIEW_TEST_LIBS)
tests_view_test_command_CFLAGS = $(VIEW_TEST_CFLAGS)
tests_view_test_command_LDADD = $(VIEW_TEST_LIBS)
tests_view_test_undo_CFLAGS = $(VIEW_TEST_CFLAGS) -I$(top_srcdir)
tests_view_test_undo_LDADD = tests/librandom.a $(VIEW_TEST_LIBS)

# Golden screens: read from the sources, written only on request.
EXTRA_DIST += tests/golden
update-goldens: tests/view/test_golden$(EXEEXT)
	$(MKDIR_P) '$(srcdir)/tests/golden'
	UPDATE_GOLDENS=1 SRCDIR='$(abs_top_srcdir)' BUILDDIR='$(abs_top_builddir)' tests/view/test_golden$(EXEEXT)
.PHONY: update-goldens
clean-local: clean-goldens
clean-goldens:
	rm -rf tests/golden-drawn
.PHONY: clean-goldens

# the cost of a frame
check_PROGRAMS += tests/view/frame_cost_cases
tests_view_frame_cost_cases_SOURCES = tests/view/canned.c tests/view/canned.h tests/view/frame_cost_cases.c tests/counted.h
tests_view_frame_cost_cases_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
tests_view_frame_cost_cases_LDADD = libview.a libcore.a $(UTF8PROC_LIBS) -lm
TESTS += tests/view/frame_cost.sh
EXTRA_DIST += tests/view/frame_cost.sh
