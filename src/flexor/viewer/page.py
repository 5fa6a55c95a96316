"""The page: one frame for the server, which sends data when asked, and for reports, which hold them.

Names from a model never become HTML: the page gets them as JSON and shows them as text.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from flexor.errors import FileError, Problem

STATIC = Path(__file__).parent / "static"
BUNDLE = {"viewer.js": "text/javascript", "viewer.css": "text/css", "licences.txt": "text/plain"}
"""What `make` builds from web/, and its media types; nothing else is ever served."""
NAMED = " · Flexor"
"""What the title of a page ends with."""
FRAMES = "'self' http://localhost:* http://127.0.0.1:*"
"""Who may show the page in a frame: notebooks on this machine."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src blob:; "
    "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'"
)
REPORT_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; media-src blob:; "
    "worker-src blob:; base-uri 'none'; form-action 'none'"
)


def bundle(name: str) -> str:
    """A part of the page that was built from web/; FileError if it was not."""
    try:
        return (STATIC / name).read_text(encoding="utf-8")
    except OSError:
        why = "it is built from web/ when Flexor is set up from its source; a wheel has it"
        fix = "run `make viewer` in the source folder (it brings its own Node), or install the wheel"
        raise FileError(Problem("viewer", "its page is not there", why, fix)) from None


def is_built() -> bool:
    """Whether the page can be shown."""
    return all((STATIC / name).is_file() for name in ("viewer.js", "viewer.css"))


def served_page(title: str, token: str) -> str:
    """The page that asks a server for its data."""
    key = escape(token, quote=True)
    head = f'<link rel="stylesheet" href="static/viewer.css?token={key}">'
    return _page(title, head, f'<script src="static/viewer.js?token={key}" defer></script>')


def report_page(title: str, data: str) -> str:
    """The page with everything in it. data: scripts that hold the scene."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{escape(REPORT_POLICY, quote=True)}">'
    style = bundle("viewer.css").replace("</style", "<\\/style")
    code = bundle("viewer.js").replace("</script", "<\\/script").replace("<!--", "<\\!--")
    licences = bundle("licences.txt").replace("--", "- -").replace(">", "›")
    head = f"{policy}\n<!--\n{licences}\n-->\n<style>{style}</style>"
    return _page(title, head, f"{data}\n<script>{code}</script>")


def _page(title: str, head: str, scripts: str) -> str:
    waiting = f'<p class="waiting">reading {escape(title.removesuffix(NAMED))} …</p>'
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="icon" href="data:,">\n{head}\n</head>\n'
        f'<body>\n<div id="flexor">{waiting}</div>\n<noscript>This page needs JavaScript.</noscript>\n{scripts}\n</body>\n</html>\n'
    )
