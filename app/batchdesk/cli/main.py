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

from batchdesk import __version__, paths
from batchdesk.cli.terminal import finish_streams, prepare_streams, tell
from batchdesk.crash import save_crash_report
from batchdesk.domain.task import ErrorKind
from batchdesk.errors import UserError
from batchdesk.logs import open_logs
from batchdesk.providers.practice_settings import add_arguments
from batchdesk.runtime import allow_many_files, loop_factory

_BUG, _MISTAKE, _PAUSED = 1, 2, 3
_LARGEST = 2**63 - 1  # that a project file can hold
_MOST_AT_ONCE = 1000  # as in a job
_TABLES = ".csv .tsv .xlsx .jsonl .parquet .sqlite"  # what can be written


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
        with open_logs(paths.logs()):
            return arguments.command(arguments)  # type: ignore[no-any-return] # argparse holds it as Any
    except UserError as error:
        tell(f"batchdesk: {error}")
        return _MISTAKE
    except KeyboardInterrupt:
        tell(f"batchdesk: {_stopped_words(arguments)}")
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
    sub = parser.add_subparsers(metavar="COMMAND", dest="command_word", parser_class=_Parser)

    window = sub.add_parser("window", help="open the window (the same as no command)")
    window.add_argument("project", type=Path, nargs="?", metavar="PROJECT")
    window.add_argument("--sample", metavar="NAME", help="fill a new project with this sample")
    window.set_defaults(command=_open_window)

    run = sub.add_parser("run", help="carry out a job on a table")
    run.add_argument("job", type=Path, metavar="JOB.toml")
    run.add_argument("--data", type=Path, metavar="FILE", help="the table, instead of the job's")
    run.add_argument("--project", type=Path, metavar="FILE", help="where everything is kept")
    run.add_argument("--limit", type=_positive, metavar="N", help="send the first N rows only")
    _add_limits(run)
    run.add_argument("--json", action="store_true", help="print one JSON object at the end")
    run.set_defaults(command=_on_a_loop("run"))

    _add_preview(sub.add_parser("preview", help="try some rows twice; what would a run take?"))

    resume = sub.add_parser("resume", help="go on with a run")
    resume.add_argument("project", type=Path, metavar="PROJECT")
    resume.add_argument("--run", type=_positive, metavar="ID")
    _add_limits(resume)
    resume.add_argument("--json", action="store_true", help="print one JSON object at the end")
    resume.set_defaults(command=_on_a_loop("resume"))

    status = sub.add_parser("status", help="show the runs of a project")
    status.add_argument("project", type=Path, metavar="PROJECT")
    status.add_argument("--json", action="store_true", help="print one JSON object")
    status.set_defaults(command=_on_a_loop("status"))

    _add_export(sub.add_parser("export", help="write a run's rows to a table"))
    _add_dead(sub.add_parser("dead", help="show or export the rows that were given up"))
    _add_rerun(sub.add_parser("rerun", help="ask rows again that were given up"))

    _add_files(sub)

    server = sub.add_parser("practice", help="start the practice server (not a model)")
    add_arguments(server)
    server.set_defaults(command=_serve_practice)
    return parser


def _add_files(sub: argparse._SubParsersAction[_Parser]) -> None:
    """Commands that work on tables, without a project."""
    look = sub.add_parser("inspect", help="show how a table is read, and what is in it")
    look.add_argument("file", type=Path, metavar="FILE", help="a table, or a folder of documents")
    look.add_argument("--json", action="store_true", help="print one JSON object")
    look.set_defaults(command=_on_files("inspect"))

    convert = sub.add_parser("convert", help="write a table in another format")
    convert.add_argument("file", type=Path, metavar="FILE", help="a table, or a folder")
    convert.add_argument(
        "--to", type=Path, required=True, metavar="FILE", help="its suffix decides"
    )
    convert.add_argument("--force", action="store_true", help="overwrite a file that is there")
    convert.set_defaults(command=_on_files("convert"))

    for parser in (look, convert):
        reading = parser.add_argument_group("reading", "What is not told is guessed.")
        reading.add_argument("--encoding", metavar="NAME", help="of a text file: utf-8, gb18030, …")
        reading.add_argument("--separator", metavar="CHAR", help="between the cells of a text file")
        reading.add_argument("--sheet", metavar="NAME", help="of a workbook")
        reading.add_argument(
            "--header-row", type=_positive, metavar="N", help="the row of the column names"
        )
        reading.add_argument("--table", metavar="NAME", help="of a database, or the list of a JSON")
        reading.add_argument(
            "--flatten", action="store_true", help="nested JSON objects become columns"
        )
        _add_chunks(parser)


def _add_chunks(parser: argparse.ArgumentParser) -> None:
    chunks = parser.add_argument_group(
        "long texts",
        "A row whose text is longer becomes several, one for each chunk of it, with new columns "
        "that say where it stands.",
    )
    chunks.add_argument("--chunk-column", metavar="NAME", help="whose texts are cut")
    chunks.add_argument(
        "--chunk-tokens", type=_positive, metavar="N", help="of a chunk at most (2000)"
    )
    chunks.add_argument(
        "--chunk-overlap",
        type=_whole,
        metavar="N",
        help="tokens that a chunk repeats of the one before (a twentieth of it)",
    )
    chunks.add_argument(
        "--chunk-model", metavar="NAME", help="whose tokens are counted; estimated unless given"
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    """Options that stand above the job's limits, this time."""
    limits = parser.add_argument_group(
        "limits",
        "For this time only: they stand above [limits] of the job, and the stored job stays as it "
        "is. A later resume goes by the job again.",
    )
    limits.add_argument(
        "--concurrency",
        type=_at_once,
        metavar="auto|N",
        help="requests at once: as many as the service copes with (auto), or always N",
    )
    limits.add_argument(
        "--rpm", type=_positive, metavar="N", help="requests per minute that the service allows"
    )
    limits.add_argument(
        "--tpm", type=_positive, metavar="N", help="tokens per minute that the service allows"
    )


def _add_preview(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", type=Path, metavar="JOB.toml")
    parser.add_argument("--data", type=Path, metavar="FILE", help="the table, instead of the job's")
    parser.add_argument("--project", type=Path, metavar="FILE", help="where everything is kept")
    parser.add_argument("--rows", type=_positive, default=20, metavar="N", help="so many rows (20)")
    parser.add_argument(
        "--choose",
        choices=("first", "random", "stratified", "longest"),
        default="first",
        help="which rows; stratified: as many of each value of the column that --by names",
    )
    parser.add_argument("--by", metavar="COLUMN", help="with --choose stratified")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for random rows")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(command=_on_a_loop("preview", "preview"))


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", type=Path, metavar="PROJECT")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--to", type=Path, metavar="FILE", help=_TABLES)
    where.add_argument(
        "--into-copy",
        type=Path,
        metavar="FILE.xlsx",
        help="a copy of the workbook that the rows came from, with the answers in new columns",
    )
    parser.add_argument("--run", type=_positive, metavar="ID", help="the latest unless given")
    parser.add_argument(
        "--keep-masks", action="store_true", help="leave masks such as [PHONE_1] in the answers"
    )
    parser.add_argument("--force", action="store_true", help="overwrite a file that is there")
    parser.set_defaults(command=_on_a_loop("export", "exports"))


def _add_dead(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", type=Path, metavar="PROJECT")
    parser.add_argument("--run", type=_positive, metavar="ID", help="the latest unless given")
    parser.add_argument("--kind", type=_error_kind, metavar="KIND", help="only this kind")
    parser.add_argument("--to", type=Path, metavar="FILE", help=f"write them: {_TABLES}")
    parser.add_argument("--force", action="store_true", help="overwrite a file that is there")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(command=_on_a_loop("dead", "dead"))


def _add_rerun(parser: argparse.ArgumentParser) -> None:
    parser.description = "Puts dead letters back, all unless chosen; then resume sends them."
    # The project first: after --task it would be taken for one more.
    parser.usage = "%(prog)s [-h] PROJECT [--run ID] [--kind KIND | --task ID ...]"
    parser.add_argument("project", type=Path, metavar="PROJECT")
    parser.add_argument("--run", type=_positive, metavar="ID", help="the latest unless given")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--kind", type=_error_kind, metavar="KIND", help="only this kind")
    which.add_argument(
        "--task", type=_positive, nargs="+", metavar="ID", help="only these, as `dead` shows them"
    )
    parser.set_defaults(command=_on_a_loop("rerun", "dead"))


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


def _on_a_loop(name: str, module: str = "commands") -> Callable[[argparse.Namespace], int]:
    """The command of this name, carried out on a fresh event loop."""

    def carry_out(arguments: argparse.Namespace) -> int:
        # Imported when it is needed: helper servers and --help start in a third of the time.
        commands = importlib.import_module(f"batchdesk.cli.{module}")
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            return int(runner.run(getattr(commands, name)(arguments)))

    return carry_out


def _on_files(name: str) -> Callable[[argparse.Namespace], int]:
    """The command of this name, which needs no event loop."""

    def carry_out(arguments: argparse.Namespace) -> int:
        files = importlib.import_module("batchdesk.cli.files")  # as in _on_a_loop
        return int(getattr(files, name)(arguments))

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


def _whole(text: str) -> int:
    """From 0 up."""
    return 0 if text == "0" else _positive(text)


def _at_once(text: str) -> int | str:
    """``auto``, or how many."""
    if text == "auto":
        return text
    try:
        value = _positive(text)
    except argparse.ArgumentTypeError:
        value = 0
    if not 1 <= value <= _MOST_AT_ONCE:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither auto nor a whole number from 1 to {_MOST_AT_ONCE}"
        )
    return value


def _error_kind(text: str) -> ErrorKind:
    try:
        return ErrorKind(text)
    except ValueError:
        known = ", ".join(ErrorKind)
        raise argparse.ArgumentTypeError(
            f"{text!r} is no kind of failure; the kinds are {known}"
        ) from None


def _stopped_words(arguments: argparse.Namespace) -> str:
    """For Ctrl+C while nothing is being sent; a run under way pauses and says so itself."""
    if arguments.command_word not in ("run", "preview"):
        return "Stopped."
    project = arguments.project or Path.cwd() / f"{arguments.job.stem}.batchdesk"
    if not project.exists():
        return "Stopped before anything was read."
    return "Stopped. What was kept is in the project; the same command begins again."


def _bug_words(error: Exception) -> str:
    return (
        f"something went wrong inside Batchdesk ({type(error).__name__}). What was saved is safe. "
        f"A report without your data is in {save_crash_report(error)}"
    )
