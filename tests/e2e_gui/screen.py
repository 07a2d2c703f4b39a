"""A display of one's own, and processes that show their window there."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.harness import CHECKOUT, environment

NO_SCREEN = "needs Xvfb, a display without a screen, which is not installed here"
HAS_XVFB = sys.platform.startswith("linux") and shutil.which("Xvfb") is not None
STORIES = Path(__file__).parent / "stories"


@contextmanager
def display() -> Iterator[str]:
    """A free display, such as ``:7``, for as long as the context lasts."""
    reading, writing = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x950x24", "-nolisten", "tcp"],
        pass_fds=(writing,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        process.terminate()
        process.wait()


def on_screen(screen: str, home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a window: the display, and a home of its own."""
    home.mkdir(parents=True, exist_ok=True)
    return environment(
        {
            "DISPLAY": screen,
            "QT_QPA_PLATFORM": "xcb",
            "QT_API": "pyside6",
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CACHE_HOME": str(home / "cache"),
            "LC_ALL": "C.UTF-8",
            "LANGUAGE": "en",
            "PYTHONPATH": os.pathsep.join((str(CHECKOUT / "app"), str(CHECKOUT))),
            "PYTHONFAULTHANDLER": "1",
            **(more or {}),
        }
    )


def begin(story: str, env: Mapping[str, str], *words: object) -> subprocess.Popen[str]:
    """Start a story of the folder ``stories`` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", str(STORIES / f"{story}.py"), *map(str, words)],
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def played(story: str, env: Mapping[str, str], *words: object, timeout_s: float = 110) -> str:
    """Play a story to its end; returns what it printed."""
    process = begin(story, env, *words)
    try:
        out, err = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)  # it tells where its threads stand
        out, err = process.communicate()
        raise AssertionError(f"the story did not end:\n{out}\n{err}") from None
    assert process.returncode == 0, f"{process.returncode}\n{out}\n{err}"
    assert not err, err
    return out
