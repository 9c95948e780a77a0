"""What an address, or what has found its way into the page, cannot do. Run by test_hostile.sh."""

import pathlib
import re
import sys
import tempfile
from urllib.parse import quote

from fixture_browser import PAGE, ok, run

# Each attack sets window.ran where it succeeds. `refused` has what the policy stopped, by its directive.
ATTACKS = {
    "a script": ("script-src-elem", "const s = document.createElement('script'); s.text = RUN; add(s);"),
    "a script from elsewhere": (
        "script-src-elem",
        "const s = document.createElement('script'); s.src = 'data:text/javascript,' + RUN; add(s);",
    ),
    "a handler": ("script-src-attr", "add(document.createElement('p')).innerHTML = `<img src='' onerror='${RUN}'>`;"),
    "an address of script": (
        "script-src-elem",
        "const a = document.createElement('a'); a.href = 'javascript:void(' + RUN + ')'; add(a).click();",
    ),
    "text that is evaluated": ("script-src", "setTimeout(RUN);"),
    "a request": ("connect-src", "fetch('data:text/plain,1').then(() => window.ran = true, () => 0);"),
    "a socket's request": (
        "connect-src",
        "const x = new XMLHttpRequest(); x.onload = () => window.ran = true; x.open('GET', 'data:,1'); x.send();",
    ),
    "a frame": (
        "frame-src",
        "const f = document.createElement('iframe');"
        "f.src = 'data:text/html,<script>parent.postMessage(1, `*`)</script>';"
        "addEventListener('message', () => window.ran = true); add(f);",
    ),
    "a style": (
        "style-src-elem",
        "const s = document.createElement('style'); s.textContent = 'h1 { margin-left: 77px }'; add(s);"
        "window.ran = getComputedStyle(document.querySelector('h1')).marginLeft === '77px' || undefined;",
    ),
    "a base": (
        "base-uri",
        "const b = document.createElement('base'); b.href = 'file:///elsewhere/'; document.head.append(b);"
        "window.ran = document.baseURI === b.href || undefined; b.remove();",
    ),
    "a form": (
        "form-action",
        "const f = document.createElement('form'); f.action = 'javascript:void(' + RUN + ')'; add(f).submit();",
    ),
}
TRY = """
    const done = arguments[0], RUN = 'window.ran=true', add = (node) => document.body.appendChild(node);
    const refused = [];
    document.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
    window.ran = undefined;
    ATTACK
    setTimeout(() => done([window.ran === true, refused]), 400);
"""


def attack(page, code):
    """Whether it succeeded, and what the policy refused."""
    return page.driver.execute_async_script(TRY.replace("ATTACK", code))


def test_policy(page):
    """Each attack succeeds on a page without the policy, so it is one, and is refused by its directive on ours."""
    text = pathlib.Path(PAGE.removeprefix("file://")).read_text()
    bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    ok(bare != text, "the page has a policy")
    with tempfile.TemporaryDirectory(prefix="bare.") as directory:
        path = pathlib.Path(directory) / "index.html"
        path.write_text(bare)
        page.driver.get(path.as_uri())
        for name, (_, code) in ATTACKS.items():
            ran, refused = attack(page, code)
            ok(ran and not refused, f"without the policy {name} would succeed", f"{ran} {refused}")
        page.open()
        for name, (directive, code) in ATTACKS.items():
            ran, refused = attack(page, code)
            ok(not ran and directive in refused, f"with it {name} is refused", f"{ran} {refused}")
    page.listen()
    known = re.compile(r"Content Security Policy|Content-Security-Policy|ERR_|Failed to load resource")
    page.console = [line for line in page.console if not known.search(line)]
    page.requests = [url for url in page.requests if not url.startswith("file://")]


HOSTILE = [
    "<script>window.ran=true</script>",
    "<img src=x onerror=window.ran=true>",
    "\"><img src=x onerror='window.ran=true'>",
    "'-(window.ran=true)-'",
    "${window.ran=true}",
    "javascript:window.ran=true",
    "<svg/onload=window.ran=true>",
    "<math><mtext></style><img src onerror=window.ran=true>",
    "<iframe srcdoc='<script>parent.ran=true</script>'>",
    "__proto__",
    "constructor",
    "\u202e\u0000\uffff",
    "%E0%A4%A",
    "%",
    "%c0%80",
]
# Every place of an address that a text can stand in.
PLACES = """{} {}/f32/8/0/contig/uniform/1 max/{}/8/0/contig/uniform/1 max/f32/{}/0/contig/uniform/1
    max/f32/8/{}/contig/uniform/1 max/f32/8/0/{}/uniform/1 max/f32/8/0/contig/{}/1 max/f32/8/0/contig/uniform/{}
    max/f32/8/0/contig/uniform/1,ties={} max/f32/8/0/contig/uniform/1,{}=1 max/f32/8/0/contig/uniform/1&x.2={}
    max/f32/8/0/contig/uniform/1&{}=2 max/f32/8/0/contig/uniform/1&cell={} max/f32/8/0/contig/uniform/1&tab={}
    max/f32/8/0/contig/uniform/1&story={} max/f32/8/0/contig/uniform/1&rival={}
    max/f32/8/0/contig/uniform/1&tab=prove&rival=mutant:{}""".split()
STRANGE = """
    const strange = 'img, iframe, object, embed, base, meta[http-equiv=refresh], [onerror], [onload], '
        + '[href^="javascript:"]';
    return [window.ran === true, Object.prototype.ran === true, document.querySelectorAll(strange).length,
        document.querySelectorAll('script').length];
"""


def test_hostile(page):
    """What an address says is text wherever it is shown."""
    page.open()
    page.js("window.ran = undefined")
    before = page.js(STRANGE)
    ok(before[:3] == [False, False, 0] and before[3] > 3, "the page has no strange elements of its own", before)
    page.js("document.querySelector('#refused').append(document.createElement('img'))")
    ok(page.js(STRANGE) != before, "and one would be seen")
    page.js("document.querySelector('#refused img').remove()")
    count, bad, shown = 0, [], 0
    for place in PLACES:
        for text in HOSTILE:
            for written in (text, quote(text, safe="")) if text in HOSTILE[:2] else (text,):
                page.go("#" + place.replace("{}", written))
                count += 1
                shown += "ran=true" in page.text("#refused")
                if page.js(STRANGE) != before:
                    bad.append(f"{place} {text}")
                    page.open()
    ok(not bad, f"{count} hostile addresses put nothing into the page", "\n".join(bad))
    ok(shown > 20, f"though {shown} times it shows what was wrong with them")
    page.go("#max/f32/8/0/contig/uniform/1")
    ok(page.text("#refused") == "" and page.text("#cell-value") != "", "and the next good one is shown")


if __name__ == "__main__":
    sys.exit(run([test_policy, test_hostile]))
