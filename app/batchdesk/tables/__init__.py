"""Files in, files out: one module per format behind one Reader and one Writer protocol (``base``).

``open_reader`` and ``open_writer`` choose the format by the file's suffix; encoding and separator
are guessed from the content. Nobody else needs to know the formats' own modules, but for
``workbook_copy``, which puts answers back into a copy of the workbook that the rows came from.
"""

from __future__ import annotations

from batchdesk.tables.clipboard import read_text
from batchdesk.tables.opening import (
    READABLE,
    WRITABLE,
    fingerprint,
    list_parts,
    open_reader,
    open_writer,
)

__all__ = [
    "READABLE",
    "WRITABLE",
    "fingerprint",
    "list_parts",
    "open_reader",
    "open_writer",
    "read_text",
]
