noinst_LIBRARIES += libview.a
libview_a_CFLAGS = $(AM_CFLAGS) $(UTF8PROC_CFLAGS)
libview_a_SOURCES = \
	src/view/action.c \
	src/view/action.h \
	src/view/bookmarks.c \
	src/view/canvas.c \
	src/view/command.c \
	src/view/command.h \
	src/view/command_state.h \
	src/view/compare_state.h \
	src/view/compare_study.c \
	src/view/draw.h \
	src/view/draw_command.c \
	src/view/draw_compare.c \
	src/view/draw_footer.c \
	src/view/draw_header.c \
	src/view/draw_inspector.c \
	src/view/draw_knobs.c \
	src/view/draw_lanes.c \
	src/view/draw_layers.c \
	src/view/draw_memory.c \
	src/view/draw_nothing.c \
	src/view/draw_chart.c \
	src/view/draw_chart.h \
	src/view/draw_problems.c \
	src/view/draw_timeline.c \
	src/view/edit.c \
	src/view/draw_whatif.c \
	src/view/edit.h \
	src/view/fixes.c \
	src/view/export_names.h \
	src/view/grid.c \
	src/view/grid.h \
	src/view/grid_out.c \
	src/view/grid_out.h \
	src/view/help.c \
	src/view/help.h \
	src/view/history.c \
	src/view/history.h \
	src/view/inspect.c \
	src/view/inspect.h \
	src/view/key.c \
	src/view/key.h \
	src/view/layer_figures.c \
	src/view/layer_figures.h \
	src/view/layers_lines.c \
	src/view/layers_lines.h \
	src/view/layers_state.h \
	src/view/layout.c \
	src/view/layout.h \
	src/view/mouse.h \
	src/view/move.c \
	src/view/move.h \
	src/view/prices.h \
	src/view/prices_study.c \
	src/view/reduce.h \
	src/view/rows.c \
	src/view/narrate.c \
	src/view/narrate.h \
	src/view/pointing.c \
	src/view/pointing.h \
	src/view/problems_state.h \
	src/view/problems_study.c \
	src/view/scene.c \
	src/view/scene.h \
	src/view/state.c \
	src/view/state.h \
	src/view/symbol.c \
	src/view/symbol.h \
	src/view/target.c \
	src/view/target.h \
	src/view/text.c \
	src/view/text.h \
	src/view/theme.c \
	src/view/theme.h \
	src/view/turn.c \
	src/view/typing.c \
	src/view/view.c \
	src/view/view.h \
	src/view/view_kind.h \
	src/view/view_layers.c \
	src/view/study.c \
	src/view/study.h \
	src/view/studies.h \
	src/view/view_compare.c \
	src/view/view_compare.h \
	src/view/view_problems.c \
	src/view/view_problems.h \
	src/view/view_timeline.c \
	src/view/view_whatif.c \
	src/view/view_whatif.h \
	src/view/whatif_state.h \
	src/view/whatif_study.c \
	src/view/views.c \
	src/view/views.h \
	src/view/voice.c \
	src/view/voice.h \
	src/view/window.c \
	src/view/wrap.c \
	src/view/wrap.h

# The built-in themes as a table.
nodist_libview_a_SOURCES = src/view/theme_builtin.c
CLEANFILES += src/view/theme_builtin.c
src/view/theme_builtin.c: $(THEMES) $(top_srcdir)/themes/compile.awk
	$(AM_V_GEN)$(MKDIR_P) src/view && $(AWK) -f $(top_srcdir)/themes/compile.awk $(THEMES) >$@.tmp && mv $@.tmp $@
