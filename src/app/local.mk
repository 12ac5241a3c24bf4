bin_PROGRAMS += slackswap
slackswap_SOURCES = \
	src/app/main.c
slackswap_CFLAGS = $(AM_CFLAGS) $(CURSES_CFLAGS) $(UV_CFLAGS) $(CJSON_CFLAGS) $(UTF8PROC_CFLAGS) $(ZLIB_CFLAGS)
slackswap_LDADD = libview.a libio.a libcore.a $(CURSES_LIBS) $(UV_LIBS) $(CJSON_LIBS) $(UTF8PROC_LIBS) $(ZLIB_LIBS)
