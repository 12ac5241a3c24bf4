#!/bin/sh
# Cost of the first plan (planner slackswap), counted in instructions by callgrind, so that the machine's load does not
# matter: an op at 100,000 ops costs no more than log n says (log 100,000 / log 1,000 = 1.67 times that at 1,000) when as
# many plans are tried; the models and the chains that are promised something cost less than that; and a planner that is
# told to stop at once does not take longer than laying out and simulating one plan.
program=${BUILDDIR:-.}/tests/core/planning_cases

# shape:ops:more ops; shape:size:evaluations or stop:most million instructions
growing="uneven:1000:100000 transformer:1000:100000 chain:1000:10000"
promised="gpt2-xl:0::50 mid:1::60 mid:2::60 mid:4::60 bertlike:24::60 bertlike:48::60 bertlike:96::60"
stopped="chain:100000:stop:300"
cases="$growing $promised $stopped"

set -- $cases
echo "1..$#"
reason=
command -v valgrind >/dev/null 2>&1 || reason="no valgrind"
# Valgrind can't run a program with a sanitizer's own memory.
nm "$program" | grep -q -e __asan_init -e __tsan_init && reason="built with a sanitizer"
if [ -n "$reason" ]; then
    for case in $cases; do
        number=$((${number:-0} + 1))
        echo "ok $number - $case # SKIP $reason"
    done
    exit 0
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT INT TERM

# Instructions within planner_slackswap for the case in $@.
instructions() {
    valgrind --tool=callgrind --toggle-collect=planner_slackswap --callgrind-out-file=/dev/null \
        "$program" "$@" 2>"$folder/log" >"$folder/figures" || { cat "$folder/log" >&2; return 1; }
    sed -n 's/.*Collected : //p' "$folder/log"
}

status=0
report() { # CONDITION, for awk
    number=$((${number:-0} + 1))
    if awk "BEGIN { exit !($1) }"; then
        echo "ok $number - $case"
    else
        echo "not ok $number - $case"
        status=1
    fi
}

for case in $growing; do
    IFS=: read -r shape few many <<END
$case
END
    small=$(instructions "$shape" "$few" 2) && large=$(instructions "$shape" "$many" 2) || exit 1
    echo "# $shape: $((small / few)) instructions an op at $few ops, $((large / many)) at $many; $(cat "$folder/figures")"
    report "$small > 0 && $large / $many <= $small / $few * log($many) / log($few)"
done
for case in $promised $stopped; do
    IFS=: read -r shape size how most <<END
$case
END
    count=$(instructions "$shape" "$size" $how) || exit 1
    echo "# $shape $size $how: $((count / 1000)) thousand instructions; $(cat "$folder/figures")"
    report "$count > 0 && $count <= $most * 1e6"
done
exit $status
