"""What goes next, and if nothing does, why: the lanes and the gate's bars put together.

In come the limit and the barred priorities of the moment; out goes the next task with its request,
built once, or a reason to wait. A task whose prompt cannot be rendered is taken out here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from batchdesk.domain.chat import ChatRequest
from batchdesk.domain.snapshot import HoldReason
from batchdesk.domain.task import Priority
from batchdesk.engine.admission import Cost, Hold
from batchdesk.engine.attempt import Courier
from batchdesk.engine.lanes import Lanes, Ready
from batchdesk.engine.refill import Refill
from batchdesk.engine.run_gate import RunGate
from batchdesk.engine.snapshots import Standing
from batchdesk.prepare.template import RenderError


@dataclass(frozen=True, slots=True)
class Prepared:
    """A task that is ready to be sent, with its request."""

    ready: Ready
    request: ChatRequest
    cost: Cost


class Picker:
    """Picks for one run.

    Args:
        on_unsendable: Is given a task whose prompt cannot be rendered, and what is wrong.
    """

    def __init__(
        self,
        *,
        lanes: Lanes,
        refill: Refill,
        gate: RunGate,
        courier: Courier,
        standing: Standing,
        on_unsendable: Callable[[Ready, str], None],
    ) -> None:
        self._lanes = lanes
        self._refill = refill
        self._gate = gate
        self._courier = courier
        self._standing = standing
        self._on_unsendable = on_unsendable
        self._prepared: Prepared | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left but what is under way."""
        is_empty = not self._lanes.buffered and not self._lanes.waiting
        return is_empty and self._refill.is_drained

    def next(self, limit: int, barred: frozenset[Priority]) -> Prepared | None:
        """The next task to be sent, or None; the same one until it is taken."""
        while (ready := self._lanes.peek(limit, barred)) is not None:
            if self._prepared is not None and self._prepared.ready is ready:
                return self._prepared
            try:
                request = self._courier.request(ready)
            except RenderError as error:
                self._lanes.pop(ready)
                self._lanes.landed(ready)
                self._on_unsendable(ready, str(error))
                continue
            self._prepared = Prepared(ready, request, self._courier.cost(ready, request))
            return self._prepared
        return None

    def take(self, prepared: Prepared) -> None:
        """It is sent."""
        self._prepared = None
        self._lanes.pop(prepared.ready)

    def idle(self, now: float, limit: int, barred: frozenset[Priority]) -> Hold:
        """Why nothing may go: barred, the file is being read, or what is left is busy elsewhere."""
        # While a refill is under way its end is the next thing to look at.
        due_at = None if self._refill.under_way else self._lanes.next_due_at()
        ready = self._lanes.peek(limit) if barred else None
        if ready is not None:
            hold = self._gate.barred_hold(ready.priority, now)
            times = [at for at in (hold.until, due_at) if at is not None and at > now]
            return Hold(hold.reason, min(times, default=None))
        if self._refill.under_way:
            return Hold(HoldReason.PREPARING, None)
        if self._lanes.waiting and not self._standing.flights:
            return Hold(HoldReason.RETRY_WAIT, due_at)
        return Hold(HoldReason.NO_WORK, due_at)
