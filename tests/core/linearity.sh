#!/bin/sh
# Cost of a simulation per op: at 100,000 ops at most 1.5 times that at 10,000, however many steps and transfers wait
# for room.
. "${SRCDIR:-.}/tests/counted.sh"
program=${BUILDDIR:-.}/tests/core/linearity_cases

echo "1..4"
for shape in kept offloaded recomputed crowd; do
    count sim_evaluate "$program" "$shape" 10000
    small=$count
    count sim_evaluate "$program" "$shape" 100000
    echo "# $shape: $((small / 10000)) instructions an op at 10,000 ops, $((count / 100000)) at 100,000; $figures"
    report "$shape" "0 < $small && 0 < $count && $count / 10 <= 1.5 * $small"
done
exit $status
