// The map under the finger: larger, smaller, the whole of it; it stays where it was looked at when the page is redrawn.
"use strict";
{
  const CELL = 56; // px of a cell as the server draws it
  const LEAST = 0.35, MOST = 2.5;
  let zoom = 1; // of the map on this page
  let centre = null; // the point of the map in the middle of the window, in cells; with whose map it is
  const view = () => document.getElementById("map-view");
  const picture = () => view()?.querySelector("svg");
  const origin = (svg) => [Number(svg.dataset.x), Number(svg.dataset.y)];

  function size(svg) {
    svg.style.width = `${svg.dataset.w * CELL * zoom}px`;
    svg.style.height = `${svg.dataset.h * CELL * zoom}px`;
  }

  // Where a place in the window lies on the map, in cells.
  function cellAt(clientX, clientY) {
    const svg = picture(), box = svg.getBoundingClientRect(), [x, y] = origin(svg);
    return [x + (clientX - box.left) / (CELL * zoom), y + (clientY - box.top) / (CELL * zoom)];
  }

  function bring(cell, clientX, clientY) {
    const [x, y] = cellAt(clientX, clientY);
    view().scrollLeft += (cell[0] - x) * CELL * zoom;
    view().scrollTop += (cell[1] - y) * CELL * zoom;
  }

  function middle() {
    const box = view().getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }

  const keep = () => { if (picture()) centre = { whose: view().dataset.home, at: cellAt(...middle()) }; };

  function fit() {
    const svg = picture(), box = view();
    zoom = Math.max(LEAST, Math.min(1.4, (box.clientWidth - 16) / (svg.dataset.w * CELL), (box.clientHeight - 16) / (svg.dataset.h * CELL)));
    size(svg);
    const [x, y] = origin(svg);
    bring([x + svg.dataset.w / 2, y + svg.dataset.h / 2], ...middle());
    keep();
  }

  function scale(factor, clientX, clientY) {
    const cell = cellAt(clientX, clientY);
    zoom = Math.max(LEAST, Math.min(MOST, zoom * factor));
    size(picture());
    bring(cell, clientX, clientY);
    keep();
  }

  function show() {
    const svg = picture();
    if (!svg) return;
    for (const tools of document.querySelectorAll(".map-tools")) tools.hidden = false;
    if (centre?.whose !== view().dataset.home) {
      zoom = 1;
      size(svg);
      const wide = svg.dataset.w * CELL > view().clientWidth || svg.dataset.h * CELL > view().clientHeight;
      if (!wide) return fit();
      zoom = 0.8;
      size(svg);
      const box = svg.getBoundingClientRect();
      bring(cellAt(box.left + box.width / 2, box.top + box.height / 2), ...middle());
      return keep();
    }
    size(svg);
    bring(centre.at, ...middle());
    const aimed = svg.querySelector(".over")?.getBoundingClientRect(), box = view().getBoundingClientRect();
    if (aimed && (aimed.left < box.left || aimed.right > box.right || aimed.top < box.top || aimed.bottom > box.bottom)) {
      bring(cellAt((aimed.left + aimed.right) / 2, (aimed.top + aimed.bottom) / 2), ...middle());
    }
    keep();
  }

  document.addEventListener("scroll", (event) => { if (event.target === view()) keep(); }, true);
  document.addEventListener("htmx:after:swap", show);
  document.addEventListener("DOMContentLoaded", show);
  window.addEventListener("resize", () => picture() && bring(centre?.at ?? [0, 0], ...middle()));

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".map-tools button");
    if (!button) return;
    if (button.value === "centre") fit();
    else scale(button.value === "in" ? 1.3 : 1 / 1.3, ...middle());
  });

  // Two fingers: the map grows between them. One finger scrolls, as everywhere.
  let apart = 0;
  const spread = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
  document.addEventListener("touchstart", (event) => {
    if (event.touches.length === 2 && view()?.contains(event.target)) apart = spread(event.touches);
  }, { passive: true });
  document.addEventListener("touchmove", (event) => {
    if (event.touches.length !== 2 || !apart || !view()?.contains(event.target)) return;
    event.preventDefault();
    const now = spread(event.touches), [one, other] = event.touches;
    scale(now / apart, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
    apart = now;
  }, { passive: false });
  document.addEventListener("touchend", () => { apart = 0; });
  document.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || !view()?.contains(event.target)) return;
    event.preventDefault();
    scale(event.deltaY < 0 ? 1.12 : 1 / 1.12, event.clientX, event.clientY);
  }, { passive: false });

  // A mouse drags the map.
  let drag = null;
  document.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && view()?.contains(event.target)) drag = { x: event.clientX, y: event.clientY, far: 0 };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || !event.buttons) return;
    view().scrollLeft -= event.clientX - drag.x;
    view().scrollTop -= event.clientY - drag.y;
    drag = { x: event.clientX, y: event.clientY, far: drag.far + Math.abs(event.movementX) + Math.abs(event.movementY) };
  });
  document.addEventListener("dragstart", (event) => view()?.contains(event.target) && event.preventDefault());
  document.addEventListener("click", (event) => {
    if (drag?.far > 6) { event.preventDefault(); event.stopImmediatePropagation(); }
    drag = null;
  }, true);
}
