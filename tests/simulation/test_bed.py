"""The bed itself: what it reports of simple services, by values worked out by hand."""

from __future__ import annotations

import math
import random

import pytest
from tests.simulation.bed import Bed, GateOfParts, Load
from tests.simulation.limiters import (
    ConcurrencyCap,
    FixedWindow,
    SlidingWindow,
    TokenBucket,
    halved_between,
)
from tests.simulation.services import (
    Faulty,
    Flapping,
    Outage,
    Service,
    Slots,
    Unlimited,
    doubled,
    fixed,
    honest,
    lognormal,
    nothing_left,
    of_the_bucket,
    quota_gone,
    without_remaining,
)

from batchdesk.domain.task import ErrorKind
from batchdesk.engine.admission import Gate, GateLimits
from batchdesk.engine.in_flight import InFlightLimit


def test_that_fifty_at_once_of_200_ms_are_250_a_second():
    bed = Bed(GateOfParts(InFlightLimit(50, 50)), Service(Unlimited(fixed(0.2))), seed=1)

    tally = bed.run(for_s=10)

    assert tally.per_second(0.2, 9.9) == pytest.approx(250, rel=0.03)
    assert tally.most_in_flight == 50
    assert tally.p95_s() == pytest.approx(0.2)


def test_that_a_real_gate_carries_all_rows_to_their_end():
    gate = Gate(GateLimits(start=10, pinned=10))
    bed = Bed(gate, Service(Unlimited(fixed(0.2))), seed=1, loads=(Load(rows=100),))

    tally = bed.run()

    assert len(tally.accepted) == 100
    assert tally.ended_s == pytest.approx(2.0)  # ten rounds of ten
    assert bed.is_done


def test_that_a_queueing_server_makes_the_surplus_wait():
    bed = Bed(GateOfParts(InFlightLimit(20, 20)), Service(Slots(10, fixed(0.2))), seed=1)

    tally = bed.run(for_s=20)

    assert tally.per_second(5, 15) == pytest.approx(50, rel=0.02)
    assert tally.p95_s(5) == pytest.approx(0.4, rel=0.02)  # twice the slots: twice the time


def test_that_a_refused_row_comes_back_and_none_is_lost():
    service = Service(Unlimited(fixed(0.2)), TokenBucket(10, 5))
    bed = Bed(GateOfParts(InFlightLimit(20, 20)), service, seed=1, loads=(Load(rows=50),))

    tally = bed.run()

    assert bed.is_done
    assert len(tally.accepted) == 50
    assert len(tally.sent) == 50 + len(tally.refused)
    assert tally.refused


def test_that_a_hanging_request_ends_with_the_timeout():
    service = Service(Unlimited(fixed(0.2)), faults=(Outage(0, 1e9, after_s=math.inf),))
    bed = Bed(GateOfParts(InFlightLimit(3, 3)), service, seed=1, timeout_s=10)

    tally = bed.run(for_s=15)

    assert tally.failed == pytest.approx([10, 10, 10])
    assert not tally.accepted


def test_that_the_same_seed_gives_the_same_run_and_another_seed_another():
    def tally(seed: int) -> list[float]:
        service = Service(Unlimited(lognormal(0.2, 0.5)), faults=(Faulty(0.05),))
        return Bed(GateOfParts(InFlightLimit(9, 9)), service, seed).run(for_s=5).accepted

    assert tally(1) == tally(1)
    assert tally(1) != tally(2)


def test_that_recovery_is_counted_from_the_moment_asked_for():
    service = Service(
        Unlimited(fixed(0.1)), faults=(Outage(1010, 1020, ErrorKind.SERVER_ERROR, 0.1),)
    )
    tally = Bed(GateOfParts(InFlightLimit(5, 5)), service, seed=1).run(for_s=60)

    # 50 a second; retries are at most every tenth, so full speed is there within a round
    assert tally.recovery_s(10, 50) == pytest.approx(10, abs=0.5)
    assert tally.recovery_s(20, 50) == pytest.approx(0, abs=0.5)


def test_that_a_token_bucket_holds_a_burst_and_fills_evenly():
    bucket = TokenBucket(per_s=10, burst=2)
    bucket.charge(1, 0.0)
    bucket.charge(1, 0.0)

    assert bucket.wait_s(1, 0.0) == pytest.approx(0.1)
    assert bucket.wait_s(1, 0.1) == 0
    assert bucket.state(0.1).limit == 600


def test_that_a_window_starts_anew_at_its_phase():
    window = FixedWindow(limit=2, window_s=60, phase_s=10)
    window.charge(1, 65)
    window.charge(1, 66)

    assert window.wait_s(1, 67) == pytest.approx(3)
    assert window.wait_s(1, 70) == 0


def test_that_a_sliding_minute_frees_each_request_after_a_minute():
    window = SlidingWindow(limit=2)
    window.charge(1, 0)
    window.charge(1, 30)

    assert window.wait_s(1, 40) == pytest.approx(20)
    assert window.wait_s(1, 60) == 0


def test_that_a_halved_limit_returns():
    factor = halved_between(10, 70)

    assert [factor(9), factor(10), factor(69), factor(70)] == [1.0, 0.5, 0.5, 1.0]


def test_that_a_concurrency_cap_refuses_the_surplus():
    service = Service(Unlimited(fixed(1.0)), cap=ConcurrencyCap(2))
    rng = random.Random(1)

    kinds = [service.reply(0, 0.0, rng).kind for _ in range(3)]

    assert kinds == [None, None, ErrorKind.RATE_LIMITED]
    assert service.reply(0, 1.0, rng).kind is None


def test_that_flapping_is_down_at_the_end_of_each_period():
    service = Service(Unlimited(fixed(0.2)), faults=(Flapping(period_s=30, down_s=5),))
    rng = random.Random(1)

    kinds = [service.reply(0, now, rng).kind for now in (0.0, 24.9, 25.0, 29.9, 30.0)]

    assert kinds == [None, None, ErrorKind.OVERLOADED, ErrorKind.OVERLOADED, None]


def test_that_quota_that_is_gone_stays_gone():
    service = Service(Unlimited(fixed(0.2)), faults=(quota_gone(100.0),))
    rng = random.Random(1)

    kinds = [service.reply(0, now, rng).kind for now in (99.0, 100.0, 1e9)]

    assert kinds == [None, ErrorKind.QUOTA_EXHAUSTED, ErrorKind.QUOTA_EXHAUSTED]


def test_that_counted_refusals_use_up_the_limit():
    rng = random.Random(1)
    for counts, left in ((False, 0.0), (True, -1.0)):
        bucket = TokenBucket(per_s=1, burst=2)
        service = Service(Unlimited(fixed(0.2)), bucket, counts_refused=counts)
        for _ in range(3):
            service.reply(0, 0.0, rng)
        assert bucket.level == left


@pytest.mark.parametrize(
    ("headers", "limit", "remaining"),
    [
        (honest, 120, 60),
        (without_remaining, 120, None),
        (doubled, 240, 240),
        (nothing_left, 120, 0),
        (of_the_bucket(2), 120, 1),
    ],
)
def test_that_headers_say_what_they_are_told_to_say(headers, limit, remaining):
    service = Service(Unlimited(fixed(0.2)), TokenBucket(per_s=2, burst=2), headers=headers)

    said = service.reply(0, 0.0, random.Random(1)).limits.requests

    assert said is not None
    assert (said.limit, said.remaining) == (limit, remaining)
