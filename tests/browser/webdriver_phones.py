"""Phones with WebKit (by its driver) or Firefox (by WebDriver BiDi), one process each."""

import itertools
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import websocket
from selenium import webdriver
from selenium.common.exceptions import NoSuchFrameException
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests.support.server_processes import free_port

WINDOW_SIZE = (360, 640)
TIMEOUT = 30  # seconds
WEBKIT_DRIVER = shutil.which("WebKitWebDriver")
MINI_BROWSER = next(iter(sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))), None)
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
# The position of an element's middle in the window, after it was scrolled into view. Firefox scrolls the whole picture
# for a part of it, so a cell is also scrolled to the middle of its map.
MIDDLE_SCRIPT = """(() => {{
  const found = {find};
  if (!found) return null;
  const middle = (element) => {{
    const {{ x, y, width, height }} = element.getBoundingClientRect();
    return [Math.round(x + width / 2), Math.round(y + height / 2)];
  }};
  found.scrollIntoView({{ block: "center" }});
  const map = found.closest(".map");
  if (map) map.scrollBy(middle(found)[0] - middle(map)[0], middle(found)[1] - middle(map)[1]);
  return middle(found);
}})()"""


class EnginePhone:
    """A phone of another engine: opens pages, evaluates expressions, touches elements."""

    navigation_errors: tuple[type[Exception], ...] = ()  # Errors of an evaluation while one page replaces another.

    def __init__(self, address: str):
        self.address = address

    def go(self, path: str) -> None:
        raise NotImplementedError

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression on the page now, as plain data."""
        raise NotImplementedError

    def drag(self, places: list[tuple[int, int]]) -> None:
        """Press at the first of some positions of the window, move through the others, and release."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def wait_until(self, expression: str) -> Any:
        """Wait until an expression has a truthy value, and return it."""
        patience = time.monotonic() + TIMEOUT
        while not (found := self._evaluate_or_none(expression)):
            assert time.monotonic() < patience, (
                f"never {expression}; the page says: {self.evaluate('document.body.innerText')[:400]}"
            )
            time.sleep(0.05)
        return found

    def _evaluate_or_none(self, expression: str) -> Any:
        try:
            return self.evaluate(expression)
        except self.navigation_errors:
            return None

    def tap(self, find: str) -> None:
        """Touch the middle of the element that an expression finds."""
        x, y = self.wait_until(MIDDLE_SCRIPT.format(find=find))
        self.drag([(x, y)])

    def query_expression(self, selector: str) -> str:
        return f"document.querySelector({msgspec.json.encode(selector).decode()})"

    def text_expression(self, selector: str, text: str) -> str:
        """Return the expression for the first element that contains these words."""
        texts = msgspec.json.encode([selector, text]).decode()
        return f"(([s, w]) => [...document.querySelectorAll(s)].find((each) => each.textContent.includes(w)))({texts})"


class WebKit(EnginePhone):
    """WebKitGTK's MiniBrowser; its window cannot be narrow, so the page gets a phone's width."""

    navigation_errors = (NoSuchFrameException,)

    def __init__(self, address: str):
        super().__init__(address)
        options = Options()
        options.binary_location = str(MINI_BROWSER)
        options.add_argument("--automation")
        self._driver = webdriver.WebKitGTK(options=options, service=Service(WEBKIT_DRIVER))
        self._driver.set_window_size(*WINDOW_SIZE)

    def go(self, path: str) -> None:
        self._driver.get(self.address + path)

    def evaluate(self, expression: str) -> Any:
        return self._driver.execute_script(f"return {expression}")

    def drag(self, places: list[tuple[int, int]]) -> None:
        """Do so with the pointer of a mouse: the driver has no touches."""
        actions = webdriver.ActionChains(self._driver, duration=0)
        pointer = actions.w3c_actions.pointer_action
        pointer.move_to_location(*places[0])
        pointer.pointer_down()
        for place in places[1:]:
            pointer.move_to_location(*place)
        pointer.pointer_up()
        actions.perform()

    def close(self) -> None:
        self._driver.quit()


class Firefox(EnginePhone):
    """Headless Firefox, controlled by WebDriver BiDi."""

    def __init__(self, address: str):
        super().__init__(address)
        self._numbers = itertools.count(1)
        self._profile, port = tempfile.mkdtemp(prefix="firefox-"), free_port()
        command = [
            str(FIREFOX),
            "--headless",
            "--no-remote",
            "--profile",
            self._profile,
            "--remote-debugging-port",
            str(port),
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._socket = self._connect(f"ws://127.0.0.1:{port}/session")
        self._call("session.new", capabilities={})
        self._page = self._call("browsingContext.create", type="tab")["context"]
        self._call(
            "browsingContext.setViewport",
            context=self._page,
            viewport=dict(zip(("width", "height"), WINDOW_SIZE, strict=True)),
        )

    def _connect(self, address: str) -> websocket.WebSocket:
        patience = time.monotonic() + TIMEOUT
        while True:
            try:
                return websocket.create_connection(address, timeout=TIMEOUT, suppress_origin=True)
            except OSError:
                assert time.monotonic() < patience, "Firefox never began"
                time.sleep(0.2)

    def _call(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(msgspec.json.encode({"id": number, "method": method, "params": parameters}))
        while True:
            answer = msgspec.json.decode(self._socket.recv())
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def go(self, path: str) -> None:
        self._call("browsingContext.navigate", context=self._page, url=self.address + path, wait="complete")

    def evaluate(self, expression: str) -> Any:
        script = f"JSON.stringify(({expression}) ?? null)"
        try:
            answer = self._call("script.evaluate", expression=script, target={"context": self._page}, awaitPromise=True)
        except AssertionError:
            return None  # There is no document between two pages.
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return msgspec.json.decode(answer["result"]["value"])

    def drag(self, places: list[tuple[int, int]]) -> None:
        first, *moves = [{"type": "pointerMove", "x": x, "y": y} for x, y in places]
        finger = [first, {"type": "pointerDown", "button": 0}, *moves, {"type": "pointerUp", "button": 0}]
        source = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": finger}
        self._call("input.performActions", context=self._page, actions=[source])

    def close(self) -> None:
        self._socket.close()
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._profile, ignore_errors=True)


ENGINES = {"webkit": WebKit, "firefox": Firefox}


def missing_packages(engine: str) -> str:
    """Return the names of the programs or packages this computer lacks to run an engine."""
    have = {"webkit": WEBKIT_DRIVER and MINI_BROWSER and shutil.which("Xvfb"), "firefox": FIREFOX}
    need = {"webkit": "webkit2gtk-driver and xvfb", "firefox": "firefox-esr"}
    return "" if have[engine] else f"{need[engine]} (Debian)"


@contextmanager
def virtual_display() -> Iterator[None]:
    """Provide a virtual display for windows that need one."""
    read, write = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x1000x24"], pass_fds=(write,), stderr=subprocess.DEVNULL
    )
    os.close(write)
    with os.fdopen(read) as output:
        number = output.readline().strip()
    before = os.environ.get("DISPLAY")
    os.environ["DISPLAY"] = f":{number}"
    try:
        yield
    finally:
        screen.terminate()
        screen.wait()
        os.environ.pop("DISPLAY") if before is None else os.environ.update(DISPLAY=before)
