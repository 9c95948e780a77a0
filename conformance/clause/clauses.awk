# doc/SPEC.md -> C: a row { id, scope, text } per clause. Then tests.def, whose rows must be about clauses that there
# are, and which must have cases for each of them.
function flush_clause() {
    if (id == "") return
    gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); gsub(/`/, "", text)
    printf "    { \"%s\", \"%s\", \"%s\" },\n", id, scope, text
    texts[id] = text
    id = ""
}
function complain(text) { print text > "/dev/stderr"; failed = 1 }
BEGIN { print "#include \"conformance/clause/clauses.h\"\n\n#include <string.h>\n\nstatic const clause clauses[] = {" }
FILENAME ~ /tests\.def$/ {
    if (!/^(TESTS|WRONG_VALUE|WRONG_BITS|SENTENCE)\("/) next
    split($0, quoted, "\"")
    if (!(quoted[2] in known)) complain(FILENAME ": " quoted[2] " is no clause of doc/SPEC.md")
    else if (/^SENTENCE/ && !index(" " texts[quoted[2]], " " quoted[4]))
        complain(FILENAME ": " quoted[2] " has no sentence that begins " quoted[4])
    if (/^TESTS/) tested[quoted[2]] = 1
    next
}
/^#### / {
    flush_clause()
    id = $2
    sub(/:$/, "", id)
    known[id] = 1
    scope = $0
    sub(/^[^:]*: */, "", scope)
    text = ""
    next
}
/^#|^</ { flush_clause(); next }
/^\||^    / { next } # tables, examples
NF { if (id != "") text = text (text == "" ? "" : " ") $0 }
END {
    flush_clause()
    for (name in known)
        if (!(name in tested)) complain("doc/SPEC.md: " name " has no cases in conformance/clause/tests.def")
    if (failed) exit 1
    print "    { 0, 0, 0 },\n};\n"
    print "const clause *clause_at(int index)\n{\n    return clauses[index].id ? &clauses[index] : 0;\n}\n"
    print "const clause *clause_find(const char *id)\n{\n    const clause *c = clauses;"
    print "    while (c->id && strcmp(c->id, id))\n        c++;\n    return c->id ? c : 0;\n}"
}
