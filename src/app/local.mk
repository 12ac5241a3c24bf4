noinst_LIBRARIES += libapp.a
libapp_a_CFLAGS = $(AM_CFLAGS) $(CURSES_CFLAGS) $(UV_CFLAGS) $(CJSON_CFLAGS) $(UTF8PROC_CFLAGS) $(ZLIB_CFLAGS)
libapp_a_SOURCES = \
	src/app/cmd_view.c \
	src/app/commands.h \
	src/app/crash.c \
	src/app/crash.h \
	src/app/load.h \
	src/app/loop.c \
	src/app/loop.h \
	src/app/options.h \
	src/app/output.h \
	src/app/planning.h \
	src/app/talk.h \
	src/app/term.c \
	src/app/term.h \
	src/app/term_colours.c \
	src/app/term_colours.h \
	src/app/term_keys.c \
	src/app/term_keys.h \
	src/app/worker.c \
	src/app/worker.h

# What a program of the app room links: every room, every library.
APP_LIBS = libapp.a libview.a libio.a libcore.a $(CURSES_LIBS) $(UV_LIBS) $(CJSON_LIBS) $(UTF8PROC_LIBS) $(ZLIB_LIBS)

bin_PROGRAMS += slackswap
slackswap_SOURCES = src/app/main.c
slackswap_CFLAGS = $(libapp_a_CFLAGS)
slackswap_LDADD = $(APP_LIBS)
