#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# The documents as a site (make site): it is built, its links lead somewhere, every clause has its anchor.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if ! command -v python3 > /dev/null || ! command -v cmark-gfm > /dev/null || ! command -v mandoc > /dev/null; then
    skip "the site" "no python3, cmark-gfm or mandoc"
    done_testing
    exit
fi
drawn() {
    python3 "$srcdir/conformance/house/plot.py" "$srcdir/$2" > "$work/drawn.svg"
    ok "$1 is drawn from $2 (conformance/house/plot.py)" cmp "$work/drawn.svg" "$srcdir/$1"
    dots=$(grep -o '<circle[^>]*opacity' "$work/drawn.svg" | wc -l)
    ok "and has $3 dots" test "$dots" = "$3"
}
# How many dots there must be follows from the op table: four types; two counters along two ways, or without an axis.
# The bandwidth is measured by hand, and may lack a new op.
ops=$(grep -c '^OP(' "$srcdir/core/ops.def") binary=$(grep -c '^OP(BINARY' "$srcdir/core/ops.def")
drawn doc/accuracy.svg doc/accuracy.md $((4 * ops))
measured=$(grep -oE '\| [a-z_0-9]+ [0-9.]+ / ' "$srcdir/doc/reference.md" | wc -l)
drawn doc/bandwidth.svg doc/reference.md $((2 * measured))
drawn doc/counters.svg bench/counters.txt $((4 * ops - 2 * binary))
echo '<!DOCTYPE html><title>The page</title>' > "$work/page.html"
ok "the site is built" python3 "$srcdir/conformance/house/site.py" "$srcdir" "$work/site" "$work/page.html"
ok "with the page" cmp "$work/page.html" "$work/site/play/index.html"
ok "to which every document leads" \
    test "$(grep -L 'href="play/index.html"' "$work"/site/*.html)" = ""
ok "its links lead somewhere, and every clause has its anchor" \
    python3 "$srcdir/conformance/house/test_site.py" "$work/site" "$srcdir/doc/SPEC.md"
sed -i 's/href="suite.html/href="sweet.html/; s/id="MAX-TIE"/id="MAX-TIES"/' "$work"/site/*.html
exits 1 "a link that leads nowhere is found" \
    python3 "$srcdir/conformance/house/test_site.py" "$work/site" "$srcdir/doc/SPEC.md"
says "clause MAX-TIE has no anchor" "and so is a clause without an anchor" \
    python3 "$srcdir/conformance/house/test_site.py" "$work/site" "$srcdir/doc/SPEC.md"

# The search, run in a document of two nodes.
cat > "$work/search.js" <<'JS'
const page = require('fs').readFileSync(process.argv[2], 'utf8');
const [, places, script] = page.match(/id="places">(.*?)<\/script><script>(.*?)<\/script>/s);
const node = () => ({
    text: '',
    append(...parts) { this.text += parts.map((part) => part.text || part.textContent || part).join(''); },
});
const field = { addEventListener: (_, listener) => field.listen = listener };
const found = { replaceChildren: (...items) => found.items = items };
globalThis.document = {
    querySelector: (name) => ({ '#places': { textContent: places }, '#search': field, '#found': found })[name],
    createElement: node,
};
new Function(script)();
field.value = process.argv[3];
field.listen();
console.log(found.items.map((item) => item.text).join('\n'));
JS
if command -v node > /dev/null; then
    says "MAX-TIE" "the search finds a clause by its name" node "$work/search.js" "$work/site/index.html" max-tie
    says "Batteries" "and a section by a word that stands in its text alone" \
        node "$work/search.js" "$work/site/index.html" "greedily mutants"
    not_ok "and nothing by a word that is nowhere" \
        sh -c "node '$work/search.js' '$work/site/index.html' zyzzyva | grep -q ."
else
    skip "the search" "no node"
fi

# A source whose link leads to no file.
mkdir -p "$work/source/doc"
cp "$srcdir"/*.md "$work/source"
cp "$srcdir"/doc/*.md "$srcdir"/doc/*.1 "$srcdir"/doc/*.svg "$srcdir"/doc/*.png "$work/source/doc"
echo 'Read [more](nowhere.c).' >> "$work/source/doc/math.md"
says "doc/math.md: nowhere.c is not there" "a link to a file that is not there is an error" \
    python3 "$srcdir/conformance/house/site.py" "$work/source" "$work/site"
done_testing
