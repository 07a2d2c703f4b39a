"""Recognises a fault that is everybody's: the same one, over and over, and never an answer.

A wrong address or a request that the service never accepts would otherwise cost every row its
tries. It pauses the run by cause instead. A service that answered and then cannot be reached any
more is an outage: that is the breaker's matter.
"""

from __future__ import annotations

from batchdesk.domain.task import ErrorKind

_NEVER_THE_ROWS = frozenset({ErrorKind.CONNECT_FAILED, ErrorKind.CONNECT_TIMEOUT})
_PERHAPS_THE_ROWS = frozenset(
    {ErrorKind.BAD_REQUEST, ErrorKind.CONTEXT_TOO_LONG, ErrorKind.PAYLOAD_TOO_LARGE}
)
_OUR_OWN = frozenset({ErrorKind.INTERNAL})  # a bug that every row meets
_PERHAPS_EVERYBODYS = frozenset(
    {ErrorKind.FORBIDDEN, ErrorKind.MODEL_NOT_FOUND, ErrorKind.NOT_AN_API}
)
_ROWS = 5  # so many rows in a row that met one of these
_AT_THE_START = 3  # failures in a row before the first answer
_LATER = 20  # once answers have come


class SameFaultStreak:
    """Counts failures of one such kind in a row."""

    def __init__(self) -> None:
        self._kind: ErrorKind | None = None
        self._length = 0
        self._rows: set[int] = set()
        self.answered = False  # whether any answer has come

    def sees(self, kind: ErrorKind | None, others_in_flight: int = 0, row: int = 0) -> bool:
        """Take note of how a request ended (None: well); True when the run should pause.

        A service refuses at once and answers later: while other requests are under way, a few
        refusals that may be the rows' own fault say nothing yet.
        """
        if kind is None or kind.is_of_answer:
            self.answered = True
            self._length = 0
            self._rows.clear()
            return False
        if kind in _PERHAPS_EVERYBODYS:  # one row may meet it at each of its tries
            self._rows.add(row)
            return len(self._rows) >= min(_LATER, max(_ROWS, others_in_flight + 1))
        is_outage = kind in _NEVER_THE_ROWS and self.answered
        if is_outage or kind not in _NEVER_THE_ROWS | _PERHAPS_THE_ROWS | _OUR_OWN:
            self._length = 0
            return False
        self._length = self._length + 1 if kind is self._kind else 1
        self._kind = kind
        return self._length >= self._enough(kind, others_in_flight)

    def _enough(self, kind: ErrorKind, others_in_flight: int) -> int:
        if self.answered or kind in _OUR_OWN:
            return _LATER
        if kind in _NEVER_THE_ROWS:
            return _AT_THE_START
        return min(_LATER, max(_AT_THE_START, others_in_flight + 1))
