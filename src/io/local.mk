noinst_LIBRARIES += libio.a
libio_a_CFLAGS = $(AM_CFLAGS) $(CJSON_CFLAGS) $(ZLIB_CFLAGS)
libio_a_SOURCES = \
	src/io/file.c \
	src/io/file.h
