"""The site's links lead somewhere, and to no other server. usage: test_site.py DIRECTORY SPEC.md; says what is not."""

import html
import pathlib
import re
import sys


def main(site, spec):
    site, wrong = pathlib.Path(site), []
    pages = {path.name: path.read_text() for path in site.glob("*.html")}
    places = {name: set(re.findall(r'id="([^"]+)"', text)) for name, text in pages.items()}
    links = 0
    for name, text in pages.items():
        for link in re.findall(r'(?:href|src)="([^"]*)"', text):
            path, _, place = html.unescape(link).partition("#")
            if re.match(r"(https?|mailto|data):", link):
                continue
            links += 1
            target = path or name
            if not (site / target).exists():
                wrong.append(f"{name}: {link} is not there")
            elif place and target in places and place not in places[target]:
                wrong.append(f"{name}: {link} has no such place")
        wrong += [f"{name}: loads {one}" for one in re.findall(r'(?:src|<link[^>]*href)="(https?:[^"]*)"', text)]
    clauses = re.findall(r"^#### ([A-Z][A-Z0-9-]+):", pathlib.Path(spec).read_text(), flags=re.M)
    wrong += [f"clause {one} has no anchor" for one in clauses if one not in places["SPEC.html"]]
    print("\n".join(wrong) if wrong else f"{len(pages)} pages, {links} links, {len(clauses)} clauses")
    return bool(wrong) or links < 100 or len(clauses) < 100


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
