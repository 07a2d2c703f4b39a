"""The end of a run in words and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from batchdesk.cli.advice_words import advice_words
from batchdesk.cli.limit_words import change_words
from batchdesk.cli.words import CAUSES, ERRORS, SKIPS, duration
from batchdesk.domain.snapshot import Advice, LimitChange
from batchdesk.domain.task import RunKind, RunState, TaskState
from batchdesk.quality.evaluation import Share
from batchdesk.session import Kept, RunSummary
from batchdesk.session.summary import evaluation_figures


def summary_json(summary: RunSummary, project: Path) -> dict[str, Any]:
    """The one object that ``--json`` prints."""
    summary = _as_it_stands(summary)
    counts = summary.counts
    states = ("passed", "review", "accepted", "rejected", "dead", "skipped", "pending", "waiting")
    return {
        "run": summary.run.id,
        "project": str(project),
        "job": summary.run.job.name,
        "kind": summary.run.kind,
        "state": summary.run.state,
        "cause": summary.run.cause,
        "message": summary.run.cause_message,
        "tasks": summary.tasks,
        **{state: counts.get(TaskState(state), 0) for state in states},
        "running": counts.get(TaskState.RUNNING, 0),
        "requests": summary.requests,
        "attempts": summary.requests,  # one task each as long as rows are not packed
        "succeeded": summary.succeeded,
        "reused": summary.reused,
        "input_tokens": summary.input_tokens,
        "output_tokens": summary.output_tokens,
        "wall_s": round(summary.run.active_s, 3),
        "accepted_per_min": round(summary.accepted_per_min, 2),
        "error_kinds": dict(sorted(summary.failures.items())),
        "dead_kinds": dict(sorted(summary.dead_kinds.items())),
        "accuracy": evaluation_figures(summary.evaluation),
    }


# How hard a run pushes, as its last figures have it.
_PUSHING = (
    *("hold", "in_flight", "limit", "ceiling", "pinned", "pace_per_s"),
    *("permitted_requests_per_s", "permitted_tokens_per_s", "degraded", "growing"),
)


def limits_json(figures: Mapping[str, Any], changes: Sequence[LimitChange]) -> dict[str, Any]:
    """What held a run back last, its lanes, its latency, and every change of its limits.

    A figure that was not kept is null; times are seconds since the epoch.
    """
    return {
        **{name: figures.get(name) for name in _PUSHING},
        "lanes": {lane: figures.get(lane) for lane in ("fast", "slow")},
        "latency": latency_json(figures),
        "limit_changes": [asdict(change) for change in changes],
    }


def latency_json(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Percentiles of successful requests in seconds: of the last minute, and since the start.

    The start is the last time that the run was started or resumed. Unknown figures are null.
    """
    names = ("p50_s", "p95_s", "p99_s")
    return {
        "last_minute": {name: figures.get(name) for name in names},
        "since_start": {name: figures.get(f"run_{name}") for name in names},
        "first_token_p50_s": figures.get("first_token_p50_s"),
        "own_queue_p50_s": figures.get("queue_wait_p50_s"),
    }


_PROMISED = {
    "requests": "requests  ",
    "input_tokens": "tokens in ",
    "output_tokens": "tokens out",
    "seconds": "time      ",
}


def forecast_lines(kept: Sequence[Kept]) -> list[str]:
    """What the preview promised beside what the run took; nothing for a run without a promise."""
    table = [one for one in kept if one.name in _PROMISED]
    if not table:
        return []
    lines = ["", "Against what the preview promised:"]
    for one in table:
        shown = duration if one.name == "seconds" else "{:,.0f}".format
        took, low, high = (shown(n) for n in (one.truth, one.promised.low, one.promised.high))
        lines.append(f"  {_PROMISED[one.name]}  {took} ({low} to {high}): {_verdict(one)}")
    return lines


def _verdict(one: Kept) -> str:
    if one.spared:
        reused = "1 answer was" if one.spared == 1 else f"{one.spared:,} answers were"
        return f"less than promised: {reused} reused"
    return {True: "as promised", False: "NOT as promised", None: "not finished"}[one.is_kept]


def forecast_json(kept: Sequence[Kept]) -> dict[str, Any]:
    """The same for ``--json``: per figure the promise, the truth, and whether it was kept.

    ``rows_spared``: the figure is below the promise because so many answers were there already.
    """
    return {
        one.name: {
            "promised": asdict(one.promised),
            "took": one.truth,
            "kept": one.is_kept,
            "rows_spared": one.spared,
        }
        for one in kept
    }


def exit_code(summary: RunSummary) -> int:
    """0 finished, 3 paused or stopped, 4 finished with dead letters."""
    if summary.run.state is not RunState.FINISHED:
        return 3
    return 4 if summary.counts.get(TaskState.DEAD, 0) else 0


def as_left_behind(summary: RunSummary) -> RunSummary:
    """A run that says it is under way but that nobody carries out, as opening will find it."""
    return _as_it_stands(replace(summary, run=replace(summary.run, state=RunState.PAUSED)))


def _as_it_stands(summary: RunSummary) -> RunSummary:
    """What only lies in the queue of a run that does not run is not under way."""
    counts = dict(summary.counts)
    if summary.run.state is RunState.RUNNING or TaskState.RUNNING not in counts:
        return summary
    pending = counts.pop(TaskState.RUNNING) + counts.get(TaskState.PENDING, 0)
    counts |= {TaskState.PENDING: pending} if pending else {}
    return replace(summary, counts=counts)


def summary_lines(
    summary: RunSummary,
    project: Path,
    command: str,
    *,
    interrupted: bool = False,
    is_only: bool = True,
    changes: Sequence[LimitChange] = (),
    advice: Sequence[Advice] = (),
) -> list[str]:
    """The result table and what to do next; ``command`` is what starts Batchdesk here.

    ``is_only``: the project has no other run, so what to do next need not name it.
    """
    summary = _as_it_stands(summary)
    counts = summary.counts
    standing = _standing(summary, interrupted=interrupted)
    lines = ["", f"{summary.run.job.name}: {_name(summary)}, {standing}", ""]
    table: list[tuple[str, str]] = [("rows", f"{summary.tasks:,}")]
    for state, word in (
        (TaskState.PASSED, "passed"),
        (TaskState.REVIEW, "for review"),
        (TaskState.ACCEPTED, "accepted"),
        (TaskState.REJECTED, "rejected"),
        (TaskState.DEAD, "dead letters"),
        (TaskState.SKIPPED, "skipped"),
        (TaskState.RUNNING, "under way"),
        (TaskState.PENDING, "not sent yet"),
        (TaskState.WAITING, "to be tried again"),
    ):
        if counts.get(state) or state in (TaskState.PASSED, TaskState.REVIEW):
            reasons = _skips(summary) if state is TaskState.SKIPPED else ""
            table.append((word, f"{counts.get(state, 0):,}{reasons}"))
    table.append(("requests", _requests(summary)))
    if summary.reused:
        table.append(("reused", f"{summary.reused:,} earlier answers, not asked again"))
    table.append(("tokens", f"{summary.input_tokens:,} in, {summary.output_tokens:,} out"))
    table.append(("time", _time(summary)))
    if changes:
        known = "1 change" if len(changes) == 1 else f"{len(changes):,} changes, the last"
        table.append(("limits", f"{known}: {change_words(changes[-1])}"))
    table += _accuracy(summary)
    width = max(len(name) for name, _ in table)
    lines += [f"  {name.ljust(width)}  {value}" for name, value in table]
    if summary.failures:
        kinds = sorted(summary.failures.items(), key=lambda item: -item[1])
        lines += ["", "Attempts without a usable answer (tried again, or seen to as above):"]
        lines += [f"  {count:,} × {ERRORS[kind]}" for kind, count in kinds]
    if advice:
        lines += ["", "What decided the speed and the cost, at the end:"]
        lines += [f"  {advice_words(one)}" for one in advice]
    return [*lines, "", *_next_steps(summary, project, command, is_only=is_only)]


def cause_sentence(summary: RunSummary) -> str | None:
    """Why a run paused by itself, and what to do; None if it did not."""
    cause = summary.run.cause
    if cause is None:
        return None
    words = ERRORS[cause]
    sentence = CAUSES.get(cause, f"{words[0].upper()}{words[1:]} ({{message}}). Resume to go on.")
    if not summary.run.cause_message:
        sentence = sentence.replace(" ({message})", "").replace(" until {message}", "")
    return sentence.replace("{message}", summary.run.cause_message or f"There is {words}.")


def _name(summary: RunSummary) -> str:
    """``run 3``, or ``run 3 (preview)`` where it is not a run of the whole table."""
    kind = summary.run.kind
    return f"run {summary.run.id}" + ("" if kind is RunKind.FULL else f" ({kind})")


def _standing(summary: RunSummary, *, interrupted: bool) -> str:
    if summary.run.state is RunState.FINISHED:
        return "finished"
    if interrupted:
        return f"stopped in the middle with {_rows_to_go(summary)}; resume goes on"
    return f"{summary.run.state} with {_rows_to_go(summary)}"


def _rows_to_go(summary: RunSummary) -> str:
    to_go = _open(summary)
    return f"{to_go:,} {'row' if to_go == 1 else 'rows'} to go"


def _open(summary: RunSummary) -> int:
    return sum(count for state, count in summary.counts.items() if state.is_open)


def _skips(summary: RunSummary) -> str:
    """Why rows are not sent: ``: 10 left out by the job's `where`, 2 empty``.

    Rows that were answered before may still wait for a person, in the run that answered them.
    """
    most_first = sorted(summary.skip_reasons.items(), key=lambda item: -item[1])
    reasons = ", ".join(f"{count:,} {SKIPS[reason]}" for reason, count in most_first)
    waiting = "".join(
        f"; {count:,} of them {'waits' if count == 1 else 'wait'} for review in run {run_id}"
        for run_id, count in summary.waiting_elsewhere.items()
    )
    return f": {reasons}{waiting}" if reasons else ""


def _time(summary: RunSummary) -> str:
    took = duration(summary.run.active_s)
    if summary.run.active_s < 1:
        return took  # no minute can be told of less than a second
    return f"{took}, {summary.accepted_per_min:,.0f} accepted/min"


def _requests(summary: RunSummary) -> str:
    if not summary.requests:
        return "0"
    share = summary.succeeded / summary.requests
    return f"{summary.requests:,}, {share:.1%} answered"


def _accuracy(summary: RunSummary) -> list[tuple[str, str]]:
    found = summary.evaluation
    if found is None:
        return []
    table = [
        ("accuracy", f"{_share(found.answered)} of the answered"),
        ("", f"{_share(found.end_to_end)} end to end (a missing answer counts as wrong)"),
    ]
    if found.review.of:
        table.append(("", f"{_share(found.passed)} of the passed"))
        table.append(("", f"{_share(found.review)} of those for review"))
    return table


def _share(share: Share) -> str:
    if share.value is None or share.interval is None:
        return "–"
    low, high = share.interval
    return f"{share.value:.1%} ({share.right:,} of {share.of:,}; 95 %: {low:.1%} to {high:.1%})"


def _next_steps(summary: RunSummary, project: Path, command: str, *, is_only: bool) -> list[str]:
    steps = [f"Project file: {project}"]
    if (sentence := cause_sentence(summary)) is not None:
        steps.append(f"Paused: {sentence}")
    if summary.run.state is not RunState.FINISHED:
        steps.append(f'Go on with:   {command} resume "{project}" --run {summary.run.id}')
    elif summary.counts.get(TaskState.DEAD):
        steps.append(f'Dead letters: {command} dead "{project}" --run {summary.run.id}')
        steps.append(f'Ask again:    {command} rerun "{project}" --run {summary.run.id}')
    which = "" if is_only else f" --run {summary.run.id}"
    steps.append(f'Export with:  {command} export "{project}"{which} --to results.csv')
    return steps
