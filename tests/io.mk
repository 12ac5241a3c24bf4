# unit tests of the io room
if HAVE_CMOCKA
IO_TESTS = \
	tests/io/test_bad_input \
	tests/io/test_file \
	tests/io/test_import_csv \
	tests/io/test_import_kineto \
	tests/io/test_import_pipedream \
	tests/io/test_lesson_play \
	tests/io/test_profile_json \
	tests/io/test_report \
	tests/io/test_zoo_reference
check_PROGRAMS += $(IO_TESTS)
TESTS += $(IO_TESTS)
endif
EXTRA_DIST += \
	tests/fixtures/csv/aceso.csv \
	tests/fixtures/csv/plain.csv \
	tests/fixtures/lessons/good.json \
	tests/fixtures/lessons/model.json \
	tests/fixtures/kineto/old.json \
	tests/fixtures/kineto/step.json \
	tests/fixtures/kineto/two_gpus.json \
	tests/fixtures/pipedream/crlf.txt \
	tests/fixtures/pipedream/recurrent.txt \
	tests/fixtures/pipedream/residual.txt
IO_TEST_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
IO_TEST_LIBS = libio.a libcore.a $(CJSON_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)

tests_io_test_lesson_play_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_lesson_play_LDADD = $(IO_TEST_LIBS) -lm
tests_io_test_bad_input_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_bad_input_LDADD = $(IO_TEST_LIBS) -lm

tests_io_test_file_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_file_LDADD = $(IO_TEST_LIBS)

tests_io_test_import_pipedream_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_import_pipedream_LDADD = $(IO_TEST_LIBS)

tests_io_test_import_kineto_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_import_kineto_LDADD = $(IO_TEST_LIBS) -lm

tests_io_test_import_csv_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_import_csv_LDADD = $(IO_TEST_LIBS)

tests_io_test_zoo_reference_CFLAGS = $(IO_TEST_CFLAGS) $(CJSON_CFLAGS)
tests_io_test_zoo_reference_LDADD = $(IO_TEST_LIBS)

tests_io_test_report_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_report_LDADD = $(IO_TEST_LIBS) -lm
tests_io_test_profile_json_CFLAGS = $(IO_TEST_CFLAGS)
tests_io_test_profile_json_LDADD = tests/librandom.a $(IO_TEST_LIBS) -lm

EXTRA_DIST += \
	tests/bad/EXPECTED \
	tests/bad/good.json \
	tests/bad/layer-activation-2-53.json \
	tests/bad/layer-backward-negative.json \
	tests/bad/layer-output-fraction.json \
	tests/bad/layer-text.json \
	tests/bad/layer-times-overflow.json \
	tests/bad/layer-twice.json \
	tests/bad/layer-without-forward.json \
	tests/bad/layer-without-name.json \
	tests/bad/layer-without-output.json \
	tests/bad/link-both-above-single.json \
	tests/bad/link-both-zero.json \
	tests/bad/link-latency-negative.json \
	tests/bad/link-latency-null.json \
	tests/bad/link-list.json \
	tests/bad/link-rate-negative.json \
	tests/bad/link-rate-tiny.json \
	tests/bad/link-rate-zero.json \
	tests/bad/link-without-d2h.json \
	tests/bad/link-without-h2d.json \
	tests/bad/measured-lane-object.json \
	tests/bad/measured-list.json \
	tests/bad/measured-slice-bytes-negative.json \
	tests/bad/measured-slice-number.json \
	tests/bad/measured-slice-without-start.json \
	tests/bad/measured-slices-overlap.json \
	tests/bad/measured-without-step.json \
	tests/bad/member-twice-among-many.json \
	tests/bad/member-twice-deep.json \
	tests/bad/member-twice.json \
	tests/bad/op-backward-huge.json \
	tests/bad/op-backward-text.json \
	tests/bad/op-cycle.json \
	tests/bad/op-forward-negative.json \
	tests/bad/op-input-later.json \
	tests/bad/op-input-number.json \
	tests/bad/op-input-own-output.json \
	tests/bad/op-input-unknown.json \
	tests/bad/op-inputs-text.json \
	tests/bad/op-kind-number.json \
	tests/bad/op-layer-empty.json \
	tests/bad/op-output-second-producer.json \
	tests/bad/op-output-twice.json \
	tests/bad/op-output-unknown.json \
	tests/bad/op-recomputable-text.json \
	tests/bad/op-recompute-negative.json \
	tests/bad/op-saved-unknown.json \
	tests/bad/op-saved-unrelated.json \
	tests/bad/op-text.json \
	tests/bad/op-times-overflow.json \
	tests/bad/op-twice.json \
	tests/bad/op-without-backward.json \
	tests/bad/op-without-forward.json \
	tests/bad/op-without-name.json \
	tests/bad/op-workspace-2-53.json \
	tests/bad/op-workspace-negative.json \
	tests/bad/plan-action-null.json \
	tests/bad/plan-action-number.json \
	tests/bad/plan-action-twice.json \
	tests/bad/plan-action-unknown.json \
	tests/bad/plan-actions-list.json \
	tests/bad/plan-budget-fraction.json \
	tests/bad/plan-budget-negative.json \
	tests/bad/plan-budget-text.json \
	tests/bad/plan-distance-fraction.json \
	tests/bad/plan-distance-negative.json \
	tests/bad/plan-distance-text.json \
	tests/bad/plan-distance-unknown.json \
	tests/bad/plan-distance-unmanaged.json \
	tests/bad/plan-good.json \
	tests/bad/plan-keep-offloaded.json \
	tests/bad/plan-keep-recomputed.json \
	tests/bad/plan-layer-action.json \
	tests/bad/plan-layer-unknown.json \
	tests/bad/plan-layers-list.json \
	tests/bad/plan-list.json \
	tests/bad/plan-measured-both.json \
	tests/bad/plan-measured-kind.json \
	tests/bad/plan-measured-lane.json \
	tests/bad/plan-measured-object.json \
	tests/bad/plan-measured-op-unknown.json \
	tests/bad/plan-measured-time-backwards.json \
	tests/bad/plan-measured-time-missing.json \
	tests/bad/plan-pattern-distance.json \
	tests/bad/plan-pattern-forbidden.json \
	tests/bad/plan-pattern-pinned.json \
	tests/bad/plan-pattern-unmanaged.json \
	tests/bad/plan-planner-number.json \
	tests/bad/plan-prefetch-list.json \
	tests/bad/plan-recompute-forbidden.json \
	tests/bad/plan-schema-wrong.json \
	tests/bad/plan-steps-fraction.json \
	tests/bad/plan-steps-negative.json \
	tests/bad/plan-tensor-unknown.json \
	tests/bad/plan-tensor-unproduced.json \
	tests/bad/plan-tensor-unsaved.json \
	tests/bad/plan-without-actions.json \
	tests/bad/profile-device-memory.json \
	tests/bad/profile-device-text.json \
	tests/bad/profile-empty-object.json \
	tests/bad/profile-fixed-negative.json \
	tests/bad/profile-fixed-text.json \
	tests/bad/profile-list.json \
	tests/bad/profile-name-number.json \
	tests/bad/profile-no-layers.json \
	tests/bad/profile-no-ops.json \
	tests/bad/profile-ops-object.json \
	tests/bad/profile-schema-number.json \
	tests/bad/profile-schema-wrong.json \
	tests/bad/profile-static-2-53.json \
	tests/bad/profile-static-fraction.json \
	tests/bad/profile-static-negative.json \
	tests/bad/profile-text.json \
	tests/bad/profile-without-ops.json \
	tests/bad/profile-without-tensors.json \
	tests/bad/syntax-binary.json \
	tests/bad/syntax-bracket-wrong.json \
	tests/bad/syntax-close-alone.json \
	tests/bad/syntax-colon-missing.json \
	tests/bad/syntax-comma-missing.json \
	tests/bad/syntax-comma-trailing.json \
	tests/bad/syntax-comment.json \
	tests/bad/syntax-control-in-text.json \
	tests/bad/syntax-deep-objects.json \
	tests/bad/syntax-deep.json \
	tests/bad/syntax-empty.json \
	tests/bad/syntax-escape-short.json \
	tests/bad/syntax-escape.json \
	tests/bad/syntax-half-surrogate.json \
	tests/bad/syntax-hexadecimal.json \
	tests/bad/syntax-infinity.json \
	tests/bad/syntax-leading-zero.json \
	tests/bad/syntax-member-trailing-comma.json \
	tests/bad/syntax-name-bare.json \
	tests/bad/syntax-nan.json \
	tests/bad/syntax-number-half.json \
	tests/bad/syntax-number-long.json \
	tests/bad/syntax-single-quotes.json \
	tests/bad/syntax-space.json \
	tests/bad/syntax-text-over-lines.json \
	tests/bad/syntax-trailing.json \
	tests/bad/syntax-truncated-name.json \
	tests/bad/syntax-truncated.json \
	tests/bad/syntax-two-documents.json \
	tests/bad/syntax-utf16.json \
	tests/bad/syntax-utf8-broken.json \
	tests/bad/syntax-word.json \
	tests/bad/syntax-zero-byte.json \
	tests/bad/syntax-zero-character.json \
	tests/bad/tensor-bytes-2-53.json \
	tests/bad/tensor-bytes-2-64.json \
	tests/bad/tensor-bytes-fraction.json \
	tests/bad/tensor-bytes-huge.json \
	tests/bad/tensor-bytes-negative.json \
	tests/bad/tensor-bytes-text.json \
	tests/bad/tensor-gradient-number.json \
	tests/bad/tensor-keep-text.json \
	tests/bad/tensor-name-empty.json \
	tests/bad/tensor-name-number.json \
	tests/bad/tensor-number.json \
	tests/bad/tensor-twice.json \
	tests/bad/tensor-without-bytes.json \
	tests/bad/tensor-without-name.json
