"""The command line of Waymark: the commands, their help, errors and shell completion."""

import contextlib
import io
import os
import re
import sys

import click
from click.shell_completion import shell_complete

from companion import __version__
from companion.cli import scores, serve, tables
from companion.cli.shared import MAX_LINE_WIDTH
from companion.system import paths

MAX_LINE_LENGTH = 300  # characters of an error
COMPLETION_VARIABLE = "_WAYMARK_COMPLETE"  # the environment variable by which a shell asks for completions

USAGE = """\
usage: waymark COMMAND [OPTIONS]

Common commands:
  waymark serve             start the server; phones scan the QR code it shows
  waymark rules "QUESTION"  find the rules that answer a question
  waymark score FILE        score a finished game and explain every point
  waymark history           list past games
  waymark --help            list all commands; "waymark COMMAND --help" explains one"""

EXIT_STATUS = """\
Exit status: 0 success; 1 partly done or nothing found; 2 failed, with the reason in one line; 130 stopped with
Ctrl+C."""
HELP_TEXT = "Show this help."


class SectionedGroup(click.Group):
    """A group whose help lists the commands by what they are for."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(command.name or "", command.get_short_help_str(200)) for command in commands])


@click.group(
    cls=SectionedGroup,
    invoke_without_command=True,
    subcommand_metavar="COMMAND",
    context_settings={
        "max_content_width": MAX_LINE_WIDTH,
        "show_default": True,
    },
    epilog=f"""\
Files: {paths.instance_folder() / paths.DATABASE_NAME} has the tables, results, photos and card details. The same folder
has waymark.log and the keys that identify phones and the owner. To use another folder, add --instance FOLDER or set
the environment variable {paths.INSTANCE_VARIABLE}.

{EXIT_STATUS}""",
)
@click.version_option(__version__, prog_name="waymark", message="%(prog)s %(version)s", help="Show the version.")
@click.help_option("-h", "--help", help=HELP_TEXT)
@click.pass_context
def waymark(context: click.Context) -> None:
    """Track tabletop trail games on phones, check the rules and explain every point.

    One computer on the network serves all phones and stores the tables in one folder.

    "waymark COMMAND --help" explains a command, with examples.
    """
    if context.invoked_subcommand is None:
        click.echo(USAGE, err=True)
        context.exit(2)


@click.command
@click.argument(
    "shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL", help="The shell: bash, zsh or fish."
)
def completion(shell: str) -> None:
    """Print a script for shell completion.

    The script lets the Tab key complete commands, options, games and files.

    \b
    Examples:
      waymark completion bash > ~/.local/share/bash-completion/completions/waymark
      waymark completion zsh > ~/.zfunc/_waymark
      waymark completion fish > ~/.config/fish/completions/waymark.fish
    """
    shell_complete(waymark, {}, "waymark", COMPLETION_VARIABLE, f"{shell}_source")


SECTIONS = {
    "At the table": (serve.serve, tables.decide),
    "Rules, scores, sheets": (scores.rules, scores.score, scores.print_sheet, scores.pad),
    "Past games": (tables.history, tables.import_files),
    "Logs and positions": (tables.export, scores.replay, scores.schema),
    "Maintenance": (tables.backup, tables.restore, tables.expire, completion),
}
for command in [command for commands in SECTIONS.values() for command in commands]:
    click.help_option("-h", "--help", help=HELP_TEXT)(command)
    waymark.add_command(command)


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status.

    :return: 0 for success, 1 if the command could only be done in part, 2 if it could not be done, 130 after Ctrl+C.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name may have letters that this terminal cannot show
    try:
        if instruction := os.environ.get(COMPLETION_VARIABLE):
            return shell_complete(waymark, {}, "waymark", COMPLETION_VARIABLE, instruction)
        with waymark.make_context("waymark", sys.argv[1:] if arguments is None else arguments) as context:
            status = waymark.invoke(context) or 0
        if sys.stdout:  # it is None in a process without a console
            sys.stdout.flush()
        return status
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has closed the pipe
        _discard_output()
        return 0
    except OSError as error:  # not handled by the command: its output cannot be written
        _discard_output()
        message = f"Cannot write to {error.filename or 'standard output'}: {error.strerror}."
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "waymark"
        message = f'{command}: {error.format_message()} (see "{command} --help")'
    except _reported_errors() as error:
        message = str(error)
    print(_one_line(message), file=sys.stderr)
    return 2


def _reported_errors() -> tuple[type[Exception], ...]:
    """Return the errors with a message for the user; they are loaded late to keep the help fast."""
    from companion.log.apply import CorruptLogError
    from companion.rendering.pdf import PdfUnavailableError
    from companion.storage.backup import BackupError
    from companion.storage.database import StorageError, UnreadableDatabaseError
    from companion.system.keys import InvalidKeyError
    from scoring.document import BadPosition

    storage_errors = (BackupError, CorruptLogError, InvalidKeyError, StorageError, UnreadableDatabaseError)
    return (click.ClickException, BadPosition, PdfUnavailableError, *storage_errors)


def _one_line(text: str) -> str:
    """Return a text as a single line of limited length.

    In a long line, long words such as paths keep only their end. If that is not enough, the middle is cut: the place of
    an error is at the beginning, and the nearest valid value at the end.
    """
    line = re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text)
    if len(line) > MAX_LINE_LENGTH:
        line = re.sub(r"\S{2,}(\S{59})(?!\S)", "\u2026\\1", line)
    return line if len(line) <= MAX_LINE_LENGTH else f"{line[: MAX_LINE_LENGTH - 100]} \u2026 {line[-97:]}"


def _discard_output() -> None:
    """Discard all further output, so that the exit of the interpreter does not retry the write."""
    null_device = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError):  # standard output may have no file descriptor
        os.dup2(null_device, sys.stdout.fileno())
    os.close(null_device)
