#!/bin/sh
# The harness itself: what a test does is what is counted. Each sample goes through run_test.sh and automake's own
# driver, as tests do under make check; what the driver would count is compared.
set -u
work=$BUILDDIR/tests/harness.tmp
rm -rf "$work" && mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
number=0

counts() { # COMMAND... : the results that the driver records, sorted, as words
    env AM_TAP_AWK="${AWK-awk}" sh "$SRCDIR/build-aux/tap-driver.sh" --test-name sample --log-file "$work/log" \
        --trs-file "$work/trs" --color-tests no --enable-hard-errors yes --expect-failure no -- \
        sh "$SRCDIR/tests/run_test.sh" "$@" >/dev/null 2>&1
    sed -n 's/^:test-result: \([A-Z]*\).*/\1/p' "$work/trs" | sort | tr '\n' ' '
}

expect() { # WHAT RESULTS COMMAND...
    number=$((number + 1))
    what=$1 expected=$2
    shift 2
    found=$(counts "$@")
    if [ "$found" = "$expected " ]; then
        echo "ok $number - $what"
    else
        echo "not ok $number - $what: expected $expected, found $found"
        sed 's/^/# /' "$work/log"
    fi
}

if [ -x "$BUILDDIR/tests/build/sample" ]; then
    sample=$BUILDDIR/tests/build/sample
    echo "1..17"
    expect "passing tests of cmocka pass" "PASS PASS PASS" "$sample" passes
    expect "a failing assertion is one failure" "FAIL PASS PASS" "$sample" fails
    expect "a skipped test is a skip" "PASS PASS SKIP" "$sample" skips
    expect "a segmentation fault is a failure" "FAIL PASS PASS" "$sample" segfaults
    expect "an abort in a test is an error" "ERROR PASS" "$sample" aborts
    expect "an early exit with status 0 is an error" "ERROR PASS" "$sample" exits
    expect "a failing group setup is an error" "ERROR ERROR" "$sample" setup
    expect "a test that hangs is an error" "ERROR PASS" env SLACKSWAP_TEST_SECONDS=1 sh "$SRCDIR/tests/run_test.sh" \
        "$sample" hangs
else
    echo "1..9"
fi
expect "a script with a failed line fails once" "FAIL PASS" sh -c 'echo 1..2; echo ok 1; echo not ok 2; exit 1'
expect "a script that dies is an error" "ERROR PASS" sh -c 'echo 1..2; echo ok 1; kill -9 $$'
expect "a script that fails without a word is an error" "ERROR PASS" sh -c 'echo 1..1; echo ok 1; exit 7'
expect "a missing test is an error" "ERROR PASS" sh -c 'echo 1..2; echo ok 1'
expect "a test without output is an error" "ERROR" true
expect "a skipped script is a skip" "SKIP" sh -c 'echo "1..0 # SKIP no reason"'
expect "an interpreter that is missing skips its tests" "SKIP" no-such-interpreter test.py
expect "settings of the user do not reach a test" "PASS" env SLACKSWAP_BUDGET=10% NO_COLOR=1 \
    sh "$SRCDIR/tests/run_test.sh" sh -c 'echo 1..1; [ -z "${SLACKSWAP_BUDGET-}${NO_COLOR-}" ] && echo ok 1'
expect "a last line without a newline still counts" "PASS" sh -c 'echo 1..1; printf "ok 1"'
