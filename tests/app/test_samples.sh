#!/bin/sh
# The samples are what samples/regenerate writes with this program, and the toy's plan fits its budget.
set -u
samples=$SRCDIR/samples
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
generated="bert-large.json chain-bertlike.json chain-mid.json gpt2-xl.json llama-7b.json screens/timeline.svg screens/what-if.svg screens/compare.svg"

number=0
check() { # WORDS COMMAND...
    number=$((number + 1))
    words=$1
    shift
    if "$@"; then echo "ok $number - $words"; else echo "not ok $number - $words"; fi
}

echo "1..10"
check "samples/regenerate runs" "$samples/regenerate" "$folder"
for name in $generated; do
    check "samples/$name is up to date" cmp "$folder/$name" "$samples/$name"
done
check "the toy's plan fits its budget" sh -c \
    '"$SLACKSWAP" simulate "$1/toy.json" --plan "$1/toy-plan.json" >/dev/null' sh "$samples"
