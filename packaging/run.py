"""Installs Batchdesk into a virtual environment of its own and starts it.

Called by `run.sh` and `run.ps1` with a Python that is new enough. Without a command it opens the
window on the sample's project, or headless runs the sample job into a new project file; with a
command it hands that to `python -m batchdesk`.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from environment import (
    CHECKOUT,
    SetupError,
    clean_variables,
    ensure,
    environment,
    prepare_process,
)

SAMPLE_JOB = CHECKOUT / "resources" / "samples" / "reviews-en.toml"


def main(arguments: Sequence[str], now: datetime) -> NoReturn:
    """Installs what is missing, then becomes Batchdesk."""
    options, command = split(arguments)
    try:
        python = ensure(environment(".venv", "requirements.lock", "BATCHDESK_VENV"))
        if not command:
            folder = made(options.project_dir)
            window = has_screen() and not options.headless
            command = (
                window_command(folder) if window else (sample_command(folder, options.limit, now))
            )
    except SetupError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("Stopped. Run this again: it starts over by itself.")
    become([str(python), "-m", "batchdesk", *command])


def split(arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """This script's own options, and the command for Batchdesk: what follows `--` or is no option.

    Exits with a usage message if an option is unknown.
    """
    parser = argparse.ArgumentParser(
        prog="run",
        description="Installs Batchdesk beside its code and opens its window on the sample. "
        "The second time takes seconds.",
        epilog="Anything else is handed to Batchdesk: run.sh -- status FILE",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--headless", action="store_true", help="run the sample job in this terminal"
    )
    parser.add_argument(
        "--project-dir",
        type=Path,
        default=Path.home() / "Batchdesk",
        metavar="FOLDER",
        help="where the sample's project file goes (default: %(default)s)",
    )
    parser.add_argument(
        "--limit", type=int, default=60, metavar="N", help="rows of the sample (default: 60)"
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    command = list(options.command)
    return options, command[1:] if command[:1] == ["--"] else command


def has_screen() -> bool:
    """Whether a window can be shown."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def made(folder: Path) -> Path:
    """The folder, made if it is missing.

    Raises:
        SetupError: if it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SetupError(
            f"The folder {folder} cannot be made: {error.strerror or error}. "
            "Name another with --project-dir."
        ) from error
    return folder.absolute()


def window_command(folder: Path) -> list[str]:
    """The command that opens the window on the sample's project in `folder`."""
    return ["window", str(folder / "Review sentiment.batchdesk"), "--sample", SAMPLE_JOB.stem]


def sample_command(folder: Path, limit: int, now: datetime) -> list[str]:
    """The command that runs the sample job into a new project file in `folder`."""
    project = folder / f"sample-{now:%Y-%m-%d-%H%M%S}.batchdesk"
    return ["run", str(SAMPLE_JOB), "--limit", str(limit), "--project", str(project)]


def own_command() -> str:
    """What a person types, from the folder they are in, before the name of one of the commands."""
    folder = CHECKOUT / "packaging"
    if Path.cwd() == CHECKOUT:
        folder = folder.relative_to(CHECKOUT)
    if os.name == "posix":
        return f"bash {shlex.quote(str(folder / 'run.sh'))} --"
    return f'powershell -ExecutionPolicy Bypass -File "{folder / "run.ps1"}"'


def become(command: list[str]) -> NoReturn:
    """Runs the command in this process's place, and ends with its exit code."""
    # The folder one happens to be in must not lend Batchdesk its modules.
    variables = clean_variables() | {"PYTHONSAFEPATH": "1", "BATCHDESK_COMMAND": own_command()}
    if os.name == "posix":
        os.execve(command[0], command, variables)  # noqa: S606 - no shell is wanted
    with subprocess.Popen(command, env=variables) as process:  # noqa: S603 - built above
        while True:
            try:
                sys.exit(process.wait())
            except KeyboardInterrupt:
                continue  # the program got it too, and stops in its own time


if __name__ == "__main__":
    prepare_process()
    main(sys.argv[1:], datetime.now().astimezone())
