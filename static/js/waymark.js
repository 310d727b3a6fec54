// What links and forms cannot do: hear of news, look again after sleep, step a number, keep the page's mood.
"use strict";

const POLL = 4000; // ms between looks while there is no stream
const now = () => document.getElementById("now");
let streaming = false;
let sending = 0; // taps on their way: their answers bring the news themselves
let mood = ""; // the class the page has given its body

function refresh() {
  if (now()) htmx.trigger(now(), "fresh");
}

function look() {
  const region = now();
  if (!region) return;
  if (mood) document.body.classList.remove(mood);
  mood = region.dataset.mood ?? "";
  if (mood) document.body.classList.add(mood);
  const board = region.querySelector(".board[data-at]");
  if (board && board.dataset.at !== board.dataset.shown) {
    board.dataset.shown = board.dataset.at;
    const room = board.scrollWidth - board.clientWidth;
    board.scrollTo({ left: room * Number(board.dataset.at), behavior: "instant" });
  }
}

let heard = 0;
const stale = () => heard > Number(now()?.dataset.version);
const sends = (event) => event.detail.ctx.request.method === "POST";

document.addEventListener("version", (event) => {
  heard = Number(event.detail.data);
  if (stale() && !sending) refresh();
});
document.addEventListener("htmx:before:request", (event) => { if (sends(event)) sending += 1; });
document.addEventListener("htmx:finally:request", (event) => {
  if (sends(event) && (sending -= 1) === 0 && stale()) refresh();
});
document.addEventListener("visibilitychange", () => document.hidden || refresh());
window.addEventListener("online", refresh);
window.addEventListener("pageshow", (event) => event.persisted && refresh());

document.addEventListener("htmx:sse:after:connection", () => { streaming = true; document.body.classList.remove("offline"); });
document.addEventListener("htmx:sse:before:connection", () => { streaming = false; });
document.addEventListener("htmx:sse:error", () => { streaming = false; });
document.addEventListener("htmx:sse:close", () => { streaming = false; });
setInterval(() => {
  if (streaming || document.hidden || !now()) return;
  refresh();
  htmx.trigger("#live", "again"); // where every place was taken, or the first call failed: nobody else asks again
}, POLL);

document.addEventListener("htmx:error", (event) => {
  if (event.detail.error?.name !== "AbortError") document.body.classList.add("offline");
});
document.addEventListener("htmx:after:request", () => document.body.classList.remove("offline"));
document.addEventListener("htmx:after:swap", () => {
  look();
  now()?.querySelector("[role=alert]")?.scrollIntoView({ block: "center" }); // why not: the tap may have been far below
});
document.addEventListener("DOMContentLoaded", look);

// A second tap in the same place, sooner than anybody reads: not meant for the button that has come under the finger.
const SOONER = 300; // ms: as long as two taps are one double tap
let tapped = { at: -SOONER, x: 0, y: 0, value: "" };
document.addEventListener("click", (event) => {
  const button = event.target.closest("form[hx-post] button");
  if (!button || !event.detail) return; // a key has no place
  const near = Math.hypot(event.pageX - tapped.x, event.pageY - tapped.y) < 40;
  if (near && event.timeStamp - tapped.at < SOONER && button.value !== tapped.value) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else tapped = { at: event.timeStamp, x: event.pageX, y: event.pageY, value: button.value };
}, true);

// What a phone is putting together: links and forms marked `drafts` change the page's own region, not its address.
function draft(search) {
  htmx.ajax("GET", `${location.pathname}/now${search}`, { source: "#main", target: "#now", swap: "outerMorph" });
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.drafts, svg a.spot");
  if (!link || !now() || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  draft(new URL(link.getAttribute("href"), location.href).search);
});
document.addEventListener("htmx:after:swap", () => { // morphing leaves a radio as it was tapped, whatever the page says now
  for (const choice of document.querySelectorAll("form.drafts input[type=radio]")) choice.checked = choice.defaultChecked;
});
document.addEventListener("change", (event) => {
  const form = event.target.closest("form.drafts");
  if (form && now()) draft(`?${new URLSearchParams(new FormData(form))}`);
});

// The score is seen: what a line or a category counts lights up on the picture beside it.
document.addEventListener("click", (event) => {
  const figure = event.target.closest('table.scores a[href^="#lines-"]');
  const category = figure && document.getElementById(figure.getAttribute("href").slice(1));
  if (category?.dataset.marks && !category.classList.contains("shown")) category.click();
});
document.addEventListener("click", (event) => {
  const line = event.target.closest("[data-marks]");
  if (!line || event.target.closest("a")) return;
  const column = line.closest(".column"), lit = !line.classList.contains("shown");
  for (const other of column.querySelectorAll(".shown, .lit, .lighting")) other.classList.remove("shown", "lit", "lighting");
  if (!lit) return;
  line.classList.add("shown");
  const marks = line.dataset.marks.split(" ");
  for (const each of column.querySelectorAll("[data-mark]")) {
    if (!marks.includes(each.dataset.mark)) continue;
    each.classList.add("lit");
    each.ownerSVGElement?.classList.add("lighting");
  }
});

document.addEventListener("click", (event) => {
  const button = event.target.closest(".stepper button");
  if (!button) return;
  const input = button.parentElement.querySelector("input");
  button.value === "down" ? input.stepDown() : input.stepUp();
  input.dispatchEvent(new Event("change", { bubbles: true }));
});
