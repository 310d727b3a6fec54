// What links and forms cannot do: receive news, poll after sleep, step a number, keep the body's class.
"use strict";

const now = () => document.getElementById("now");
const at = () => document.getElementById("at") ?? now(); // the state of the region; a page in fragments has it in one of them
let mood = ""; // the class that the page has set on its body

function look() {
  const region = now();
  if (!region) return;
  if (mood) document.body.classList.remove(mood);
  mood = at().dataset.mood ?? "";
  if (mood) document.body.classList.add(mood);
  for (const board of region.querySelectorAll(".board")) {
    sizes.observe(board);
    if (board.firstElementChild) sizes.observe(board.firstElementChild);
    inSight(board);
  }
}

// A wide picture is scrolled to its point of interest: `data-at` is the part of the hidden width that lies to the left, or
// `data-middle` the part of the picture to center. It is scrolled again when that changes or the size does; in between,
// the user scrolls it.
const sizes = new ResizeObserver((seen) => seen.forEach(({ target }) => inSight(target.closest(".board"))));
function inSight(board) {
  const { at, middle } = board.dataset, room = board.scrollWidth - board.clientWidth;
  const shown = [at, middle, board.scrollWidth, board.clientWidth].join();
  if (board.dataset.shown === shown || !(at ?? middle)) return;
  board.dataset.shown = shown;
  const left = middle ? board.scrollWidth * Number(middle) - board.clientWidth / 2 : room * Number(at);
  board.scrollTo({ left, behavior: "instant" });
}

// Polling: on news, after sleep, regularly without a stream, and soon after a failed request.
const POLL = 4000; // ms between polls while there is no stream
const CALM = 60000; // ms with a stream, which may have died unnoticed
const SOON = 1000, LATE = 15000; // ms after a failed poll, doubled each time up to LATE
const GONE = 60000; // ms, the same limit if the table does not exist
const TICK = 250;
const clock = () => performance.now();
let due = clock() + POLL; // when to poll again
let call = due; // when to request a stream again
let streaming = false, calling = false;
let asking = 0; // polls without an answer yet
let wanted = ""; // the address of a request for more than news, until it is answered
let failed = 0; // failed polls in a row
let heard = 0;
let sending = 0; // taps without an answer yet; their answers bring the news
let leaving = 0; // until when another page is loading: a second request would cancel it
const stale = () => heard > Number(at()?.dataset.version);

function refresh() {
  due = clock() + POLL;
  if (!now() || clock() < leaving) return;
  // From #main, whose `hx-sync` keeps only the latest of several quick requests: each contains all choices.
  if (wanted) htmx.ajax("GET", wanted, { source: "#main", target: "#now", swap: "outerMorph" });
  else htmx.trigger(at(), "fresh");
}
function want(change) {
  const address = new URL(at().getAttribute("hx-get"), location.href);
  change(address);
  wanted = address.pathname + address.search;
  refresh();
}

document.addEventListener("version", (event) => {
  streaming = true;
  if (!failed) due = clock() + CALM;
  heard = Number(event.detail.data);
  if (stale() && !sending) refresh();
});
for (const end of ["before:connection", "error", "close"]) document.addEventListener(`htmx:sse:${end}`, () => {
  streaming = false;
  due = Math.min(due, clock() + POLL);
});
document.addEventListener("visibilitychange", () => document.hidden || refresh());
window.addEventListener("online", refresh);
const leave = () => { leaving = clock() + LATE; };
window.addEventListener("submit", (event) => event.target.method === "post" && !event.defaultPrevented && leave());
window.addEventListener("pageshow", (event) => {
  leaving = 0;
  if (event.persisted) refresh();
});
setInterval(() => {
  if (document.hidden || !now()) return;
  if (clock() >= due && !asking) refresh();
  if (streaming || calling || failed || clock() < call) return;
  call = clock() + POLL;
  htmx.trigger("#live", "again"); // if all stream slots were taken or the first request failed, nothing else retries
}, TICK);

// Errors are shown next to the table. Only the expected answers are swapped in: htmx would swap any answer.
const TRIES = 4; // automatic retries of a tap
const SLOW = 3000; // ms without an answer until a note appears
const READ = 10000; // ms a refusal stays at least
const LOST = ["Looking for the table…", "What you see may be old."];
const TRYING = ["No answer yet", "Still trying to send your tap."];
const NOT_TAKEN = ["That was not taken", "Look again before you tap."];
const UNCLEAR = ["No answer", "Look whether it has counted before you tap again."];
const LONG = 600000; // ms, the longest accepted Retry-After
let looking = null; // why polling fails: a title and a sentence
let tap = null; // the last tap until it is answered: its request, and why it failed

const isTap = (ctx) => ctx.request.method === "POST";
const isCall = (ctx) => ctx.sourceElement.id === "live";

function wasAskedFor({ request, response: { raw, status }, hx, text, target, select }) {
  if (hx.redirect) return raw.ok;
  if (status === 204) return request.method === "GET";
  if (text.startsWith("<hx-partial")) return /<span id="at"[^>]*><\/span><\/hx-partial>\s*$/.test(text) && Boolean(document.getElementById("at"));
  const name = target.localName, part = new RegExp(`<${name} id="${target.id}"`), whole = text.trim();
  return select ? part.test(whole) && whole.endsWith("</html>") : whole.search(part) === 0 && whole.endsWith(`</${name}>`);
}

// The error message of an answer of this app; pages of others, such as a proxy, are ignored.
function sentence(text) {
  const said = new DOMParser().parseFromString(text, "text/html").querySelector("[data-trouble]");
  return said && [said.querySelector("h1, h2").textContent, [...said.querySelectorAll("p")].map((p) => p.textContent).join(" ")];
}

function wentWell(ctx) {
  if (ctx.hx.redirect) leave();
  if (ctx.tap === tap || clock() >= tap?.until) tap = null;
  failed = 0;
  looking = null;
  if (wanted === ctx.request.action || isTap(ctx)) wanted = "";
  due = clock() + (streaming ? CALM : POLL);
  show();
}

function wentWrong(ctx) {
  const status = ctx.response?.status, said = status ? sentence(ctx.text) : null;
  const asked = Math.min(1000 * ctx.response?.headers.get("Retry-After") || 0, LONG);
  if (isCall(ctx)) call = clock() + Math.max(asked, POLL);
  else if (isTap(ctx)) notTaken(ctx.tap, status, said, asked);
  else {
    failed += 1;
    due = clock() + Math.max(asked, Math.min(SOON * 2 ** (failed - 1), status === 404 ? GONE : LATE));
    looking = said ?? (!now() ? ["No answer", "Try again in a moment."] : status ? ["The table did not answer", "Looking again…"] : LOST);
  }
  show();
}

// A tap has an id and counts once, so it is safe to send it again.
function notTaken(mine, status, said, asked) {
  if (!mine || mine !== tap) return; // there has been another tap since
  const refused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  if (refused || !mine.body.has("tap")) {
    tap.says = said ?? (refused ? NOT_TAKEN : UNCLEAR);
    tap.until = clock() + READ;
    setTimeout(refresh, READ);
    if (now()) want((address) => address.searchParams.delete("have")); // with forms that have new tap ids
  } else if (tap.tries < TRIES && asked <= LATE) {
    tap.says = said ? [said[0], `${said[1]} ${TRYING[1]}`] : TRYING;
    setTimeout(() => mine === tap && send(), Math.max(asked, SOON * 2 ** tap.tries));
    tap.tries += 1;
  } else {
    tap.says = said ?? ["Your tap is not answered", "It counts once, however often it is sent."];
    tap.stuck = true;
  }
}

function send() {
  htmx.ajax("POST", tap.action, { source: "#trouble", target: tap.target, swap: tap.swap, select: tap.select });
}

function show() {
  const note = document.querySelector("#trouble > div"), says = tap?.says ?? looking;
  note.hidden = !says;
  note.querySelector("[value=again]").hidden = !tap?.stuck;
  if (!says || note.dataset.says === says.join()) return;
  note.dataset.says = says.join();
  [note.querySelector("strong").textContent, note.querySelector("span").textContent] = says;
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("#trouble button");
  if (button?.value === "again") {
    Object.assign(tap, { tries: 0, stuck: false, says: TRYING });
    send();
  } else if (button) tap?.says ? (tap = null) : (looking = null);
  if (button) show();
});

// The server sends only the fragments that the phone lacks; a request that names no fragments gets all of them.
const pieces = () => [...document.querySelectorAll("#now [data-piece]")].map((each) => each.dataset.piece);
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  const { request, target, sourceElement } = ctx;
  if (sourceElement.id === "trouble") request.body = tap.body; // the form may no longer exist
  if (target !== now() || !at()?.dataset.marks) return;
  if (isTap(ctx) && !["trouble", "sending"].includes(sourceElement.id)) request.body.set("tap", at().dataset.tap); // an unchanged fragment has an old id; the form `sending` sets its own
  if (isTap(ctx) || /[?&]have=/.test(request.action)) request.headers["Known-Fragments"] = pieces().join(" ");
});
// A new fragment may contain unchanged ones: placeholders with `data-stays` keep those as they are.
window.htmx?.registerExtension("stays", { htmx_before_morph_node: (_, { newNode }) => newNode.dataset?.stays === undefined });
// Content below the first screen is inserted after that screen is shown: only the screen is urgent.
let insert = null; // htmx's function that inserts a fragment
let late = []; // tasks not yet inserted
window.htmx?.registerExtension("below", {
  init: (api) => { insert = api.insertContent; },
  htmx_before_swap: (_, { tasks }) => {
    if (tasks.some(({ target }) => target === now())) late.length = 0; // the whole region is replaced
    const below = tasks.filter(({ target }) => target?.closest?.(".below"));
    if (!below.length || below.length === tasks.length) return;
    for (const task of below) tasks.splice(tasks.indexOf(task), 1);
    if (!late.length) requestAnimationFrame(() => setTimeout(drawLate));
    late.push(...below);
  },
});
async function drawLate() {
  noteFocus();
  for (const task of late.splice(0)) await insert(task);
  keepFocus();
  lookAgain();
}
const asMarked = () => late.length > 0 || pieces().join(" ") === (at()?.dataset.marks ?? "");
function lookAgain() {
  if (stale() || !asMarked()) due = Math.min(due, clock() + SOON); // an older answer arrived last
}
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (isCall(ctx)) calling = true;
  else if (!isTap(ctx)) asking += 1;
  if (!isTap(ctx)) return;
  sending += 1;
  if (ctx.sourceElement.id !== "trouble") {
    const { action, body } = ctx.request, target = `#${ctx.target.id}`;
    const mine = (tap = { action, body, target, swap: ctx.swap, select: ctx.select, tries: 0 });
    setTimeout(() => {
      if (mine !== tap || mine.says) return;
      mine.says = TRYING;
      show();
    }, SLOW);
    show();
  }
  ctx.tap = tap;
});
document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  if (!isCall(ctx) && wasAskedFor(ctx)) return wentWell(ctx);
  event.preventDefault(); // htmx must not swap it
  wentWrong(ctx);
});
document.addEventListener("htmx:error", ({ detail: { ctx } }) => ctx?.request && wentWrong({ ...ctx, response: null }));
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (isCall(ctx)) calling = false;
  else if (!isTap(ctx)) asking -= 1;
  else if ((sending -= 1) === 0 && stale()) refresh();
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  const { here } = at()?.dataset ?? {}; // a phone with several seats follows the turn
  if (here) { // the address contains the draft, so that a reload keeps it
    const address = here + (drafts() && `?${drafts()}`);
    if (address !== location.pathname + location.search) history.replaceState(null, "", address + location.hash);
  }
  look();
  lookAgain();
  if (ctx && isTap(ctx) && ctx.response?.raw.ok) onTo(ctx.sourceElement.id === "sending");
  now()?.querySelector("[role=alert]")?.scrollIntoView({ block: "center" }); // show the refusal: the tap may have been far below it
});
document.addEventListener("DOMContentLoaded", look);

// After a tap, show the next decision and focus it, not the element that the button has become.
function onTo(beside) { // a move sent without a button leaves the focus where it is
  const sheet = document.getElementById("p-sheet");
  if (!sheet) return;
  window.scrollTo({ top: 0, behavior: "instant" });
  if (!hasFocus() || (!beside && sheet.contains(document.activeElement))) readOn();
}
function readOn() { // if there is nothing to choose, focus the banner
  const sheet = document.getElementById("p-sheet");
  (sheet?.hidden ? document.getElementById("p-banner") : sheet)?.focus({ preventScroll: true });
}

// News may remove or hide the focused element; the focus must not fall back to the top of the page.
let focused = false; // before the current swaps: two answers may arrive together
const seen = (each) => each.checkVisibility?.() ?? true;
const hasFocus = () => document.activeElement !== document.body && seen(document.activeElement);
function noteFocus() {
  focused ||= hasFocus();
}
function keepFocus() {
  if (focused && !hasFocus()) readOn();
  focused = hasFocus();
}
document.addEventListener("htmx:before:swap", noteFocus);
document.addEventListener("htmx:after:swap", keepFocus);
// Choosing a letter replaces the letters by the items that begin with it, and back: move the focus along.
document.addEventListener("change", ({ target }) => {
  const letters = target.closest(".letters");
  if (letters && !hasFocus()) [...letters.querySelectorAll("button, input")].find(seen)?.focus();
});

// A tap counts for the button that was touched, not for one that has taken its place since: after news, or after a second
// tap in the same place, faster than anyone can read.
let touched = null;
document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("button, a.drafts, a.spot, [data-tap]");
  touched = button && { button, value: button.value ?? button.dataset.tap };
}, true);
const isSame = (one, other) => one === other || (Boolean(one.dataset.at) && one.dataset.at === other.dataset.at);
const SOONER = 300; // ms, the time of a double tap
let tapped = { at: -SOONER, x: 0, y: 0, value: "" };
document.addEventListener("click", (event) => {
  const button = event.target.closest("button, a.drafts, a.spot, [data-tap]");
  if (!button) tapped.at = -SOONER; // there was a tap elsewhere in between
  if (!button || !event.detail || (button.form && !button.form.matches("[hx-post]"))) return; // the keyboard has no position
  const near = Math.hypot(event.pageX - tapped.x, event.pageY - tapped.y) < 40, value = button.value ?? button.dataset.tap;
  const another = touched && (touched.value !== value || (!value && !isSame(touched.button, button))); // re-rendered with the same meaning
  if (another || (near && event.timeStamp - tapped.at < SOONER && value !== tapped.value)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else tapped = { at: event.timeStamp, x: event.pageX, y: event.pageY, value };
}, true);

// A tap on a picture clicks the equivalent button: `data-tap` is its id.
document.addEventListener("click", ({ target }) => document.getElementById(target.closest("[data-tap]")?.dataset.tap)?.click());

// The draft of a move: links and forms with the class `drafts` reload the page's region instead of the page.
const draft = (said) => want((address) => { address.search = said; });
function drafts() { // the draft that the page shows, as a query string
  const said = [...new URL(at().getAttribute("hx-get"), location.href).searchParams];
  return new URLSearchParams(said.filter(([name]) => name.startsWith("draft."))).toString();
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.drafts, svg a.spot");
  if (!link || !now() || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const said = new URL(link.getAttribute("href"), location.href).searchParams;
  const choices = [...document.querySelectorAll("form.drafts input:checked")]; // includes choices that are not answered yet
  for (const choice of choices) said.set(choice.name, choice.value);
  draft(said);
});
document.addEventListener("htmx:after:swap", () => { // morphing keeps the state of a radio button, even if the page has changed it
  for (const choice of document.querySelectorAll("form.drafts input[type=radio]")) choice.checked = choice.defaultChecked;
});
document.addEventListener("change", (event) => {
  const form = event.target.closest("form.drafts");
  if (form && now()) draft(new URLSearchParams(new FormData(form)));
});

// A tap on a line or category of the score highlights what it counts on the picture next to it.
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

document.addEventListener("focusin", ({ target }) => target.closest(".stepper input") && target.select()); // so that typing 9 over 0 gives 9

// Another button or link must not lose a value that was typed but not sent: the form is submitted first if it has
// `data-sent-first`, else the page asks for confirmation.
const TYPED = "input:not([type=hidden], [type=radio], [type=checkbox], [type=search]), select, textarea";
function isTyped(field) {
  if (field.type === "file") return field.files.length > 0;
  if (field.localName !== "select") return field.value !== field.defaultValue;
  const usual = [...field.options].findIndex((option) => option.defaultSelected);
  return field.selectedIndex !== Math.max(0, usual);
}
const unsent = (except) => [...document.querySelectorAll("form[method=post]:not(.drafts)")].find((form) =>
  form !== except && !form.matches('[hx-trigger*="change"]') && [...form.elements].some((each) => each.matches(TYPED) && isTyped(each)));
let after = null; // the tapped button, until the typed value has been sent

document.addEventListener("click", (event) => {
  const button = event.target.closest("button, a[href]");
  const leaves = button?.matches("a[href]") ? !button.matches("[target], [download], [href^='#'], [data-discards]") : button?.type !== "button";
  if (!button || !leaves || (button.localName === "button" && !button.form) || button.type === "reset") return;
  const form = unsent(button.form);
  if (!form) return;
  if (form.matches("[data-sent-first]")) {
    after = { form, button };
    form.requestSubmit();
  } else if (confirm("You typed something here and did not send it. Go on without it?")) {
    form.reset();
    return;
  } else form.closest("details")?.setAttribute("open", "");
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (!after || ctx?.sourceElement !== after.form) return;
  const { button } = after;
  after = null;
  if (ctx.response?.raw.ok) button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
});

// Highlight the differences on the picture of a preview.
function light() {
  for (const picture of document.querySelectorAll("[data-lights]")) {
    const marks = picture.dataset.lights.split(" ");
    for (const each of picture.querySelectorAll("[data-mark]")) {
      const lit = marks.includes(each.dataset.mark);
      each.classList.toggle("lit", lit);
      if (lit) each.ownerSVGElement.classList.add("lighting");
    }
  }
}
document.addEventListener("htmx:after:swap", light);
document.addEventListener("DOMContentLoaded", light);

// On a snapshot, a swipe or an arrow key leads to the previous or next step.
const turnTo = (way) => document.querySelector(`.moment a[rel=${way}]`)?.click();
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, #map-view") || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") turnTo("prev");
  if (event.key === "ArrowRight") turnTo("next");
});
let swiped = null;
document.addEventListener("touchstart", ({ touches, target }) => {
  const own = target.closest(".moment") && !scrolls(target); // elements that scroll sideways keep their swipes
  swiped = own && touches.length === 1 ? { x: touches[0].clientX, y: touches[0].clientY } : null;
}, { passive: true });
document.addEventListener("touchend", ({ changedTouches: [touch] }) => {
  if (!swiped) return;
  const far = touch.clientX - swiped.x;
  if (Math.abs(far) > 60 && Math.abs(far) > 2 * Math.abs(touch.clientY - swiped.y)) turnTo(far > 0 ? "prev" : "next");
  swiped = null;
}, { passive: true });
function scrolls(element) {
  for (let each = element; each && each !== document.body; each = each.parentElement) {
    if (each.scrollWidth > each.clientWidth + 4 && getComputedStyle(each).overflowX !== "visible") return true;
  }
  return false;
}

// Buttons that the host may use only after a while appear when the time has come.
const opens = new WeakMap();
setInterval(() => {
  for (const each of document.querySelectorAll("[data-opens]")) {
    if (!opens.has(each)) opens.set(each, clock() + 1000 * each.dataset.opens);
    if (clock() >= opens.get(each)) each.removeAttribute("data-opens");
  }
}, TICK);
