"""Names of columns, as they must be for the rest of the program: filled in, unique, not ours.

Names as they stand in a file come in, one by one or as a header; names to use go out, and every
change is noted in the problem log. A change is always visible in the name itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from batchdesk.tables.base import ProblemKind, ProblemLog

COLUMNS_MAX = 10_000  # beyond it, a wrong separator or keys that are data
RESERVED_PREFIXES = ("answer.", "batchdesk.")  # what the export adds to the user's columns


def is_reserved(name: str) -> bool:
    """Whether an exported column of Batchdesk's own could bear this name, in any case."""
    return name.casefold().startswith(RESERVED_PREFIXES)


def free_name(wanted: str, taken: Collection[str]) -> str:
    """``wanted``, or ``wanted (2)``, ``wanted (3)`` …: the first that is not taken."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted} ({number})"
    return name


def name_columns(header: Sequence[str], log: ProblemLog, line: int | None = None) -> list[str]:
    """The header's names, made usable.

    A name that needs no change keeps it even if it stands after one that was renamed: of the
    header ``a, a, a (2)`` the second column becomes ``a (3)``.

    Args:
        header: The names as they stand in the file.
        log: Takes every change.
        line: Where the header stands.
    """
    taken = set(header)
    names: list[str] = []
    seen: set[str] = set()
    for position, name in enumerate(header, start=1):
        if name.strip() and name not in seen and not is_reserved(name):
            seen.add(name)
            names.append(name)
        else:
            names.append(_renamed(name, position, taken, log, line))
            taken.add(names[-1])
    return names


def name_late_column(
    name: str, columns: Sequence[str], log: ProblemLog, line: int | None = None
) -> str:
    """A usable name for a column that turned up after the others."""
    if name.strip() and not is_reserved(name) and name not in columns:
        return name
    return _renamed(name, len(columns) + 1, columns, log, line)


def _renamed(
    name: str, position: int, taken: Collection[str], log: ProblemLog, line: int | None
) -> str:
    if not name.strip():
        kind, new = ProblemKind.EMPTY_COLUMN_NAME, free_name(f"column {position}", taken)
    elif is_reserved(name):
        kind, new = ProblemKind.MOVED_COLUMN, free_name(f"source.{name}", taken)
    else:
        kind, new = ProblemKind.DUPLICATE_COLUMN, free_name(name, taken)
    log.add(kind, line, name=name, column=new, position=position)
    return new
