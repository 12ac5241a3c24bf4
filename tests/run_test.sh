#!/bin/sh
# Runs one test COMMAND so that its output tells automake's TAP driver the whole truth:
#   run_test.sh COMMAND [ARGUMENT...]
# - a time limit (SLACKSWAP_TEST_SECONDS, default 600): a test that hangs is an error, and so is everything it started;
# - a crash, or an exit status that no failed test explains, is an error; one that failed tests explain counts once;
# - cmocka 1.1.5 calls a skipped test "not ok N # SKIP name", which TAP takes for a failure: it is a skip;
# - an interpreter that is not installed skips its tests, with a word.
# Tests are kept from the user's own settings, and what a test would keep for the next time goes nowhere, unless it makes
# a place of its own for it.
set -u
limit=${SLACKSWAP_TEST_SECONDS-600}

command -v "$1" >/dev/null 2>&1 || { echo "1..0 # SKIP $1 is not installed"; exit 0; }

for variable in $(env | sed -n 's/^\(SLACKSWAP_[A-Z_]*\)=.*/\1/p'); do
    case $variable in
        SLACKSWAP_SHARED) ;;
        *) unset "$variable" ;;
    esac
done
unset NO_COLOR COLORTERM COLUMNS LINES TMUX ESCDELAY || :
LC_ALL=C.UTF-8 TERM=xterm-256color
XDG_CONFIG_HOME=/nonexistent XDG_STATE_HOME=/dev/null/nowhere
export LC_ALL TERM XDG_CONFIG_HOME XDG_STATE_HOME

{
    timeout -k 10 "$limit" "$@"
    printf '\nrun_test: status %d\n' $?
} | awk -v limit="$limit" '
    /^run_test: status [0-9]+$/ { status = $3; next }
    /^not ok [0-9]+ # SKIP/     { sub(/^not /, "") }
    /^not ok/                   { failed = 1 }
    NF                          { print; fflush() }
    END {
        if (status == 124 || status == 137) print "Bail out! killed: more than " limit " s"
        else if (status > 128)              print "Bail out! died of signal " status - 128
        else if (status != 0 && !failed)    print "Bail out! exit status " status
    }'
