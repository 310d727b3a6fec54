"""The shapes of the maps of ALPINE TRAILS are drawn from their template."""

from flask import Flask

from tests.support import tile_shapes


def test_stored_shapes_are_those_of_the_template(app: Flask):
    """If this fails after a change of the template: `python -m tests.support.tile_shapes`."""
    assert tile_shapes.draw_shapes(app) == tile_shapes.FILE.read_text(encoding="utf-8")
