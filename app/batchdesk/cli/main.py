"""Words of a command line in, an exit code out."""

from __future__ import annotations

import argparse
import asyncio
import errno
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from batchdesk import __version__
from batchdesk.cli.terminal import finish_streams, prepare_streams, tell
from batchdesk.crash import save_crash_report
from batchdesk.errors import UserError
from batchdesk.providers.practice_settings import add_arguments
from batchdesk.runtime import allow_many_files, loop_factory

_BUG, _MISTAKE, _PAUSED = 1, 2, 3
_LARGEST = 2**63 - 1  # that a project file can hold


class _Parser(argparse.ArgumentParser):
    """One sentence for a mistake instead of the whole usage."""

    def error(self, message: str) -> NoReturn:
        tell(f"batchdesk: {message}. See: {self.prog} --help")
        raise SystemExit(_MISTAKE)


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out one command line; returns the exit code."""
    prepare_streams()
    try:
        return _carry_out(argv)
    finally:
        finish_streams()


def _carry_out(argv: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["child"]:
        return _child(words[1:])
    parser = _parser()
    arguments = parser.parse_args(words)
    if "command" not in arguments:
        if not _has_screen():
            parser.print_help()
            return 0
        arguments = parser.parse_args(["window"])
    allow_many_files()
    try:
        return arguments.command(arguments)  # type: ignore[no-any-return] # argparse holds it as Any
    except UserError as error:
        tell(f"batchdesk: {error}")
        return _MISTAKE
    except KeyboardInterrupt:
        return _PAUSED
    except Exception as error:  # noqa: BLE001 - the last place where a bug can be told
        if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
            tell(f"batchdesk: The name {error.filename} is too long. Choose a shorter one.")
            return _MISTAKE
        tell(f"batchdesk: {_bug_words(error)}")
        return _BUG


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="batchdesk",
        description="Puts the rows of a table through a language model: nothing lost, nothing "
        "mixed up, every answer checked.",
    )
    parser.add_argument("--version", action="version", version=f"Batchdesk {__version__}")
    sub = parser.add_subparsers(metavar="COMMAND", parser_class=_Parser)

    window = sub.add_parser("window", help="open the window (the same as no command)")
    window.add_argument("project", type=Path, nargs="?", metavar="PROJECT")
    window.add_argument("--sample", metavar="NAME", help="fill a new project with this sample")
    window.set_defaults(command=_open_window)

    run = sub.add_parser("run", help="carry out a job on a table")
    run.add_argument("job", type=Path, metavar="JOB.toml")
    run.add_argument("--data", type=Path, metavar="FILE", help="the table, instead of the job's")
    run.add_argument("--project", type=Path, metavar="FILE", help="where everything is kept")
    run.add_argument("--limit", type=_positive, metavar="N", help="send the first N rows only")
    run.add_argument("--json", action="store_true", help="print one JSON object at the end")
    run.set_defaults(command=_on_a_loop("run"))

    resume = sub.add_parser("resume", help="go on with a run")
    resume.add_argument("project", type=Path, metavar="PROJECT")
    resume.add_argument("--run", type=_positive, metavar="ID")
    resume.add_argument("--json", action="store_true", help="print one JSON object at the end")
    resume.set_defaults(command=_on_a_loop("resume"))

    status = sub.add_parser("status", help="show the runs of a project")
    status.add_argument("project", type=Path, metavar="PROJECT")
    status.add_argument("--json", action="store_true", help="print one JSON object")
    status.set_defaults(command=_on_a_loop("status"))

    export = sub.add_parser("export", help="write a run's rows to a table")
    export.add_argument("project", type=Path, metavar="PROJECT")
    export.add_argument("--to", type=Path, required=True, metavar="FILE", help=".csv .tsv .jsonl")
    export.add_argument("--run", type=_positive, metavar="ID", help="the latest unless given")
    export.add_argument("--force", action="store_true", help="overwrite a file that is there")
    export.set_defaults(command=_on_a_loop("export"))

    server = sub.add_parser("practice", help="start the practice server (not a model)")
    add_arguments(server)
    server.set_defaults(command=_serve_practice)
    return parser


def _open_window(arguments: argparse.Namespace) -> int:
    """Imported here, so that the command line works where Qt is absent."""
    if not _has_screen():
        raise UserError("There is no screen to open a window on. See: batchdesk --help")
    try:
        from batchdesk.gui.main import run  # noqa: PLC0415 - see above
    except ImportError as error:
        raise UserError(
            "The window cannot be opened: {reason}. Install what is missing, or use the command "
            "line (batchdesk --help).",
            reason=error,
        ) from error
    return run(sys.argv[:1], arguments.project, arguments.sample)


def _has_screen() -> bool:
    """Whether a window can be shown; on Linux a display server must be named."""
    if not sys.platform.startswith("linux"):
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return any(os.environ.get(name) for name in names)


def _on_a_loop(name: str) -> Callable[[argparse.Namespace], int]:
    """The command of this name in ``commands``, carried out on a fresh event loop."""

    def carry_out(arguments: argparse.Namespace) -> int:
        # Imported when it is needed: helper servers and --help start in a third of the time.
        from batchdesk.cli import commands  # noqa: PLC0415 - see above

        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            return int(runner.run(getattr(commands, name)(arguments)))

    return carry_out


def _serve_practice(arguments: argparse.Namespace) -> int:
    from batchdesk.cli import commands  # noqa: PLC0415 - as in _on_a_loop

    return commands.serve_practice(arguments)


def _child(words: Sequence[str]) -> int:
    """A helper server that another Batchdesk process started; not for people."""
    name, rest = (words[0], words[1:]) if words else ("", [])
    if name not in ("practice", "local"):
        tell(f"batchdesk: there is no helper server {name!r}")
        return _MISTAKE
    server = importlib.import_module(f"batchdesk.providers.{name}")
    return int(server.child_main(rest))


def _positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value > _LARGEST:
        raise argparse.ArgumentTypeError(f"{text} is too large a number")
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return value


def _bug_words(error: Exception) -> str:
    return (
        f"something went wrong inside Batchdesk ({type(error).__name__}). What was saved is safe. "
        f"A report without your data is in {save_crash_report(error)}"
    )
