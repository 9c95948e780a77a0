"""Validates JSON files against a JSON Schema: the keywords that report.schema.json uses, and no others.

usage: python3 test_schema.py SCHEMA FILE...
"""

import json
import re
import sys

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
SILENT = {"$schema", "$defs", "title", "description", "properties"}


def is_type(value, name):
    return isinstance(value, TYPES[name]) and not (isinstance(value, bool) and name in ("integer", "number"))


def check_type(value, wanted, _schema, _root, path):
    if not any(is_type(value, name) for name in (wanted if isinstance(wanted, list) else [wanted])):
        yield "%s: %r is no %s" % (path, value, wanted)


def check_reference(value, wanted, _schema, root, path):
    yield from check(value, root["$defs"][wanted.removeprefix("#/$defs/")], root, path)


def check_required(value, wanted, _schema, _root, path):
    yield from ("%s: %s is missing" % (path, key) for key in wanted if key not in value)


def check_members(value, others, schema, root, path):
    """Those that are named, and what may stand beside them."""
    for key, member in value.items() if isinstance(value, dict) else ():
        known = schema.get("properties", {}).get(key, others)
        if known is False:
            yield "%s: %s is not in the schema" % (path, key)
        else:
            yield from check(member, known, root, "%s.%s" % (path, key))


def check_items(value, wanted, _schema, root, path):
    for i, item in enumerate(value):
        yield from check(item, wanted, root, "%s[%d]" % (path, i))


def check_that(holds):
    def rule(value, wanted, _schema, _root, path):
        if not holds(value, wanted):
            yield "%s: %r is not as %r says" % (path, value, wanted)

    return rule


RULES = {
    "type": check_type,
    "$ref": check_reference,
    "required": check_required,
    "additionalProperties": check_members,
    "items": check_items,
    "enum": check_that(lambda value, wanted: value in wanted),
    "const": check_that(lambda value, wanted: value == wanted),
    "pattern": check_that(lambda value, wanted: re.search(wanted, value)),
    "minimum": check_that(lambda value, wanted: value is None or value >= wanted),
}


def check(value, schema, root, path):
    """What is wrong with the value, as lines. A keyword that is not known here is an error of the schema's."""
    for keyword, wanted in schema.items():
        if keyword not in SILENT:
            yield from RULES[keyword](value, wanted, schema, root, path)


def main(schema_path, paths):
    with open(schema_path) as file:
        schema = json.load(file)
    wrong = 0
    for path in paths:
        with open(path) as file:
            for line in check(json.load(file), schema, schema, path):
                print(line)
                wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
