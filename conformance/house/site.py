#!/usr/bin/env python3
"""The documents as a site: static pages that ask no other server for anything.

usage: site.py SOURCE-DIRECTORY OUTPUT-DIRECTORY [PAGE.html]

Markdown becomes HTML by cmark-gfm, manual pages by mandoc. Every clause of the spec has an anchor (SPEC.html#MAX-TIE).
PAGE.html is the built page, for /play. A search over headings and text runs in the browser. A link to a file that is
not there is an error.
"""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

TEXT = 300  # characters below each heading that the search knows
# What a reader meets first comes first.
PAGES = {
    "index": ("README.md", "Cotangent"),
    "suite": ("doc/suite.md", "Running the suite"),
    "porting": ("doc/porting.md", "A port of your own"),
    "python": ("doc/python.md", "From Python"),
    "SPEC": ("doc/SPEC.md", "The spec"),
    "bounds": ("doc/bounds.md", "Error bounds"),
    "grading": ("doc/grading.md", "Grading"),
    "accuracy": ("doc/accuracy.md", "Measured accuracy"),
    "math": ("doc/math.md", "exp, log, pow"),
    "reference": ("doc/reference.md", "The reference"),
    "cuda": ("doc/cuda.md", "The GPU backend"),
    "softgpu": ("doc/softgpu.md", "The software device"),
    "softgpu-checkers": ("doc/softgpu-checkers.md", "Its checkers"),
    "softgpu-programs": ("doc/softgpu-programs.md", "Programs it has run"),
    "scale": ("doc/scale.md", "Sweeps and shards"),
    "ARCHITECTURE": ("ARCHITECTURE.md", "Architecture"),
    "SECURITY": ("SECURITY.md", "Security"),
    "CONTRIBUTING": ("CONTRIBUTING.md", "Working on it"),
    "NEWS": ("NEWS.md", "News"),
    "cotangent.1": ("doc/cotangent.1", "cotangent(1)"),
    "softgpu.1": ("doc/softgpu.1", "softgpu(1)"),
}
lost = []  # links to what is not in the source
STYLE = """
:root { color-scheme: light dark; --paper: #faf9f6; --ink: #1c1f26; --muted: #59606d; --line: #dfe1e6; --link: #1d5fc2 }
@media (prefers-color-scheme: dark) {
    :root { --paper: #13151a; --ink: #e9eaed; --muted: #a3aab6; --line: #2d323b; --link: #82b4ff } }
body { margin: 0 auto; max-width: 78rem; padding: 1rem; display: grid; gap: 0 2.5rem;
    grid-template-columns: 13rem minmax(0, 1fr); background: var(--paper); color: var(--ink);
    font: 16px/1.55 system-ui, sans-serif }
nav { font-size: 0.875rem; position: sticky; top: 1rem; align-self: start; max-height: 95vh; overflow: auto }
nav ul { list-style: none; padding: 0; margin: 0.5rem 0 } nav li { padding: 0.1rem 0 }
a { color: var(--link) } nav [aria-current] { font-weight: 650; color: var(--ink) }
input { width: 100%; box-sizing: border-box; padding: 0.3rem; font: inherit; color: inherit; background: none;
    border: 1px solid var(--muted); border-radius: 6px }
pre { overflow: auto; border: 1px solid var(--line); border-radius: 6px; padding: 0.7rem; font-size: 0.875rem }
table { border-collapse: collapse; display: block; overflow: auto; font-size: 0.9rem }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.7rem; text-align: left; vertical-align: top }
img { max-width: 100% } h1, h2, h3, h4 { line-height: 1.25 } h4 { margin-bottom: 0.2rem }
@media (max-width: 50rem) { body { display: block } nav { position: static; max-height: none }
  nav ul:last-child { max-height: 7.5rem; overflow: auto; border-bottom: 1px solid var(--line) } }
"""
SEARCH = """
const places = JSON.parse(document.querySelector('#places').textContent);
const field = document.querySelector('#search'), found = document.querySelector('#found');
field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(' ').filter(Boolean);
    const has = (text) => words.every((word) => text.toLowerCase().includes(word));
    const named = places.filter(([name]) => words.length && has(name));
    const told = places.filter(([name, , text]) => words.length && !has(name) && has(`${name} ${text}`));
    found.replaceChildren(...[...named, ...told].slice(0, 20).map(([name, to, text]) => {
        const item = document.createElement('li'), link = document.createElement('a');
        link.href = to, link.textContent = name;
        item.append(link);
        const at = has(name) ? -1 : text.toLowerCase().indexOf(words.find((w) => !name.toLowerCase().includes(w)));
        if (at >= 0) {
            item.append(` \u2026${text.slice(Math.max(0, at - 20), at + 40)}\u2026`);
        }
        return item;
    }));
});
"""


def pages_of(source):
    """Those above, and every other document by its first heading."""
    known = {file for file, _ in PAGES.values()}
    for path in sorted((source / "doc").glob("*.md")):
        if f"doc/{path.name}" not in known:
            PAGES[path.stem] = (f"doc/{path.name}", path.read_text().splitlines()[0].lstrip("# "))


def tool(*command, text):
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout


def anchor(heading):
    """A clause's id is its anchor; other headings as GitHub has them."""
    plain = html.unescape(re.sub(r"<[^>]*>", "", heading))
    clause = re.match(r"([A-Z][A-Z0-9-]+): ", plain)
    return clause[1] if clause else re.sub(r"[^\w -]", "", plain.lower()).strip().replace(" ", "-")


def words_of(body):
    """What a person reads of it, in one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


def with_anchors(body, headings):
    """Headings get ids; `headings` gets each with its id and what stands below it, for the search."""
    parts = re.split(r"<h([1-6])>(.*?)</h\1>", body)
    done = [parts[0]]
    for level, text, below in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        name = anchor(text)
        headings.append((words_of(text), name, words_of(below)[:TEXT]))
        done.append(f'<h{level} id="{html.escape(name)}">{text}</h{level}>{below}')
    return "".join(done)


def moved(link, file, source, pictures):
    """Where a link of a document leads in the site: another page, a picture; a source file is named and no link. What
    is not in the source is an error."""
    path, _, place = link.partition("#")
    if re.match(r"[a-z]+:", link) or not path:
        return link
    target = (source / file).parent.joinpath(path).resolve().relative_to(source.resolve()).as_posix()
    if not (source / target).exists():
        lost.append(f"{file}: {link} is not there")
    for page, (known, _) in PAGES.items():
        if target == known:
            return f"{page}.html" + (f"#{place}" if place else "")
    if target.endswith((".svg", ".png")):
        pictures.add(target)
        return pathlib.Path(target).name
    return None


def relinked(body, file, source, pictures):
    def picture(match):
        return f'src="{moved(match[1], file, source, pictures)}"'

    def link(match):
        to = moved(html.unescape(match[1]), file, source, pictures)
        return f'<a href="{html.escape(to)}">{match[2]}</a>' if to else match[2]

    body = re.sub(r'src="([^"]*)"', picture, body)
    return re.sub(r'<a href="([^"]*)">(.*?)</a>', link, body, flags=re.S)


def body_of(file, source, headings, pictures):
    text = (source / file).read_text()
    if file.endswith(".1"):
        body = tool("mandoc", "-T", "html", "-O", "fragment", text=text)
        parts = re.split(r'<h1 class="Sh" id="([^"]+)"', body)
        headings += [
            (name, name, words_of("<h1" + below)[:TEXT]) for name, below in zip(parts[1::2], parts[2::2], strict=True)
        ]
        return body
    body = tool("cmark-gfm", "--unsafe", "--extension", "table", text=text)
    return relinked(with_anchors(body, headings), file, source, pictures)


def contents(current, play):
    rows = [
        f'<li><a href="{name}.html"{" aria-current=page" if name == current else ""}>{html.escape(title)}</a></li>'
        for name, (_, title) in PAGES.items()
    ]
    return "".join(rows) + ('<li><a href="play/index.html">Play: gradients you can touch</a></li>' if play else "")


def page_of(name, body, places, play):
    data = json.dumps(places).replace("<", "\\u003c")
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' data:; style-src
'unsafe-inline'; script-src 'unsafe-inline'">
<link rel="icon" href="data:,"><title>{html.escape(PAGES[name][1])}</title><style>{STYLE}</style></head>
<body><nav aria-label="Documents"><input id="search" type="search" placeholder="Search all pages"
aria-label="Search all pages"><ul id="found"></ul><ul>{contents(name, play)}</ul></nav>
<main>{body}</main>
<script type="application/json" id="places">{data}</script><script>{SEARCH}</script></body></html>
"""


def main(source, out, play=None):
    source, out, pictures, bodies, places = pathlib.Path(source), pathlib.Path(out), set(), {}, []
    out.mkdir(parents=True, exist_ok=True)
    pages_of(source)
    for name, (file, title) in PAGES.items():
        headings = []
        bodies[name] = body_of(file, source, headings, pictures)
        places += [(f"{text} ({title})", f"{name}.html#{place}", below) for text, place, below in headings]
    for name, body in bodies.items():
        (out / f"{name}.html").write_text(page_of(name, body, places, play))
    for picture in pictures:
        shutil.copy(source / picture, out)
    if play:
        (out / "play").mkdir(exist_ok=True)
        shutil.copy(play, out / "play/index.html")
    print(*lost, f"{out}: {len(bodies)} pages, {len(places)} places to find", sep="\n")
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
