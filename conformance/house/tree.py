"""The files of a source tree, without what was built in it."""

import re

NOT_OURS = re.compile(
    r"^(build.*|_build|\.git|cotangent-\d.*|autom4te\.cache|m4|corpus|configure~?|libtool|config\.status)$"
)


def sources(root, suffixes):
    """The files below a directory with one of these suffixes."""
    for path in sorted(root.iterdir()) if root.is_dir() else []:
        if NOT_OURS.match(path.name):
            continue
        if path.is_dir():
            yield from sources(path, suffixes)
        elif path.is_file() and path.suffix in suffixes:
            yield path


def scripts(root, interpreter, suffix):
    """Files in a language, by suffix or by the line that names the interpreter."""
    for path in sources(root, (suffix, "")):
        if path.suffix == suffix or re.match(rb"#!.*\b%s\b" % interpreter.encode(), path.read_bytes()[:40]):
            yield path
