# unit tests of the io room
if HAVE_CMOCKA
IO_TESTS = \
	tests/io/test_file
check_PROGRAMS += $(IO_TESTS)
TESTS += $(IO_TESTS)
endif
IO_TEST_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
IO_TEST_LIBS = libio.a libcore.a $(CJSON_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)

tests_io_test_file_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_file_LDADD = $(IO_TEST_LIBS)
