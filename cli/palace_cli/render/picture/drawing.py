"""What all pictures have in common: text that is nothing but text, the letters, and colours by day and night."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape

from palace_cli.render.visible import one_line

FONT = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}"
"""Nothing is fetched: whatever the reader's screen is set in."""
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def safe(text: str) -> str:
    """Write a remembered text so that it is nothing but text, in a document that any reader of XML takes."""
    return escape(_NO_XML.sub("\ufffd", one_line(text)), {'"': "&quot;"})


def opening(width: float, height: float, title: str, style: str) -> Iterator[str]:
    """Begin a picture of a size: its title, its style and its ground."""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}" role="img">'
    )
    yield f"<title>{safe(title)}</title>"
    yield f"<style>{style}</style>"
    yield f'<rect class="ground" width="{width:.0f}" height="{height:.0f}"/>'
