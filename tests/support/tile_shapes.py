"""Write the shapes of the maps of ALPINE TRAILS from their template.

Run as `python -m tests.support.tile_shapes`; replaces static/img/alpine-tiles.svg.
"""

from flask import Flask, render_template

from companion.rendering.templating import STATIC
from companion.web.app import create_app
from tests.bench.games import temporary_instance

FILE = STATIC / "img" / "alpine-tiles.svg"


def draw_shapes(app: Flask) -> str:
    """Return the file that belongs to the template."""
    with app.test_request_context():
        return render_template("alpine-trails/_shapes.svg").strip() + "\n"


if __name__ == "__main__":
    with temporary_instance() as folder:
        FILE.write_text(draw_shapes(create_app(folder)), encoding="utf-8")
