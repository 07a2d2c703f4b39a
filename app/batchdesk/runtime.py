"""What a process needs of the system: the fastest event loop there is, and enough open files."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable

_OPEN_FILES = 8192  # a connection is an open file; some systems start at 256


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Uvloop's loop where it exists (not on Windows); None for asyncio's own."""
    try:
        import uvloop  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return None
    return uvloop.new_event_loop


def allow_many_files() -> None:
    """Raise this process's limit of open files, as far as the system allows."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - there is none on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # a system may allow less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
