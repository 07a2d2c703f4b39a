"""Starts a helper server in a child process on a free loopback port, watches it and stops it.

In comes a command line; out comes the port once the child says ``{"port": N}`` on its standard
output. The child ends by itself at the end of its standard input (``watch_parent``), so it never
outlives the program, even after a kill. Threads read the pipes, so any event loop may wait on it.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

from batchdesk.errors import Phrase, UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

STOP_WAIT_S = 2.0
_LAST_LINES = 20
_LINE_BYTES = 2000


class ChildFailed(UserError):  # noqa: N818 - named for what happened
    """A helper server that did not start; the sentence carries its own last words."""


@dataclass(frozen=True, slots=True)
class ChildAddress:
    """Where a child listens."""

    port: int

    @property
    def base_url(self) -> str:
        """Scheme, host and port, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"


def child_command(name: str, *args: str) -> list[str]:
    """The command line that starts the helper server ``name`` (practice, local)."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "child", name, *args]
    return [sys.executable, "-m", "batchdesk", "child", name, *args]


def child_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """This program's environment with what a child needs, and ``extra`` laid over it.

    From a checkout the child finds the package by PYTHONPATH. An installed package needs none:
    its folder would come before the standard library.
    """
    env = dict(os.environ)
    folder = Path(__file__).resolve().parents[2]
    if not getattr(sys, "frozen", False) and folder.name not in {"site-packages", "dist-packages"}:
        rest = env.get("PYTHONPATH")
        env["PYTHONPATH"] = f"{folder}{os.pathsep}{rest}" if rest else str(folder)
    env["PYTHONUTF8"] = "1"
    env["PYTHONSAFEPATH"] = "1"  # a json.py in the user's folder must not be imported
    return env | dict(extra or {})


def announce(port: int) -> None:
    """For children: tell the parent that this process listens on ``port``."""
    # By descriptor: a windowed build has no sys.stdout.
    os.write(1, (json.dumps({"port": port}) + "\n").encode())


def watch_parent() -> None:
    """For children: end this process as soon as its standard input ends."""

    def read_to_end() -> None:
        try:
            while os.read(0, 4096):
                pass
        except OSError:
            pass  # no standard input at all: nobody would ever stop this process
        os._exit(0)

    threading.Thread(target=read_to_end, name="watch-parent", daemon=True).start()


class ChildServer:
    """One helper server in a child process; ``async with`` starts and stops it.

    Args:
        argv: The command line, as ``child_command`` makes it.
        env: Variables laid over ``child_environment()``.
        timeout_s: How long ``async with`` waits for the port.
    """

    def __init__(
        self, argv: Sequence[str], env: Mapping[str, str] | None = None, *, timeout_s: float = 30.0
    ) -> None:
        self._argv = list(argv)
        self._env = child_environment(env)
        self._timeout_s = timeout_s
        self._lock = threading.Lock()  # spawning and ending exclude each other
        self._ended = False
        self._process: subprocess.Popen[bytes] | None = None
        self._port: Future[int | None] = Future()  # None: the child ended without a word
        self._words: deque[str] = deque(maxlen=_LAST_LINES)
        self._readers: list[threading.Thread] = []

    async def __aenter__(self) -> Self:
        await self.start(self._timeout_s)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def alive(self) -> bool:
        """Whether the child runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The child's process id, once it was started."""
        return self._process.pid if self._process else None

    @property
    def exit_code(self) -> int | None:
        """The child's exit code once it has ended; negative: the signal that ended it."""
        return self._process.poll() if self._process else None

    @property
    def last_words(self) -> str:
        """The last lines that the child wrote to its standard error."""
        return "\n".join(self._words)

    @property
    def address(self) -> ChildAddress:
        """Where the child listens.

        Raises:
            ChildFailed: it has not been started.
        """
        port = self._port.result() if self._port.done() else None
        if port is None:
            raise ChildFailed("The helper server does not run. Start it first.")
        return ChildAddress(port)

    async def start(self, timeout_s: float) -> ChildAddress:
        """Start the child and wait until it listens.

        Raises:
            ChildFailed: it ended, could not be started, or said nothing within ``timeout_s``.
        """
        try:
            await asyncio.to_thread(self._spawn)
            told = asyncio.shield(asyncio.wrap_future(self._port))
            port = await asyncio.wait_for(told, timeout_s)
        except TimeoutError:
            await self.stop()
            raise ChildFailed(
                "The helper server was not ready after {seconds:g} s and was stopped. "
                "Close other programs and try again.",
                seconds=timeout_s,
            ) from None
        except BaseException:
            await self.stop()
            raise
        if port is None:
            await self.stop()
            raise ChildFailed("The helper server could not start: {reason}", reason=self._reason())
        return ChildAddress(port)

    async def stop(self) -> None:
        """End the child: by the end of its input, after 2 s by a request, then by force."""
        await asyncio.to_thread(self._end)

    def _spawn(self) -> None:
        with self._lock:
            if self._ended or self._process is not None:
                raise ChildFailed("The helper server was already started or stopped.")
            try:
                self._process = subprocess.Popen(  # noqa: S603 - our own command line, no shell
                    self._argv,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    env=self._env,
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                    # Ctrl+C in a terminal is for the program, which then stops its children.
                    start_new_session=sys.platform != "win32",
                )
            except OSError as error:
                raise ChildFailed(
                    "The helper server could not start: {reason}", reason=str(error)
                ) from error
            self._read(self._process.stderr, self._hear_stderr)
            self._read(self._process.stdout, self._hear_stdout)

    def _read(self, pipe: IO[bytes] | None, hear: Callable[[IO[bytes]], None]) -> None:
        """Read a pipe to its end in a thread, so that the child can never block on it."""
        if pipe is None:
            return
        thread = threading.Thread(target=hear, args=(pipe,), name="child-pipe", daemon=True)
        self._readers.append(thread)
        thread.start()

    def _hear_stderr(self, pipe: IO[bytes]) -> None:
        with pipe:
            while line := pipe.readline(_LINE_BYTES):
                if text := line.decode("utf-8", "replace").strip():
                    self._words.append(text)

    def _hear_stdout(self, pipe: IO[bytes]) -> None:
        with pipe:
            while line := pipe.readline(_LINE_BYTES):
                port = _port_in(line)
                if port is not None and not self._port.done():
                    self._port.set_result(port)
        if not self._port.done():
            self._port.set_result(None)

    def _end(self) -> None:
        with self._lock:
            self._ended = True
            process = self._process
            if process is None:
                return
            if process.stdin is not None:
                process.stdin.close()
            if not _ends(process):
                process.terminate()
            if not _ends(process):
                process.kill()
                process.wait()
            for reader in self._readers:
                reader.join(STOP_WAIT_S)

    def _reason(self) -> Phrase | str:
        """The child's last line: of a traceback, the one that names the error."""
        if self._words:
            return self._words[-1]
        return Phrase("it ended with exit code {code} and gave no reason.", code=self.exit_code)


def _ends(process: subprocess.Popen[bytes]) -> bool:
    """Whether the process ends within the time that each step of a stop gets."""
    try:
        process.wait(STOP_WAIT_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _port_in(line: bytes) -> int | None:
    """The port in a child's JSON line, or None: other output on stdout is no news."""
    try:
        said = json.loads(line)
    except ValueError:
        return None
    port = said.get("port") if isinstance(said, dict) else None
    return port if isinstance(port, int) and not isinstance(port, bool) else None
