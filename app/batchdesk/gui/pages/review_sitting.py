"""What a sitting at the review queue remembers: steps that can be undone, and time per item.

The page tells what was done and which item is shown; out come the last step and seconds. Time
counts only while the page is shown in the window in front.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from batchdesk.domain.verdict import Decision


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the person.

    Attributes:
        row: Where the task stood in the queue; 0 for a step of an earlier sitting.
        review_id: The stored decision; None for "later", which stores nothing.
    """

    task_id: int
    row_key: str
    row: int
    decision: Decision | None = None
    review_id: int | None = None


class Sitting:
    """The steps of one sitting at one run, the latest last."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._to_send: set[int] = set()  # tasks to be asked again since the run was last resumed

    @property
    def last(self) -> Step | None:
        """The step that undo takes back."""
        return self._steps[-1] if self._steps else None

    @property
    def reruns(self) -> int:
        """How many tasks wait to be sent again because of this sitting."""
        return len(self._to_send)

    def did(self, step: Step) -> None:
        """Something was done."""
        self._steps.append(step)
        if step.decision is Decision.RERUN:
            self._to_send.add(step.task_id)

    def undid(self) -> Step | None:
        """The last step is taken back, or cannot be any more; returns it."""
        if not self._steps:
            return None
        step = self._steps.pop()
        if step.decision is Decision.RERUN:
            self._to_send.discard(step.task_id)
        return step

    def resumed(self) -> None:
        """The run goes on: nothing waits to be sent."""
        self._to_send.clear()


class ItemClock:
    """How long the person has had one item before them.

    Args:
        now: A monotonic clock, seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._spent = 0.0
        self._since: float | None = None

    def restart(self) -> None:
        """Another item; the clock goes on running or standing as it did."""
        self._spent = 0.0
        if self._since is not None:
            self._since = self._now()

    def run(self) -> None:
        """The person can see the item."""
        if self._since is None:
            self._since = self._now()

    def stand(self) -> None:
        """The window is in the background, or the page is not shown."""
        self._spent = self.seconds()
        self._since = None

    def seconds(self) -> float:
        """Time so far."""
        return self._spent + (0.0 if self._since is None else self._now() - self._since)


class ClockWatch(QObject):
    """Lets a clock run while a page is shown in the window in front.

    Args:
        clock: The clock.
        page: The page; owns the watch.
    """

    def __init__(self, clock: ItemClock, page: QWidget) -> None:
        super().__init__(page)
        self._clock = clock
        self._page = page
        page.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Looks on; nothing is taken away."""
        match event.type():
            case QEvent.Type.WindowActivate:
                self._clock.run()
            case QEvent.Type.Show if self._page.isActiveWindow():
                self._clock.run()
            case QEvent.Type.WindowDeactivate | QEvent.Type.Hide:
                self._clock.stand()
        return super().eventFilter(watched, event)
