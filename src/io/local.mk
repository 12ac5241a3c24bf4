noinst_LIBRARIES += libio.a
libio_a_CFLAGS = $(AM_CFLAGS) $(CJSON_CFLAGS) $(ZLIB_CFLAGS)
libio_a_SOURCES = \
	src/io/buffer.c \
	src/io/buffer.h \
	src/io/csv_columns.c \
	src/io/csv_columns.h \
	src/io/file.c \
	src/io/file.h \
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
	src/io/kineto_scan.c \
	src/io/kineto_scan.h \
	src/io/kineto_trace.c \
	src/io/kineto_trace.h \
	src/io/kineto_values.c \
	src/io/kineto_values.h \
	src/io/lines.c \
	src/io/lines.h \
	src/io/pipedream_graph.c \
	src/io/pipedream_graph.h \
	src/io/pipedream_kinds.c \
	src/io/pipedream_kinds.h \
	src/io/plan_json.c \
	src/io/plan_json.h \
	src/io/profile_json.c \
	src/io/profile_json.h \
	src/io/report.c \
	src/io/report.h \
	src/io/report_text.c \
	src/io/stream.c \
	src/io/stream.h
