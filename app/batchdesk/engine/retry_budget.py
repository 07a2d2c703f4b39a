"""How many retries a run may send: a bucket for the whole run, so that a storm cannot feed itself.

At most a share of the requests of the last minute, and ten in any case, may be retries that are
under way or failed (Google, "Site Reliability Engineering", Handling Overload). A retry that was
answered is no storm and gives its place back; else the last rows of a run, of which nothing but
retries are left, would go at ten a minute however well the service is.
"""

from __future__ import annotations

from batchdesk.engine.minute import MinuteShare

AT_LEAST = 10  # retries a minute, in the smallest run too


class RetryBudget:
    """Pure over the time that is passed in, monotonic seconds.

    Args:
        share: Of the requests of the last minute.
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._sends = MinuteShare()

    def has_room(self, now: float) -> bool:
        """Whether one more retry may be sent."""
        self._sends.look(now)
        return self._sends.some + 1 <= max(AT_LEAST, self._share * (self._sends.all + 1))

    def free_at(self, now: float) -> float | None:
        """When to look again if nothing else happens meanwhile; None if there is room."""
        return None if self.has_room(now) else self._sends.next_leaves_at()

    def sent(self, now: float, *, is_retry: bool) -> None:
        """A request goes out."""
        self._sends.look(now)
        self._sends.add(now, is_some=is_retry)

    def answered(self, sent_at: float) -> None:
        """A retry that was sent at a time was answered."""
        self._sends.take_back(sent_at)
