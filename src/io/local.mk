noinst_LIBRARIES += libio.a
libio_a_CFLAGS = $(AM_CFLAGS) $(CJSON_CFLAGS) $(ZLIB_CFLAGS)
libio_a_SOURCES = \
	src/io/buffer.c \
	src/io/buffer.h \
	src/io/csv_columns.c \
	src/io/csv_columns.h \
	src/io/export.c \
	src/io/export.h \
	src/io/export_chrome.c \
	src/io/export_csv.c \
	src/io/export_curves.c \
	src/io/export_curves.h \
	src/io/export_markdown.c \
	src/io/export_svg.c \
	src/io/export_words.c \
	src/io/export_words.h \
	src/io/file.c \
	src/io/file.h \
	src/io/findings_report.c \
	src/io/findings_report.h \
	src/io/findings_sarif.c \
	src/io/import.c \
	src/io/import.h \
	src/io/import_csv.c \
	src/io/import_csv.h \
	src/io/import_kineto.c \
	src/io/import_kineto.h \
	src/io/import_pipedream.c \
	src/io/import_pipedream.h \
	src/io/json.c \
	src/io/json.h \
	src/io/json_syntax.c \
	src/io/json_syntax.h \
	src/io/json_write.c \
	src/io/json_write.h \
	src/io/kineto_kinds.c \
	src/io/kineto_kinds.h \
	src/io/kineto_link.c \
	src/io/kineto_link.h \
	src/io/kineto_measured.c \
	src/io/kineto_measured.h \
	src/io/kineto_scan.c \
	src/io/kineto_scan.h \
	src/io/kineto_trace.c \
	src/io/kineto_trace.h \
	src/io/kineto_values.c \
	src/io/kineto_values.h \
	src/io/lesson_files.h \
	src/io/lesson_json.c \
	src/io/lesson_json.h \
	src/io/link_json.c \
	src/io/link_json.h \
	src/io/lines.c \
	src/io/lines.h \
	src/io/palette.h \
	src/io/timings_json.c \
	src/io/timings_json.h \
	src/io/pipedream_graph.c \
	src/io/pipedream_graph.h \
	src/io/pipedream_kinds.c \
	src/io/pipedream_kinds.h \
	src/io/measured_json.c \
	src/io/measured_json.h \
	src/io/member_lines.c \
	src/io/member_lines.h \
	src/io/plan_json.c \
	src/io/plan_json.h \
	src/io/profile_json.c \
	src/io/profile_json.h \
	src/io/report.c \
	src/io/report.h \
	src/io/report_diff.c \
	src/io/report_diff.h \
	src/io/report_explain.c \
	src/io/report_explain.h \
	src/io/report_residuals.c \
	src/io/report_residuals.h \
	src/io/report_parts.c \
	src/io/report_parts.h \
	src/io/report_sweep.c \
	src/io/report_sweep.h \
	src/io/report_text.c \
	src/io/stream.c \
	src/io/stream.h \
	src/io/svg.c \
	src/io/svg.h

# The built-in lessons as a table.
nodist_libio_a_SOURCES = src/io/lesson_files.c
CLEANFILES += src/io/lesson_files.c
src/io/lesson_files.c: $(LESSONS) $(top_srcdir)/samples/lessons/compile.awk
	$(AM_V_GEN)$(MKDIR_P) src/io && (cd $(top_srcdir) && $(AWK) -f samples/lessons/compile.awk $(LESSONS) </dev/null) >$@.tmp && \
	    mv $@.tmp $@
