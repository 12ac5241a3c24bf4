#!/bin/sh
# Cost of a simulation per op: at 100,000 ops at most 1.5 times that at 10,000, however many steps and transfers wait
# for room. Counted in instructions by callgrind, so that the machine's load does not matter.
program=${BUILDDIR:-.}/tests/core/linearity_cases
shapes="kept offloaded recomputed crowd"
limit=1.5

echo "1..4"
if ! command -v valgrind >/dev/null 2>&1; then
    for shape in $shapes; do
        number=$((${number:-0} + 1))
        echo "ok $number - $shape # SKIP no valgrind"
    done
    exit 0
fi
# Valgrind can't run a program with a sanitizer's own memory.
if nm "$program" | grep -q -e __asan_init -e __tsan_init; then
    for shape in $shapes; do
        number=$((${number:-0} + 1))
        echo "ok $number - $shape # SKIP built with a sanitizer"
    done
    exit 0
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT INT TERM

# Instructions within sim_evaluate for shape $1 at $2 ops.
instructions() {
    valgrind --tool=callgrind --toggle-collect=sim_evaluate --callgrind-out-file="$folder/out" \
        "$program" "$1" "$2" 2>"$folder/log" >"$folder/figures" || { cat "$folder/log" >&2; return 1; }
    sed -n 's/.*Collected : //p' "$folder/log"
}

status=0
for shape in $shapes; do
    number=$((${number:-0} + 1))
    small=$(instructions "$shape" 10000) && large=$(instructions "$shape" 100000) || exit 1
    echo "# $shape: $((small / 10000)) instructions an op at 10,000 ops, $((large / 100000)) at 100,000;" \
        "$(cat "$folder/figures")"
    if awk "BEGIN { exit !($small > 0 && $large / 10 <= $limit * $small) }"; then
        echo "ok $number - $shape"
    else
        echo "not ok $number - $shape"
        status=1
    fi
done
exit $status
