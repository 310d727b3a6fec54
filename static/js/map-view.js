// The part of a painted map that its frame shows: cells of at least 36 px where a finger draws, and no movement under a finger.
"use strict";

class MapView {
  static MIN_CELL = 36; // px
  static MAX_CELL = 120;
  static USUAL_CELL = 40;
  static TABLET_CELL = 56;
  static MIN_OVERVIEW_CELL = 14;
  static TABLET_WIDTH = 560; // px of the frame's shorter side

  // canvas  the picture of the map
  constructor(canvas) {
    Object.assign(this, { canvas, size: MapView.USUAL_CELL, left: 0, top: 0, isFitted: false, isMovedByUser: false, isOverview: false });
    this.lastCell = "0,0"; // that was touched last: it stays in sight
  }
  frame() {
    return this.canvas.getBoundingClientRect();
  }
  toGrid(clientX, clientY) {
    const { left, top } = this.frame();
    return [(clientX - left - this.left) / this.size, (clientY - top - this.top) / this.size];
  }
  cellUnder(clientX, clientY) {
    return cellAt(...this.toGrid(clientX, clientY).map(Math.floor));
  }

  // Fit the map, with free cells around it for more. Where it does not fit with cells of 36 px, the last cell stays in sight.
  // The map stays where it is while there is a free cell around it.
  fit(map) {
    if (this.isMovedByUser) return;
    const { MIN_CELL, USUAL_CELL, TABLET_CELL, TABLET_WIDTH, MIN_OVERVIEW_CELL } = MapView;
    const { width, height } = this.frame(), [west, east, north, south] = MapView.bounds(map), free = (cells) => cells * this.size;
    const isFreeAcross = this.left + free(west - 1) >= 0 && this.left + free(east + 1) <= width;
    const isFree = isFreeAcross && this.top + free(north - 1) >= 0 && this.top + free(south + 1) <= height;
    if (isFree && this.isFitted && !this.isOverview && this.size >= MIN_CELL) return;
    this.isFitted = !this.isOverview;
    const usual = Math.min(width, height) < TABLET_WIDTH ? USUAL_CELL : TABLET_CELL;
    const sizeWith = (around) => Math.min(usual, width / (east - west + 2 * around), height / (south - north + 2 * around));
    let size = [2, 1.5, 1, 0.6, 0.3].map(sizeWith).find((each) => each >= MIN_CELL) ?? Math.max(MIN_CELL, sizeWith(0));
    if (this.isOverview) size = Math.max(MIN_OVERVIEW_CELL, sizeWith(0.3));
    else if (this.size <= usual && size > this.size && size < this.size * 1.2) size = Math.max(this.size, MIN_CELL); // no small steps
    const start = (from, to, room, last) => {
      const middle = room / 2 - ((from + to) / 2) * size;
      return (to - from) * size <= room ? middle : Math.min(-from * size, Math.max(room - to * size, room / 2 - (last + 0.5) * size));
    };
    const [x, y] = position(this.lastCell);
    Object.assign(this, { size, left: start(west, east, width, x), top: start(north, south, height, y) });
  }
  static bounds(map) {
    const cells = map.occupied.map(position), xs = cells.map(([x]) => x), ys = cells.map(([, y]) => y);
    return [Math.min(...xs), Math.max(...xs) + 1, Math.min(...ys), Math.max(...ys) + 1];
  }

  setOverview(isOverview) {
    Object.assign(this, { isOverview, isMovedByUser: false });
  }
  moveBy(x, y) {
    Object.assign(this, { isMovedByUser: true, left: this.left + x, top: this.top + y });
  }
  // Zoom and move, so that the point of the map that was at a place is at another one.
  // before    the view before it is moved: its size, left and top
  // factor    of the size
  // from, to  the places in the window
  pinch(before, factor, from, to) {
    const { left, top } = this.frame(), size = Math.max(MapView.MIN_CELL, Math.min(MapView.MAX_CELL, before.size * factor)), scale = size / before.size;
    const start = (now, then, edge, old) => now - edge - (then - edge - old) * scale;
    Object.assign(this, { size, isMovedByUser: true, isOverview: false });
    Object.assign(this, { left: start(to[0], from[0], left, before.left), top: start(to[1], from[1], top, before.top) });
  }
}
