"""The home screen of a phone: manifests for its icons, and the page that an icon opens."""

from flask import Blueprint, Response, current_app, url_for

from companion.rendering.templating import asset
from companion.web import context

blueprint = Blueprint("home_screen", __name__)

BACKGROUND = "#fbf6ea"  # the page in the light color scheme; a manifest has one color only
ICONS = (
    ("app-icon-192.png", "192x192", "any"),
    ("app-icon-512.png", "512x512", "any"),
    ("app-icon-maskable-512.png", "512x512", "maskable"),
)


@blueprint.get("/manifest.webmanifest")
def manifest():
    """Return the manifest of the app, whose icon opens the home page."""
    return _manifest("Waymark", "Waymark", url_for("lobby.home"))


@blueprint.get("/t/<code>/manifest.webmanifest")
def table_manifest(code: str):
    """Return the manifest of a table, whose icon opens the phone's seat there."""
    table = context.table(code)
    title = table.tracked.box.title
    return _manifest(f"{title} · {table.code}", title, url_for("home_screen.open_table", code=table.code))


@blueprint.get("/t/<code>/open")
def open_table(code: str):
    """Redirect to the phone's seat at a table, or to its lobby.

    After "Play again", this is the latest table of the series.
    """
    table = context.table(code)
    while table.next_code:
        table = context.referee().store.table(table.next_code)
    return context.redirect_to_table(table)


def _manifest(name: str, short_name: str, start_url: str) -> Response:
    """Return a manifest; `scope` keeps all pages in the window of the icon."""
    fields = {
        "id": start_url,
        "name": name,
        "short_name": short_name,
        "start_url": start_url,
        "scope": url_for("lobby.home"),
        "display": "standalone",
        "background_color": BACKGROUND,
        "theme_color": BACKGROUND,
        "icons": [
            {"src": asset(f"img/{file}"), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for file, sizes, purpose in ICONS
        ],
    }
    return Response(current_app.json.dumps(fields), mimetype="application/manifest+json")
