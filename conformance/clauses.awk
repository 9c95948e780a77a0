# doc/SPEC.md -> C: a row { id, scope, text } per clause.
function flush_clause() {
    if (id == "") return
    gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); gsub(/`/, "", text)
    printf "    { \"%s\", \"%s\", \"%s\" },\n", id, scope, text
    id = ""
}
BEGIN { print "#include \"clauses.h\"\n\n#include <string.h>\n\nstatic const clause clauses[] = {" }
/^#### / { flush_clause(); id = $2; sub(/:$/, "", id); scope = $0; sub(/^[^:]*: */, "", scope); text = ""; next }
/^#|^</ { flush_clause(); next }
/^\|/ { next }
NF { if (id != "") text = text (text == "" ? "" : " ") $0 }
END { flush_clause(); print "    { 0, 0, 0 },\n};\n\nconst clause *clause_at(int index)\n{\n    return clauses[index].id ? &clauses[index] : 0;\n}\n"
      print "const clause *clause_find(const char *id)\n{\n    const clause *c = clauses;\n    while (c->id && strcmp(c->id, id))\n        c++;\n    return c->id ? c : 0;\n}" }
