"""``batchdesk dead`` and ``rerun``: rows that were given up, shown, exported, put back."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from batchdesk.cli.commands import latest_run
from batchdesk.cli.terminal import show, show_json
from batchdesk.cli.words import ERRORS, own_command
from batchdesk.domain.task import ErrorKind
from batchdesk.session import DeadKind, DeadLetter, Session

_SHOWN = 20  # rows; a file takes them all
_PAGE = 1000


async def dead(arguments: argparse.Namespace) -> int:
    """``batchdesk dead``: how many of which kind and which rows, or all of them to a file."""
    session = await Session.open(arguments.project, read_only=True)
    try:
        run_id = (await session.run(arguments.run or await latest_run(session))).id
        if arguments.to is not None:
            count = await session.export_dead(
                run_id, arguments.to, kind=arguments.kind, overwrite=arguments.force
            )
            show(f"{count:,} dead letters of run {run_id} are in {arguments.to}")
            return 0
        kinds = {
            kind: told
            for kind, told in (await session.dead_letters(run_id)).items()
            if arguments.kind in (None, kind)
        }
        if arguments.json:
            show_json(await _as_json(session, run_id, arguments.kind, kinds))
        else:
            letters = await session.dead_page(run_id, kind=arguments.kind, count=_SHOWN)
            show(*dead_lines(run_id, kinds, letters, arguments.kind))
            if kinds:
                show("", f'Ask again with:  {own_command()} rerun "{session.path}" --run {run_id}')
        return 0
    finally:
        await session.close()


async def rerun(arguments: argparse.Namespace) -> int:
    """``batchdesk rerun``: put dead letters back to be asked again."""
    session = await Session.open(arguments.project)
    try:
        run_id = arguments.run or await latest_run(session)
        count = await session.rerun(run_id, task_ids=arguments.task, kind=arguments.kind)
        if not count:
            show(f"Run {run_id} has no such dead letters; nothing was changed.")
            return 0
        rows = "1 row" if count == 1 else f"{count:,} rows"
        show(
            f"{rows} of run {run_id} will be asked again.",
            f'Send with:  {own_command()} resume "{session.path}" --run {run_id}',
        )
        return 0
    finally:
        await session.close()


def dead_lines(
    run_id: int,
    kinds: Mapping[ErrorKind, DeadKind],
    letters: list[DeadLetter],
    kind: ErrorKind | None = None,
) -> list[str]:
    """The kinds with their last message, then the first rows with their task ids."""
    if not kinds:
        return [f"Run {run_id} has no dead letters{f' of kind {kind}' if kind else ''}."]
    count = sum(told.count for told in kinds.values())
    lines = [f"Run {run_id}: {count:,} dead {'letter' if count == 1 else 'letters'}", ""]
    for found, told in kinds.items():
        said = f"; the last: {told.last_message}" if told.last_message else ""
        lines.append(f"  {told.count:,} × {found} ({ERRORS[found]}){said}")
    lines.append("")
    for letter in letters:
        tried = "never sent" if not letter.attempts else f"sent {letter.attempts} ×"
        said = f": {letter.message}" if letter.message else ""
        lines.append(f"  task {letter.task_id}  row {letter.row_key}  {letter.kind}, {tried}{said}")
    if count > len(letters):
        lines.append(f"  … and {count - len(letters):,} more: --to FILE writes all of them")
    return lines


async def _as_json(
    session: Session, run_id: int, kind: ErrorKind | None, kinds: Mapping[ErrorKind, DeadKind]
) -> dict[str, Any]:
    letters: list[dict[str, Any]] = []
    after = 0
    while page := await session.dead_page(run_id, kind=kind, after_id=after, count=_PAGE):
        letters += [_letter_json(letter) for letter in page]
        after = page[-1].task_id
    return {
        "project": str(session.path),
        "run": run_id,
        "dead": len(letters),
        "kinds": {found: asdict(told) for found, told in kinds.items()},
        "letters": letters,
    }


def _letter_json(letter: DeadLetter) -> dict[str, Any]:
    return {
        "task": letter.task_id,
        "row": letter.row_key,
        "kind": letter.kind,
        "message": letter.message,
        "attempts": letter.attempts,
    }
