from __future__ import annotations

from batchdesk.engine.admission import GateLimits
from batchdesk.session.accounts import Accounts, together

A = GateLimits(start=20, ceiling=200, rpm=600.0)
B = GateLimits(start=8, ceiling=50, pinned=10, rpm=300.0, tpm=9000.0)


def told(gate):
    figures = gate.figures(0.0)
    return (figures.permitted_requests_per_s, figures.permitted_tokens_per_s)


def test_that_runs_on_one_account_share_one_gate_and_others_do_not():
    accounts = Accounts()
    first, second = accounts.take("a#1", A, 0.0), accounts.take("a#1", A, 1.0)
    assert first.gate is second.gate
    assert accounts.take("a#2", A, 1.0).gate is not first.gate


def test_that_of_each_limit_the_smaller_one_counts():
    assert together([A, B]) == GateLimits(start=8, ceiling=50, pinned=10, rpm=300.0, tpm=9000.0)


def test_that_a_later_run_tightens_the_gate_and_takes_its_limits_with_it():
    accounts = Accounts()
    first = accounts.take("a", A, 0.0)
    assert told(first.gate) == (9.9, None)  # 600 a minute at 0.99
    second = accounts.take("a", B, 10.0)
    assert told(first.gate) == (4.95, 148.5)
    figures = first.gate.figures(10.0)
    assert (figures.ceiling, figures.limit, figures.pinned) == (50, 10, True)
    second.give_back(20.0)
    assert told(first.gate) == (9.9, None)
    figures = first.gate.figures(20.0)
    assert (figures.ceiling, figures.pinned) == (200, False)


def test_that_a_person_moves_the_limits_of_one_run():
    accounts = Accounts()
    first, second = accounts.take("a", A, 0.0), accounts.take("a", A, 0.0)
    first.set_told(120.0, None, 1.0)
    first.set_ceiling(30, 1.0)
    second.pin(5, 1.0)
    figures = first.gate.figures(1.0)
    assert (figures.ceiling, figures.limit, figures.pinned) == (30, 5, True)
    assert told(first.gate) == (1.98, None)
    first.give_back(2.0)
    assert told(first.gate) == (9.9, None)
    assert first.gate.figures(2.0).limit == 5
    second.pin(None, 3.0)
    assert first.gate.figures(3.0).pinned is False


def test_that_what_was_learned_is_kept_for_ten_minutes_after_the_last_run():
    accounts = Accounts()
    first = accounts.take("a", A, 0.0)
    gate = first.gate
    first.give_back(100.0)
    second = accounts.take("a", A, 700.0)
    assert second.gate is gate
    second.give_back(800.0)
    assert accounts.take("a", A, 1400.1).gate is not gate


def test_that_a_resumed_run_goes_by_its_own_told_limits():
    accounts = Accounts()
    accounts.take("a", B, 0.0).give_back(10.0)
    again = accounts.take("a", A, 20.0)
    assert told(again.gate) == (9.9, None)
    assert again.gate.figures(20.0).pinned is False


def test_that_an_account_in_use_is_never_forgotten():
    accounts = Accounts()
    first = accounts.take("a", A, 0.0)
    assert accounts.take("a", A, 1e6).gate is first.gate
