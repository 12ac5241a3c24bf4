noinst_LIBRARIES += libapp.a
libapp_a_CFLAGS = $(AM_CFLAGS) $(CURSES_CFLAGS) $(UV_CFLAGS) $(CJSON_CFLAGS) $(UTF8PROC_CFLAGS) $(ZLIB_CFLAGS)
libapp_a_SOURCES = \
	src/app/bench_paper.c \
	src/app/bench_paper.h \
	src/app/bench_quality.c \
	src/app/bench_quality.h \
	src/app/challenges.c \
	src/app/challenges.h \
	src/app/cmd_bench.c \
	src/app/cmd_check.c \
	src/app/cmd_compare.c \
	src/app/cmd_diff.c \
	src/app/cmd_export.c \
	src/app/cmd_explain.c \
	src/app/cmd_import.c \
	src/app/cmd_lesson.c \
	src/app/cmd_model.c \
	src/app/cmd_plan.c \
	src/app/cmd_screen.c \
	src/app/cmd_simulate.c \
	src/app/cmd_sweep.c \
	src/app/cmd_view.c \
	src/app/commands.c \
	src/app/commands.h \
	src/app/config_file.c \
	src/app/config_file.h \
	src/app/crash.c \
	src/app/crash.h \
	src/app/folders.c \
	src/app/folders.h \
	src/app/help.c \
	src/app/help.h \
	src/app/importing.c \
	src/app/importing.h \
	src/app/jobs.c \
	src/app/jobs.h \
	src/app/lesson_tell.c \
	src/app/lesson_tell.h \
	src/app/lessons.c \
	src/app/lessons.h \
	src/app/load.c \
	src/app/load.h \
	src/app/loop.c \
	src/app/loop.h \
	src/app/loop_effects.c \
	src/app/loop_files.c \
	src/app/loop_hands.c \
	src/app/loop_parts.h \
	src/app/loop_signals.c \
	src/app/options.c \
	src/app/options.h \
	src/app/options_take.c \
	src/app/output.c \
	src/app/output.h \
	src/app/palette_of.c \
	src/app/palette_of.h \
	src/app/planning.c \
	src/app/planning.h \
	src/app/progress.c \
	src/app/progress.h \
	src/app/replay.c \
	src/app/replay.h \
	src/app/read_plan.c \
	src/app/read_plan.h \
	src/app/save.c \
	src/app/save.h \
	src/app/school.c \
	src/app/school.h \
	src/app/session.c \
	src/app/session.h \
	src/app/setting.c \
	src/app/setting.h \
	src/app/studies.c \
	src/app/studies.h \
	src/app/suggest.c \
	src/app/suggest.h \
	src/app/sweep_run.c \
	src/app/sweep_run.h \
	src/app/talk.c \
	src/app/talk.h \
	src/app/term.c \
	src/app/term.h \
	src/app/term_colours.c \
	src/app/term_colours.h \
	src/app/term_keys.c \
	src/app/term_keys.h \
	src/app/term_mouse.c \
	src/app/term_mouse.h \
	src/app/term_paste.c \
	src/app/term_paste.h \
	src/app/theme_file.c \
	src/app/theme_file.h \
	src/app/watch.c \
	src/app/watch.h \
	src/app/quality.c \
	src/app/quality.h \
	src/app/worker.c \
	src/app/workload.c \
	src/app/workload.h \
	src/app/worker.h

# What a program of the app room links: every room, every library.
APP_LIBS = libapp.a libview.a libio.a libcore.a $(CURSES_LIBS) $(UV_LIBS) $(CJSON_LIBS) $(UTF8PROC_LIBS) $(ZLIB_LIBS)

bin_PROGRAMS += slackswap
slackswap_SOURCES = src/app/main.c
slackswap_CFLAGS = $(libapp_a_CFLAGS)
slackswap_LDADD = $(APP_LIBS)
