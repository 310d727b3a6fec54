"""Code that several commands use: errors, types of arguments, JSON, progress."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO

import click
from click.shell_completion import CompletionItem

from companion.system import paths

MAX_LINE_WIDTH = 96  # characters of a line on a terminal


class CommandError(click.ClickException):
    """The command cannot be done; print the message and exit with status 2."""


class WholeNumber(click.ParamType):
    """A number in a range; errors give the range in words, where `click.IntRange` has a formula."""

    name = "whole number"

    def __init__(self, minimum: int, maximum: int) -> None:
        self.minimum, self.maximum = minimum, maximum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        if not self.minimum <= number <= self.maximum:
            self.fail(f"{number} is not in the range {self.minimum} to {self.maximum}.", param, ctx)
        return number


class LazyChoice(click.ParamType):
    """A choice among words that are loaded on first use, to keep other commands fast."""

    def __init__(self, name: str, load_words: Callable[[], Iterable[str]]):
        self.name = name
        self._load_words = load_words

    @property
    def choices(self) -> Iterable[str]:
        return self._load_words()

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return click.Choice(self.choices).get_metavar(param, ctx)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from scoring.kernel.parsing import unknown_word_error

        if value not in self.choices:
            raise click.UsageError(str(unknown_word_error("", self.name, value, self.choices)), ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return click.Choice(self.choices).shell_complete(ctx, param, incomplete)


def _game_keys() -> Iterable[str]:
    from scoring.games import GAMES

    return GAMES


GAME = LazyChoice("game", _game_keys)
FILE = click.Path(readable=False, path_type=Path)  # readable=False: the command reports what it cannot read
INPUT_FILE = click.Path(readable=False, allow_dash=True)
FOLDER = click.Path(readable=False, file_okay=False, path_type=Path)

instance_option = click.option(
    "--instance",
    "folder",
    type=FOLDER,
    metavar="FOLDER",
    callback=lambda context, option, value: paths.instance_folder(value),
    help=f"The folder with the tables.  [default: {paths.instance_folder()}]",
)


def read_content(name: str) -> bytes:
    """Return the content of a file, or of standard input for "-".

    :raises CommandError: if it is empty or cannot be read
    """
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"Cannot read {name}: {error.strerror}.") from None
    if not content.strip():
        raise CommandError(f"{'Standard input' if name == '-' else name} is empty.")
    return content


def read_json(name: str) -> object:
    """Return the data of a JSON file, or of standard input for "-".

    :raises CommandError: if it cannot be read or is not JSON
    """
    from scoring.kernel.errors import InvalidInputError
    from scoring.kernel.parsing import parse_json

    try:
        return parse_json(read_content(name))
    except InvalidInputError as error:
        raise CommandError(f"{name}: {error}") from None


def to_json(data: dict | list) -> str:
    """Return data as JSON, with non-ASCII letters escaped only where the output needs it."""
    return json.dumps(
        data, ensure_ascii=(getattr(sys.stdout, "encoding", None) or "utf-8").lower() not in ("utf-8", "utf8"), indent=1
    )


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a standard stream is a terminal; a process without a console has None."""
    return stream is not None and stream.isatty()


def show_status(text: str) -> None:
    """Print on a terminal what the command is doing."""
    if is_terminal(sys.stderr):
        print(f"{text} ...", file=sys.stderr, flush=True)


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that shows the done and the total amount as a bar on a terminal.

    The bar appears with the first call.
    """
    bar = None
    with ExitStack() as stack:

        def show(done: int, total: int) -> None:
            nonlocal bar
            bar = bar or stack.enter_context(
                click.progressbar(
                    length=total, label=label, file=sys.stderr, width=0, hidden=not is_terminal(sys.stderr)
                )
            )
            bar.update(done - bar.pos)

        yield show
