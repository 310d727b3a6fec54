"""Run the command line or processes in a test, and capture output and exit status."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace

import click

from companion.cli.main import waymark
from companion.system.paths import CHECKOUT


class CommandResult(SimpleNamespace):
    """The output and the exit status of a command."""

    status: int
    out: str
    err: str


def has_failed_with(result: CommandResult, text: str) -> bool:
    """Return whether a command failed with this text in one line and no other output."""
    return (result.status, result.out) == (2, "") and text in result.err and result.err.count("\n") == 1


def parse_command(name: str, *arguments: str) -> click.Context:
    """Return the parsed arguments of a command, which is not run.

    :raises click.UsageError: when they are not valid.
    """
    return waymark.commands[name].make_context(name, list(arguments), **waymark.context_settings)


def help_text(command: click.Command = waymark) -> str:
    """Return the help of a command, by default that of the whole program."""
    return command.get_help(click.Context(command, info_name=command.name, **waymark.context_settings))


@contextmanager
def start_processes(count: int, script: str, *arguments: str) -> Iterator[list[subprocess.Popen[str]]]:
    """Run a script in several processes that print "ready", then read lines."""
    command = [sys.executable, "-c", script, *arguments]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": CHECKOUT}
    with ExitStack() as running:
        processes = [running.enter_context(subprocess.Popen(command, **pipes)) for _ in range(count)]
        assert [process.stdout.readline() for process in processes] == ["ready\n"] * count
        yield processes
    assert [process.returncode for process in processes] == [0] * count


def send_line(processes: list[subprocess.Popen[str]], line: str) -> None:
    """Send the same line to all processes, one directly after the other."""
    for process in processes:
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
