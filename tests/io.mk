# unit tests of the io room
if HAVE_CMOCKA
IO_TESTS = \
	tests/io/test_file \
	tests/io/test_import_csv \
	tests/io/test_import_pipedream \
	tests/io/test_profile_json \
	tests/io/test_report \
	tests/io/test_zoo_reference
check_PROGRAMS += $(IO_TESTS)
TESTS += $(IO_TESTS)
endif
EXTRA_DIST += \
	tests/fixtures/csv/aceso.csv \
	tests/fixtures/csv/plain.csv \
	tests/fixtures/pipedream/crlf.txt \
	tests/fixtures/pipedream/recurrent.txt \
	tests/fixtures/pipedream/residual.txt
IO_TEST_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
IO_TEST_LIBS = libio.a libcore.a $(CJSON_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)

tests_io_test_file_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_file_LDADD = $(IO_TEST_LIBS)

tests_io_test_import_pipedream_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_import_pipedream_LDADD = $(IO_TEST_LIBS)

tests_io_test_import_csv_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_import_csv_LDADD = $(IO_TEST_LIBS)

tests_io_test_zoo_reference_CFLAGS = $(IO_TEST_CFLAGS) $(CJSON_CFLAGS)
tests_io_test_zoo_reference_LDADD = $(IO_TEST_LIBS)

tests_io_test_report_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_report_LDADD = $(IO_TEST_LIBS) -lm
tests_io_test_profile_json_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_profile_json_LDADD = tests/librandom.a $(IO_TEST_LIBS) -lm
