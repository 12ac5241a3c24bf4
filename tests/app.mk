# unit tests of the app room, and tests of the whole program (tests/app/*.sh)
if HAVE_CMOCKA
APP_TESTS = \
	tests/app/test_term
check_PROGRAMS += $(APP_TESTS)
TESTS += $(APP_TESTS)
endif
APP_TEST_CFLAGS = $(libapp_a_CFLAGS) $(CMOCKA_CFLAGS)
APP_TEST_LIBS = $(APP_LIBS) $(CMOCKA_LIBS)

tests_app_test_term_CFLAGS = $(APP_TEST_CFLAGS)
tests_app_test_term_LDADD = $(APP_TEST_LIBS)
