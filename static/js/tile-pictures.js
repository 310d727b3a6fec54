// The pictures of the tiles of a painted map, each 100 wide and high.
"use strict";

class TilePictures {
  // shapes      the address of the file with the shapes, up to the id of a shape
  // endPicture  returns the picture of a cell where a trail ends, for its exits; none: a lake
  constructor(shapes, endPicture) {
    Object.assign(this, { shapes, endPicture });
  }
  tile(map, cell) {
    const use = (id, extra = "") => `<use href="${this.shapes}${id}"${extra}/>`;
    const kind = map.kind(cell), terrain = map.terrain(cell), exits = map.exits(cell), { miles, animal } = map.at(cell);
    const ground = terrain ? use(`g-${terrain}`) : `<path class="blank" d="M0 0h100v100H0z"/>`;
    const icons = (spots) => (terrain ? spots.map(([x, y]) => use(`i-${terrain}`, ` transform="translate(${x} ${y})"`)).join("") : "");
    const spots = map.icons(cell) === USUAL_ICONS && kind === "trail" ? [TilePictures.ICON_POSITIONS[exits]] : TilePictures.CORNERS.slice(0, map.icons(cell));
    if (kind === "base") return terrain && map.icons(cell) === USUAL_ICONS ? use(`base-${terrain}`) : ground + use("camp") + icons(spots) + use("edge");
    if (kind === "terrain") return use(`terrain-${terrain}${animal ? `-${animal}` : ""}`);
    if (kind === "stub") return `${ground}${TilePictures.stub(exits)}<text class="unknown" x="76" y="40">?</text>${use("edge")}`;
    if (kind === "lake" && this.endPicture) return this.endPicture(exits);
    if (kind !== "trail") return use(kind);
    const [x, y] = TilePictures.MILES_POSITIONS[exits] ?? [50, 50];
    const [down, fontSize] = map.isFork(cell) ? [22, 22] : [10, 30];
    const number = miles ? `<text class="miles" x="${x}" y="${y + down}" font-size="${fontSize}">${miles}</text>` : "";
    return `${ground}${use(`w-${exits}`)}${icons(spots)}${number}${terrain ? "" : `<text class="unknown" x="80" y="36">?</text>`}${use("edge")}`;
  }
  // Trails from the middle to some sides.
  static stub(exits) {
    const lines = [...exits].map((exit) => `M50 50l${50 * STEPS[exit][0]} ${50 * STEPS[exit][1]}`);
    return `<path class="stub" d="${lines.join("")}"/>`;
  }
  // An open trail in the middle of a game.
  static openEnd(exits) {
    return `${TilePictures.stub(exits)}<circle class="open-end" cx="50" cy="50" r="18"/>`;
  }
  static MILES_POSITIONS = { NE: [60, 40], ES: [60, 60], SW: [40, 60], NW: [40, 40] }; // of bends; of the others the middle
  static ICON_POSITIONS = {
    NS: [6, 62], EW: [62, 64], NE: [8, 62], ES: [8, 8], SW: [62, 8], NW: [62, 62], NES: [4, 4], ESW: [4, 4], NSW: [66, 4], NEW: [4, 66], NESW: [4, 4],
  };
  static CORNERS = [[5, 5], [66, 5], [5, 66], [66, 66]];
}
