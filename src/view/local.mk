noinst_LIBRARIES += libview.a
libview_a_CFLAGS = $(AM_CFLAGS) $(UTF8PROC_CFLAGS)
libview_a_SOURCES = \
	src/view/action.c \
	src/view/action.h \
	src/view/draw.h \
	src/view/draw_lanes.c \
	src/view/draw_memory.c \
	src/view/draw_panels.c \
	src/view/grid.c \
	src/view/grid.h \
	src/view/grid_out.c \
	src/view/grid_out.h \
	src/view/help.c \
	src/view/help.h \
	src/view/inspect.c \
	src/view/inspect.h \
	src/view/key.c \
	src/view/key.h \
	src/view/layout.c \
	src/view/layout.h \
	src/view/move.c \
	src/view/move.h \
	src/view/scene.c \
	src/view/scene.h \
	src/view/state.c \
	src/view/state.h \
	src/view/symbol.c \
	src/view/symbol.h \
	src/view/text.c \
	src/view/text.h \
	src/view/theme.c \
	src/view/theme.h \
	src/view/view.c \
	src/view/view.h \
	src/view/voice.c \
	src/view/voice.h
