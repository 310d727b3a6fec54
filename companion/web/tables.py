"""The page of the open tables: all of them for the owner, their own for other phones."""

from flask import Blueprint, Response, render_template, request

from companion.pages import tables as tables_pages
from companion.pages.table import table_page
from companion.service import clock
from companion.web import context
from companion.web.sessions import device

blueprint = Blueprint("tables", __name__)
MAX_RESULTS = 50  # of games that ended lately


@blueprint.get("/tables")
def open_tables():
    """Show the open tables, with whose turn it is and a code to join.

    An open page sends its version as `have` and gets its live region; 204 if nothing has changed.
    """
    referee, now = context.referee(), clock.now()
    listed = tables_pages.list_tables(referee.store.latest_entries(context.open_codes()), now)
    finished = tables_pages.finished_lately(referee.results.latest(device(), MAX_RESULTS), now)
    page_count = max(1, -(-len(listed) // tables_pages.PAGE_SIZE))
    number = min(max(0, request.args.get("page", 0, int)), page_count - 1)
    shown = listed[number * tables_pages.PAGE_SIZE :][: tables_pages.PAGE_SIZE]
    version = tables_pages.page_version(shown, finished, page_count)
    if request.args.get("have", type=int) == version:  # before any table is loaded
        return Response(status=204)
    page = tables_pages.TablesPage(
        context.is_owner(),
        _load(shown, is_active=True),
        _load(shown, is_active=False),
        finished,
        version,
        number,
        page_count,
    )
    return render_template("_tables.html" if "have" in request.args else "tables.html", page=page)


def _load(listed: list[tables_pages.ListedTable], *, is_active: bool) -> tuple[tables_pages.OpenTable, ...]:
    """Return the tables of a part of the list; one that cannot be opened is left out."""
    found = ((each, context.referee().store.find_table(each.code)) for each in listed if each.is_active == is_active)
    return tuple(tables_pages.OpenTable(table_page(table, device()), each.age) for each, table in found if table)
