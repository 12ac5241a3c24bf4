# unit tests of the view room
if HAVE_CMOCKA
VIEW_TESTS =
check_PROGRAMS += $(VIEW_TESTS)
TESTS += $(VIEW_TESTS)
endif
VIEW_TEST_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
VIEW_TEST_LIBS = libview.a libcore.a $(UTF8PROC_LIBS) $(CMOCKA_LIBS)
