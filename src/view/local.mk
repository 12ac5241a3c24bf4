noinst_LIBRARIES += libview.a
libview_a_CFLAGS = $(AM_CFLAGS) $(UTF8PROC_CFLAGS)
libview_a_SOURCES = \
	src/view/action.c \
	src/view/action.h \
	src/view/grid.c \
	src/view/grid.h \
	src/view/grid_out.c \
	src/view/grid_out.h \
	src/view/key.c \
	src/view/key.h \
	src/view/scene.h \
	src/view/state.h \
	src/view/text.c \
	src/view/text.h \
	src/view/theme.c \
	src/view/theme.h \
	src/view/view.h
