"""Paint a map of ALPINE TRAILS with a finger, and count the touches."""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec
from playwright.sync_api import Locator, expect

from scoring.alpine_trails.map.grid import neighbors, tiles_by_cell
from scoring.alpine_trails.map.tiles import CAMP_KINDS, DIRECTIONS, TERRAINS, Cell, TrailMap
from scoring.alpine_trails.points import Goal
from tests.browser.phone import Phone

STEPS_PER_CELL = 6  # events of a finger between the middles of two cells
SHAKE = 0.2  # of a cell: how far a finger is from where it should be
FRAME_MARGIN = 9  # px between the middle of a touched cell and the frame of the map
MIN_PAN = 40  # px: browsers ignore a shorter movement of two fingers
CORNER_CUT = 0.35  # of a cell: how far before the middle a finger begins to turn


def trail_lines(tiles: TrailMap, only_straight: bool = False) -> list[list[Cell]]:
    """Return lines that draw all trails of a map, each crossing once, and end at lakes.

    A line may cross base camp from one square to the other, which draws no trail.
    """
    by_cell = tiles_by_cell(tiles)
    left: dict[Cell, list[Cell]] = defaultdict(list)
    for cell, tile in by_cell.items():
        for letter, neighbor in neighbors(cell):
            if letter in tile.exits:
                for one, other in ((cell, neighbor), (neighbor, cell)):
                    if other not in left[one]:
                        left[one].append(other)
    lines: list[list[Cell]] = []
    while starts := [cell for cell, others in left.items() if others]:
        odd = [cell for cell in starts if len(left[cell]) % 2 or by_cell[cell].kind == "lake"]
        if only_straight:
            odd = [cell for cell in starts if any(_is_end(left, cell, other) for other in left[cell])]
            odd.sort(key=lambda cell: by_cell[cell].kind == "base")  # a line may lead across base camp
        line = _walk(tiles, left, (odd or starts)[0], only_straight)
        joined = next((other for other in lines if line[0] == line[-1] and line[0] in other[1:-1]), None)
        if joined and not only_straight:  # a loop becomes part of the line that passes it
            place = joined.index(line[0])
            joined[place : place + 1] = line
        else:
            lakes = {tile.cell for tile in tiles if tile.kind == "lake"}
            lines += _ending_at_lakes(line, lakes, {cell for other in lines for cell in other})
    return lines


def _is_end(left: dict[Cell, list[Cell]], cell: Cell, other: Cell) -> bool:
    """Return whether a straight line from a cell to another one begins at that cell."""
    return (2 * cell[0] - other[0], 2 * cell[1] - other[1]) not in left[cell]


def _walk(tiles: TrailMap, left: dict[Cell, list[Cell]], start: Cell, only_straight: bool) -> list[Cell]:
    by_cell, line = tiles_by_cell(tiles), [start]
    if only_straight:
        first = next(other for other in left[start] if _is_end(left, start, other) or by_cell[start].kind == "lake")
        left[start].remove(first)
        left[first].remove(start)
        line.append(first)
    while by_cell[line[-1]].kind != "lake" or len(line) == 1:
        cell, others = line[-1], left[line[-1]]
        ahead = (2 * cell[0] - line[-2][0], 2 * cell[1] - line[-2][1]) if len(line) > 1 else None
        squares = [square for _, square in neighbors(cell) if square in by_cell and by_cell[square].kind == "base"]
        across = squares[0] if by_cell[cell].kind == "base" and squares else None
        if others and (ahead in others or not only_straight):
            following = ahead if ahead in others else others[0]
            left[cell].remove(following)
            left[following].remove(cell)
        elif across and across not in line and left[across] and (across == ahead or not only_straight):
            following = across
        else:
            break
        line.append(following)
    if {by_cell[cell].kind for cell in line[-2:]} == {"base"}:
        line.pop()  # it crossed base camp in vain
    return line


def _ending_at_lakes(line: list[Cell], lakes: set[Cell], drawn: set[Cell]) -> list[list[Cell]]:
    """Return a line, reversed or in two parts, so that it begins at no lake drawn already."""
    if line[0] in lakes and (line[0] in drawn or line[0] == line[-1]):
        if line[-1] in lakes and (line[-1] in drawn or line[0] == line[-1]):
            return [line[1::-1], line[1:]]
        return [line[::-1]]
    return [line]


def terrain_strokes(tiles: TrailMap, terrain: str, only_straight: bool = False) -> list[list[Cell]]:
    """Return strokes that paint the tiles of a terrain; they may cross camps and waterfalls."""
    by_cell = tiles_by_cell(tiles)
    left = {cell for cell, tile in by_cell.items() if tile.kind in ("trail", "terrain") and tile.terrain == terrain}
    kept = {cell for cell, tile in by_cell.items() if tile.kind in (*CAMP_KINDS, "waterfall")}
    strokes = []
    while left:
        starts = [(start, letter) for start in sorted(left) for letter in DIRECTIONS]
        candidates = [_stroke(start, letter, left, kept, only_straight) for start, letter in starts]
        best = max(candidates, key=lambda stroke: (len(left & set(stroke)), -len(stroke)))
        left -= set(best)
        kept |= {cell for cell in best if by_cell[cell].terrain == terrain}
        strokes.append(best)
    return strokes


def _stroke(start: Cell, letter: str, left: set[Cell], kept: set[Cell], only_straight: bool) -> list[Cell]:
    """Return a stroke that begins in a direction and turns where it must, if it may."""
    stroke, unpainted = [start], left - {start}
    while True:
        order = [letter] if only_straight else [letter, *(other for other in DIRECTIONS if other != letter)]
        for option in order:
            ahead = _ahead(stroke, option, unpainted, kept)
            if ahead:
                letter = option
                stroke += ahead
                unpainted -= set(ahead)
                break
        else:
            return stroke


def _ahead(stroke: list[Cell], letter: str, unpainted: set[Cell], kept: set[Cell]) -> list[Cell]:
    """Return the cells up to the next one to paint in a direction; empty without one."""
    cells = [dict(neighbors(stroke[-1]))[letter]]
    while cells[-1] in kept and cells[-1] not in stroke:
        cells.append(dict(neighbors(cells[-1]))[letter])
    return cells if cells[-1] in unpainted else []


@dataclass
class Painter:
    """A phone on which a map is painted with touches."""

    phone: Phone
    rng: random.Random | None = None  # shakes the finger; None: the finger is exact
    touches: int = 0
    smallest_cell: float = 1000  # px of the smallest cell that was touched
    moved: list[str] = field(default_factory=list)  # touches during which the map moved

    def __post_init__(self) -> None:
        self._devtools = self.phone.context.new_cdp_session(self.phone.page)

    def close(self) -> None:
        self._devtools.detach()

    # Touches

    def tap_key(self, selector: str) -> None:
        """Tap a key or a button."""
        key = self.phone.find(selector)
        expect(key).to_be_visible()
        box = key.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44, f"{selector} is only {box}"
        self.touch([(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)])

    def draw(self, cells: list[Cell]) -> None:
        """Move a finger through cells, or tap one, after bringing them into sight."""
        self._show(cells)
        before = self._view()
        self.smallest_cell = min(self.smallest_cell, before["size"])
        points = [self._to_window(before, point) for point in self._finger_path(cells)]
        if len(points) == 1:  # the map may have moved, so that another square is where the finger tapped last
            self.phone.wait_until(f"!painter.isBounce({list(points[0])})")
        self.touch(points)

    def _finger_path(self, cells: list[Cell]) -> Iterator[tuple[float, float]]:
        """Yield where the finger is, in cells: near the middles, with corners cut if it shakes."""
        middles = [(x + 0.5, y + 0.5) for x, y in cells]
        shake = SHAKE if self.rng else 0
        for number, (x, y) in enumerate(middles):
            if number and number < len(middles) - 1 and self.rng:
                for other in (middles[number - 1], middles[number + 1]):
                    yield x + (other[0] - x) * CORNER_CUT, y + (other[1] - y) * CORNER_CUT
            else:
                yield x + self._offset(shake), y + self._offset(shake)
            if number < len(middles) - 1:
                next_x, next_y = middles[number + 1]
                for step in range(1, STEPS_PER_CELL):
                    share = step / STEPS_PER_CELL
                    if self.rng and not CORNER_CUT < share < 1 - CORNER_CUT:
                        continue
                    jitter = self._offset(shake)
                    yield x + (next_x - x) * share + jitter, y + (next_y - y) * share + jitter

    def _offset(self, size: float) -> float:
        return self.rng.uniform(-size, size) if self.rng else 0

    def touch(self, points: list[tuple[float, float]]) -> None:
        """Move a finger through positions of the window, or tap one."""
        self.touches += 1
        before = self._view()
        for number, (x, y) in enumerate(points):
            kind = "touchMove" if number else "touchStart"
            self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        if len(points) > 1 and self._view() != before:
            self.moved.append(str(points[0]))
        self._devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def _pan(self, across: float, down: float) -> None:
        """Move the map with two fingers."""
        self.touches += 1
        left, top, width, height = self._frame()
        x, y = left + width / 2, top + height / 2
        for share in (0, 0.25, 0.5, 0.75, 1):
            fingers = [
                {"x": x + side + across * (share - 0.5), "y": y + down * (share - 0.5), "id": number}
                for number, side in enumerate((-30, 30))
            ]
            kind = "touchMove" if share else "touchStart"
            self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
        self._devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def _show(self, cells: list[Cell]) -> None:
        for _ in range(4):
            view, (left, top, width, height) = self._view(), self._frame()
            places = [self._to_window(view, (x + 0.5, y + 0.5)) for x, y in cells]
            xs, ys = [x for x, _ in places], [y for _, y in places]
            across = _missing(left, left + width, min(xs), max(xs))
            down = _missing(top, top + height, min(ys), max(ys))
            if not across and not down:
                return
            limit = (width - 80, height - 20)
            self._pan(max(-limit[0], min(limit[0], across)), max(-limit[1], min(limit[1], down)))
        raise AssertionError(f"{cells} cannot be shown at once")

    def _view(self) -> dict:
        return self.phone.page.evaluate(
            "() => { const { size, left, top } = painter.view; return { size, left, top } }"
        )

    def _frame(self) -> tuple[float, float, float, float]:
        return tuple(
            self.phone.page.evaluate(
                "() => { const f = painter.view.frame(); return [f.left, f.top, f.width, f.height] }"
            )
        )

    def _to_window(self, view: dict, point: tuple[float, float]) -> tuple[float, float]:
        left, top, _, _ = self._frame()
        return left + view["left"] + view["size"] * point[0], top + view["top"] + view["size"] * point[1]

    # A whole map

    def paint(self, tiles: TrailMap, goal: Goal | None = None, *, only_straight: bool = False) -> None:
        """Paint a finished map, up to its score."""
        self.paint_tiles(tiles, only_straight=only_straight)
        self.choose_goal(goal)
        if goal and goal.kind == "path-icons":
            self.enter_miles(tiles)

    def paint_tiles(self, tiles: TrailMap, *, only_straight: bool = False) -> None:
        """Paint a map with the first square of base camp at 0, 0, up to its miles."""
        self.enter_base(tiles)
        self.draw_all("trail", trail_lines(tiles, only_straight), is_pressed=True)
        for terrain in TERRAINS:
            squares = [tile.cell for tile in tiles if tile.kind == "base" and tile.terrain == terrain]
            if squares and squares != [tile.cell for tile in tiles if tile.kind == "base"] and squares != [(0, 0)]:
                self.draw_all(terrain, [[cell] for cell in squares])
            self.draw_all(terrain, terrain_strokes(tiles, terrain, only_straight))
        for kind in ("campsite", "waterfall"):
            self.draw_all(kind, [[tile.cell] for tile in tiles if tile.kind == kind])
        if animals := [tile for tile in tiles if tile.animal]:
            self.tap_key("[data-brush=animal]")
            for tile in animals:
                self.draw([tile.cell])
                if self._state() == "animal-keys":
                    self.tap_key(f"[data-animal={tile.animal}]")
        icons = [(tile, tile.icons) for tile in tiles if tile.kind in ("trail", "base") and tile.icons != 1]
        if icons:
            self.tap_key("[data-brush=icons]")
            for tile, count in icons:
                for _ in range((count - 1) % 5):
                    self.draw([tile.cell])
        self.enter_miles(tiles)

    def enter_base(self, tiles: TrailMap) -> None:
        """Enter base camp, with the terrain of its first square."""
        first, second = (tile for tile in tiles if tile.kind == "base")
        if second.y > first.y:
            self.tap_key("#turn-base")
        self.tap_key(f"[data-base={first.terrain}]")

    def draw_all(self, brush: str, strokes: list[list[Cell]], is_pressed: bool = False) -> None:
        """Draw strokes with a brush, which is chosen first unless it is pressed already."""
        if strokes and not is_pressed:
            self.tap_key(f"[data-brush={brush}]")
        for stroke in strokes:
            self.draw(stroke)

    def _state(self) -> str:
        return self.phone.find("#map-painter").get_attribute("data-state") or ""

    def enter_miles(self, tiles: TrailMap) -> None:
        """Enter the miles that the page asks for, if it does."""
        by_cell = tiles_by_cell(tiles)
        if self._state() == "brush-keys" and "miles" in self.next_step.inner_text():
            self.tap_key("#next-step")
        while self._state() == "miles-keys":
            asked = self.phone.page.evaluate("() => painter.nextPath.unknown[0]")
            x, y = map(int, asked.split(","))
            self.tap_key(f"[data-miles='{by_cell[x, y].miles}']")

    def choose_goal(self, goal: Goal | None) -> None:
        """Choose a goal card, or that there is none; the page asks for it or is told to."""
        if not self.phone.find("#goal-cards").is_visible():
            self.tap_key("#next-step")
        fields = goal and {name: value for name, value in msgspec.to_builtins(goal).items() if value}
        button = f"#goal-cards button[value='{msgspec.json.encode(fields).decode()}']"
        self.phone.find(button).scroll_into_view_if_needed()
        self.tap_key(button)

    @property
    def next_step(self) -> Locator:
        return self.phone.find("#next-step")

    def wait_until_entered(self) -> None:
        """Answer the questions about the map, if there are any, and wait for the next page."""
        answer = self.phone.find("#sheet-content button").first
        self.phone.wait_for(
            lambda: answer.is_visible() or "/map" not in self.phone.page.url, "neither questions nor a next page"
        )
        if answer.is_visible():
            self.tap_key("#sheet-content button >> nth=0")
        self.phone.page.wait_for_url(lambda url: "/map" not in url)


def _missing(start: float, end: float, first: float, last: float) -> float:
    """Return how far to move the map so that two positions are well inside its frame."""
    if first < start + FRAME_MARGIN:
        return max(MIN_PAN, start + 2 * FRAME_MARGIN - first)
    return -max(MIN_PAN, last - end + 2 * FRAME_MARGIN) if last > end - FRAME_MARGIN else 0
