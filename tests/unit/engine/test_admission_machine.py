"""Whatever happens to the gate, in whatever order: what must hold of it always.

Sends, answers, refusals with and without hints, faults, requests given up, headers that lie, jumps
of the clock, numbers moved by a person, runs that come and go.
"""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from batchdesk.domain.chat import NO_LIMITS, LimitState, RateLimits
from batchdesk.domain.snapshot import HoldReason, LimitKind
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.admission import Cost, Ending, Gate, GateLimits, Ticket

CLIENTS_MOST = 3
STUCK_AFTER_S = 120.0  # the rarest is one request a minute; 900 tokens too many at 600 a minute
seconds = st.sampled_from([0.0, 0.001, 0.05, 0.2, 1.0, 2.0, 5.0, 31.0, 61.0])


def liars(*per_minute):
    return st.builds(
        LimitState,
        limit=st.sampled_from(per_minute),
        remaining=st.sampled_from([None, -5.0, 0.0, 10.0, 1e12]),
        reset_s=st.sampled_from([None, -1.0, 0.0, 1.0, 60.0, 86_400.0]),
    )


says = st.one_of(
    st.just(NO_LIMITS),
    st.builds(
        RateLimits,
        requests=st.none() | liars(1.0, 60.0, 3000.0, 1e9),
        tokens=st.none() | liars(600.0, 3000.0, 1e9),
        told_rpm=st.sampled_from([None, 60.0, 6000.0]),
        told_tpm=st.sampled_from([None, 6000.0]),
        told_concurrency=st.sampled_from([None, 0, 1, 5]),
    ),
)
limits = st.integers(1, 60)


class AnyTraffic(RuleBasedStateMachine):
    """See the module."""

    @initialize(start=limits, ceiling=limits, rpm=st.sampled_from([None, 60.0, 6000.0]))
    def build(self, start, ceiling, rpm):
        self.gate = Gate(GateLimits(start, ceiling, rpm=rpm))
        self.ceiling, self.pinned = ceiling, None
        self.now = 100.0
        self.woken = set()
        self.clients = []
        self.under_way = {}  # ticket: heard of
        self.probes = set()  # tickets that went while the breaker was open
        self.changes = []
        self.come()

    # -- runs and persons --------------------------------------------------------------------

    @precondition(lambda self: len(self.clients) < CLIENTS_MOST)
    @rule()
    def come(self):
        holder: list[int] = []
        client = self.gate.join(lambda: self.woken.add(holder[0]), self.changes.append)
        holder.append(client)
        self.clients.append(client)

    @precondition(lambda self: len(self.clients) > 1)
    @rule(data=st.data())
    def go(self, data):
        self.gate.leave(self.clients.pop(data.draw(st.integers(0, len(self.clients) - 1))))

    @rule(limit=st.none() | limits)
    def pin(self, limit):
        self.gate.pin(limit, self.now)
        self.pinned = limit

    @rule(ceiling=limits)
    def move_ceiling(self, ceiling):
        self.gate.set_ceiling(ceiling, self.now)
        self.ceiling = ceiling

    @rule(rpm=st.sampled_from([None, 60.0, 600.0]), tpm=st.sampled_from([None, 6000.0, 1e6]))
    def tell(self, rpm, tpm):
        self.gate.set_told(rpm, tpm, self.now)

    @rule(jump=seconds | st.just(36_000.0))
    def pass_time(self, jump):
        self.now += jump

    # -- requests ----------------------------------------------------------------------------

    @rule(data=st.data(), many=st.integers(1, 40), tokens=st.sampled_from([0.0, 10.0, 100.0]))
    def send(self, data, many, tokens):
        client = data.draw(st.sampled_from(self.clients))
        for _ in range(many):
            if not isinstance(self.ask(client, tokens), Ticket):
                return

    def ask(self, client, tokens=0.0):
        was_open = self.gate.breaker.is_open
        was_probing = self.gate.pace.is_probing
        answer = self.gate.ask(Cost(tokens), self.now, client)
        if isinstance(answer, Ticket):
            assert not (was_open and self.probes & set(self.under_way)), "a second probe"
            assert not (was_probing and self.gate.pace.is_probing), "a second probe of the pace"
            self.under_way[answer] = False
            if was_open:
                self.probes.add(answer)
            assert len(self.under_way) <= max(self.ceiling, self.pinned or 0)
            assert len(self.under_way) <= self.gate.figures(self.now).limit
        elif answer.until is not None:
            assert answer.until > self.now
        else:
            assert answer.reason in (HoldReason.IN_FLIGHT, HoldReason.OUTAGE)
            assert self.under_way, "nothing will end, and no time is named"
        return answer

    @precondition(lambda self: any(not heard for heard in self.under_way.values()))
    @rule(
        data=st.data(),
        many=st.integers(1, 30),
        kind=st.sampled_from([None, None, None, *ErrorKind]),
        hint_s=st.sampled_from([None, 0.0, 1.0, 60.0]),
        said=says,
        cancelled=st.booleans(),
        used=st.sampled_from([None, 0.0, 15.0]),
        settles=st.booleans(),
    )
    def end(self, *, data, many, kind, hint_s, said, cancelled, used, settles):
        unheard = [ticket for ticket, heard in self.under_way.items() if not heard]
        first = data.draw(st.integers(0, len(unheard) - 1))
        cancelled = cancelled and kind is None
        for ticket in unheard[first : first + many]:
            self.probes.discard(ticket)
            self.under_way[ticket] = True
            self.gate.hear(Ending(ticket, self.now, used, kind, hint_s, said, cancelled))
            if settles:
                self.settle(ticket)

    @precondition(lambda self: self.under_way)
    @rule(data=st.data())
    def settle_one(self, data):
        tickets = list(self.under_way)
        self.settle(tickets[data.draw(st.integers(0, len(tickets) - 1))])

    def settle(self, ticket):
        del self.under_way[ticket]
        self.probes.discard(ticket)
        self.gate.settle(ticket)
        with pytest.raises(ValueError, match="twice"):
            self.gate.settle(ticket)
        with pytest.raises(ValueError, match="twice"):
            self.gate.hear(Ending(ticket, self.now))

    @rule()
    def it_is_never_stuck(self):
        """If all that is out comes back, someone gets through before long, whoever asks."""
        for ticket in list(self.under_way):
            self.settle(ticket)
        began = self.now
        for _ in range(1000):
            answers = [self.ask(client) for client in self.clients]
            if any(isinstance(answer, Ticket) for answer in answers):
                return
            self.now = min(answer.until for answer in answers)
            assert self.now - began <= STUCK_AFTER_S, answers
        raise AssertionError("asked a thousand times in vain")

    # -- what must hold ----------------------------------------------------------------------

    @invariant()
    def numbers_are_sane(self):
        if not hasattr(self, "gate"):
            return
        figures = self.gate.figures(self.now)
        assert figures.in_flight == len(self.under_way)
        assert 1 <= figures.limit <= (self.pinned or self.ceiling)
        assert (figures.ceiling, figures.pinned) == (self.ceiling, self.pinned is not None)
        for rate in (
            figures.pace_per_s,
            figures.permitted_requests_per_s,
            figures.permitted_tokens_per_s,
        ):
            assert rate is None or rate > 0
        assert figures.breaker_probe_s is None or figures.breaker_probe_s >= 0

    @invariant()
    def changes_make_a_chain(self):
        for kind in (LimitKind.IN_FLIGHT, LimitKind.BREAKER, LimitKind.CEILING):
            one_client = [one for one in getattr(self, "changes", []) if one.what is kind]
            assert all(one.old != one.new for one in one_client)
            if kind is LimitKind.IN_FLIGHT and one_client:
                assert one_client[-1].new == self.gate.in_flight.limit

    def teardown(self):
        for ticket in list(getattr(self, "under_way", {})):
            self.settle(ticket)
        if hasattr(self, "gate"):
            assert self.gate.figures(self.now).in_flight == 0


TestAnyTraffic = AnyTraffic.TestCase
TestAnyTraffic.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
