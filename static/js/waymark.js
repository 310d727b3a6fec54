// What links and forms cannot do: follow the table, poll after sleep, step a number, set the class of the body.
"use strict";

const region = () => document.getElementById("region");
const regionState = () => document.getElementById("region-state") ?? region(); // a page sent in fragments has an element for its state
let bodyClass = ""; // the class that the page has set on its body

function updatePage() {
  if (!region()) return;
  if (bodyClass) document.body.classList.remove(bodyClass);
  bodyClass = regionState().dataset.bodyClass ?? "";
  if (bodyClass) document.body.classList.add(bodyClass);
  const screen = region().querySelector(".screen");
  if (screen) screen.className = `screen ${regionState().dataset.layout}`;
  for (const board of region().querySelectorAll(".board[data-center]")) {
    resizeObserver.observe(board);
    if (board.firstElementChild) resizeObserver.observe(board.firstElementChild);
    scrollToCenter(board);
  }
}

// A wide picture is scrolled to its point of interest, the part of its width that its data attribute names. It is scrolled
// again when that changes or the size does; in between, the user scrolls it.
const resizeObserver = new ResizeObserver((entries) => {
  for (const { target } of entries) { // a removed element has a new size too
    const board = target.closest(".board[data-center]");
    if (board) scrollToCenter(board);
  }
});
const scrolledFor = new WeakMap(); // each board's center and size at its last scroll
function scrollToCenter(board) {
  const center = board.dataset.center, key = [center, board.scrollWidth, board.clientWidth].join();
  if (scrolledFor.get(board) === key) return;
  scrolledFor.set(board, key);
  board.scrollTo({ left: board.scrollWidth * Number(center) - board.clientWidth / 2, behavior: "instant" });
}

// Poll on a new version, after sleep, regularly without a stream, and soon after a failed request.
const POLL_INTERVAL = 4000; // ms between polls while there is no stream
const STREAM_POLL_INTERVAL = 60000; // ms with a stream, which may have died unnoticed
const MIN_RETRY_DELAY = 1000, MAX_RETRY_DELAY = 15000; // ms after a failed poll, doubled each time up to the maximum
const MISSING_RETRY_DELAY = 60000; // ms, the same limit if the table does not exist
const TICK_INTERVAL = 250;
const clock = () => performance.now();
let nextPoll = clock() + POLL_INTERVAL; // when to poll again
let nextStreamRequest = nextPoll; // when to request a stream again
let streaming = false; // whether the stream of table versions is open
let isStreamRequested = false; // whether it has been requested
let pollsInFlight = 0; // polls without an answer yet
let requestedUrl = ""; // the URL of a request for another draft or new forms, until it is answered
let failedPolls = 0; // failed polls in a row
let latestVersion = 0; // the latest version that the stream has announced
let tapsInFlight = 0; // taps without an answer yet; their answers contain the changes
let leavingUntil = 0; // until then another page is loading, and a second request would cancel it
const isStale = () => latestVersion > Number(regionState()?.dataset.version);

function refresh() {
  nextPoll = clock() + POLL_INTERVAL;
  if (!region() || clock() < leavingUntil) return;
  // From #main, whose `hx-sync` keeps only the latest of several quick requests: each contains all choices.
  if (requestedUrl) htmx.ajax("GET", requestedUrl, { source: "#main", target: "#region", swap: "outerMorph" });
  else htmx.trigger(regionState(), "refresh");
}
function requestRegion(change) {
  const url = new URL(regionState().getAttribute("hx-get"), location.href);
  change(url);
  requestedUrl = url.pathname + url.search;
  refresh();
}
const requestWholeRegion = () => requestRegion((url) => url.searchParams.delete("have"));

function noteVersion(version) { // of the table, as the stream has announced it
  streaming = true;
  if (!failedPolls) nextPoll = clock() + STREAM_POLL_INTERVAL;
  latestVersion = version;
}
function handleVersion(version) {
  noteVersion(version);
  if (isStale() && !tapsInFlight) refresh();
}
document.addEventListener("version", (event) => handleVersion(Number(event.detail.data)));
// A message without a name has the fragments that have changed on this page. htmx swaps it in,
// unless the page lacks a fragment that the message leaves out, or is about to change otherwise: then the page is fetched.
document.addEventListener("htmx:sse:before:message", (event) => {
  const { event: name, data } = event.detail.message;
  if (name) return;
  const version = Number(/data-version="(\d+)"/.exec(data)[1]);
  if (version < Number(regionState().dataset.version) || tapsInFlight || requestedUrl || draftQuery() || !completesPage(data)) {
    event.preventDefault();
    handleVersion(version);
  } else noteVersion(version);
});
function completesPage(text) {
  const etags = /data-fragments="([^"]*)"/.exec(text)[1].split(" "), known = fragmentEtags().split(" ");
  return etags.every((etag) => known.includes(etag) || text.includes(`data-fragment="${etag}"`));
}
for (const end of ["before:connection", "error", "close"]) document.addEventListener(`htmx:sse:${end}`, () => {
  streaming = false;
  nextPoll = Math.min(nextPoll, clock() + POLL_INTERVAL);
});
document.addEventListener("visibilitychange", () => document.hidden || refresh());
window.addEventListener("online", refresh);
const startLeaving = () => { leavingUntil = clock() + MAX_RETRY_DELAY; };
window.addEventListener("submit", (event) => event.target.method === "post" && !event.defaultPrevented && startLeaving());
window.addEventListener("pageshow", (event) => {
  leavingUntil = 0;
  if (event.persisted) refresh();
});
setInterval(() => {
  if (document.hidden || !region()) return;
  if (clock() >= nextPoll && !pollsInFlight) refresh();
  if (streaming || isStreamRequested || failedPolls || clock() < nextStreamRequest) return;
  nextStreamRequest = clock() + POLL_INTERVAL;
  htmx.trigger("#event-stream", "reconnect"); // if all stream slots were taken or the first request failed, nothing else retries
}, TICK_INTERVAL);

// Errors are shown next to the table. Only the expected answers are swapped in: htmx would swap any answer.
const MAX_RETRIES = 4; // automatic retries of a tap
const SLOW_ANSWER_TIME = 3000; // ms without an answer until a note appears
const MESSAGE_TIME = 10000; // ms a refusal stays at least
const UNREACHABLE = ["Looking for the table…", "This may be out of date."];
const RETRYING = ["No answer yet", "Still trying to send your tap."];
const REFUSED = ["Your tap was refused", "Check the page before you tap again."];
const UNANSWERED = ["No answer", "Check whether your tap counted before you tap again."];
const MAX_RETRY_AFTER = 600000; // ms, the longest accepted Retry-After
const NO_COOKIES = ["This phone blocks cookies", "Waymark needs a cookie to know which seat is yours. Allow cookies for this address in the browser’s settings. Then reload the page."];
let cookieError = navigator.cookieEnabled ? null : NO_COOKIES; // until it is dismissed
let pollError = null; // why polling fails: a title and a sentence
let tap = null; // the last tap until it is answered: its request, and the message if it failed

const isTap = (ctx) => ctx.request.method === "POST";
const isStreamRequest = (ctx) => ctx.sourceElement.id === "event-stream";

function isExpectedAnswer({ request, response: { raw, status }, hx, text, target, select }) {
  if (hx.redirect) return raw.ok;
  if (status === 204) return request.method === "GET";
  if (text.startsWith("<hx-partial")) return /<span id="region-state"[^>]*><\/span><\/hx-partial>\s*$/.test(text) && Boolean(document.getElementById("region-state"));
  const tag = target.localName, start = new RegExp(`<${tag} id="${target.id}"`), page = text.trim();
  return select ? start.test(page) && page.endsWith("</html>") : page.search(start) === 0 && page.endsWith(`</${tag}>`);
}

// Return the title and text of an error of this app; pages of others, such as a proxy, are ignored.
function readError(text) {
  const error = new DOMParser().parseFromString(text, "text/html").querySelector("[data-error]");
  return error && [error.querySelector("h1, h2").textContent, [...error.querySelectorAll("p")].map((p) => p.textContent).join(" ")];
}

function handleAnswer(ctx) {
  if (ctx.hx.redirect) startLeaving();
  if (ctx.tap === tap || clock() >= tap?.shownUntil) tap = null;
  failedPolls = 0;
  pollError = null;
  if (requestedUrl === ctx.request.action || isTap(ctx)) requestedUrl = "";
  nextPoll = clock() + (streaming ? STREAM_POLL_INTERVAL : POLL_INTERVAL);
  showError();
}

function handleFailure(ctx) {
  const status = ctx.response?.status, message = status ? readError(ctx.text) : null;
  const retryAfter = Math.min(1000 * ctx.response?.headers.get("Retry-After") || 0, MAX_RETRY_AFTER);
  if (isStreamRequest(ctx)) nextStreamRequest = clock() + Math.max(retryAfter, POLL_INTERVAL);
  else if (isTap(ctx)) handleFailedTap(ctx.tap, status, message, retryAfter);
  else {
    failedPolls += 1;
    nextPoll = clock() + Math.max(retryAfter, Math.min(MIN_RETRY_DELAY * 2 ** (failedPolls - 1), status === 404 ? MISSING_RETRY_DELAY : MAX_RETRY_DELAY));
    pollError = message ?? (!region() ? ["No answer", "Try again in a moment."] : status ? ["The table did not answer", "Trying again…"] : UNREACHABLE);
  }
  showError();
}

// A tap has an id and counts once, so it is safe to send it again.
function handleFailedTap(failedTap, status, message, retryAfter) {
  if (!failedTap || failedTap !== tap) return; // there has been another tap since
  const refused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  if (refused || !failedTap.body.has("tap")) {
    tap.message = message ?? (refused ? REFUSED : UNANSWERED);
    tap.shownUntil = clock() + MESSAGE_TIME;
    setTimeout(refresh, MESSAGE_TIME);
    if (region()) requestWholeRegion(); // with forms that have new tap ids
  } else if (tap.tries < MAX_RETRIES && retryAfter <= MAX_RETRY_DELAY) {
    tap.message = message ? [message[0], `${message[1]} ${RETRYING[1]}`] : RETRYING;
    setTimeout(() => failedTap === tap && resendTap(), Math.max(retryAfter, MIN_RETRY_DELAY * 2 ** tap.tries));
    tap.tries += 1;
  } else {
    tap.message = message ?? ["No answer to your tap", "You can send it again. It counts only once."];
    tap.stuck = true;
  }
}

function resendTap() {
  htmx.ajax("POST", tap.action, { source: "#error-banner", target: tap.target, swap: tap.swap, select: tap.select });
}

function showError() {
  const banner = document.querySelector("#error-banner > div"), message = tap?.message ?? pollError ?? cookieError;
  const [title, text] = [banner.querySelector("strong"), banner.querySelector("span")];
  banner.hidden = !message;
  banner.querySelector("[value=again]").hidden = !tap?.stuck;
  if (!message || (title.textContent === message[0] && text.textContent === message[1])) return; // a screen reader would repeat it
  [title.textContent, text.textContent] = message;
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("#error-banner button");
  if (button?.value === "again") {
    Object.assign(tap, { tries: 0, stuck: false, message: RETRYING });
    resendTap();
  } else if (button) tap?.message ? (tap = null) : (pollError = cookieError = null);
  if (button) showError();
});
if (cookieError) showError();

// The server sends only the fragments that the phone lacks; a request that names no fragments gets all of them.
// The answer is the difference to the fragments at the time of the request, so it fits only while the page still has them.
function fragmentEtags() { // "banner=5f1c… news=…", with those that will be swapped in after the next frame
  const etags = new Map();
  for (const part of [region(), ...deferredTasks.map(({ fragment }) => fragment)]) {
    for (const { dataset } of part.querySelectorAll("[data-fragment]")) etags.set(dataset.fragment.split("=")[0], dataset.fragment);
  }
  return [...etags.values()].sort().join(" ");
}
const fitsPage = (ctx) => ctx.knownFragments === undefined || ctx.knownFragments === fragmentEtags();
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  const { request, target, sourceElement } = ctx;
  if (sourceElement.id === "error-banner") request.body = tap.body; // the form may no longer exist
  if (target !== region() || !regionState()?.dataset.fragments) return;
  if (isTap(ctx) && !["error-banner", "send-form"].includes(sourceElement.id)) request.body.set("tap", regionState().dataset.tapId); // an unchanged fragment has an old id; a move sent without a button has its own
  ctx.namesFragments = isTap(ctx) || /[?&]have=/.test(request.action);
});
// A new fragment may contain placeholders of unchanged ones, which stay as they are.
window.htmx?.registerExtension("unchanged-fragments", { htmx_before_morph_node: (_, { newNode }) => newNode.dataset?.unchanged === undefined });
// After the first screen is shown, the content below it is swapped in, and the focus is moved: before, each would cost the
// screen another layout.
let insertContent = null; // htmx's function that swaps in a fragment
let deferredTasks = []; // swap tasks that wait for that
let isFrameAwaited = false;
window.htmx?.registerExtension("after-first-frame", {
  init: (api) => { insertContent = api.insertContent; },
  htmx_before_swap: (_, { tasks }) => {
    if (tasks.some(({ target }) => target === region())) deferredTasks.length = 0; // the whole region is replaced
    const deferred = tasks.filter(({ target }) => target?.closest?.(".below-fold"));
    for (const task of deferred) tasks.splice(tasks.indexOf(task), 1);
    deferredTasks.push(...deferred);
    if (!isFrameAwaited) requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(finishSwap))); // the first frame is shown by then
    isFrameAwaited = true;
  },
});
async function finishSwap() {
  isFrameAwaited = false;
  while (deferredTasks.length) await insertContent(deferredTasks.shift()).catch(console.error);
  restoreFocus();
  announceNews(false);
}
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.namesFragments) ctx.request.headers["Known-Fragments"] = ctx.knownFragments = fragmentEtags(); // it may have waited for another request
  if (isStreamRequest(ctx)) isStreamRequested = true;
  else if (!isTap(ctx)) pollsInFlight += 1;
  if (!isTap(ctx)) return;
  tapsInFlight += 1;
  if (ctx.sourceElement.id !== "error-banner") {
    const { action, body } = ctx.request, target = `#${ctx.target.id}`;
    const sent = (tap = { action, body, target, swap: ctx.swap, select: ctx.select, tries: 0 });
    setTimeout(() => {
      if (sent !== tap || sent.message) return;
      sent.message = RETRYING;
      showError();
    }, SLOW_ANSWER_TIME);
    showError();
  }
  ctx.tap = tap;
});
document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  const isExpected = !isStreamRequest(ctx) && isExpectedAnswer(ctx);
  ctx.isOutdated = isExpected && !fitsPage(ctx); // another answer has arrived since the request
  if (isExpected && (isTap(ctx) || !ctx.isOutdated)) return handleAnswer(ctx);
  event.preventDefault(); // htmx must not swap it
  if (!isExpected) handleFailure(ctx);
});
document.addEventListener("htmx:error", ({ detail: { ctx } }) => ctx?.request && handleFailure({ ...ctx, response: null }));
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (isStreamRequest(ctx)) isStreamRequested = false;
  else if (!isTap(ctx)) pollsInFlight -= 1;
  else tapsInFlight -= 1;
  if (ctx.isOutdated && isTap(ctx)) requestWholeRegion();
  else if (ctx.isOutdated || (isTap(ctx) && !tapsInFlight && isStale())) refresh();
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  const seatUrl = regionState()?.dataset.seatUrl; // a phone with several seats follows the turn
  if (seatUrl) { // the URL contains the draft, so that a reload keeps it
    const url = seatUrl + (draftQuery() && `?${draftQuery()}`);
    if (url !== location.pathname + location.search) history.replaceState(null, "", url + location.hash);
  }
  updatePage();
  if (isStale()) nextPoll = Math.min(nextPoll, clock() + MIN_RETRY_DELAY); // an older answer arrived last
  if (ctx && isTap(ctx) && ctx.response?.raw.ok) showNextDecision(ctx.sourceElement.id === "send-form");
  region()?.querySelector("[role=alert]")?.scrollIntoView({ block: "center" }); // show the refusal: the tap may have been far below it
});
document.addEventListener("DOMContentLoaded", updatePage);

// A screen reader announces what is new on the page: each text once, in the order of the page.
let announcedTexts = [];
function spokenText(element) {
  const copy = element.cloneNode(true);
  for (const part of copy.querySelectorAll("[aria-hidden=true]")) part.remove();
  const text = copy.textContent.replace(/\s+/g, " ").trim();
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
function announceNews(isFirst) {
  const texts = [...document.querySelectorAll("#region [data-announce]")].map(spokenText);
  const news = texts.filter((text) => !announcedTexts.includes(text));
  announcedTexts = texts;
  if (news.length && !isFirst) document.getElementById("announcement").textContent = news.join(" ");
}
document.addEventListener("DOMContentLoaded", () => announceNews(true));

// Whether the page is scrolled; to ask for its position after a swap would cost a layout.
let isScrolled = false;
window.addEventListener("scroll", () => { isScrolled = scrollY > 0; }, { passive: true });
// After a tap, show the next decision and focus it, not the element that the button has become.
function showNextDecision(keepsFocus) { // a move sent without a button leaves the focus where it is
  const actions = document.getElementById("fragment-actions");
  if (!actions) return;
  if (isScrolled) window.scrollTo({ top: 0, behavior: "instant" });
  hadFocus = true;
  if (!keepsFocus) answeredElement = document.activeElement;
}
function focusActions() { // if no decision is pending, focus the heading of the page
  const actions = document.getElementById("fragment-actions"), target = actions?.querySelector("h2") ? actions : region()?.querySelector("h1");
  target?.focus({ preventScroll: true });
  return target;
}
document.addEventListener("click", (event) => { // on the page of a seat, the skip link leads to the choices
  if (!event.target.closest(".skip-link") || !document.getElementById("fragment-actions")) return;
  event.preventDefault();
  focusActions()?.scrollIntoView({ block: "nearest" });
});

// A swap may remove or hide the focused element; the focus must not fall back to the top of the page.
let hadFocus = false; // before the current swaps: two answers may arrive together
let answeredElement = null; // which had the focus when a tap was answered: it is left for the next decision
const isVisible = (element) => element.checkVisibility?.() ?? true;
const hasFocus = () => document.activeElement !== document.body && isVisible(document.activeElement);
document.addEventListener("htmx:before:swap", () => { hadFocus ||= hasFocus(); });
function restoreFocus() {
  const actions = document.getElementById("fragment-actions"), focused = document.activeElement;
  if ((focused === answeredElement && actions?.contains(focused)) || (hadFocus && !hasFocus())) focusActions();
  hadFocus = false;
  answeredElement = null;
}
window.addEventListener("click", () => { // a click may hide the focused element too: the button that closes a message
  if (hasFocus()) setTimeout(() => hasFocus() || focusActions());
}, true);
// Choosing a letter replaces the letters by the items that begin with it, and back: move the focus along.
document.addEventListener("change", ({ target }) => {
  const picker = target.closest(".letter-picker");
  if (picker && !hasFocus()) [...picker.querySelectorAll("button, input")].find(isVisible)?.focus();
});

// A tap counts for the button that was pressed, not for one that has replaced it since: after a swap, or after a second tap
// in the same place, faster than anyone can read.
let pressed = null;
document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("button, label.move-key, a.updates-draft, a.hotspot, [data-click-target]");
  pressed = button && { button, value: button.value ?? button.dataset.clickTarget };
}, true);
const isSame = (one, other) => one === other || (Boolean(one.dataset.cell) && one.dataset.cell === other.dataset.cell);
const DOUBLE_TAP = 300; // ms, the time of a double tap
let lastTap = { at: -DOUBLE_TAP, x: 0, y: 0, value: "" };
document.addEventListener("click", (event) => {
  const button = event.target.closest("button, label.move-key, a.updates-draft, a.hotspot, [data-click-target]");
  if (!button) lastTap.at = -DOUBLE_TAP; // there was a tap elsewhere in between
  if (!button || !event.detail || (button.form && !button.form.matches("[hx-post]"))) return; // the keyboard has no position
  const near = Math.hypot(event.pageX - lastTap.x, event.pageY - lastTap.y) < 40, value = button.value ?? button.dataset.clickTarget;
  const replaced = pressed && (pressed.value !== value || (!value && !isSame(pressed.button, button))); // not only re-rendered
  if (replaced || (near && event.timeStamp - lastTap.at < DOUBLE_TAP && value !== lastTap.value)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else lastTap = { at: event.timeStamp, x: event.pageX, y: event.pageY, value };
}, true);

// A tap on a picture clicks the equivalent button, whose id the picture names; of a group of buttons, it focuses the first.
document.addEventListener("click", ({ target }) => {
  const key = document.getElementById(target.closest("[data-click-target]")?.dataset.clickTarget);
  if (key?.getAttribute("role") === "group") key.querySelector("button").focus();
  else key?.click();
});

// Links and forms that change the draft of a move reload the region instead of the page.
const loadDraft = (query) => requestRegion((url) => { url.search = query; });
function draftQuery() { // the draft that the page shows, as a query string
  const fields = [...new URL(regionState().getAttribute("hx-get"), location.href).searchParams];
  return new URLSearchParams(fields.filter(([name]) => name.startsWith("draft."))).toString();
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.updates-draft, svg a.hotspot");
  if (!link || !region() || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const query = new URL(link.getAttribute("href"), location.href).searchParams;
  const choices = [...document.querySelectorAll("form.updates-draft input:checked")]; // includes choices that are not answered yet
  for (const choice of choices) query.set(choice.name, choice.value);
  loadDraft(query);
});
document.addEventListener("htmx:after:swap", () => { // morphing keeps the state of a radio button, even if the page has changed it
  for (const choice of document.querySelectorAll("form.updates-draft input[type=radio]")) choice.checked = choice.defaultChecked;
});
document.addEventListener("change", (event) => {
  const form = event.target.closest("form.updates-draft");
  if (form && region()) loadDraft(new URLSearchParams(new FormData(form)));
});

// A tap on a line or category of the score highlights what it counts on the picture next to it.
document.addEventListener("click", (event) => {
  const link = event.target.closest('table.scores a[href^="#lines-"]');
  const category = link && document.getElementById(link.getAttribute("href").slice(1));
  if (category?.dataset.marks && !category.classList.contains("is-selected")) category.click();
});
document.addEventListener("click", (event) => {
  const line = event.target.closest("[data-marks]");
  if (!line || event.target.closest("a")) return;
  const column = line.closest(".column"), isSelected = !line.classList.contains("is-selected");
  for (const other of column.querySelectorAll(".is-selected, .highlighted, .has-highlights")) other.classList.remove("is-selected", "highlighted", "has-highlights");
  if (!isSelected) return;
  line.classList.add("is-selected");
  const marks = line.dataset.marks.split(" ");
  for (const each of column.querySelectorAll("[data-mark]")) {
    if (!marks.includes(each.dataset.mark)) continue;
    each.classList.add("highlighted");
    each.ownerSVGElement?.classList.add("has-highlights");
  }
  column.querySelector("[data-mark].highlighted")?.scrollIntoView({ block: "nearest", inline: "nearest" });
});

document.addEventListener("click", (event) => {
  const button = event.target.closest(".stepper button");
  if (!button) return;
  const input = button.parentElement.querySelector("input");
  button.value === "down" ? input.stepDown() : input.stepUp();
  input.dispatchEvent(new Event("change", { bubbles: true }));
});

document.addEventListener("focusin", ({ target }) => target.closest(".stepper input") && target.select()); // so that typing 9 over 0 gives 9

// Another button or link must not lose a value that was typed but not sent: if the form allows it, it is submitted first,
// else the page asks for confirmation.
const TYPED = "input:not([type=hidden], [type=radio], [type=checkbox], [type=search]), select, textarea";
function isTyped(field) {
  if (field.type === "file") return field.files.length > 0;
  if (field.localName !== "select") return field.value !== field.defaultValue;
  const initial = [...field.options].findIndex((option) => option.defaultSelected);
  return field.selectedIndex !== Math.max(0, initial);
}
const findUnsentForm = (except) => [...document.querySelectorAll("form[method=post]:not(.updates-draft)")].find((form) =>
  form !== except && !form.matches('[hx-trigger*="change"]') && [...form.elements].some((each) => each.matches(TYPED) && isTyped(each)));
let clickAfterSending = null; // the tapped button, until the typed value has been sent

document.addEventListener("click", (event) => {
  const button = event.target.closest("button, a[href]");
  const leaves = button?.matches("a[href]") ? !button.matches("[target], [download], [href^='#'], [data-discards-changes]") : button?.type !== "button";
  if (!button || !leaves || (button.localName === "button" && !button.form) || button.type === "reset") return;
  const form = findUnsentForm(button.form);
  if (!form) return;
  if (form.matches("[data-submit-first]")) {
    clickAfterSending = { form, button };
    form.requestSubmit();
  } else if (confirm("You have unsaved changes here. Leave without them?")) {
    form.reset();
    return;
  } else form.closest("details")?.setAttribute("open", "");
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
// Where a whole position is entered, the fields of one player are open. The next player's begin at the top of the screen.
document.addEventListener("toggle", ({ target }) => {
  if (target.open && target.matches(".position-form > details[name]")) scrollTo(0, scrollY + target.getBoundingClientRect().top);
}, true);
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (!clickAfterSending || ctx?.sourceElement !== clickAfterSending.form) return;
  const { button } = clickAfterSending;
  clickAfterSending = null;
  if (ctx.response?.raw.ok) button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
});

// Highlight the differences on the picture of a preview.
function highlightDifferences() {
  for (const picture of document.querySelectorAll("[data-highlights]")) {
    const marks = picture.dataset.highlights.split(" ");
    for (const each of picture.querySelectorAll("[data-mark]")) {
      const isMarked = marks.includes(each.dataset.mark);
      each.classList.toggle("highlighted", isMarked);
      if (isMarked) each.ownerSVGElement.classList.add("has-highlights");
    }
  }
}
document.addEventListener("htmx:after:swap", highlightDifferences);
document.addEventListener("DOMContentLoaded", highlightDifferences);

// On a snapshot, a swipe or an arrow key leads to the previous or next step.
const goToStep = (direction) => document.querySelector(`.snapshot a[rel=${direction}]`)?.click();
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, #map-view") || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") goToStep("prev");
  if (event.key === "ArrowRight") goToStep("next");
});
let swipeStart = null;
document.addEventListener("touchstart", ({ touches, target }) => {
  const isSwipe = target.closest(".snapshot") && !scrollsSideways(target); // elements that scroll sideways keep their swipes
  swipeStart = isSwipe && touches.length === 1 ? { x: touches[0].clientX, y: touches[0].clientY } : null;
}, { passive: true });
document.addEventListener("touchend", ({ changedTouches: [touch] }) => {
  if (!swipeStart) return;
  const distance = touch.clientX - swipeStart.x;
  if (Math.abs(distance) > 60 && Math.abs(distance) > 2 * Math.abs(touch.clientY - swipeStart.y)) goToStep(distance > 0 ? "prev" : "next");
  swipeStart = null;
}, { passive: true });
function scrollsSideways(element) {
  for (let each = element; each && each !== document.body; each = each.parentElement) {
    if (each.scrollWidth > each.clientWidth + 4 && getComputedStyle(each).overflowX !== "visible") return true;
  }
  return false;
}

// Buttons that the host may use only after a while appear when the time has come.
const revealTimes = new WeakMap();
setInterval(() => {
  for (const each of document.querySelectorAll("[data-reveal-after]")) {
    if (!revealTimes.has(each)) revealTimes.set(each, clock() + 1000 * each.dataset.revealAfter);
    if (clock() >= revealTimes.get(each)) each.removeAttribute("data-reveal-after");
  }
}, TICK_INTERVAL);

// In the game log, the links to the turns of a player keep the round that is on the screen.
document.addEventListener("click", ({ target }) => {
  const link = target.closest(".log-players a");
  if (!link || scrollY + innerHeight > document.documentElement.scrollHeight - 1) return;
  const shown = [...document.querySelectorAll(".game-log .chapter")].filter((chapter) => chapter.getBoundingClientRect().top < innerHeight / 2).pop();
  if (shown) link.hash = shown.id;
});

// A long press on a sign or card of the game shows what it means, from the page of all signs.
const LONG_PRESS = 500, MAX_SHIFT = 10, MAX_SIGNS = 4; // ms, px, signs explained together
let signRows = null; // of the page of all signs, once it has been asked for
let pressTimer = 0, pressedAt = null, isLongPress = false;
function fetchSigns() {
  const key = /\bgame-([a-z-]+)/.exec(document.body.className)?.[1];
  signRows ??= key ? fetch(`/rules/${key}/signs`).then((response) => (response.ok ? response.text() : "")).then((text) =>
    [...new DOMParser().parseFromString(text, "text/html").querySelectorAll(".signs li")]) : Promise.resolve([]);
  return signRows.catch(() => { signRows = null; return []; });
}
function signsOf(element, rows) { // by the icons in the element, and by the words
  const icons = [...element.querySelectorAll(".icon, .icon-count"), ...(element.matches(".icon") ? [element] : [])]
    .flatMap((icon) => [...icon.classList].map((name) => name.replace(/^icon-/, "")));
  const isNamed = (word) => !icons.includes(word.toLowerCase()) && new RegExp(`\\b${word}\\b`).test(element.textContent);
  return rows.filter(({ dataset: { icons: names, word } }) =>
    names.split(" ").some((name) => icons.includes(name)) || isNamed(word)).slice(0, MAX_SIGNS);
}
function nameOf(key) { // a key without signs, in full
  const row = document.createElement("li"), name = document.createElement("p");
  name.textContent = `${key.getAttribute("aria-label") ?? key.innerText.trim().replace(/\s+/g, " ")}: tap it to do this.`;
  row.append(name);
  return row;
}
async function explainSigns(element) {
  isLongPress = true; // also while the signs are loading, so that asking what a key means never makes its move
  const found = signsOf(element, await fetchSigns()).map((row) => document.importNode(row, true));
  if (!found.length && element.name && element.form?.method === "post") found.push(nameOf(element));
  if (!found.length) {
    isLongPress = false;
    return;
  }
  document.getElementById("sign-help")?.remove();
  const help = document.createElement("ul"), close = document.createElement("button");
  Object.assign(help, { id: "sign-help", className: "signs", popover: "manual" });
  Object.assign(close, { className: "button small secondary", textContent: "Close" });
  help.append(...found, close);
  help.setAttribute("role", "status");
  document.body.append(help);
  help.showPopover?.();
}
function endPress() {
  clearTimeout(pressTimer);
  pressedAt = null;
}
document.addEventListener("pointerdown", (event) => {
  isLongPress = false;
  const pressed = event.target.closest("#region :is(button,a,summary,li,td,th,.summary-value-cell,.standings,.icon,[data-click-target])");
  // a part of a picture stands for its key, and a part of a key for all of it
  const element = document.getElementById(pressed?.dataset.clickTarget) ?? pressed?.closest(".move-key[role=group]") ?? pressed;
  if (!element || event.button) return;
  pressedAt = [event.clientX, event.clientY];
  pressTimer = setTimeout(() => explainSigns(element), LONG_PRESS);
});
document.addEventListener("pointermove", ({ clientX, clientY }) => {
  if (pressedAt && Math.hypot(clientX - pressedAt[0], clientY - pressedAt[1]) > MAX_SHIFT) endPress();
});
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, endPress);
document.addEventListener("contextmenu", (event) => { if (isLongPress || pressedAt) event.preventDefault(); });
document.addEventListener("click", (event) => { // after a long press, the end of the press is no tap; any other tap closes the explanation
  if (!isLongPress) {
    document.getElementById("sign-help")?.remove();
    return;
  }
  isLongPress = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

// The phone's own day, because the clock of the computer that runs Waymark may be wrong.
const phoneToday = document.getElementById("phone-today");
function isoToday() {
  const now = new Date();
  return new Date(now - now.getTimezoneOffset() * 60000).toISOString().slice(0, 10);
}
if (phoneToday) {
  const day = phoneToday.form.querySelector("[data-starts-today]");
  if (day && day.value === day.defaultValue) day.value = isoToday(); // unless the browser has restored what was entered
  phoneToday.form.addEventListener("submit", () => { phoneToday.value = isoToday(); });
}
