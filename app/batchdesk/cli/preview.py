"""``batchdesk preview``: some rows twice, three gates, and what a full run would take."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Any

from batchdesk.cli.commands import import_data, own_settings, read_job, warn_of_risk, without_path
from batchdesk.cli.progress import ProgressLine
from batchdesk.cli.terminal import show, show_json
from batchdesk.cli.words import SKIPS, duration, own_command
from batchdesk.domain.task import RunState, SkipReason
from batchdesk.session import (
    Choice,
    ConfidenceTest,
    Forecast,
    Gate,
    GateState,
    How,
    Preview,
    Range,
    Session,
    Share,
)
from batchdesk.session.summary import evaluation_figures
from batchdesk.store.project import SUFFIX

_HOW = {
    How.FIRST: "the first",
    How.RANDOM: "random",
    How.STRATIFIED: "of each kind",
    How.LONGEST: "the longest",
}
_GATES = {GateState.OPEN: "–", GateState.PASSED: "passed", GateState.FAILED: "NOT passed"}
_BOUND = {
    "requests": "by the limit of requests per minute",
    "tokens": "by the limit of tokens per minute",
    "pinned": "by the fixed number of requests at once",
    "service": "no limit is known, so the range is wide",
}
_MOST_KEYS = 8


async def preview(arguments: argparse.Namespace) -> int:
    """Import the table, run some rows twice, and say what came of it.

    Returns 0 if every gate was passed, 4 if not, 3 if the runs did not end.
    """
    job = read_job(arguments)
    project = arguments.project or Path.cwd() / f"{arguments.job.stem}{SUFFIX}"
    session = await Session.open(project, create=True, settings=own_settings())
    line = ProgressLine()
    try:
        warn_of_risk(session)
        dataset = await import_data(session, job, line)
        choice = Choice(How(arguments.choose), arguments.rows, arguments.by, arguments.seed)
        made = await session.make_preview(without_path(job), dataset, choice)
        run_ids = (made.first_run_id, made.second_run_id)
        for run_id in run_ids:
            await session.start(run_id)
        try:
            states = [await session.wait(run_id) for run_id in run_ids]
        except asyncio.CancelledError:
            for run_id in run_ids:
                session.stop(run_id)
            raise
        found = await session.preview(made.id)
        if arguments.json:
            show_json(preview_json(found, session.path))
        else:
            show(*preview_lines(found, job.name), "", _next_step(found, session.path, arguments))
        if any(state is not RunState.FINISHED for state in states):
            return 3
        return 0 if passes(found) else 4
    finally:
        line.end()
        await session.close()


def passes(found: Preview) -> bool:
    """Whether there were answers to judge, no gate failed, and every row sent was answered."""
    gates = (found.gates.format, found.gates.stable, found.gates.matched)
    failed = any(gate.state is GateState.FAILED for gate in gates)
    return _has_answers(found) and not failed and not found.gates.unanswered


def _has_answers(found: Preview) -> bool:
    """Whether the service answered anything; rows whose prompt fails are never sent."""
    return found.gates.format.of > 0


def _next_step(found: Preview, project: Path, arguments: argparse.Namespace) -> str:
    """The command for all rows, or the one that says why none was answered."""
    command = own_command()
    if not _has_answers(found):
        return f'See why:  {command} dead "{project}" --run {found.first_run_id}'
    return f'Run all with:  {command} run "{arguments.job}"{_same_files(arguments)}'


def _same_files(arguments: argparse.Namespace) -> str:
    """The options that name the same table and project again."""
    given = (("--data", arguments.data), ("--project", arguments.project))
    return "".join(f' {option} "{path}"' for option, path in given if path is not None)


def preview_lines(found: Preview, name: str) -> list[str]:
    """A preview in words."""
    how = _HOW[found.choice.how]
    gates = found.gates
    table = [
        ("format", _gate(gates.format, "answers have the asked form")),
        ("stable", _gate(gates.stable, "rows were answered the same twice")),
        ("matched", _gate(gates.matched, "answers name their own row")),
    ]
    if not _has_answers(found):
        table.append(("", "no row was answered"))
    elif gates.unanswered:
        table.append(("", f"{gates.unanswered:,} were not answered at all"))
    if gates.unstable_keys:
        more = ", …" if len(gates.unstable_keys) > _MOST_KEYS else ""
        table.append(("differing", ", ".join(gates.unstable_keys[:_MOST_KEYS]) + more))
    if found.evaluation is not None:
        table.append(("accuracy", f"{_share(found.evaluation.answered)} of the answered"))
    if found.confidence is not None:
        table += _confidence(found.confidence)
    lines = ["", f"{name}: preview {found.id}, rows chosen: {how}, each sent twice", ""]
    lines += _aligned(table)
    if found.forecast is not None:
        lines += ["", f"A full run would send {found.forecast.rows:,} rows and take:", ""]
        lines += _aligned(forecast_table(found.forecast))
    return lines


def forecast_table(promised: Forecast) -> list[tuple[str, str]]:
    """A promise in words: likely, and from which to which in 19 of 20 cases."""
    table = [("requests", _range(promised.requests))]
    if promised.input_tokens is not None and promised.output_tokens is not None:
        table.append(("tokens in", _range(promised.input_tokens)))
        table.append(
            ("", f"of them {promised.instructions:,.0f} for the instructions{_paid(promised)}")
        )
        table.append(("tokens out", _range(promised.output_tokens)))
    table.append(("cost", _cost(promised)))
    if promised.seconds is not None:
        low, high = duration(promised.seconds.low), duration(promised.seconds.high)
        likely = duration(promised.seconds.likely)
        table.append(("time", f"{likely} ({low} to {high}); {_BOUND[promised.bound_by]}"))
    if promised.reused:
        table.append(("reused", f"{promised.reused:,} further rows that were answered before"))
    if promised.too_long:
        table.append(("left out", f"{promised.too_long:,} {SKIPS[SkipReason.TOO_LONG]}"))
    if promised.over_minute:
        words = "larger than all the tokens of a minute; each goes alone and waits"
        table.append(("slow", f"{promised.over_minute:,} {words}"))
    return table


def preview_json(found: Preview, project: Path) -> dict[str, Any]:
    """A preview as one JSON object."""
    gates = found.gates
    return {
        "project": str(project),
        "preview": found.id,
        "runs": [found.first_run_id, found.second_run_id],
        "finished": found.is_finished,
        "passed": passes(found),
        "chosen": asdict(found.choice),
        "gates": {
            "format": asdict(gates.format),
            "stable": asdict(gates.stable),
            "matched": asdict(gates.matched),
            "unanswered": gates.unanswered,
            "stable_fields": {field: asdict(share) for field, share in gates.stable_fields.items()},
            "unstable_keys": list(gates.unstable_keys),
        },
        "accuracy": evaluation_figures(found.evaluation),
        "confidence": None if found.confidence is None else asdict(found.confidence),
        "work": asdict(found.work),
        "forecast": None if found.forecast is None else asdict(found.forecast),
    }


def _gate(gate: Gate, what: str) -> str:
    if gate.state is GateState.NOT_ASKED:
        return "not asked for by this job"
    if gate.state is GateState.OPEN:
        return "nothing to count"
    return f"{_GATES[gate.state]}: {gate.right:,} of {gate.of:,} {what}"


def _confidence(test: ConfidenceTest) -> list[tuple[str, str]]:
    if test.is_useless:
        seen = f"{test.lowest:.2f} to {test.highest:.2f}"
        return [("confidence", f"says nothing about right and wrong here (it was {seen})")]
    return [
        ("confidence", f"wrong below {test.at:.2f}: {_share(test.low_wrong)}"),
        ("", f"wrong from there on: {_share(test.high_wrong)}"),
    ]


def _share(share: Share) -> str:
    if share.value is None or share.interval is None:
        return "–"
    low, high = share.interval
    return f"{share.value:.0%} ({share.right:,} of {share.of:,}; 95 %: {low:.0%} to {high:.0%})"


def _range(found: Range) -> str:
    return f"{found.likely:,.0f} ({found.low:,.0f} to {found.high:,.0f})"


def _cost(promised: Forecast) -> str:
    if promised.micros is None:
        return "unknown: no price is known for this model"
    if promised.micros.high == 0:
        return "nothing"
    low, likely, high = (
        f"{micros / 1_000_000:,.4f}"
        for micros in (promised.micros.low, promised.micros.likely, promised.micros.high)
    )
    return f"{promised.currency} {likely} ({low} to {high})"


def _paid(promised: Forecast) -> str:
    """What the instructions cost, where that is known and not nothing."""
    micros = promised.instructions_micros
    return f": {promised.currency} {micros / 1_000_000:,.4f}" if micros else ""


def _aligned(table: list[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in table)
    return [f"  {name.ljust(width)}  {value}" for name, value in table]
