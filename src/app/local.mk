bin_PROGRAMS += slackswap
slackswap_SOURCES = \
	src/app/commands.h \
	src/app/load.h \
	src/app/main.c \
	src/app/options.h \
	src/app/output.h \
	src/app/planning.h \
	src/app/talk.h
slackswap_CFLAGS = $(AM_CFLAGS) $(CURSES_CFLAGS) $(UV_CFLAGS) $(CJSON_CFLAGS) $(UTF8PROC_CFLAGS) $(ZLIB_CFLAGS)
slackswap_LDADD = libview.a libio.a libcore.a $(CURSES_LIBS) $(UV_LIBS) $(CJSON_LIBS) $(UTF8PROC_LIBS) $(ZLIB_LIBS)
