"""The report of a bug: places in the code and versions, no values, so no row data and no key."""

from __future__ import annotations

import sys
import tempfile
import traceback
from pathlib import Path

from batchdesk import __version__


def save_crash_report(error: BaseException) -> Path:
    """Write a report to a temporary file and return where it is."""
    lines = [f"Batchdesk {__version__}, Python {sys.version}, {sys.platform}", ""]
    chain: BaseException | None = error
    seen: set[int] = set()  # an error can be its own cause
    while chain is not None and id(chain) not in seen:
        seen.add(id(chain))
        lines.append(type(chain).__name__)
        frames = traceback.extract_tb(chain.__traceback__)
        lines += [f"  {Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        chain = chain.__cause__ or chain.__context__
    with tempfile.NamedTemporaryFile(
        "w", prefix="batchdesk-crash-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write("\n".join(lines) + "\n")
    return Path(file.name)
