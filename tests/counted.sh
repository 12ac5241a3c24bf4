# counted.sh: what the scripts that count instructions share (. "$SRCDIR/tests/counted.sh"). Counted by callgrind, so that
# the machine's load does not matter.
#   count FUNCTION PROGRAM ARGUMENT...
#                          sets count to the instructions within FUNCTION, figures to what the program printed; 0 with a
#                          word on standard error where it fails, which no condition should accept
#   report NAME CONDITION  the next case holds when awk says so; skipped where nothing can be counted
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT INT TERM
number=0 status=0
at_start=yes
grep -q '^#define HAVE_VALGRIND_CALLGRIND_H' "${BUILDDIR:-.}/config.h" && at_start=no

reason=
command -v valgrind >/dev/null 2>&1 || reason="no valgrind"
[ -z "${INSTRUMENTED-}" ] || reason="built with a sanitizer" # valgrind can't run one's own memory

count() {
    function=$1
    shift
    count=0 figures=
    [ -z "$reason" ] || return 0
    if valgrind --tool=callgrind --instr-atstart=$at_start --toggle-collect="$function" --callgrind-out-file=/dev/null \
        "$@" 2>"$folder/log" >"$folder/figures"; then
        count=$(sed -n 's/.*Collected : //p' "$folder/log") figures=$(cat "$folder/figures")
    else
        cat "$folder/log" >&2
    fi
}

report() {
    number=$((number + 1))
    if [ -n "$reason" ]; then
        echo "ok $number - $1 # SKIP $reason"
    elif awk "BEGIN { exit !($2) }"; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1: not $2"
        status=1
    fi
}
