"""The help of the command line, and one-line errors with the nearest valid name."""

import argparse
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import takewhile
from shutil import get_terminal_size
from typing import NoReturn

from companion.system import paths

WIDEST = 96  # letters of a line
ALIKE = 0.5  # how alike a word must be to the one that was meant, from 0 to 1

GROUPS = {  # the commands by what they are for
    "At the table": ("serve", "decide"),
    "Rules, scores, sheets": ("rules", "score", "print", "pad"),
    "What has been played": ("history", "import"),
    "Logs and positions": ("export", "replay", "schema"),
    "Upkeep": ("backup", "restore", "expire", "completion"),
}

ABOUT = (
    "Waymark is the companion at the table for trail games: phones scan a code, tell what happens on the table, ask "
    "for rules, and see every point explained. One computer on the network serves them all, and keeps the tables in "
    "one folder."
)

FILES = (
    "tables, results, photos and what is told of the boxes are in one file, {file}; beside it lie the keys by which "
    "phones and the owner are known, and waymark.log. --instance FOLDER takes another folder, and so does "
    "{variable} in the environment."
)

STATUS = (
    "Exit status: 0 done; 1 done in part, or nothing was found; 2 not done, and why is said in one line; 130 "
    "stopped with Ctrl+C."
)

LIKELY = {  # what somebody wants who typed nothing but the name
    "waymark serve": "open the tables; phones scan the code it shows",
    'waymark rules "QUESTION"': "what the book says",
    "waymark score FILE": "a finished game, every point explained",
    "waymark history": "who won when",
    "waymark --help": "all commands; COMMAND --help says all of one",
}

SAYS = {  # what each command does, a paragraph each
    "serve": (
        "Serve the tables to the phones on this network until Ctrl+C. The terminal shows the address, a code to "
        "scan, and the key that makes a phone the owner\u2019s. Every tap is on the disk before it is answered: "
        "stop it when you like.",
    ),
    "decide": (
        "Agree, for a host whose phone is lost, to all that a table waits for. Each thing agreed to is printed.",
    ),
    "rules": (
        "Find rules by a question in your own words; mistyped words and what players call things are understood. "
        "The likeliest three of each game are said, each with its page of the book and its id. Without words: all "
        "rules of a game.",
    ),
    "score": (
        "Score a finished game that is described in a JSON file, and explain every point with its rule and page. "
        "With --json the same as data. What cannot be is refused with the place in the file and the nearest right "
        "value.",
    ),
    "print": (
        'Print the score sheet of a finished game, described as for "score", as PDF on one page, in letters as '
        "large as it has room for. On two the lines have a page of their own; half a page has the points without "
        "the lines.",
    ),
    "pad": ("Print blank score pads as PDF, two to a page.",),
    "history": (
        "List the games that were played to their end, the latest first, with a star at who won. Words choose "
        "those that have all of them: a name, a game, a day, a place.",
        "With --csv they are a table for a spreadsheet, one row for each player. With --json everything that is "
        "remembered is written: results, players, boxes, and the logs of all tables with every secret in them. "
        '"import" takes it in elsewhere.',
    ),
    "import": (
        'Take in files that Waymark has written: everything ("history --json", or the page of the history), one '
        'play, or a table\u2019s log ("export"). What is here already is left as it is, so a file can be taken in '
        "again. A table is played on by whoever takes a seat; one that was played on elsewhere goes on here.",
    ),
    "export": (
        "Write a table\u2019s log as JSON, or with --all every table to a file of its own. What a damaged file "
        "still has is rescued; what is lost is named, and the status is 1. A log holds every secret of its table.",
    ),
    "replay": (
        'Play a log written by "export" again and print its score; with --at as it was after an entry, with '
        "--position how the table lies, as JSON. Such a position is read, too: what does not add up in it is said "
        "in one line.",
    ),
    "schema": (
        "Print the JSON Schemas (draft 2020-12) of the documents of a game as one JSON object, or the schema of one "
        'document: the final position that "score" reads, the set-up of a table, a move, the position that "replay" '
        "prints and reads, and the facts of a box. A program can check its documents with them, and an editor can "
        "complete the names.",
    ),
    "backup": (
        "Copy all tables and keys into one file, also while they are served. It holds every secret: keep it to "
        "yourself.",
    ),
    "restore": ("Put a backup into a folder without tables; with --force those that are there are put aside.",),
    "expire": (
        "List the tables at which nothing has been said for so many days; with --yes delete their logs. How they "
        "came out stays in the history.",
    ),
    "completion": (
        "Print a script by which a shell completes commands, options, games, papers and names of files. It is made "
        "for this Waymark: print it again after an update.",
    ),
}

EXAMPLES = {
    "serve": ("waymark serve", "waymark serve --port 9000 --name games.local"),
    "decide": ("waymark decide BCDFG",),
    "rules": (
        'waymark rules "may I use the water bottle twice"',
        "waymark rules --game parks campfire",
        "waymark rules --game trails",
    ),
    "score": ("waymark score game.json", "waymark score - --json < game.json"),
    "print": ("waymark print game.json -o sheet.pdf --paper letter",),
    "pad": ("waymark pad alpine-trails -o pad.pdf",),
    "history": ("waymark history", "waymark history ana parks 2026-11", "waymark history --json > everything.json"),
    "import": (
        "waymark import everything.json",
        "waymark export BCDFG > table.json; waymark import table.json --instance elsewhere",
    ),
    "export": ("waymark export BCDFG > table.json", "waymark export --all saved"),
    "replay": ("waymark replay table.json", "waymark replay table.json --at 40 --position > position.json"),
    "schema": ("waymark schema trails > trails.json", "waymark schema parks final-position"),
    "backup": ("waymark backup waymark.zip",),
    "restore": ("waymark restore waymark.zip --instance elsewhere",),
    "expire": ("waymark expire --older-than 365", "waymark expire --older-than 365 --yes"),
    "completion": (
        "waymark completion bash > ~/.local/share/bash-completion/completions/waymark",
        "waymark completion zsh > ~/.zfunc/_waymark",
        "waymark completion fish > ~/.config/fish/completions/waymark.fish",
    ),
}


SAMPLE = """{"game": "trails",
 "players": [{"name": "Ana", "badges": ["climber-rock", "science"]},
             {"name": "Bo", "photos": [{"points": 1, "birds": 1}]}]}"""
READS = ("score", "print")  # commands that read such a file


class UsageError(Exception):
    """The arguments are not valid; the text says why."""


class Manual(argparse.ArgumentParser):
    """An argument parser with help in paragraphs and one-line errors."""

    def __init__(self, **how) -> None:
        form = partial(argparse.RawDescriptionHelpFormatter, width=wide())
        super().__init__(formatter_class=form, add_help=False, **how)
        self._positionals.title, self._optionals.title = "Arguments", "Options"
        self.add_argument("-h", "--help", action="help", help="say this")
        self.lines: dict[str, str] = {}  # of the whole program: what each command does, in a line
        self.commands: dict[str, Manual] = {}

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[override]
        typed = sys.argv[1:] if args is None else list(args)
        self._refuse_unknown_options(typed)
        options, left = super().parse_known_args(typed, namespace)
        several = next((action for action in self._actions if action.nargs in ("*", "+")), None)
        if several:  # words may stand before options and behind them
            getattr(options, several.dest).extend(word for word in left if word != "--")
        elif left:
            self.error(f'"{left[0]}" stands where nothing more is expected')
        return options, []

    def _refuse_unknown_options(self, typed: Sequence[str]) -> None:
        """Check the options first; argparse would report missing arguments, and no nearest option."""
        own = [option for action in self._actions for option in action.option_strings]
        for word in takewhile(lambda word: word != "--", typed):
            if self.lines and not word.startswith("-"):
                return  # what follows is the command's
            name = word.partition("=")[0]
            known = any(option.startswith(name) for option in own) if name.startswith("--") else word[:2] in own
            if _is_option(word) and not known:
                self.error(_no("option", name, [option for option in own if option.startswith("--")]))

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            noun = action.option_strings[-1].lstrip("-") if action.option_strings else action.dest
            self.error(_no(noun, str(value), map(str, action.choices)))

    def error(self, message: str) -> NoReturn:
        raise UsageError(
            f'{self.prog}: {message}{"" if message.endswith("?") else "."} "{self.prog} --help" explains it.'
        )

    def format_help(self) -> str:
        return self._of_all() if self.lines else super().format_help()

    def _of_all(self) -> str:
        column = max(map(len, self.lines)) + 4
        parts = [f"usage: {self.prog} COMMAND [OPTIONS]", filled(ABOUT)]
        for title, names in GROUPS.items():
            parts.append("\n".join([f"{title}:", *(_beside(name, self.lines[name], column) for name in names)]))
        more = f'"{self.prog} COMMAND --help" says all of a command, with examples; --version, which Waymark this is.'
        files = FILES.format(file=paths.instance_folder() / paths.DATABASE_NAME, variable=paths.INSTANCE_VARIABLE)
        return "\n\n".join([*parts, filled(more), filled(f"Files: {files}"), filled(STATUS)]) + "\n"


def likely() -> str:
    """Return the text for a call without arguments."""
    column = max(map(len, LIKELY)) + 4
    wanted = [_beside(line, text, column) for line, text in LIKELY.items()]
    return "\n".join(["usage: waymark COMMAND [OPTIONS]", "", "Most likely you want one of these:", *wanted, ""])


def described(name: str) -> str:
    """Return the description of a command, in paragraphs."""
    return "\n\n".join(filled(said) for said in SAYS[name])


def exemplified(name: str) -> str:
    """Return the end of a command's help: examples and the exit status."""
    sample = ["", "Such a file:", textwrap.indent(SAMPLE, "  ")] if name in READS else []
    return "\n".join(["Examples:", *(f"  {line}" for line in EXAMPLES[name]), *sample, "", filled(STATUS)])


def filled(text: str, hanging: str = "") -> str:
    """Return a paragraph wrapped to the terminal, with `hanging` before all lines but the first."""
    words = " ".join(text.split())
    return textwrap.fill(words, wide(), subsequent_indent=hanging, break_on_hyphens=False, break_long_words=False)


def wide() -> int:
    """Return the maximum length of a line, in letters."""
    return min(WIDEST, max(40, get_terminal_size().columns - 2))


def _beside(words: str, text: str, column: int) -> str:
    """Return terms with their descriptions, aligned in a column."""
    first, hanging = f"  {words}".ljust(column), " " * column
    return textwrap.fill(text, wide(), initial_indent=first, subsequent_indent=hanging, break_on_hyphens=False)


def _is_option(word: str) -> bool:
    """Return whether argparse treats a word as an option; numbers, sentences and "-" are not."""
    return len(word) > 1 and word.startswith("-") and " " not in word and not re.fullmatch(r"-\d+|-\d*\.\d+", word)


def _no(noun: str, typed: str, known: Iterable[str]) -> str:
    """Return the error of an unknown word, with the nearest known word, or else all of them."""
    from scoring.kernel.english import closest_match, describe_known_words, truncate  # help waits for no rules

    words = list(known)
    near = closest_match(typed, words, ALIKE)
    return f'no {noun} "{truncate(typed)}"; ' + (f'did you mean "{near}"?' if near else describe_known_words(words))
