"""Recognises a fault that is everybody's: the same one, over and over, and never an answer.

A wrong address or a request that the service never accepts would otherwise cost every row its
tries. It pauses the run by cause instead.
"""

from __future__ import annotations

from batchdesk.domain.task import ErrorKind

_EVERYBODYS = frozenset(
    {
        ErrorKind.CONNECT_FAILED,
        ErrorKind.CONNECT_TIMEOUT,
        ErrorKind.BAD_REQUEST,
        ErrorKind.CONTEXT_TOO_LONG,
        ErrorKind.PAYLOAD_TOO_LARGE,
    }
)
_AT_THE_START = 3  # failures in a row before the first answer
_LATER = 20  # once answers have come


class SameFaultStreak:
    """Counts failures of one such kind in a row."""

    def __init__(self) -> None:
        self._kind: ErrorKind | None = None
        self._length = 0
        self._answered = False

    def sees(self, kind: ErrorKind | None) -> bool:
        """Take note of how a request ended (None: well); True when the run should pause."""
        if kind is None or kind.is_of_answer:
            self._answered = True
            self._length = 0
            return False
        if kind not in _EVERYBODYS:
            self._length = 0
            return False
        self._length = self._length + 1 if kind is self._kind else 1
        self._kind = kind
        return self._length >= (_LATER if self._answered else _AT_THE_START)
