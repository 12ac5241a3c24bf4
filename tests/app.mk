# unit tests of the app room, and tests of the whole program (tests/app/*.py, *.sh)
if HAVE_CMOCKA
APP_TESTS = \
	tests/app/test_jobs \
	tests/app/test_progress \
	tests/app/test_studies \
	tests/app/test_term \
	tests/app/test_theme_file \
	tests/app/test_worker
check_PROGRAMS += $(APP_TESTS)
TESTS += $(APP_TESTS)
endif
APP_TEST_CFLAGS = $(libapp_a_CFLAGS) $(CMOCKA_CFLAGS)
APP_TEST_LIBS = $(APP_LIBS) $(CMOCKA_LIBS)

tests_app_test_jobs_CFLAGS = $(APP_TEST_CFLAGS)
tests_app_test_jobs_LDADD = $(APP_TEST_LIBS)
tests_app_test_progress_CFLAGS = $(APP_TEST_CFLAGS)
tests_app_test_progress_LDADD = $(APP_TEST_LIBS)
tests_app_test_studies_CFLAGS = $(APP_TEST_CFLAGS)
tests_app_test_studies_LDADD = $(APP_TEST_LIBS)
tests_app_test_term_CFLAGS = $(APP_TEST_CFLAGS)
tests_app_test_term_LDADD = $(APP_TEST_LIBS)
tests_app_test_theme_file_CFLAGS = $(APP_TEST_CFLAGS)
tests_app_test_theme_file_LDADD = $(APP_TEST_LIBS)
tests_app_test_worker_CFLAGS = $(APP_TEST_CFLAGS)
tests_app_test_worker_LDADD = $(APP_TEST_LIBS)

CLI_TESTS = \
	tests/app/test_samples.sh \
	tests/app/test_bad_input.py \
	tests/app/test_check.py \
	tests/app/test_commands.py \
	tests/app/test_diff.py \
	tests/app/test_docs.py \
	tests/app/test_export.py \
	tests/app/test_explain.py \
	tests/app/test_formats.py \
	tests/app/test_import.py \
	tests/app/test_lesson.py \
	tests/app/test_lesson_screens.py \
	tests/app/test_plan_files.py \
	tests/app/test_quality.py \
	tests/app/test_sessions.py \
	tests/app/test_settings.py \
	tests/app/test_sweep.py \
	tests/app/test_usage.py
TESTS += $(CLI_TESTS)
EXTRA_DIST += $(CLI_TESTS) tests/app/chrome_trace.py tests/app/cli.py
EXTRA_DIST += \
	tests/check/CASES \
	tests/check/barred.json \
	tests/check/chain.json \
	tests/check/distance-0.plan.json \
	tests/check/distance-1.plan.json \
	tests/check/early.json \
	tests/check/early.plan.json \
	tests/check/exchange.plan.json \
	tests/check/for-40000.plan.json \
	tests/check/for-link.plan.json \
	tests/check/for-other.plan.json \
	tests/check/keep-stay.plan.json \
	tests/check/keep.plan.json \
	tests/check/move-stay.plan.json \
	tests/check/offload-xy.plan.json \
	tests/check/offload-y.plan.json \
	tests/check/offload-z.plan.json \
	tests/check/recompute-lifted.plan.json \
	tests/check/recompute-mixed.plan.json \
	tests/check/recompute-x.plan.json \
	tests/check/recompute-y.plan.json \
	tests/check/tight.json \
	tests/check/unknown.plan.json \
	tests/check/unmanaged.plan.json

# Of samples/pytorch; skipped where no Python has PyTorch.
TESTS += tests/app/test_pytorch.py
EXTRA_DIST += tests/app/test_pytorch.py tests/app/pytorch_models.py

VIEWER_TESTS = \
	tests/app/test_viewer_end.py \
	tests/app/test_viewer_lesson.py \
	tests/app/test_viewer_mouse.py \
	tests/app/test_viewer_paste.py \
	tests/app/test_viewer_sessions.py \
	tests/app/test_viewer_reload.py \
	tests/app/test_viewer_storm.py \
	tests/app/test_viewer_terminals.py \
	tests/app/test_viewer_theme.py \
	tests/app/test_viewer_use.py
TESTS += $(VIEWER_TESTS)
EXTRA_DIST += $(VIEWER_TESTS) tests/app/tmux.py tests/app/viewer.py

if HAVE_CMOCKA
THREAD_UNITS += tests/app/test_jobs tests/app/test_studies tests/app/test_worker
endif
THREAD_TESTS += \
	tests/app/test_viewer_reload.py \
	tests/app/test_viewer_sessions.py \
	tests/app/test_viewer_storm.py \
	tests/app/test_viewer_use.py

# the words of explanations, written anew
update-explanations: slackswap$(EXEEXT)
	UPDATE_GOLDENS=1 SRCDIR='$(abs_top_srcdir)' SLACKSWAP='$(abs_top_builddir)/slackswap' \
		$(PYTHON) '$(srcdir)/tests/app/test_explain.py'
# lessons as they are seen
update-lessons: slackswap$(EXEEXT)
	UPDATE_GOLDENS=1 SRCDIR='$(abs_top_srcdir)' SLACKSWAP='$(abs_top_builddir)/slackswap' \
		$(PYTHON) '$(srcdir)/tests/app/test_lesson_screens.py'
update-goldens: update-explanations update-lessons
.PHONY: update-explanations update-lessons

# sessions that show a feature each, for test_sessions.py
EXTRA_DIST += tests/sessions
