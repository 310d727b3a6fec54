// A photo of the table below the grid of a painted map. It stays on this phone: it is neither sent nor stored.
"use strict";

class MapPhoto {
  // canvas  the picture of the map, whose touches fit the photo
  // file    the field that chooses the photo
  // view    the view of the map
  // draw    draws the page again
  constructor({ canvas, file, view, draw }) {
    Object.assign(this, { view, draw, image: document.getElementById("photo"), marks: document.getElementById("photo-marks") });
    this.step = ""; // of fitting: "corners", then "base"; empty: the photo is fitted, or there is none
    this.columns = this.rows = 8; // of the grid that the player fits to the photo
    this.toCells = null; // the projection from the photo to the cells of the map
    this.dragged = null; // the corner that is dragged: its number, where it and the finger were
    file.addEventListener("change", () => this.open(file));
    canvas.addEventListener("pointerdown", (event) => this.touch(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const type of ["pointerup", "pointercancel"]) canvas.addEventListener(type, () => (this.dragged = null));
  }
  get isFitting() {
    return this.step !== "";
  }
  get isShown() {
    return this.isFitting || Boolean(this.toCells);
  }
  get heading() {
    return this.step === "corners" ? "Drag the corners onto your tiles" : "Tap base camp’s west or north square";
  }
  get nextLabel() {
    return this.step === "corners" ? "The grid fits" : "Back to the corners";
  }

  async open(file) {
    const [chosen] = file.files;
    file.value = "";
    if (!chosen) return;
    try {
      const bitmap = await createImageBitmap(chosen), scale = Math.min(1, MapPhoto.MAX_SIZE / Math.max(bitmap.width, bitmap.height));
      Object.assign(this.image, { width: bitmap.width * scale, height: bitmap.height * scale });
      this.image.getContext("2d").drawImage(bitmap, 0, 0, this.image.width, this.image.height);
    } catch {
      document.getElementById("painter-news").textContent = "This photo cannot be shown. Choose a JPEG or PNG file.";
      return;
    }
    const inset = 0.12, { width, height } = this.image;
    this.corners = [[inset, inset], [1 - inset, inset], [1 - inset, 1 - inset], [inset, 1 - inset]].map(([x, y]) => [x * width, y * height]);
    this.step = "corners";
    this.image.hidden = false;
    this.draw();
  }
  remove() {
    this.step = "";
    this.toCells = null;
    this.image.hidden = true;
  }
  next() {
    this.step = this.step === "corners" ? "base" : "corners";
  }
  resize(name) {
    const [side, change] = [name.slice(0, -1), name.endsWith("+") ? 1 : -1];
    this[side] = Math.max(2, this[side] + change);
  }

  // While it is fitted, the photo fills the frame.
  get fittingPlace() {
    const { width, height } = this.view.frame(), scale = Math.min(width / this.image.width, height / this.image.height);
    return { scale, left: (width - this.image.width * scale) / 2, top: (height - this.image.height * scale) / 2 };
  }
  toPhoto({ clientX, clientY }) {
    const frame = this.view.frame(), { scale, left, top } = this.fittingPlace;
    return [(clientX - frame.left - left) / scale, (clientY - frame.top - top) / scale];
  }
  get gridCorners() {
    return [[0, 0], [this.columns, 0], [this.columns, this.rows], [0, this.rows]];
  }
  touch(event) {
    if (!this.isFitting) return;
    const point = this.toPhoto(event);
    if (this.step === "base") {
      const [column, row] = project(projection(this.corners, this.gridCorners), point).map(Math.floor);
      this.toCells = projection(this.corners, this.gridCorners.map(([x, y]) => [x - column, y - row]));
      this.step = "";
    } else {
      const distances = this.corners.map(([x, y]) => Math.hypot(x - point[0], y - point[1])), number = distances.indexOf(Math.min(...distances));
      this.dragged = { number, corner: this.corners[number], from: point };
    }
    this.draw();
  }
  drag(event) { // a corner moves as far as the finger, which need not cover it
    if (!this.dragged) return;
    const [x, y] = this.toPhoto(event), { number, corner, from } = this.dragged;
    this.corners[number] = [corner[0] + x - from[0], corner[1] + y - from[1]];
    this.draw();
  }

  // Place the photo and its grid where the view shows the map.
  place() {
    this.marks.innerHTML = "";
    document.body.classList.toggle("shows-photo", !this.isFitting && this.isShown);
    document.body.classList.toggle("fits-photo", this.isFitting);
    if (this.isFitting) {
      const { scale, left, top } = this.fittingPlace, toGrid = projection(this.gridCorners, this.corners);
      this.image.style.transform = `matrix(${scale}, 0, 0, ${scale}, ${left}, ${top})`;
      const onScreen = ([x, y]) => [left + x * scale, top + y * scale], line = (from, to) => `M${onScreen(project(toGrid, from))}L${onScreen(project(toGrid, to))}`;
      const lines = [];
      for (let x = 0; x <= this.columns; x++) lines.push(line([x, 0], [x, this.rows]));
      for (let y = 0; y <= this.rows; y++) lines.push(line([0, y], [this.columns, y]));
      const handles = this.step === "corners" ? this.corners.map(onScreen).map(([x, y]) => `<circle class="handle" cx="${x}" cy="${y}" r="14"/>`) : [];
      this.marks.innerHTML = `<path class="photo-grid" d="${lines.join("")}"/>${handles.join("")}`;
    } else if (this.toCells) {
      const [a, b, c, d, e, f, g, h, i] = this.toCells, { size, left, top } = this.view;
      const [x, y] = [[a, b, c], [d, e, f]].map((row, number) => row.map((value, column) => size * value + [left, top][number] * [g, h, i][column]));
      this.image.style.transform = `matrix3d(${[x[0], y[0], 0, g, x[1], y[1], 0, h, 0, 0, 1, 0, x[2], y[2], 0, i]})`;
    }
  }
}
MapPhoto.MAX_SIZE = 1600; // px of its longer side; a larger photo is scaled down

// Return the projection of the plane that takes four points to four others: [a b c, d e f, g h 1].
function projection(from, to) {
  const rows = from.flatMap(([x, y], number) => {
    const [u, v] = to[number];
    return [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]];
  });
  for (let step = 0; step < 8; step++) { // Gauss–Jordan elimination with pivots
    let pivot = step;
    for (let row = step; row < 8; row++) if (Math.abs(rows[row][step]) > Math.abs(rows[pivot][step])) pivot = row;
    [rows[step], rows[pivot]] = [rows[pivot], rows[step]];
    for (let row = 0; row < 8; row++) if (row !== step) {
      const factor = rows[row][step] / rows[step][step];
      for (let column = step; column < 9; column++) rows[row][column] -= factor * rows[step][column];
    }
  }
  return [...rows.map((row, number) => row[8] / row[number]), 1];
}
function project([a, b, c, d, e, f, g, h, i], [x, y]) {
  const w = g * x + h * y + i;
  return [(a * x + b * y + c) / w, (d * x + e * y + f) / w];
}
