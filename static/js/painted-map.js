// An ALPINE TRAILS map as a player paints it. What a cell holds follows from its paint and from the trails drawn.
// In the middle of a game, a lake stands for each open end.
// Cells are "x,y", as on the server: x grows to the east, y to the south. The first square of base camp is "0,0".
"use strict";

const TERRAINS = ["forest", "rock", "meadow", "wetland"];
const ANIMALS = ["goat", "moose", "bear", "wolf"];
const STEPS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
const MIN_MILES = 1, MAX_MILES = 3; // of a trail tile
const TERRAIN_ICONS = 2, USUAL_ICONS = 1, MAX_ICONS = 4; // of a terrain side; of another tile, as a rule and at most

const cellAt = (x, y) => `${x},${y}`;
const position = (cell) => cell.split(",").map(Number);
function neighbor(cell, letter) {
  const [x, y] = position(cell), [east, south] = STEPS[letter];
  return cellAt(x + east, y + south);
}
const neighbors = (cell) => Object.keys(STEPS).map((letter) => neighbor(cell, letter));
const pluralize = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
function reachable(start, nextCells) {
  const seen = new Set(start), waiting = [...start];
  while (waiting.length) for (const cell of nextCells(waiting.pop())) if (!seen.has(cell)) {
    seen.add(cell);
    waiting.push(cell);
  }
  return seen;
}

class PaintedMap {
  // The data that is saved as a draft:
  // cells    paint by cell: terrain; piece ("campsite" or "waterfall"); isLake, if a line ended there; icons, miles, animal
  // joins    pairs of cells that a trail connects
  // base     the terrains of the two squares of base camp; null before it is entered
  // goal     undefined before it is entered, null for no goal card
  constructor(data = {}) {
    Object.assign(this, { cells: {}, joins: {}, base: null, isUpright: false, animals: {} }, data);
  }

  // ---- What is where ---------------------------------------------------------------------------------------------------
  get squares() {
    return this.isUpright ? ["0,0", "0,1"] : ["0,0", "1,0"];
  }
  isBase(cell) {
    return this.squares.includes(cell);
  }
  isCamp(cell) {
    return this.isBase(cell) || this.at(cell).piece === "campsite";
  }
  at(cell) {
    return this.cells[cell] ?? {};
  }
  edit(cell) {
    return (this.cells[cell] ??= {});
  }
  exits(cell) {
    return Object.keys(STEPS).filter((letter) => this.joins[joinOf(cell, neighbor(cell, letter))]).join("");
  }
  exitCells(cell) {
    return [...this.exits(cell)].map((letter) => neighbor(cell, letter));
  }
  // Return the kind of tile in a cell; "stub" where a trail stops that must go on, "" where nothing is.
  kind(cell) {
    if (this.isBase(cell)) return "base";
    const paint = this.at(cell), exits = this.exits(cell);
    if (paint.piece) return paint.piece;
    if (paint.isLake && exits) return "lake";
    if (exits.length > 1) return "trail";
    if (exits) return "stub";
    return paint.terrain ? "terrain" : "";
  }
  terrain(cell) {
    return this.isBase(cell) ? this.base?.[this.squares.indexOf(cell)] : this.at(cell).terrain;
  }
  icons(cell) {
    return this.kind(cell) === "terrain" ? TERRAIN_ICONS : this.at(cell).icons ?? USUAL_ICONS;
  }
  isFork(cell) {
    return this.exits(cell).length > 2;
  }
  get occupied() {
    const all = new Set([...this.squares, ...Object.keys(this.cells), ...Object.keys(this.joins).flatMap((join) => join.split("|"))]);
    return [...all].filter((cell) => this.kind(cell));
  }
  ofKind(...kinds) {
    return this.occupied.filter((cell) => kinds.includes(this.kind(cell)));
  }
  get usedTiles() { // drawn from the bag; one is given up for each campsite
    return this.ofKind("trail", "stub", "terrain", "campsite").length;
  }

  // ---- Painting --------------------------------------------------------------------------------------------------------
  // Paint a terrain. A swipe passes over camps, waterfalls and lakes, and leaves them as they are.
  paintTerrain(cell, terrain, isSwipe) {
    const kind = this.kind(cell), paint = this.at(cell);
    if (kind === "base") {
      if (!isSwipe) this.base[this.squares.indexOf(cell)] = terrain;
    } else if (["campsite", "waterfall"].includes(kind) || (kind === "lake" && isSwipe && this.exits(cell).length < 2)) return;
    else if (paint.terrain !== terrain || paint.isLake) {
      Object.assign(this.edit(cell), { terrain, isLake: false });
      delete paint.animal;
    }
  }
  togglePiece(cell, piece) {
    if (this.at(cell).piece === piece) {
      delete this.at(cell).piece;
      this.edit(cell).isLake = this.exits(cell).length === 1; // the trail that led to the campsite must end somehow
      return;
    }
    this.cells[cell] = { piece };
    if (piece === "waterfall") for (const other of neighbors(cell)) this.cut(cell, other);
  }
  // Put an animal on a terrain tile, or take it away. Except in solo games, a map has one of each kind.
  toggleAnimal(cell, animal, isSolo) {
    if (this.at(cell).animal) {
      delete this.at(cell).animal;
      return;
    }
    if (!isSolo) for (const paint of Object.values(this.cells)) if (paint.animal === animal) delete paint.animal;
    this.edit(cell).animal = animal;
    this.animals[this.at(cell).terrain] = animal;
  }
  nextIcons(cell) {
    this.edit(cell).icons = (this.icons(cell) + 1) % (MAX_ICONS + 1);
  }
  nextMiles(cell) {
    this.edit(cell).miles = ((this.at(cell).miles ?? 0) % MAX_MILES) + 1;
  }
  // Draw a trail through cells. An empty cell where it begins or ends is a lake; a lake where it begins is none any more.
  drawTrail(line) {
    const isEmpty = (cell) => !this.isBase(cell) && !this.at(cell).piece && !this.at(cell).terrain && !this.exits(cell);
    const first = line[0], last = line.at(-1), beginsEmpty = isEmpty(first), endsEmpty = isEmpty(last);
    for (const [number, cell] of line.slice(1).entries())
      if (!(this.isCamp(cell) && this.isCamp(line[number]))) this.joins[joinOf(line[number], cell)] = 1;
    for (const cell of line.slice(0, -1)) if (!this.isBase(cell) && this.at(cell).isLake) this.edit(cell).isLake = false;
    if (beginsEmpty && line.lastIndexOf(first) === 0) this.edit(first).isLake = true;
    if (endsEmpty && line.indexOf(last) === line.length - 1) this.edit(last).isLake = true;
  }
  toggleLake(cell) {
    this.edit(cell).isLake = !this.at(cell).isLake;
  }
  cut(cell, other) {
    delete this.joins[joinOf(cell, other)];
    for (const each of [cell, other]) if (this.at(each).isLake && !this.exits(each)) delete this.cells[each];
  }
  clear(cell) {
    for (const other of neighbors(cell)) this.cut(cell, other);
    delete this.cells[cell];
  }
  // Turn base camp if its second square is free there; return whether it was turned.
  turnBase() {
    if (this.base && this.kind(this.isUpright ? "1,0" : "0,1")) return false;
    const second = this.squares[1];
    for (const other of neighbors(second)) this.cut(second, other);
    delete this.cells[second];
    this.isUpright = !this.isUpright;
    return true;
  }

  // ---- Miles: only those of paths that can still be the longest; the server has the same rule -------------------------
  // Return the out-and-back paths from a lake to a fork or camp: the end, the cells from there, the miles at least and at most.
  paths(rulings) {
    const found = [];
    for (const lake of this.ofKind("lake")) for (const first of this.exitCells(lake)) {
      const cells = this.pathFrom(lake, first, rulings["fork-miles"] === "yes");
      if (cells) found.push({ end: lake, cells });
    }
    if (rulings["shared-lake"] === "joined") {
      for (const [number, path] of [...found].entries()) for (const other of found.slice(0, number))
        if (path.end === other.end && !path.cells.some((cell) => other.cells.includes(cell)))
          found.push({ end: path.end, cells: [...[...path.cells].reverse(), ...other.cells] });
    }
    for (const path of found) {
      const total = (unknown) => path.cells.reduce((sum, cell) => sum + (this.at(cell).miles ?? unknown), 0);
      Object.assign(path, { least: total(MIN_MILES), most: total(MAX_MILES), unknown: path.cells.filter((cell) => !this.at(cell).miles) });
    }
    return found;
  }
  pathFrom(lake, first, includesFork) {
    const cells = [];
    let before = lake, cell = first;
    while (this.kind(cell) === "trail" && !this.isFork(cell)) {
      if (cells.includes(cell)) return null;
      cells.push(cell);
      [before, cell] = [cell, this.exitCells(cell).find((other) => other !== before)];
    }
    if (!this.isCamp(cell) && this.kind(cell) !== "trail") return null;
    return includesFork && !this.isCamp(cell) ? [...cells, cell] : cells;
  }
  undecidedPaths(rulings) {
    const found = this.paths(rulings), best = Math.max(0, ...found.map((path) => path.least)), countsTies = this.goal?.kind === "path-icons";
    return found.filter((path) => path.unknown.length && (path.most > best || (countsTies && path.most === best)));
  }
  nextPath(rulings) {
    return this.undecidedPaths(rulings).sort((path, other) => other.most - path.most || other.unknown.length - path.unknown.length)[0];
  }
  cellsToMeasure(rulings) {
    return [...new Set(this.undecidedPaths(rulings).flatMap((path) => path.unknown))];
  }

  // Return the tiles without miles along the trails from base camp, in the form of `nextPath`: a game that goes on needs all miles.
  nextTiles() {
    const unknown = [...this.joined()].filter((cell) => this.kind(cell) === "trail" && !this.at(cell).miles);
    return unknown.length ? { cells: unknown, unknown } : undefined;
  }
  joined() { // to base camp
    return reachable(this.squares, (cell) => (this.kind(cell) === "lake" ? [] : this.exitCells(cell)));
  }

  // ---- What is missing -------------------------------------------------------------------------------------------------
  // Return the first gap of each kind: its cells, what the button says, and what to do.
  gaps() {
    const all = this.occupied, isTrail = (cell) => ["trail", "stub"].includes(this.kind(cell));
    const touching = reachable(this.squares, (cell) => neighbors(cell).filter((other) => this.kind(other)));
    const joined = this.joined();
    return [
      [all.filter((cell) => isTrail(cell) && !this.terrain(cell)), "trail without a terrain", "trails without a terrain", "Which terrain is this trail on?"],
      [this.ofKind("stub"), "trail that stops", "trails that stop", "This trail stops here. Draw it on to its end."],
      [this.ofKind("waterfall").filter((cell) => this.exits(cell)), "trail into a waterfall", "trails into waterfalls", "A trail runs into this waterfall."],
      [this.ofKind("campsite").filter((cell) => !this.exits(cell)), "campsite without a trail", "campsites without a trail", "No trail leads to this campsite. Draw it."],
      [all.filter((cell) => !touching.has(cell)), "tile cut off", "tiles cut off", "Cut off from base camp. Add the tile between."],
      [all.filter((cell) => isTrail(cell) && !joined.has(cell)), "trail not connected", "trails not connected", "This trail is not connected to base camp."],
    ].filter(([cells]) => cells.length).map(([cells, one, many, advice]) => ({ cells, text: `${cells.length} ${cells.length === 1 ? one : many}`, advice }));
  }

  // ---- From and to the tiles of the server -----------------------------------------------------------------------------
  // Return the tiles of the map as the move takes them; fields with their default value are left out.
  tiles() {
    return this.occupied.filter((cell) => this.kind(cell) !== "stub").map((cell) => {
      const [x, y] = position(cell), kind = this.kind(cell), { miles, animal } = this.at(cell), tile = { x, y, kind };
      if (["base", "trail", "terrain"].includes(kind)) Object.assign(tile, { terrain: this.terrain(cell), icons: this.icons(cell) });
      if (kind === "trail") Object.assign(tile, { exits: this.exits(cell) }, miles ? { miles } : {});
      if (kind === "terrain" && animal) tile.animal = animal;
      return tile;
    });
  }
  // Return the map of some tiles, with base camp at "0,0".
  static fromTiles(tiles, goal) {
    const base = tiles.filter((tile) => tile.kind === "base").sort((tile, other) => tile.x - other.x || tile.y - other.y);
    const map = new PaintedMap({ base: base.map((tile) => tile.terrain), isUpright: base[0].x === base[1].x, goal: goal ?? undefined });
    for (const { x, y, kind, terrain, exits = "", miles, icons = 0, animal } of tiles) {
      const cell = cellAt(x - base[0].x, y - base[0].y), paint = {};
      if (kind === "campsite" || kind === "waterfall") paint.piece = kind;
      if (kind === "lake") paint.isLake = true;
      if (kind === "trail" || kind === "terrain") paint.terrain = terrain;
      if ((kind === "trail" || kind === "base") && icons !== USUAL_ICONS) paint.icons = icons;
      if (miles) paint.miles = miles;
      if (animal) (paint.animal = animal), (map.animals[terrain] = animal);
      if (Object.keys(paint).length) map.cells[cell] = paint;
      for (const letter of exits) map.joins[joinOf(cell, neighbor(cell, letter))] = 1;
    }
    return map;
  }

  // ---- Words -----------------------------------------------------------------------------------------------------------
  // Return where a cell is, as on the server: "2 squares east and 1 north of base camp".
  location(cell) {
    const [x, y] = position(cell), [width, height] = this.isUpright ? [0, 1] : [1, 0];
    const east = x < 0 ? x : Math.max(0, x - width), south = y < 0 ? y : Math.max(0, y - height);
    const across = east > 0 ? "east" : "west", down = south > 0 ? "south" : "north";
    let target = "base camp";
    if (width && !east) target = `base camp’s ${x === 0 ? "west" : "east"} square`;
    if (height && !south) target = `base camp’s ${y === 0 ? "north" : "south"} square`;
    if (!east && !south) return target;
    if (Math.max(Math.abs(east), Math.abs(south)) === 1) return `just ${south ? down : ""}${east ? across : ""} of ${target}`;
    if (!south || !east) return `${pluralize(Math.abs(east || south), "square")} ${east ? across : down} of ${target}`;
    return `${pluralize(Math.abs(east), "square")} ${across} and ${Math.abs(south)} ${down} of ${target}`;
  }
  describe(cell) {
    const kind = this.kind(cell), { miles, animal } = this.at(cell), exits = this.exits(cell);
    if (kind === "base") return this.location(cell);
    const shape = exits.length > 3 ? "four-way fork" : exits.length > 2 ? "fork" : ["NS", "EW"].includes(exits) ? "straight" : "bend";
    const name = {
      trail: [miles && `${miles}-mile`, this.terrain(cell), shape], terrain: [this.terrain(cell), "terrain tile", animal && `with the ${animal}`], stub: ["trail"],
    }[kind] ?? [kind];
    return `${name.filter(Boolean).join(" ")} ${this.location(cell)}`;
  }
}

function joinOf(cell, other) {
  const [[x, y], [otherX, otherY]] = [position(cell), position(other)];
  return y < otherY || (y === otherY && x < otherX) ? `${cell}|${other}` : `${other}|${cell}`;
}
