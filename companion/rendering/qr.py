"""QR codes, drawn by segno."""

import functools
import io

import segno


@functools.lru_cache(maxsize=64)
def svg(text: str) -> str:
    """Return a QR code as an SVG element with a quiet zone, dark on light in every color scheme."""
    output = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        output,
        kind="svg",
        xmldecl=False,
        svgclass=None,
        lineclass=None,
        border=2,
        omitsize=True,
        light="#fff",
        dark="#1f2a37",
        title=f"QR code for {text}",
    )
    return output.getvalue().decode()


def terminal_text(text: str) -> str:
    """Return a QR code as characters for a terminal."""
    output = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(output, compact=True)
    return output.getvalue()
