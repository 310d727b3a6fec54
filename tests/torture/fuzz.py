"""Malformed requests: no answer is a 500, and no table is damaged."""

import random
import re
import string
import time
from pathlib import Path

from companion.web.app import create_app
from tests.torture.http_phone import CallerPhone, Server, ServerGoneError, StressReport

ODD_VALUES = (
    "",
    "-1",
    "0",
    "7",
    "9" * 30,
    "null",
    "[]",
    "{}",
    "\x00",
    "\ud7ff",
    "\U0001f43b",
    "a.b.c",
    "..",
    "%",
    "x" * 3000,
    "<b>",
    "1e400",
    "\u0663",
)
FIELDS = (
    "move", "move.type", "seat", "tap", "proposal", "yes", "take_back", "put_back", "code", "names-0", "names-1",
    "setup.players.0.name", "first", "csrf_token", "was.type", "draft.x", "q", "paper", "have", "facts.cards.0",
    "remove", "key", "before", "page", "game", "pages", "form", "log", "as", "do", "into", "photo", "hidden",
    "change", "say",
)  # fmt: skip
HEADERS = (
    "HX-Request",
    "Accept-Encoding",
    "Cookie",
    "Origin",
    "Sec-Fetch-Site",
    "If-None-Match",
    "Range",
    "Content-Type",
    "Last-Event-ID",
    "X-Forwarded-For",
)
METHODS = ("GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS")


def run(folder: Path, seconds: float) -> StressReport:
    """Send malformed requests to every address of the app."""
    rules = [rule for rule in create_app(folder / "rules").url_map.iter_rules() if rule.endpoint != "static"]
    server, report = Server(folder / "served"), StressReport()
    rng, caller, unexpected = random.Random(), CallerPhone(server.port), []
    table = caller.open("trails", "Ana", "Bo")
    before = server.tap_ids(table[-5:])
    until = time.monotonic() + seconds
    number = 0
    while time.monotonic() < until:
        number += 1
        rule = rng.choice(rules)
        if str(rule).endswith("/live") or str(rule).endswith(".pdf"):
            continue
        # Change the address, so that no rate limit hides the remaining requests.
        caller.address = f"127.1.{number // 40 % 250}.{number // 10000 + 1}"
        if number % 40 == 0:
            caller.disconnect()
        path = _random_path(rng, rule, table)
        method, form, headers = rng.choice(METHODS), _random_form(rng, caller), _random_headers(rng)
        try:
            answer = caller.request(method, path, form, headers)
        except ServerGoneError:
            report.count("connections closed")
            continue
        except (ValueError, UnicodeError):
            continue  # The client itself refuses to send it.
        report.count("odd requests")
        if (answer.status >= 500 and answer.status not in (501, 503)) or b"Traceback" in answer.body:
            unexpected.append(f"{answer.status} {method} {path} {form!r:.300} {headers!r:.200}")
    report.expect_none("answers of 500", unexpected)
    report.expect_none("tracebacks", server.tracebacks)
    after = server.tap_ids(table[-5:])
    report.expect_none(
        "tables harmed", [] if after[: len(before)] == before and server.store.table(table[-5:]) else [table]
    )
    server.close()
    return report


def _random_path(rng: random.Random, rule, table: str) -> str:
    values = {
        "code": table[-5:],
        "key": rng.choice(("trails", "parks", "alpine-trails", "on-the-trail", "trails-tally")),
        "seat": "0",
        "id": "hike-distance",
    }
    values["form"] = rng.choice(("play", "step", "answer", "sit", "stand", "again"))

    def value(found: re.Match) -> str:
        return values.get(found.group(1), "x") if rng.random() < 0.7 else _odd_path_part(rng)

    path = re.sub(r"<(?:[^<>]*:)?(\w+)>", value, str(rule))
    if rng.random() < 0.3:
        path += "?" + "&".join(f"{rng.choice(FIELDS)}={_odd_path_part(rng)}" for _ in range(rng.randrange(1, 4)))
    return path


def _odd_path_part(rng: random.Random) -> str:
    return rng.choice(
        (
            "%00",
            "%ff",
            "..",
            "-1",
            "99999999999999999999",
            "%F0%9F%90%BB",
            "a" * 300,
            "%2e%2e%2f",
            "BCDFG",
            "%3Cscript%3E",
        )
    )


def _random_form(rng: random.Random, caller: CallerPhone) -> dict | bytes | None:
    kind = rng.random()
    if kind < 0.2:
        return None
    if kind < 0.35:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(200)))
    form = {
        rng.choice(FIELDS) + rng.choice(("", "", ".0", ".x")): rng.choice(ODD_VALUES).encode("utf-8", "replace")
        for _ in range(rng.randrange(6))
    }
    form.setdefault("csrf_token", caller.token)
    form.setdefault("tap", "".join(rng.choices(string.ascii_letters, k=rng.choice((0, 8, 8, 8, 40)))))
    return form


def _random_headers(rng: random.Random) -> dict[str, str]:
    odd = (
        "true",
        "",
        "gzip;q=x",
        "waymark=.x.y",
        "null",
        "http://evil.example",
        "bytes=0-",
        "multipart/form-data; boundary=",
        "application/json",
        "\xff\xfe",
    )
    return {rng.choice(HEADERS): rng.choice(odd) for _ in range(rng.randrange(3))}
