#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# The levels of relations between results, as the spec's text states them in 16.4: those of reasons.def.
. "$srcdir/conformance/tap/tap.sh"
text=$(sed -n '/^\*\*16\.4 /,/^$/p' "$srcdir/doc/SPEC.md" | tr '\n' ' ' | sed 's/\([.:]\) /\1@/g' | tr '@' '\n')

# The level of the sentence that has these words, as a letter.
stated() { printf '%s\n' "$text" | grep -F "$1" | grep -o 'level [A-Z]' | sort -u | sed 's/level //' | tr -d '\n'; }

judged() { sed -n "s/^REASON($1, LEVEL_\([A-Z]\),.*/\1/p" "$srcdir/conformance/judge/reasons.def"; }

agree() {
    while read -r reason words; do
        [ -n "$(judged "$reason")" ] && [ "$(stated "$words")" = "$(judged "$reason")" ]
        result $? "$reason is of level $(judged "$reason"), and the text says \"$(stated "$words")\": $words"
    done
}

agree << 'end'
EXACT the exact result
ORDER_FREE rounds nothing in any order
ADJOINT the exact result
MIRRORED in reverse of such a line
SCALED times a power of two
end
done_testing
