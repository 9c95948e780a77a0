#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# What fails around the command: allocations, writes and renames, one after the other; signals, limits, closed
# descriptors, small stacks. A stated part of the first in make check, all of them with --long.
. "$srcdir/conformance/tap/tap.sh"
if ! command -v python3 > /dev/null; then
    skip "faults and circumstances" "no python3"
    done_testing
fi
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
for what in circumstances faults; do
    if [ $what = faults ] && [ -n "$SANITIZE" ]; then
        skip "faults" "AddressSanitizer has allocations of its own"
        continue
    fi
    python3 "$srcdir/conformance/cmd/test_faults.py" $what "$builddir" "$work/$what" "$@" > "$output" 2> "$work/errors"
    status=$?
    while read -r verdict name; do
        case $verdict in
        ok) result 0 "$name" ;;
        skip) skip "${name%% # *}" "${name#* # }" ;;
        *) result 1 "$name" ;;
        esac
    done < "$output"
    cp "$work/errors" "$output"
    result $status "$what: all was tried"
done
done_testing
