// Tells the player when the table waits for them, and keeps the screen on.
"use strict";

const { attentionUrl, icon: attentionIcon, video: videoUrl } = document.currentScript.dataset;

// Some browsers refuse to store anything. Then a choice lasts as long as the page.
const unstored = {};
function readStored(name) {
  try {
    return localStorage.getItem(`waymark-${name}`) ?? unstored[name];
  } catch {
    return unstored[name];
  }
}
function store(name, value) {
  unstored[name] = value;
  try {
    localStorage.setItem(`waymark-${name}`, value);
  } catch { /* kept above */ }
}

// Notes below the switches.
const SOUND_BLOCKED = "Your browser blocks sound. Tap the page once more.";
const SCREEN_NEEDS_TAP = "Tap the page once to keep the screen on.";
const SCREEN_REFUSED = "This browser refused. Set a longer screen timeout on the device.";
const PROBLEMS = [SOUND_BLOCKED, SCREEN_NEEDS_TAP, SCREEN_REFUSED];
const SETTINGS = {
  sound: { isSupported: "AudioContext" in window, isOnAtFirst: false, note: soundNote, change: changeSound },
  vibration: { isSupported: "vibrate" in navigator, isOnAtFirst: true, note: () => "", change: vibrate },
  screen: { isSupported: true, isOnAtFirst: false, note: screenNote, change: updateScreen },
};
const isOn = (name) => (readStored(name) ?? (SETTINGS[name].isOnAtFirst ? "on" : "off")) === "on";

function showSwitches() {
  for (const box of document.querySelectorAll("[data-setting]")) {
    const name = box.dataset.setting, note = document.getElementById(`${box.id}-note`), text = SETTINGS[name].note();
    box.checked = isOn(name);
    box.closest(".setting").hidden = !SETTINGS[name].isSupported;
    note.classList.toggle("is-problem", PROBLEMS.includes(text));
    if (note.textContent !== text) note.textContent = text; // a screen reader would repeat it
  }
}
document.addEventListener("change", ({ target: box }) => {
  const name = box.dataset?.setting;
  if (!name) return;
  store(name, box.checked ? "on" : "off");
  SETTINGS[name].change();
  showSwitches();
});

// Attention: the title and the icon of the page, vibration and sound.
const BACKGROUND_POLL_INTERVAL = 15000; // ms; a page in the background has no stream
const favicon = document.querySelector("link[rel=icon]");
const ownTitle = document.title, ownIcon = favicon.getAttribute("href");
let known = null; // the latest attention that this page has shown
const liveAttention = () => regionState()?.dataset.attention; // only the page of a seat has it

// Pages of the same phone share what they know, so that a turn is noticed by one of them.
function knownByAnyPage() {
  const stored = JSON.parse(readStored("attention") ?? "null");
  return stored?.url === attentionUrl && stored.version > known.version ? stored : known;
}

function showAttention({ version, reasons, title }, isOwnTap) {
  if (known && version < known.version) return; // an older answer arrived last
  const before = known && knownByAnyPage(); // null while the page loads, which is no news
  known = { url: attentionUrl, version, reasons };
  document.title = title || ownTitle;
  const icon = title ? attentionIcon : ownIcon;
  if (favicon.getAttribute("href") !== icon) favicon.setAttribute("href", icon);
  if (before?.version > version) return;
  store("attention", JSON.stringify(known));
  if (before && !isOwnTap && reasons.some((reason) => !before.reasons.includes(reason))) notify();
}

function notify() {
  vibrate();
  if (audio && isOn("sound")) playChime(CHIME_VOLUME);
}
function vibrate() { // browsers allow it after the first tap, and complain before
  if (isOn("vibration") && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([120, 80, 120]);
}

async function requestAttention() {
  const answer = attentionUrl && await fetch(attentionUrl).catch(() => null);
  if (answer?.ok) showAttention(await answer.json(), false);
}
document.addEventListener("htmx:sse:before:message", () => liveAttention() || requestAttention());
document.addEventListener("visibilitychange", () => document.hidden || liveAttention() || requestAttention());
setInterval(() => (document.hidden || !(liveAttention() || streaming)) && requestAttention(), BACKGROUND_POLL_INTERVAL);

// Sound: browsers block it until the page is tapped.
const CHIME = [[659, 0], [988, .16]]; // the frequency of each note in Hz, and its start in seconds
const CHIME_VOLUME = .3, NOTE_LENGTH = .9; // of 1; in seconds
const UNLOCK_TIME = 700; // ms until a browser counts as blocking sound
let audio = null;
let isSoundBlocked = false;

function soundNote() {
  return isOn("sound") && isSoundBlocked ? SOUND_BLOCKED : "Silent mode mutes it.";
}
function changeSound() { // a first chime, to hear how it sounds
  if (isOn("sound")) playChime(CHIME_VOLUME);
}

async function playChime(volume) {
  const timer = setTimeout(() => setSoundBlocked(true), UNLOCK_TIME);
  try {
    audio ??= new AudioContext();
    await audio.resume();
  } catch {
    return;
  }
  clearTimeout(timer);
  setSoundBlocked(false);
  for (const [frequency, delay] of CHIME) {
    const note = audio.createOscillator(), envelope = audio.createGain(), start = audio.currentTime + delay;
    note.frequency.value = frequency;
    envelope.gain.setValueAtTime(0, start);
    envelope.gain.linearRampToValueAtTime(volume, start + .02);
    envelope.gain.setTargetAtTime(0, start + .05, .15);
    note.connect(envelope).connect(audio.destination);
    note.start(start);
    note.stop(start + NOTE_LENGTH);
    note.onended = () => delay && audio.suspend(); // after the last note; a running context costs battery
  }
}
function setSoundBlocked(isBlocked) {
  isSoundBlocked = isBlocked;
  showSwitches();
}
const unlockSound = () => isOn("sound") && SETTINGS.sound.isSupported && (!audio || isSoundBlocked) && playChime(0);

// The screen stays on.
// Browsers have the Wake Lock API over HTTPS and on localhost only. Elsewhere a playing video keeps the screen on, if it
// passes the test of the browser: Chromium wants it large or loud, Firefox with a sound track, WebKit not muted and
// without `loop`. So a silent video fills the page behind everything else.
const REWIND_AFTER = 4; // seconds of the video
const isWebKit = navigator.vendor.startsWith("Apple");
const SCREEN_COST = isWebKit && !navigator.wakeLock ? "Uses more battery and stops music." : "Uses more battery.";
let sentinel = null; // of the Wake Lock API
let video = null;
let isScreenRequested = false;
let screenError = ""; // the name of the error, if the screen cannot be kept on
const isScreenKept = () => !isScreenRequested && Boolean((sentinel && !sentinel.released) || (video && !video.paused));
const isGameOver = () => Boolean(document.querySelector("header.game-over"));

function screenNote() {
  if (!isOn("screen")) return SCREEN_COST;
  if (isGameOver()) return "The game is over, so the screen may turn off.";
  if (isScreenKept()) return `The screen stays on now. ${SCREEN_COST}`;
  if (screenError === "NotAllowedError" && !navigator.wakeLock) return SCREEN_NEEDS_TAP;
  return screenError && SCREEN_REFUSED;
}

function updateScreen() { // in a tap the video must start immediately, or the browser blocks it
  const isWanted = isOn("screen") && !isGameOver();
  if (!isWanted) return releaseScreen();
  if (document.hidden || isScreenKept() || isScreenRequested) return;
  isScreenRequested = true;
  const setResult = (error) => {
    screenError = error;
    isScreenRequested = false;
    if (error || !isOn("screen")) releaseScreen(); // it may have been switched off in the meantime
    showSwitches();
  };
  (navigator.wakeLock ? requestWakeLock() : playVideo()).then(() => setResult(""), ({ name }) => setResult(name));
}
async function requestWakeLock() {
  sentinel = await navigator.wakeLock.request("screen");
  sentinel.addEventListener("release", showSwitches);
}
function playVideo() {
  if (!video) {
    video = Object.assign(document.createElement("video"), { className: "awake-video", src: videoUrl, playsInline: true, muted: !isWebKit });
    video.setAttribute("aria-hidden", "true");
    video.disableRemotePlayback = true;
    video.addEventListener("timeupdate", () => { if (video?.currentTime > REWIND_AFTER) video.currentTime = 0; });
    video.addEventListener("pause", showSwitches);
    document.body.append(video);
  }
  return video.play();
}
function releaseScreen() {
  sentinel?.release();
  sentinel = null;
  if (!video) return;
  video.removeAttribute("src"); // else an iPhone keeps showing it among its media
  video.load();
  video.remove();
  video = null;
}

// Events.
window.addEventListener("click", () => {
  updateScreen();
  unlockSound();
}, true);
document.addEventListener("visibilitychange", updateScreen);
function showPage(isOwnTap) {
  const attention = liveAttention();
  if (attention) showAttention(JSON.parse(attention), isOwnTap);
  updateScreen();
  showSwitches();
}
document.addEventListener("htmx:finally:swap", ({ detail: { ctx } }) => showPage(Boolean(ctx?.request) && isTap(ctx)));
document.addEventListener("DOMContentLoaded", () => {
  showPage(true);
  if (!liveAttention()) requestAttention();
});
