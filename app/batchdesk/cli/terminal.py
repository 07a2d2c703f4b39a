"""What is printed, and the streams it goes to.

Text from the service, the table and the command line comes in; lines go out that no terminal takes
for commands. A stream that is closed, ends early or lacks a letter never ends a run.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from typing import Any

_BREAKS = re.compile(r"[\t\n\r]+")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_CONTROLS_IN_JSON = re.compile(r"[\x7f-\x9f]")  # those that JSON does not escape


def prepare_streams() -> None:
    """Open the null device for streams that are closed; letters a stream lacks are escaped."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - as long as the process
        elif name != "stdin" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def finish_streams() -> None:
    """Write out what is left; a reader that has gone is no error, now or when Python ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)


def show(*lines: str) -> None:
    """Print lines on standard output; no line prints nothing."""
    if not lines:
        return
    with contextlib.suppress(BrokenPipeError):
        print("\n".join(plain(line) for line in lines))


def show_json(value: dict[str, Any]) -> None:
    """Print one JSON object on standard output, in ASCII where the stream has no Unicode."""
    is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    text = json.dumps(value, ensure_ascii=not is_unicode, indent=2)
    with contextlib.suppress(BrokenPipeError):
        print(_CONTROLS_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def tell(line: str) -> None:
    """Print a line on standard error."""
    with contextlib.suppress(BrokenPipeError):
        print(plain(line), file=sys.stderr, flush=True)


def plain(line: str) -> str:
    """The line without control characters: line breaks and tabs in it become spaces."""
    return _CONTROLS.sub("", _BREAKS.sub(" ", line))
