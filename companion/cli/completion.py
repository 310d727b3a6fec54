"""Shell completion of the command line, as a script made from the parser."""

import shtab

from companion.cli.manual import Manual

NAMES = {
    "file": shtab.FILE,
    "files": shtab.FILE,
    "output": shtab.FILE,
    "instance": shtab.DIRECTORY,
    "all": shtab.DIRECTORY,
}


def script(parser: Manual, shell: str) -> str:
    """Return the completion script of a shell for a parser."""
    for name, command in parser.commands.items():
        command.description = parser.lines[name]  # shells show a line
        for action in command._actions:
            if action.dest in NAMES:
                action.complete = NAMES[action.dest]  # type: ignore[attr-defined]
    return shtab.complete(parser, shell)
