#!/bin/sh
# Stands for the unit tests in a build that was configured without cmocka.
echo "1..0 # SKIP the unit tests need cmocka, which configure did not find"
